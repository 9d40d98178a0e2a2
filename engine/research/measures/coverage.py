"""What a coverage finds of paragraphs that stand elsewhere: `python -m engine.research coverage --library DIR`.

Whole documents ask: those of a library whose passages are kept (--library), and of sets of whole papers (--sets of
--data). Each is first compared with its 30 columns. Then three paragraphs of 80 words or more, each out of another
column's document, and one out of another field stand among its sections: the first as it is, the second without a
third of its words, the third with WordNet's synonyms (--wordnet) for every word that has some. A paragraph is found
where a match in its document is told as said. Half of the documents are the valid part, which shows what each threshold
would give; the others are the test part. `coverage --restated` asks what is said in other sentences, as `restated`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from engine.cli.terminal import Parser, bar
from engine.compare import CoverageSettings, Shelf
from engine.compare.coverage import Coverage, cut_rows
from engine.compare.covering import AcrossDocuments, ComparedColumns, compare_all
from engine.core import files
from engine.core.progress import Meter
from engine.documents import Document, Section
from engine.documents.text import sentences
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research import measurement
from engine.research.measures import restated
from engine.research.measures.quotes import CHANGED, DROPPED, WRITTEN
from engine.research.nearness.revisions import Synonyms, changed, dropped
from engine.search import PassageEncoder
from engine.workspace import Workspace

SETS = ("acl-long", "pmc-long")
LIBRARY = "the library"
FAR = {LIBRARY: "pmc-long", "acl-long": "pmc-long", "pmc-long": "acl-long"}
UNRELATED, OWN = "of another field", "its own passages"
VALID, TEST = "valid", "test"
COUNT, SEED = 25, 1
THRESHOLDS = (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7, 0.9)
_FEWEST_PASSAGES, _FEWEST_OF_COLUMN = 6, 3
_WORDS = (80, 200)

Numbers = NDArray[np.float64]
Shares = Mapping[str, float]


@dataclass(frozen=True)
class Source:
    """A collection of documents, and the ids of those that are long enough to ask."""

    name: str
    shelf: Shelf
    long: Sequence[str]


@dataclass(frozen=True)
class Observed:
    """One planted document: how probably each column (m,) says each paragraph, and the column of its document.

    The column is -1 where it is none of them, and of the paragraph of another field. `own` (q, m) are the probabilities
    of the document's own passages.
    """

    source: str
    planted: Mapping[str, tuple[Numbers, int]]
    own: Numbers


def main(arguments: Sequence[str] | None = None) -> None:
    """Plant, cover, print the tables and save them."""
    if arguments and arguments[0] == "--restated":
        restated.main(arguments[1:])
        return
    given = measurement.read_options(_parser(), arguments)
    synonyms = Synonyms(given.wordnet)
    corpora = {name: read_documents(given.data / name / CORPUS) for name in SETS}
    with Workspace(given.library) as workspace:
        reader = workspace.passage_encoder()
        sources = [_of_set(name, one, reader, given.cache) for name, one in corpora.items()]
        sources = [_of_library(workspace), *sources]
        observed = {part: list(_observed(sources, corpora, synonyms, part, given.count)) for part in (VALID, TEST)}
    by_threshold = {f"{one:g}": shares(observed[VALID], one) for one in THRESHOLDS}
    tested = {name: shares([one for one in observed[TEST] if one.source == name], Coverage.said_from) for name in FAR}
    tested["all"] = shares(observed[TEST], Coverage.said_from)
    words = ["--library", "DIR", "--data", "DIR", "--wordnet", "DIR", "--count", str(given.count)]
    facts: dict[str, object] = {
        "documents": {part: len(some) for part, some in observed.items()},
        "said from": Coverage.said_from,
    }
    facts["sha256"] = {name: files.sha256_file(given.data / name / CORPUS) for name in SETS}
    facts |= measurement.circumstances("coverage", words)
    text = "\n".join(
        [
            *("# What a coverage finds", "", *as_markdown("documents of the test part", tested)),
            *("On the valid part, by the probability from which a paragraph is said:", ""),
            *(*as_markdown("said from", by_threshold), *measurement.as_list(facts), ""),
        ]
    )
    print(text)
    measurement.save(given.save, {**facts, TEST: tested, VALID: by_threshold}, text)


def _of_library(workspace: Workspace) -> Source:
    shelf = workspace.shelf()
    assert shelf.matcher is not None, "the library's passages are kept"
    view = shelf.matcher.view
    return Source(
        LIBRARY, shelf, [view.names[one] for one in np.flatnonzero(view.held & (view.counts >= _FEWEST_PASSAGES))]
    )


def _of_set(name: str, corpus: Sequence[Document], reader: PassageEncoder, cache: Path | None) -> Source:
    matcher = kept_rows.matcher(corpus, None if cache is None else cache / name, bar())
    assert matcher is not None, "the passages' encoder is shipped"
    counts = {one: matcher.view.counts[number] for one, number in matcher.view.number_of.items()}
    shelf = Shelf(restated.Corpus(corpus), reader, matcher, lambda _document, _most: [], reader.judge())
    return Source(name, shelf, [one for one, count in counts.items() if count >= _FEWEST_PASSAGES])


def _observed(
    sources: Sequence[Source],
    corpora: Mapping[str, Sequence[Document]],
    synonyms: Synonyms,
    part: str,
    count: int,
) -> Iterator[Observed]:
    """Give documents of one part with planted paragraphs, compared, but for those with too few long columns."""
    meter = Meter(f"cover documents of the {part} part", count * len(sources), bar())
    for source in sources:
        own = [one for one in sorted(source.long) if part_of(one) == part]
        some = random.Random(SEED).sample(own, min(count, len(own)))
        for document in source.shelf.library.get(some):
            far = corpora[FAR[source.name]]
            found = _planted(source, document, far, synonyms)
            meter.add()
            if found is not None:
                yield found
    meter.finish()


def part_of(name: str) -> str:
    """Return valid or test, by the id alone."""
    return VALID if int(files.fingerprint(name)[:8], 16) % 2 else TEST


def _planted(source: Source, document: Document, far: Sequence[Document], synonyms: Synonyms) -> Observed | None:
    """Return a document with four paragraphs among its sections, compared with its columns."""
    draw = random.Random(f"{SEED} {document.id}")
    columns = list(_compared(source.shelf, document).columns)
    draw.shuffle(columns)
    texts = [(one.id, text) for one in columns if (text := paragraph(one, draw))]
    strange = next(text for one in iter(lambda: draw.choice(far), None) if (text := paragraph(one, draw)))
    if len(texts) < _FEWEST_OF_COLUMN:
        return None
    (first, exact), (second, short), (third, other) = texts[:3]
    planted = {
        WRITTEN: exact,
        DROPPED: dropped(short, draw),
        CHANGED: changed(other, draw, synonyms),
        UNRELATED: strange,
    }
    origins = {WRITTEN: first, DROPPED: second, CHANGED: third}
    sections = list(document.sections)
    for name, text in planted.items():
        sections.insert(draw.randrange(len(sections) + 1), Section(name, text))
    asking = replace(document, sections=tuple(sections))
    found = _compared(source.shelf, asking)
    rows, _ = cut_rows(asking, "sections")
    ids = [one.id for one in found.columns]
    told = probabilities(found.matches)
    places = {row.title: row.passages for row in rows if row.title in planted}
    hidden = {one for passages in places.values() for one in passages}
    own = [one for one in range(len(told)) if one not in hidden]
    return Observed(
        source.name,
        {
            name: (told[passages[0]], ids.index(origins[name]) if origins.get(name) in ids else -1)
            for name, passages in places.items()
        },
        told[own],
    )


def _compared(shelf: Shelf, document: Document) -> ComparedColumns:
    return compare_all(shelf, document, cut_rows(document, "sections")[1], CoverageSettings())


def paragraph(document: Document, draw: random.Random) -> str:
    """Return sentences of a document's body in a row, 80 words or a few more; empty where it has none."""
    found: list[str] = []
    for part in document.parts:
        if part.role in {"body", "abstract"}:
            spans = sentences(part.text)
            for first in range(len(spans)):
                for last in range(first, len(spans)):
                    text = part.text[spans[first].start : spans[last].stop]
                    if len(text.split()) >= _WORDS[0]:
                        found += [text] if len(text.split()) <= _WORDS[1] else []
                        break
    return draw.choice(found) if found else ""


