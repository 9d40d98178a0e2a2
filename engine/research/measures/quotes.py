"""Three sentences of a paper's body ask for it: `python -m engine.research quotes --data DIR`.

DIR of --data holds a set of whole papers, all of which are the corpus. Each of --count papers is asked for by three
sentences that follow each other in one of its sections: as they are written, with a third of their words dropped, and
with words changed for WordNet's synonyms of the same part of speech (--wordnet, the folder of its files). Papers that a
train pair names are not quoted, because encoders have read them. The table says how often a paper comes first, how
often among the first ten, and where it comes first, how often its best passage is the one that is quoted.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from engine.cli.terminal import Parser, bar
from engine.core import files
from engine.documents import Document
from engine.documents.text import sentences
from engine.evaluation import PRODUCT, Benchmark, kept_rows
from engine.evaluation.benchmarks import CORPUS, from_parts, read_documents
from engine.research import measurement
from engine.research.nearness.revisions import Synonyms, changed, dropped
from engine.search import PassageMatcher
from engine.training.long_corpus import PAIRS, read_labelled_pairs
from engine.vectors import PassagePlace

SET = "acl-long"
ROWS = ("bm25", "student", "meaning", "default")
COUNT, SEED = 200, 1
_SENTENCES = 3
_WORDS = (40, 120)
"""How many words three sentences have: fewer are headings and formulas, more are tables."""
_QUOTE = "quote "
_COLUMNS = {"first": 1, "in the first ten": 10}
_PASSAGE = "its passage, of those"
WRITTEN, DROPPED, CHANGED = "as written", "a third of the words dropped", "words changed for synonyms"


class Quote(NamedTuple):
    """What is quoted, and where it stands in its paper."""

    text: str
    place: PassagePlace


Form = Callable[[str, random.Random], str]
Figures = dict[str, dict[str, dict[str, float]]]
"""By form, then by row, the shares of the columns."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row on every form, print the table and save it."""
    given = measurement.read_options(_parser(), arguments)
    forms: dict[str, Form] = {WRITTEN: lambda text, _: text, DROPPED: dropped}
    if given.wordnet is not None:
        synonyms = Synonyms(given.wordnet)
        forms[CHANGED] = lambda text, draw: changed(text, draw, synonyms)
    path = given.data / given.set / CORPUS
    corpus = read_documents(path)
    quotes = quotes_of(unread(corpus, path.parent / PAIRS), given.count, SEED)
    asked = {form: _asking(given.set, corpus, quotes, told) for form, told in forms.items()}
    keep = None if given.cache is None else given.cache / asked[WRITTEN].corpus_sha256
    matcher = kept_rows.matcher(corpus, keep, report=bar())
    systems = {row: PRODUCT.prepare(row, corpus, keep=keep, report=bar()) for row in given.rows}
    figures: Figures = {}
    for form, benchmark in asked.items():
        right = {} if matcher is None else {one.id: is_right(matcher, one, quotes) for one in benchmark.queries}
        runs = {row: system.measure(benchmark).run for row, system in systems.items()}
        figures[form] = {row: found(run, right) for row, run in runs.items()}
    circumstances = measurement.circumstances("quotes", _words(given))
    facts = {"quotes": len(quotes), "sha256": files.sha256_file(path), **circumstances}
    text = "\n".join(["# Quotes that ask for their paper", "", *as_markdown(figures), *measurement.as_list(facts), ""])
    print(text)
    measurement.save(given.save, {**facts, "figures": figures}, text)


def _asking(name: str, corpus: Sequence[Document], quotes: Mapping[str, Quote], told: Form) -> Benchmark:
    """Let each quote, told in a form, ask for its paper."""
    queries = [
        Document(f"{_QUOTE}{paper}", kind="query", abstract=told(one.text, random.Random(f"{SEED} {paper}")))
        for paper, one in quotes.items()
    ]
    return from_parts(name, corpus, queries, {f"{_QUOTE}{paper}": {paper: 1} for paper in quotes})


def unread(corpus: Sequence[Document], pairs: Path) -> list[Document]:
    """Return the documents that no train pair of the table names; all of them without a table."""
    labelled = read_labelled_pairs(pairs) if pairs.is_file() else []
    read = {name for pair in labelled if pair.related and pair.split == "train" for name in (pair.a, pair.b)}
    return [document for document in corpus if document.id not in read]


def quotes_of(corpus: Sequence[Document], count: int, seed: int) -> dict[str, Quote]:
    """Return three sentences of each of `count` documents, drawn by the seed, by the document's id."""
    order = sorted(corpus, key=lambda document: random.Random(f"{seed} {document.id}").random())
    drawn = ((document.id, _quote(document, random.Random(f"{seed} {document.id}"))) for document in order)
    return dict(islice(((name, one) for name, one in drawn if one is not None), count))


def _quote(document: Document, draw: random.Random) -> Quote | None:
    """Return three sentences that follow each other in one of a document's sections; None where it has none."""
    held = []
    for number, part in enumerate(document.parts):
        if part.role != "body":
            continue
        spans = list(sentences(part.text))
        for first, last in zip(spans, spans[_SENTENCES - 1 :], strict=False):
            text = " ".join(part.text[first.start : last.stop].split())
            if _WORDS[0] <= len(text.split()) <= _WORDS[1]:
                held.append(Quote(text, PassagePlace(number, first.start, last.stop)))
    return draw.choice(held) if held else None


def is_right(matcher: PassageMatcher, query: Document, quotes: Mapping[str, Quote]) -> bool:
    """Tell whether the best passage of the paper that a query quotes holds some of the quote."""
    name, asked = query.id.removeprefix(_QUOTE), matcher.ask(query)
    best = matcher.matches(asked, name, 1) if asked else []
    place = quotes[name].place
    return any(
        one.document.part == place.part and one.document.start < place.stop and place.start < one.document.stop
        for one in best
    )


def found(run: Mapping[str, Sequence[str]], right: Mapping[str, bool]) -> dict[str, float]:
    """Return how many quotes find their paper first, and among the first ten: shares of all.

    `right` says of each query whether its best passage is right; what counts is the share of those that come first.
    """
    shares = {
        name: fmean(query.removeprefix(_QUOTE) in ids[:most] for query, ids in run.items())
        for name, most in _COLUMNS.items()
    }
    first = [query for query, ids in run.items() if query.removeprefix(_QUOTE) in ids[:1]]
    return {**shares, _PASSAGE: fmean(right[query] for query in first)} if first and right else shares


def as_markdown(figures: Figures) -> list[str]:
    """Return a line a form and row."""
    lines = [
        [form, row, *(f"{one[column]:.3f}" if column in one else "" for column in (*_COLUMNS, _PASSAGE))]
        for form, rows in figures.items()
        for row, one in rows.items()
    ]
    return measurement.table(("quote", "row", *_COLUMNS, _PASSAGE), lines)


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--set", given.set, "--rows", *given.rows, "--count", str(given.count)]
    return [*words, *(["--wordnet", "DIR"] if given.wordnet is not None else [])]


def _parser() -> Parser:
    parser = measurement.make_parser("quotes", __doc__, cache=True)
    parser.add_argument("--set", default=SET, metavar="SET", help=f"of whole papers (default: {SET})")
    parser.add_argument("--rows", nargs="+", default=ROWS, metavar="ROW", help=f"default: {' '.join(ROWS)}")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=f"of quotes (default: {COUNT})")
    parser.add_argument("--wordnet", type=Path, metavar="DIR", help="WordNet's files; without, no words are changed")
    return parser
