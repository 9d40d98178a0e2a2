"""Three sentences of a paper's body ask for it: `python -m engine.research quotes --data DIR`.

DIR of --data holds a set of whole papers, all of which are the corpus. Each of --count papers is asked for by three
sentences that follow each other in one of its sections: as they are written, with a third of their words dropped, and
with words changed for WordNet's synonyms of the same part of speech (--wordnet, the folder of its files). The table
says how often that paper comes first, and among the first ten.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean

from engine import files
from engine.cli.terminal import Parser, bar
from engine.documents import Document
from engine.evaluation.benchmarks import CORPUS, from_parts, read_documents
from engine.evaluation.measure import measure_prepared
from engine.evaluation.systems import PRODUCT
from engine.research import writing
from engine.research.nearness.other_words import Synonyms, changed, dropped
from engine.text import sentences

SET = "acl-long"
ROWS = ("bm25", "student", "default")
COUNT, SEED = 200, 1
_SENTENCES = 3
_WORDS = (40, 120)
"""How many words three sentences have: fewer are headings and formulas, more are tables."""
_QUOTE = "quote "
_COLUMNS = {"first": 1, "in the first ten": 10}
WRITTEN, DROPPED, CHANGED = "as written", "a third of the words dropped", "words changed for synonyms"

Form = Callable[[str, random.Random], str]
Figures = dict[str, dict[str, dict[str, float]]]
"""By form, then by row, the shares of quotes whose paper comes first, and among the first ten."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every row on every form, print the table and save it."""
    given = _parser().parse_args(arguments)
    if given.save is not None:
        files.check_writable(given.save)
    forms: dict[str, Form] = {WRITTEN: lambda text, _: text, DROPPED: dropped}
    if given.wordnet is not None:
        synonyms = Synonyms(given.wordnet)
        forms[CHANGED] = lambda text, draw: changed(text, draw, synonyms)
    path = given.data / given.set / CORPUS
    corpus = read_documents(path)
    quotes = quotes_of(corpus, given.count, SEED)
    systems = {row: PRODUCT.prepare(row, corpus, keep=given.cache, report=bar()) for row in given.rows}
    figures: Figures = {}
    for form, told in forms.items():
        queries = [
            Document(f"{_QUOTE}{name}", kind="query", abstract=told(text, random.Random(f"{SEED} {name}")))
            for name, text in quotes.items()
        ]
        asked = from_parts(given.set, corpus, queries, {f"{_QUOTE}{name}": {name: 1} for name in quotes})
        runs = {row: measure_prepared(asked, system).run for row, system in systems.items()}
        figures[form] = {row: found(run) for row, run in runs.items()}
    circumstances = writing.circumstances("quotes", _words(given))
    facts = {"quotes": len(quotes), "sha256": files.sha256_file(path), **circumstances}
    text = "\n".join(["# Quotes that ask for their paper", "", *as_markdown(figures), *writing.as_list(facts), ""])
    print(text)
    if given.save is not None:
        writing.save(given.save, {**facts, "figures": figures}, text)


def quotes_of(corpus: Sequence[Document], count: int, seed: int) -> dict[str, str]:
    """Three sentences of each of `count` documents, drawn by the seed, by the document's id."""
    order = sorted(corpus, key=lambda document: random.Random(f"{seed} {document.id}").random())
    found = ((document.id, _quote(document, random.Random(f"{seed} {document.id}"))) for document in order)
    return dict(islice(((name, text) for name, text in found if text), count))


def _quote(document: Document, draw: random.Random) -> str:
    """Three sentences that follow each other in one of a document's sections; nothing where it has none."""
    held = []
    for section in document.sections:
        if section.role != "body":
            continue
        spans = list(sentences(section.text))
        for first, last in zip(spans, spans[_SENTENCES - 1 :], strict=False):
            text = " ".join(section.text[first.start : last.stop].split())
            if _WORDS[0] <= len(text.split()) <= _WORDS[1]:
                held.append(text)
    return draw.choice(held) if held else ""


def found(run: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """How many quotes find their paper first, and among the first ten: shares of all."""
    return {
        name: fmean(query.removeprefix(_QUOTE) in ids[:most] for query, ids in run.items())
        for name, most in _COLUMNS.items()
    }


def as_markdown(figures: Figures) -> list[str]:
    """A line a form and row."""
    lines = [
        [form, row, *(f"{one[column]:.3f}" for column in _COLUMNS)]
        for form, rows in figures.items()
        for row, one in rows.items()
    ]
    return writing.table(("quote", "row", *_COLUMNS), lines)


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", "DIR", "--set", given.set, "--rows", *given.rows, "--count", str(given.count)]
    return [*words, *(["--wordnet", "DIR"] if given.wordnet is not None else [])]


def _parser() -> Parser:
    parser = Parser(
        prog="python -m engine.research quotes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of the benchmarks")
    parser.add_argument("--set", default=SET, metavar="SET", help=f"of whole papers (default: {SET})")
    parser.add_argument("--rows", nargs="+", default=ROWS, metavar="ROW", help=f"default: {' '.join(ROWS)}")
    parser.add_argument("--count", type=int, default=COUNT, metavar="N", help=f"of quotes (default: {COUNT})")
    parser.add_argument("--wordnet", type=Path, metavar="DIR", help="WordNet's files; without, no words are changed")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep each encoder's rows of the corpus here")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON, and as .md beside it")
    return parser
