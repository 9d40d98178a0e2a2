"""Asks libraries what a person might, and grades what they are told: `python -m engine.research verdicts --data DIR`.

`verdicts.tsv` beside this module has the questions, by form (a bare topic, a sentence, an abstract, a claim), the
library that is asked, and what an expert would say: that something in it says this, that it holds the subject, or that
nothing is near. Some libraries hold the question's field, others do not. Each is read as a person would have it, with
`student`, and answers by `Searcher`; --cache keeps the libraries.
"""

from __future__ import annotations

import csv
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from engine import encoders
from engine.cli.terminal import Parser, bar
from engine.core import files
from engine.documents import Document
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.library import Library
from engine.research import measurement
from engine.search import Answer, Question, Searcher
from engine.search.readings import SAME, SENTENCES
from engine.workspace.indexing import exact_index

QUESTIONS = Path(__file__).with_suffix(".tsv")
KINDS = ("says", "subject", "nothing")
"""Something says what was asked, the library holds the subject, or nothing is near."""


class Asked(NamedTuple):
    """One question: its form, the library that is asked, what an expert would say, and its text."""

    form: str
    library: str
    expected: str
    text: str


class Told(NamedTuple):
    """What a question was told, as a kind and in a sentence."""

    asked: Asked
    kind: str
    sentence: str


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask every question, print the tables and save them."""
    given = measurement.read_options(_parser(), arguments)
    questions, told = read_questions(), list[Told]()
    for name in dict.fromkeys(one.library for one in questions):
        with _searcher(given.data / name, given.cache) as searcher:
            told += [ask(searcher, one) for one in questions if one.library == name]
    facts = measurement.circumstances("verdicts", ["--data", "DIR"])
    report: dict[str, Any] = {**facts, "sha256": files.sha256_file(QUESTIONS), **figures(told)}
    text = "\n".join([*as_markdown(report), *measurement.as_list(facts), ""])
    print(text)
    measurement.save(given.save, report, text)


def read_questions(path: Path = QUESTIONS) -> list[Asked]:
    """Return the questions of a table with a head line, its columns those of `Asked`."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [Asked(**row) for row in csv.DictReader(lines, delimiter="\t")]


@contextmanager
def _searcher(folder: Path, cache: Path | None) -> Iterator[Searcher]:
    """Read a benchmark's documents as a library; it is kept under `cache`, if any."""
    encoder = encoders.load(SENTENCES)
    with tempfile.TemporaryDirectory() as made:
        with Library.open((cache or Path(made)) / folder.name, create=True) as library:
            library.add_file(folder.name, folder.name, read_documents(folder / CORPUS))
            yield Searcher(library, encoder, exact_index(library, encoder, report=bar()))


def ask(searcher: Searcher, asked: Asked) -> Told:
    """Return what a library tells a question."""
    answer = searcher.search(Question(Document("question", "query", abstract=asked.text)))
    return Told(asked, kind_of(answer), answer.headline.sentence)


def kind_of(answer: Answer) -> str:
    """Return which of `KINDS` an answer is."""
    if not answer.is_near:
        return "nothing"
    says = any(one.reading.rank == SAME or one.evidence.quoted for one in answer.results)
    return "says" if says else "subject"


def figures(told: Sequence[Told]) -> dict[str, Any]:
    """Return how many questions of each form are told what an expert would say, and what each kind is told."""
    forms: defaultdict[str, list[bool]] = defaultdict(list)
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in told:
        forms[one.asked.form].append(one.kind == one.asked.expected)
        kinds[one.asked.expected][one.kind] += 1
    return {
        "forms": {form: {"questions": len(right), "right": sum(right)} for form, right in forms.items()},
        "kinds": {kind: {other: kinds[kind][other] for other in KINDS} for kind in KINDS},
        "others": [[*one.asked, one.kind, one.sentence] for one in told if one.kind != one.asked.expected],
    }


def as_markdown(report: Mapping[str, Any]) -> list[str]:
    """Return the tables, and the questions that are told something else than an expert would say."""
    forms = [[form, str(one["questions"]), str(one["right"])] for form, one in report["forms"].items()]
    kinds = [[kind, *(str(report["kinds"][kind][other]) for other in KINDS)] for kind in KINDS]
    others = [[form, library, expected, kind, text[:80]] for form, library, expected, text, kind, _ in report["others"]]
    return [
        "# What questions are told",
        "",
        *measurement.table(("form", "questions", "told what an expert would say"), forms),
        *measurement.table(("an expert would say", *(f"told: {kind}" for kind in KINDS)), kinds),
        *measurement.table(("form", "library", "an expert would say", "told", "the question begins"), others),
    ]


def _parser() -> Parser:
    return measurement.make_parser("verdicts", __doc__, cache=True)
