"""What can be measured, and the results, kept until the questions, the library or an encoder change."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import cast

import streamlit as st

from engine import encoders, evaluation, search
from engine.core.errors import EngineError, EvaluationError, StorageError
from engine.core.files import sha256_file
from engine.core.progress import Report
from engine.documents import Document
from engine.documents.text import how_many
from engine.evaluation import read_quality
from engine.library import are_many, is_long
from explorer import ASSETS
from explorer.state import background, handles
from explorer.state.handles import short
from explorer.state.visit import QuestionKind

_SPOKEN = {
    "bm25": "BM25: words as they are written",
    "bm25-stems": "BM25: words in all their forms",
    "keywords": "Keywords: as a search matches them",
    "default": "Default search ranking",
}
BM25, DEFAULT = "bm25", "default"
BY_WORDS = (BM25, "bm25-stems", "keywords")
SMALL = ASSETS / "benchmarks" / "small"
_OWN = "own_questions"
_LOG = logging.getLogger(__name__)
_KEPT = 8


def search_rows() -> tuple[str, ...]:
    """Return the rankings that a search offers: words and the default first, then the encoders."""
    return (*BY_WORDS, DEFAULT, *encoders.search_names())


def quick_rows(*, in_library: bool) -> tuple[str, ...]:
    """Return the rows ticked by default: BM25, the default, and the encoders that have read the library."""
    ready = [name for name in encoders.search_names() if in_library and handles.workspace().has_vectors(name)]
    return (BM25, DEFAULT, *(ready or [encoders.DEFAULT]))


def spoken_row(row: str) -> str:
    """Name a row for people."""
    return _SPOKEN.get(row) or encoders.label(row)


def short_row(row: str) -> str:
    """Return the beginning of a row's name, for sentences and narrow places."""
    return {DEFAULT: "Default", "bm25-stems": "BM25, all forms"}.get(row) or (
        _SPOKEN[row].partition(":")[0] if row in _SPOKEN else short(row)
    )


def unread(rows: Iterable[str]) -> tuple[str, ...]:
    """Return the encoders of rows that would have to read the library first."""
    names = dict.fromkeys(_encoder(row) for row in rows)
    return tuple(name for name in names if _is_searched_by(name) and not handles.workspace().has_vectors(name))


def seconds_until_ready(row: str, documents: int, *, in_library: bool) -> float | None:
    """Estimate how long a row needs before it can rank; None if unknown.

    For the encoders that a search offers it was measured on this library and machine; for other rows, and for a
    visitor's documents, it follows from measured rates.
    """
    name = _encoder(row)
    if row in BY_WORDS or (in_library and _is_searched_by(name) and handles.workspace().has_vectors(name)):
        return 0.0
    if in_library and _is_searched_by(name):
        return handles.workspace().reading_seconds(name) or None
    rate = read_quality().documents_per_second.get(name)
    return documents / rate if rate else None


def _encoder(row: str) -> str:
    return encoders.DEFAULT if row == DEFAULT else row


def _is_searched_by(name: str) -> bool:
    return name in encoders.search_names()


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions before they are read: their names, and how to load them.

    `key` changes whenever the questions or the documents do, and is the same when the app starts again. `in_library`
    says that the documents are the library's, `documents` how many they are, None while that is unknown.
    """

    key: str
    name: str
    in_library: bool
    documents: int | None
    load: Callable[[Report], evaluation.Benchmark]


def question_kinds() -> list[QuestionKind]:
    """Return the kinds of questions on offer, those without files of the visitor's first."""
    library: list[QuestionKind] = ["subjects", "judged"] if len(handles.library()) else []
    small: list[QuestionKind] = ["small"] if SMALL.is_dir() else []
    return [*library, *small, "own"]


def question_set(questions: QuestionKind) -> QuestionSet | None:
    """Return the questions of a kind; None where the visitor has not brought files yet."""
    if questions == "own":
        return own_questions()
    if questions == "small":
        return QuestionSet(_small_key(), "the small set", False, None, lambda _: evaluation.load_benchmark(SMALL))
    return _of_library(questions)


def own_questions() -> QuestionSet | None:
    """Return the visitor's own questions; None without any, or if the library that they judge has changed."""
    held = cast(QuestionSet | None, st.session_state.get(_OWN))
    return held if held is not None and (not held.in_library or held.key.endswith(_place())) else None


def bring(uploads: Sequence[tuple[str, bytes]]) -> QuestionSet:
    """Read a visitor's files, and hold them for the session. Raises EngineError that says what to do."""
    brought = evaluation.from_uploads(uploads, lambda: list(handles.library().iter_documents()))
    benchmark = brought.benchmark
    key = " ".join(["own", *benchmark.sha256.values(), *([_place()] if brought.in_library else [])])
    held = QuestionSet(key, benchmark.name, brought.in_library, len(benchmark.corpus), lambda _: benchmark)
    st.session_state[_OWN] = held
    return held


def drop_own() -> None:
    """Forget what was brought."""
    st.session_state.pop(_OWN, None)


@cache
def _small_key() -> str:
    return " ".join(["small", *(sha256_file(path) for path in sorted(SMALL.rglob("*")) if path.is_file())])


def _of_library(questions: QuestionKind) -> QuestionSet:
    """Return the questions that the library itself answers: by its subjects, or by the judgements in it."""
    library, count = handles.library(), len(handles.library())
    if questions == "judged":
        key = f"judged {library.judgements.version()} {_place()}"
        load = evaluation.Benchmark.from_judgements
        return QuestionSet(key, "your judgements", True, count, lambda report: load(library, report=report))
    key, load = f"subjects {_place()}", evaluation.Benchmark.from_subjects
    return QuestionSet(key, "your library’s subjects", True, count, lambda report: load(library, report=report))


