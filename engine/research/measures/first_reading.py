"""How long a library is read for the first time, and what it answers meanwhile: `... first_reading LIBRARY`.

The library was imported and not read yet, as `priorscope samples --import-only` leaves it. It is read as the app does
when it starts: vectors, their map, passages. Meanwhile one question is asked again and again, as a person might. At the
end two of its long documents are compared: a first time, and again by another process that finds what was kept.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine import encoders
from engine.compare import Exclusions
from engine.core.errors import EvaluationError
from engine.core.progress import Report
from engine.documents import Document
from engine.research import measurement
from engine.research.bench.searching import Times
from engine.search import Question
from engine.workspace import Job, Workspace

_BETWEEN = 1.0
"""Seconds between two questions."""


@dataclass(frozen=True, slots=True)
class FirstReading:
    """Seconds since the reading began, but for comparisons, which are timed alone; `answers` in milliseconds.

    `seconds_to_first_hit` are those until the first documents that share words with the question are found,
    `seconds_to_meaning` until an answer goes by meaning, `seconds_to_map` until the map is drawn,
    `seconds_to_shown_passages` until a hit shows its passages, and `seconds` until everything is read; None for what
    was never seen.
    """

    documents: int
    long: int
    seconds_to_first_hit: float | None
    seconds_to_meaning: float | None
    seconds_to_map: float | None
    seconds_to_shown_passages: float | None
    seconds: float
    seconds_to_compare: float
    seconds_to_compare_again: float
    answers: dict[str, Times]


def main(given: Sequence[str] | None = None) -> None:
    """Read the library and print the report as JSON."""
    parser = measurement.make_parser("first_reading", __doc__, data=False)
    parser.add_argument("library", type=Path, metavar="LIBRARY", help="the folder of a library that was not read yet")
    parser.add_argument("--encoder", default=encoders.DEFAULT, metavar="NAME", help="default: the app's")
    arguments = measurement.read_options(parser, given)
    found = asdict(first_reading(arguments.library, arguments.encoder))
    report = found | measurement.circumstances("first_reading", ["LIBRARY"])
    measurement.save(arguments.save, report, as_markdown(report))
    print(json.dumps(found, indent=2))


def first_reading(folder: Path, encoder: str = encoders.DEFAULT, *, between: float = _BETWEEN) -> FirstReading:
    """Read the library in `folder`, and ask every `between` seconds.

    Raises EvaluationError where it was read before or has fewer than two long documents, or what stopped the reading.
    """
    with Workspace(folder) as workspace:
        if workspace.vector_count(encoder) or workspace.is_mapped(encoder):
            raise EvaluationError(
                f"Expected a library that was not read yet in {folder}; it has vectors. Name another."
            )
        watched = _Watched(workspace, encoder)
        hit = watched.seconds() if watched.question.find_word_hits(workspace.library) else None

        def work(report: Report) -> str:
            workspace.draw_map(encoder, report=report)
            watched.seen["map"] = watched.seconds()
            workspace.read_passages(report=report)
            return ""

        job = workspace.jobs.start("Reading the library", work)
        while not job.finished.wait(between):
            watched.ask(job)
        whole = watched.seconds()
        watched.ask(job)
        if job.problem:
            raise EvaluationError(f"Expected the library to be read; {job.problem}")
        documents, long = len(workspace.library), workspace.library.keywords.long_ids
    return FirstReading(
        documents=documents,
        long=len(long),
        seconds_to_first_hit=hit,
        seconds_to_meaning=watched.seen.get("meaning"),
        seconds_to_map=watched.seen.get("map"),
        seconds_to_shown_passages=watched.seen.get("passages"),
        seconds=whole,
        seconds_to_compare=_compared(folder, long),
        seconds_to_compare_again=_compared(folder, long),
        answers={stage: Times.of(some) for stage, some in watched.answers.items()},
    )


class _Watched:
    """What is asked while the library is read, and when which answer came."""

    def __init__(self, workspace: Workspace, encoder: str) -> None:
        self._workspace, self._encoder, self._begun = workspace, encoder, time.monotonic()
        self.seen: dict[str, float] = {}
        self.answers: dict[str, list[float]] = defaultdict(list)
        long = workspace.library.keywords.long_ids
        if len(long) < 2:
            raise EvaluationError("Expected a library with two long documents, got one without. Name another.")
        (near,) = workspace.library.get([long[len(long) // 2]])
        self.question = Question(Document("asked", near.kind, near.title))

    def seconds(self) -> float:
        """Return the seconds since the reading began."""
        return round(time.monotonic() - self._begun, 2)

    def ask(self, job: Job) -> None:
        """Ask once, by meaning if all vectors are there, and note what the answer holds."""
        stage = next(reversed(job.stages), "begin") if not job.finished.is_set() else "read"
        started = time.perf_counter()
        by_meaning = self._workspace.vector_count(self._encoder) >= len(self._workspace.library)
        if by_meaning:
            results = self._workspace.searcher(self._encoder).search(self.question).results
            self.seen.setdefault("meaning", self.seconds())
            if any(one.evidence.passages for one in results):
                self.seen.setdefault("passages", self.seconds())
        else:
            self.question.find_word_hits(self._workspace.library)
        self.answers[stage].append(1000 * (time.perf_counter() - started))


def _compared(folder: Path, long: Sequence[str]) -> float:
    """Return seconds to compare two long documents, once the encoder is loaded."""
    with Workspace(folder) as workspace:
        comparer = workspace.comparer()
        comparer.warm()
        a, b = workspace.library.get([long[0], long[-1]])
        started = time.perf_counter()
        comparer.compare(a, b, Exclusions())
        return round(time.perf_counter() - started, 2)


def as_markdown(report: Mapping[str, Any]) -> str:
    """Return the report with its answers as a table, a row a stage."""
    facts = {name: value for name, value in report.items() if name != "answers"}
    rows = [
        [stage, *(f"{times[name]:.0f}" for name in ("p50", "p95", "max"))] for stage, times in report["answers"].items()
    ]
    heads = ["one question while", "p50, ms", "p95", "longest"]
    return "\n".join(
        ["# A library read for the first time", "", *measurement.as_list(facts), "", *measurement.table(heads, rows)]
    )
