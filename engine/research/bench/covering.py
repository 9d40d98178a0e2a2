"""How long one document against a library takes: `python -m engine.research bench coverage`.

The document is made of sections of the library's whole documents, --words words in all, or it is --file.
What reads passages is loaded, and the library's are opened, before the clock starts.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_args

import numpy as np

from engine.cli import options
from engine.compare import CoverageSettings, RowKind, Shelf, cover
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Progress
from engine.documents import Document, Section
from engine.encoders import processor
from engine.reading import read_file
from engine.research import measurement
from engine.research.bench.searching import load, threads
from engine.workspace import Workspace

WORDS, ROUNDS = 8_000, 5
_FEWEST_PASSAGES = 8


@dataclass(frozen=True, slots=True)
class CoverageSpeed:
    """What was measured, on what: the middle and the longest of some rounds, and the seconds until the first row."""

    hardware: str
    threads: int
    load: float
    precision: str
    commit: str
    documents: int
    passages: int
    words: int
    asked: int
    columns: int
    rounds: int
    seconds: float
    seconds_longest: float
    seconds_first_row: float

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("coverage", help="one document against the library, passage by passage")
    options.add_library(parser)
    parser.add_argument("--words", type=int, default=WORDS, metavar="N", help=f"of the document (default: {WORDS})")
    parser.add_argument("--file", type=Path, metavar="FILE", help="this document, not one made of the library's")
    parser.add_argument("--rows", choices=get_args(RowKind), default="sections", help="default: sections")
    parser.add_argument(
        "--documents", type=int, default=CoverageSettings().documents, metavar="N", help="default: %(default)s"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"default: {ROUNDS}")
    parser.add_argument("--seed", type=int, default=0, help="which sections are drawn (default: 0)")
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report."""
    measurement.check_save(arguments)
    settings = CoverageSettings(arguments.rows, arguments.documents)
    with Workspace(options.library_folder(arguments)) as workspace:
        shelf = workspace.shelf()
        if shelf.matcher is None:
            raise EvaluationError(
                "Expected a library whose passages are kept; these are not. Import the samples first."
            )
        question = (
            read_file(arguments.file).document if arguments.file else made(shelf, arguments.words, arguments.seed)
        )
        report = measure(shelf, question, settings, arguments.rounds)
    measurement.give(report.as_json(), as_text(report), arguments)


def made(shelf: Shelf, words: int, seed: int) -> Document:
    """Return a document of that many words, made of sections of the library's. Raises EvaluationError for too few."""
    assert shelf.matcher is not None
    view = shelf.matcher.view
    long = [view.names[one] for one in np.flatnonzero(view.held & (view.counts >= _FEWEST_PASSAGES))]
    random.Random(seed).shuffle(long)
    sections: list[Section] = []
    left = words
    for name in long:
        for part in shelf.library.get([name])[0].parts:
            if part.role == "body" and left > 0:
                text = " ".join(part.text.split()[:left])
                sections.append(Section(f"Section {len(sections) + 1}", text))
                left -= len(text.split())
        if left <= 0:
            return Document("asked", title="A document of many", sections=tuple(sections))
    raise EvaluationError(
        f"Expected whole documents of {words} words in all; {left} are missing. Ask for fewer --words."
    )


def measure(shelf: Shelf, question: Document, settings: CoverageSettings, rounds: int) -> CoverageSpeed:
    """Cover the question again and again, after once to warm up."""
    assert shelf.matcher is not None
    found = cover(shelf, question, settings)
    times = [_timed(shelf, question, settings) for _ in range(rounds)]
    return CoverageSpeed(
        hardware=provenance.hardware(),
        threads=threads(),
        load=load(),
        precision=processor.reading_precision(),
        commit=provenance.commit(),
        documents=int(shelf.matcher.view.held.sum()),
        passages=len(shelf.matcher.view),
        words=len(question.text.split()),
        asked=len(found.words),
        columns=len(found.columns),
        rounds=rounds,
        seconds=round(float(np.median([whole for whole, _ in times])), 3),
        seconds_longest=round(max(whole for whole, _ in times), 3),
        seconds_first_row=round(float(np.median([first for _, first in times])), 3),
    )


def _timed(shelf: Shelf, question: Document, settings: CoverageSettings) -> tuple[float, float]:
    """Return the seconds of the whole coverage, and those until the first note of where something stands."""
    started = time.perf_counter()
    noted: list[float] = []

    def report(progress: Progress) -> None:
        if progress.note:
            noted.append(time.perf_counter() - started)

    cover(shelf, question, settings, report=report)
    whole = time.perf_counter() - started
    return whole, noted[0] if noted else whole


def as_text(report: CoverageSpeed) -> str:
    """Return the report in three lines."""
    return (
        f"{report.hardware}, {report.threads} threads, {report.precision}, load {report.load}\n"
        f"{report.words:,} words in {report.asked} passages against {report.documents:,} documents, "
        f"{report.passages:,} passages, {report.columns} columns, warm\n"
        f"median of {report.rounds}: {report.seconds:.2f} s, longest {report.seconds_longest:.2f} s, "
        f"first row {report.seconds_first_row:.2f} s"
    )