def _place() -> str:
    """Identifies the library's content."""
    return evaluation.library_key(handles.library())


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The results of a benchmark's rows, and when each was measured (ISO 8601, UTC); `problems` are by row, too.

    The benchmark's corpus keeps the documents' names only.
    """

    benchmark: evaluation.Benchmark
    measured: Mapping[str, evaluation.Measured]
    problems: Mapping[str, str] = field(default_factory=dict)
    when: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> dict[str, Document]:
        """Return the corpus by id."""
        return {document.id: document for document in self.benchmark.corpus}


def find_results(questions: QuestionSet) -> Evaluated | None:
    """Return the results on these questions; None before any."""
    shelf = _shelf()
    with _lock():
        if questions.key not in shelf:
            shelf[questions.key] = _restored(questions)
        return shelf[questions.key]


def start(questions: QuestionSet, rows: Sequence[str]) -> None:
    """Measure rows in the background."""
    name, key = f"Measuring on {questions.name}", ("measuring", questions.key, *rows)
    background.begin(name, lambda report: _measure(questions, rows, report), key=key)


def _measure(questions: QuestionSet, rows: Sequence[str], report: Report) -> str:
    """Measure each row and keep it; one that fails does not stop the others. Returns what was done."""
    benchmark = questions.load(report)
    failed, unkept = 0, ""
    for row in rows:
        try:
            measured = evaluation.PRODUCT.measure_for(
                handles.workspace(), benchmark, row, in_library=questions.in_library, report=report
            )
            _keep(questions.key, benchmark, row, measured=measured)
            unkept = _write(questions.key, benchmark, row) or unkept
        except EngineError as error:
            _LOG.info("%s: %s", row, error)
            _keep(questions.key, benchmark, row, problem=str(error))
            failed += 1
    done = len(rows) - failed
    if not done:
        found = find_results(questions)
        raise EvaluationError(
            f"None of the rankings could be measured. {found.problems[rows[-1]] if found is not None else ''}"
        )
    asked = how_many(len(benchmark.queries), "query")
    many = f"{how_many(done, 'ranking')} measured on {asked}."
    if unkept:
        many = f"{many} They will be lost when the app ends: {unkept}"
    return many if not failed else f"{many} {failed} could not be; the reason stands below."


def _keep(
    key: str,
    benchmark: evaluation.Benchmark,
    row: str,
    *,
    measured: evaluation.Measured | None = None,
    problem: str = "",
) -> None:
    """Add one row as the newest; the oldest set is dropped."""
    shelf = _shelf()
    with _lock():
        before = shelf.pop(key, None) or Evaluated(benchmark.names_only(), {})
        problems = {name: text for name, text in before.problems.items() if name != row}
        rows, when = dict(before.measured), dict(before.when)
        if measured is not None:
            rows[row], when[row] = measured, datetime.now(UTC).isoformat(timespec="seconds")
        else:
            problems[row] = problem
        shelf[key] = Evaluated(before.benchmark, rows, problems, when)
        while len(shelf) > _KEPT:
            del shelf[next(iter(shelf))]


def _write(key: str, benchmark: evaluation.Benchmark, row: str) -> str:
    """Keep one row in the library's folder; returns why that failed, or nothing."""
    found = _shelf()[key]
    assert found is not None  # the row was just put there
    try:
        _kept().keep(key, benchmark, evaluation.MeasuredRow(found.measured[row], found.when[row]))
    except StorageError as error:
        _LOG.info("%s is not kept: %s", row, error)
        return str(error)
    return ""


def _restored(questions: QuestionSet) -> Evaluated | None:
    """Return what the library's folder keeps for these questions, without rows of an encoder that has changed."""
    try:
        found = _kept().read(questions.key)
    except StorageError as error:
        _LOG.info("%s will be measured again: %s", questions.name, error)
        return None
    if found is None:
        return None
    benchmark, rows = found
    mixed = questions.in_library or len({document.kind for document in benchmark.corpus}) > 1
    passages = _matches_passages(None if questions.in_library else benchmark.corpus)
    known = {"in_library": questions.in_library, "mixed": mixed, "passages": passages}
    valid = {name: row for name, row in rows.items() if _is_still(row.measured, **known)}
    when = {name: row.when for name, row in valid.items()}
    return Evaluated(benchmark, {name: row.measured for name, row in valid.items()}, when=when)


def _matches_passages(corpus: Sequence[Document] | None) -> bool:
    """Tell whether the default ranking matches passages of a corpus, or of the library."""
    if corpus is None:
        return handles.workspace().passages() is not None
    return search.PassageEncoder.is_installed() and are_many(sum(map(is_long, corpus)), len(corpus))


def _is_still(measured: evaluation.Measured, *, in_library: bool, mixed: bool, passages: bool) -> bool:
    """Tell whether today's encoder of a row is the measured one; always so for a row that learns from its documents."""
    name = encoders.DEFAULT if measured.name in (*BY_WORDS, DEFAULT) else measured.name
    if name not in encoders.encoder_names() or (encoders.find(name).learns and not in_library):
        return True
    today = evaluation.row_fingerprint(
        measured.name, handles.workspace().encoder_card(name), mixed=mixed, passages=passages
    )
    return not today or today == measured.fingerprint


def _kept() -> evaluation.KeptResults:
    return evaluation.KeptResults(handles.library().folder / "evaluations")


@st.cache_resource(show_spinner=False)
def _shelf() -> dict[str, Evaluated | None]:
    return {}


@st.cache_resource(show_spinner=False)
def _lock() -> threading.Lock:
    return threading.Lock()
