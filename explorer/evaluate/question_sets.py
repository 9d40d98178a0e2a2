"""Questions with known answers, and where the Evaluate page gets them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

import streamlit as st

from explorer.shared.design import ASSETS
from explorer.state import handles
from explorer.state.evaluation_choice import Questions

if TYPE_CHECKING:
    from engine.core.progress import Report
    from engine.evaluation import Benchmark, Upload

SMALL = ASSETS / "benchmarks" / "small"
_OWN = "own_questions"


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
    load: Callable[[Report], Benchmark]


def offered() -> list[Questions]:
    """The kinds of questions on offer, those without files of the visitor's first."""
    library: list[Questions] = ["subjects", "judged"] if handles.document_count() else []
    small: list[Questions] = ["small"] if SMALL.is_dir() else []
    return [*library, *small, "own"]


def question_set(questions: Questions) -> QuestionSet | None:
    """The questions of a kind; None where the visitor has not brought files yet."""
    if questions == "own":
        return own_questions()
    return _small() if questions == "small" else _of_library(questions)


def own_questions() -> QuestionSet | None:
    """The visitor's own questions; None without any, or if the library that they judge has changed."""
    held = cast(QuestionSet | None, st.session_state.get(_OWN))
    return held if held is not None and (not held.in_library or held.key.endswith(_place())) else None


def bring(uploads: Sequence[Upload]) -> QuestionSet:
    """Read a visitor's files, and hold them for the session. Raises EngineError that says what to do."""
    from engine.evaluation import from_uploads

    brought = from_uploads(uploads, lambda: list(handles.library().iter_documents()))
    benchmark = brought.benchmark
    key = " ".join(["own", *benchmark.sha256.values(), *([_place()] if brought.in_library else [])])
    held = QuestionSet(key, benchmark.name, brought.in_library, len(benchmark.corpus), lambda _: benchmark)
    st.session_state[_OWN] = held
    return held


def drop_own() -> None:
    """Forget what was brought."""
    st.session_state.pop(_OWN, None)


def _small() -> QuestionSet:
    from engine.evaluation import load_benchmark

    return QuestionSet(_small_key(), "the small set", False, None, lambda _: load_benchmark(SMALL))


@cache
def _small_key() -> str:
    from engine.core.files import sha256_file

    return " ".join(["small", *(sha256_file(path) for path in sorted(SMALL.rglob("*")) if path.is_file())])


def _of_library(questions: Questions) -> QuestionSet:
    """The questions that the library itself answers: by its subjects, or by the judgements in it."""
    from engine import evaluation

    library, count = handles.library(), handles.document_count()
    if questions == "judged":
        key = f"judged {library.judgements.version()} {_place()}"
        load = evaluation.from_judgements
        return QuestionSet(key, "your judgements", True, count, lambda report: load(library, report=report))
    load_labels = evaluation.from_subjects
    return QuestionSet(
        f"subjects {_place()}",
        "your library’s subjects",
        True,
        count,
        lambda report: load_labels(library, report=report),
    )


def _place() -> str:
    """Identifies the library's content."""
    from engine.evaluation import library_key

    return library_key(handles.library())
