"""What was measured on the Evaluate page: kept for all visitors until the questions, or the library, change."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError, EvaluationError
from explorer import handles, jobs
from explorer.evaluation_rows import queries_in_words
from explorer.question_sets import QuestionSet

if TYPE_CHECKING:
    from engine.evaluation.benchmarks import Benchmark
    from engine.evaluation.measure import Measured
    from engine.evaluation.systems import Prepared
    from engine.progress import Report

_LOG = logging.getLogger(__name__)
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What a benchmark's rows reached. Its corpus keeps the documents' names only; `problems` are by row."""

    benchmark: Benchmark
    measured: Mapping[str, Measured]
    problems: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> dict[str, Document]:
        """The corpus by id."""
        return {document.id: document for document in self.benchmark.corpus}


def held(questions: QuestionSet) -> Evaluated | None:
    """What was measured on these questions; None where nothing was yet."""
    return _shelf().get(questions.key)


def start(questions: QuestionSet, rows: Sequence[str]) -> None:
    """Measure the rows that were not measured yet, in the background. Raises LibraryError while other work runs."""
    before = held(questions)
    left = [row for row in rows if before is None or row not in before.measured]
    jobs.watch(jobs.start(f"Measuring on {questions.name}", lambda report: _measure(questions, left, report)))


def _measure(questions: QuestionSet, rows: Sequence[str], report: Report) -> str:
    """Measure each row and keep it; one that cannot be had does not stop the others. Returns what was done."""
    benchmark = questions.load(report)
    failed = 0
    for row in rows:
        try:
            _keep(questions.key, benchmark, row, measured=_measured(benchmark, row, questions, report))
        except EngineError as error:
            _LOG.info("%s: %s", row, error)
            _keep(questions.key, benchmark, row, problem=str(error))
            failed += 1
    done = len(rows) - failed
    if not done:
        raise EvaluationError(f"None of the rankings could be measured. {_shelf()[questions.key].problems[rows[-1]]}")
    asked = queries_in_words(len(benchmark.queries))
    many = f"{done} ranking{'s' if done != 1 else ''} measured on {asked}."
    return many if not failed else f"{many} {failed} could not be; the reason stands below."


def _measured(benchmark: Benchmark, row: str, questions: QuestionSet, report: Report) -> Measured:
    from engine.evaluation import library_systems, systems
    from engine.evaluation.measure import measure_prepared

    def named(prepared: Prepared) -> Prepared:
        return dataclasses.replace(prepared, name=row)

    if questions.in_library:
        with handles.working():
            prepared = library_systems.prepare_in(handles.library(), row, benchmark.corpus, report=report)
        handles.forget_vectors()
    else:
        prepared = systems.prepare(row, benchmark.corpus, report=report)
    return measure_prepared(benchmark, library_systems.stepwise(named(prepared), report))


def _keep(key: str, benchmark: Benchmark, row: str, *, measured: Measured | None = None, problem: str = "") -> None:
    """Add one row to what is held; its place is the newest, and the oldest set gives way."""
    shelf = _shelf()
    with _lock():
        before = shelf.pop(key, None) or Evaluated(_light(benchmark), {})
        problems = {name: text for name, text in before.problems.items() if name != row}
        rows = dict(before.measured)
        if measured is not None:
            rows[row] = measured
        else:
            problems[row] = problem
        shelf[key] = Evaluated(before.benchmark, rows, problems)
        while len(shelf) > _KEPT:
            del shelf[next(iter(shelf))]


def _light(benchmark: Benchmark) -> Benchmark:
    """The benchmark without its documents' texts, which would fill the memory."""
    corpus = [Document(one.id, one.kind, one.name, year=one.year) for one in benchmark.corpus]
    return dataclasses.replace(benchmark, corpus=corpus)


@st.cache_resource(show_spinner=False)
def _shelf() -> dict[str, Evaluated]:
    return {}


@st.cache_resource(show_spinner=False)
def _lock() -> threading.Lock:
    return threading.Lock()
