"""What a coverage finds of paragraphs that stand elsewhere: `python -m engine.research coverage --library DIR`.

Whole documents ask: those of a library whose passages are kept (--library), and of sets of whole papers (--sets of
--data). Each is first compared with its 30 columns. Then three paragraphs of 80 words or more, each out of another
column's document, and one out of another field stand among its sections: the first as it is, the second without a
third of its words, the third with WordNet's synonyms (--wordnet) for every word that has some. A paragraph is found
where its row is covered, and the cell of its document is. Half of the documents are the valid part, on which weights
and threshold are chosen (--fit prints the weights); the others are the test part.
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
from engine.compare.coverage import COVERED, cut_rows
from engine.compare.covering import WEIGHTS, ComparedColumns, compare_all, match_features
from engine.core import files
from engine.core.progress import Meter
from engine.documents import Document, Section
from engine.documents.text import sentences
from engine.evaluation import kept_rows
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research import measurement
from engine.research.measures.quotes import CHANGED, DROPPED, WRITTEN
from engine.research.nearness.revisions import Synonyms, changed, dropped
from engine.search import PassageReader
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
_ROUNDS = 4
_STEPS, _RIDGE = 200, 1e-3

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
    """One planted document: for each paragraph its best match by each column (m, f), and its document's column.

    The column is -1 where it is none of them, and of the paragraph of another field. `own` (q, m, f) are the
    document's own passages.
    """

    source: str
    planted: Mapping[str, tuple[Numbers, int]]
    own: Numbers


class _Corpus:
    """A set of documents as a library: no document is a copy of another, and it has no collections."""

    def __init__(self, corpus: Sequence[Document]) -> None:
        self._held = {one.id: one for one in corpus}

    @property
    def collections(self) -> _Corpus:
        return self

    def ids(self, name: str) -> list[str]:
        raise AssertionError(name)

    def get(self, ids: Sequence[str]) -> list[Document]:
        return [self._held[one] for one in ids]

    def duplicates_of(self, document: Document) -> set[str]:
        return {document.id}


def main(arguments: Sequence[str] | None = None) -> None:
    """Plant, cover, print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    synonyms = Synonyms(given.wordnet)
    corpora = {name: read_documents(given.data / name / CORPUS) for name in SETS}
    with Workspace(given.library) as workspace:
        reader = workspace.passage_encoder()
        sources = [_of_set(name, one, reader, given.cache) for name, one in corpora.items()]
        sources = [_of_library(workspace), *sources]
        observed = {part: list(_observed(sources, corpora, synonyms, part, given.count)) for part in (VALID, TEST)}
    if given.fit:
        print("weights:", fitted(observed[VALID]))
    by_threshold = {f"{one:g}": shares(observed[VALID], one) for one in THRESHOLDS}
    tested = {name: shares([one for one in observed[TEST] if one.source == name], COVERED) for name in FAR}
    tested["all"] = shares(observed[TEST], COVERED)
    words = ["--library", "DIR", "--data", "DIR", "--wordnet", "DIR", "--count", str(given.count)]
    facts: dict[str, object] = {
        "documents": {part: len(some) for part, some in observed.items()},
        "covered from": COVERED,
    }
    facts["sha256"] = {name: files.sha256_file(given.data / name / CORPUS) for name in SETS}
    facts |= measurement.circumstances("coverage", words)
    text = "\n".join(
        [
            *("# What a coverage finds", "", *as_markdown("documents of the test part", tested)),
            *("On the valid part, by which the threshold was chosen:", ""),
            *(*as_markdown("covered from", by_threshold), *measurement.as_list(facts), ""),
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


def _of_set(name: str, corpus: Sequence[Document], reader: PassageReader, cache: Path | None) -> Source:
    matcher = kept_rows.matcher(corpus, None if cache is None else cache / name, bar())
    assert matcher is not None, "the passages' encoder is shipped"
    counts = {one: matcher.view.counts[number] for one, number in matcher.view.number_of.items()}
    shelf = Shelf(_Corpus(corpus), reader, matcher, lambda _document, _most: [])
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
    told = np.array(
        [[match_features(match.pair, match.contrast) for match in each] for each in found.matches]
    )  # (q, m, f)
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


def shares(observed: Sequence[Observed], threshold: float) -> dict[str, float]:
    """Return how often each kind of paragraph is found, how often one of another field, and its own passages."""
    weights = np.array(WEIGHTS)

    def p(told: Numbers) -> Numbers:
        return np.asarray(1 / (1 + np.exp(-(told @ weights))))

    found: dict[str, float] = {}
    for name in (WRITTEN, DROPPED, CHANGED):
        some = [one.planted[name] for one in observed if name in one.planted]
        found[name] = fmean(column >= 0 and p(told)[column] >= threshold for told, column in some)
    far = [one.planted[UNRELATED][0] for one in observed if UNRELATED in one.planted]
    found[UNRELATED] = fmean(bool((p(told) >= threshold).any()) for told in far)
    found[OWN] = fmean(bool(each.max() >= threshold) for seen in observed for each in p(seen.own))
    return found


def fitted(observed: Sequence[Observed]) -> list[float]:
    """Return a logistic regression: paragraphs with their own document against the best columns of other passages."""
    weights = np.array(WEIGHTS)
    right = [told[column] for one in observed for told, column in one.planted.values() if column >= 0]
    others = [each for one in observed for each in one.own]
    others += [one.planted[UNRELATED][0] for one in observed if UNRELATED in one.planted]
    for _ in range(_ROUNDS):
        wrong = [each[int((each @ weights).argmax())] for each in others]
        weights = logistic(np.array([*right, *wrong]), np.array([1.0] * len(right) + [0.0] * len(wrong)))
    return [round(float(one), 3) for one in weights]


def logistic(told: Numbers, known: Numbers) -> Numbers:
    """Return the weights (f,) of what is told (n, f), by Newton's method; both classes weigh alike."""
    weigh = np.where(known == 1, 0.5 / known.sum(), 0.5 / (1 - known).sum()) * len(known)
    weights = np.zeros(told.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(told @ weights, -30, 30)))
        slope = told.T @ (weigh * (known - p)) - _RIDGE * weights
        curve = (told * (weigh * p * (1 - p))[:, None]).T @ told + _RIDGE * np.eye(told.shape[1])
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-8:
            break
    return weights


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
    parser.add_argument("--fit", action="store_true", help="also print the weights that fit the valid part")
    return parser
