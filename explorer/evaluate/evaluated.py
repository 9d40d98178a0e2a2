"""Results of the Evaluate page, kept in the library until the questions, the library or an encoder change."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.errors import EngineError, EvaluationError, StorageError
from engine.documents import Document
from engine.documents.text import how_many
from explorer.evaluate.question_sets import QuestionSet
from explorer.evaluate.rows import BY_WORDS, DEFAULT
from explorer.shared import encoder_facts
from explorer.state import handles, jobs

if TYPE_CHECKING:
    from engine.core.progress import Report
    from engine.evaluation import Benchmark, Measured, Prepared

_LOG = logging.getLogger(__name__)
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The results of a benchmark's rows, and when each was measured (ISO 8601, UTC); `problems` are by row, too.

    The benchmark's corpus keeps the documents' names only.
    """

    benchmark: Benchmark
    measured: Mapping[str, Measured]
    problems: Mapping[str, str] = field(default_factory=dict)
    when: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> dict[str, Document]:
        """The corpus by id."""
        return {document.id: document for document in self.benchmark.corpus}


def held(questions: QuestionSet) -> Evaluated | None:
    """The results on these questions; None before any."""
    shelf = _shelf()
    with _lock():
        if questions.key not in shelf:
            shelf[questions.key] = _restored(questions)
        return shelf[questions.key]


def start(questions: QuestionSet, rows: Sequence[str], *, again: bool = False) -> None:
    """Measure the rows without results, or all `again`, in the background."""
    before = held(questions)
    left = [row for row in rows if again or before is None or row not in before.measured]
    name, key = f"Measuring on {questions.name}", ("measuring", questions.key, *left)
    jobs.ask(name, lambda report: _measure(questions, left, report), key=key)


def _measure(questions: QuestionSet, rows: Sequence[str], report: Report) -> str:
    """Measure each row and keep it; one that fails does not stop the others. Returns what was done."""
    benchmark = questions.load(report)
    failed, unkept = 0, ""
    for row in rows:
        try:
            measured = _measured(benchmark, row, questions, report)
            _keep(questions.key, benchmark, row, measured=measured)
            unkept = _write(questions.key, benchmark, row) or unkept
        except EngineError as error:
            _LOG.info("%s: %s", row, error)
            _keep(questions.key, benchmark, row, problem=str(error))
            failed += 1
    done = len(rows) - failed
    if not done:
        found = held(questions)
        raise EvaluationError(
            f"None of the rankings could be measured. {found.problems[rows[-1]] if found is not None else ''}"
        )
    asked = how_many(len(benchmark.queries), "query")
    many = f"{how_many(done, 'ranking')} measured on {asked}."
    if unkept:
        many = f"{many} They will be lost when the app ends: {unkept}"
    return many if not failed else f"{many} {failed} could not be; the reason stands below."


def _measured(benchmark: Benchmark, row: str, questions: QuestionSet, report: Report) -> Measured:
    from engine import evaluation
    from engine.evaluation import measure_prepared

    def named(prepared: Prepared) -> Prepared:
        return dataclasses.replace(prepared, name=row)

    if questions.in_library:
        prepared = evaluation.prepare_in(handles.workspace(), row, benchmark.corpus, report=report)
    else:
        prepared = evaluation.PRODUCT.prepare(row, benchmark.corpus, report=report)
    return measure_prepared(benchmark, evaluation.stepwise(named(prepared), report))


def _keep(key: str, benchmark: Benchmark, row: str, *, measured: Measured | None = None, problem: str = "") -> None:
    """Add one row as the newest; the oldest set is dropped."""
    from engine.evaluation import names_only

    shelf = _shelf()
    with _lock():
        before = shelf.pop(key, None) or Evaluated(names_only(benchmark), {})
        problems = {name: text for name, text in before.problems.items() if name != row}
        rows, when = dict(before.measured), dict(before.when)
        if measured is not None:
            rows[row], when[row] = measured, datetime.now(UTC).isoformat(timespec="seconds")
        else:
            problems[row] = problem
        shelf[key] = Evaluated(before.benchmark, rows, problems, when)
        while len(shelf) > _KEPT:
            del shelf[next(iter(shelf))]


def _write(key: str, benchmark: Benchmark, row: str) -> str:
    """Keep one row in the library's folder; returns why that failed, or nothing."""
    from engine.evaluation import Result, keep_result

    found = _shelf()[key]
    assert found is not None  # the row was just put there
    try:
        keep_result(_folder(), key, benchmark, Result(found.measured[row], found.when[row]))
    except StorageError as error:
        _LOG.info("%s is not kept: %s", row, error)
        return str(error)
    return ""


def _restored(questions: QuestionSet) -> Evaluated | None:
    """What the library's folder keeps for these questions, without rows of an encoder that has changed."""
    from engine.evaluation import kept_results

    try:
        found = kept_results(_folder(), questions.key)
    except StorageError as error:
        _LOG.info("%s will be measured again: %s", questions.name, error)
        return None
    if found is None:
        return None
    benchmark, rows = found
    mixed = questions.in_library or len({document.kind for document in benchmark.corpus}) > 1
    passages = _matches_passages(None if questions.in_library else benchmark.corpus)

    def is_still(row: Measured) -> bool:
        return _is_still(row, in_library=questions.in_library, mixed=mixed, passages=passages)

    valid = {name: row for name, row in rows.items() if is_still(row.measured)}
    when = {name: row.when for name, row in valid.items()}
    return Evaluated(benchmark, {name: row.measured for name, row in valid.items()}, when=when)


def _matches_passages(corpus: Sequence[Document] | None) -> bool:
    """Whether the default ranking matches passages of a corpus, or of the library."""
    from engine.library import are_many, is_long
    from engine.search import has_passage_encoder

    if corpus is None:
        return handles.workspace().passages() is not None
    return has_passage_encoder() and are_many(sum(map(is_long, corpus)), len(corpus))


def _is_still(measured: Measured, *, in_library: bool, mixed: bool, passages: bool) -> bool:
    """Whether today's encoder of a row is the measured one; always so for a row that learns from its documents."""
    from engine import encoders
    from engine.evaluation import row_fingerprint

    name = encoders.DEFAULT if measured.name in (*BY_WORDS, DEFAULT) else measured.name
    if name not in encoders.encoder_names() or (encoders.is_fitted_kind(name) and not in_library):
        return True
    today = row_fingerprint(measured.name, encoder_facts.encoder_card(name), mixed=mixed, passages=passages)
    return not today or today == measured.fingerprint


def _folder() -> Path:
    return handles.library().folder / "evaluations"


@st.cache_resource(show_spinner=False)
def _shelf() -> dict[str, Evaluated | None]:
    return {}


@st.cache_resource(show_spinner=False)
def _lock() -> threading.Lock:
    return threading.Lock()