def probabilities(matches: Sequence[AcrossDocuments]) -> Numbers:
    """Return how probably each document says each passage: (q, m)."""
    return np.array([[match.p for match in each] for each in matches])


def shares(observed: Sequence[Observed], threshold: float) -> dict[str, float]:
    """Return how often each kind of paragraph is found, how often one of another field, and its own passages."""
    found: dict[str, float] = {}
    for name in (WRITTEN, DROPPED, CHANGED):
        some = [one.planted[name] for one in observed if name in one.planted]
        found[name] = fmean(column >= 0 and p[column] >= threshold for p, column in some)
    far = [one.planted[UNRELATED][0] for one in observed if UNRELATED in one.planted]
    found[UNRELATED] = fmean(bool((p >= threshold).any()) for p in far)
    found[OWN] = fmean(bool(each.max() >= threshold) for one in observed for each in one.own)
    return found


def as_markdown(what: str, figures: Mapping[str, Shares]) -> list[str]:
    """Return a line for each set or threshold."""
    columns = (WRITTEN, DROPPED, CHANGED, UNRELATED, OWN)
    lines = [[name, *(f"{one[column]:.1%}" for column in columns)] for name, one in figures.items()]
    return measurement.table((what, *columns), lines)


def _parser() -> Parser:
    parser = measurement.make_parser("coverage", __doc__, cache=True)
    parser.add_argument("--library", type=Path, required=True, metavar="DIR", help="a library with kept passages")
    parser.add_argument("--wordnet", type=Path, required=True, metavar="DIR", help="WordNet's files")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=f"documents of a set (default: {COUNT})")
    return parser
