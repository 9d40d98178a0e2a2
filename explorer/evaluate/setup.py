"""What to measure: questions with known answers, and which rankings should find these."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from engine.documents.markup import element
from engine.documents.text import how_many
from explorer.evaluate import evaluated, question_sets
from explorer.evaluate.question_sets import QuestionSet
from explorer.evaluate.rows import quick_rows, reading_seconds, search_rows, short_row, unread
from explorer.shared import notices, progress
from explorer.shared.judging import judged_queries
from explorer.shared.markup import show
from explorer.state import handles, jobs, session
from explorer.state.evaluation_choice import EvaluationChoice, Questions

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

_NAMES: dict[Questions, str] = {
    "subjects": "Your library’s subjects",
    "judged": "Your own judgements",
    "small": "A small set that comes with Priorscope",
    "own": "Your own files",
}
_CAPTIONS: dict[Questions, str] = {
    "subjects": "Some 200 of your documents ask; right is what was filed under exactly the same subjects. You need to "
    "judge nothing, but documents of one subject need not answer one another.",
    "small": "Questions and documents that we wrote, measured in seconds: it shows how the page works.",
    "own": "A benchmark in the files of TREC or BEIR, or queries with judgements of your library’s documents.",
}
_FILES = (
    "Queries, qrels, and the documents unless they are your library’s: a zip, or files whose names begin with "
    "“queries”, “qrels” and “corpus”"
)
_FORMATS = (
    "Queries and documents: BEIR’s JSONL, tables with our columns (Parquet, CSV, JSONL), or lines of an id, a tab and "
    "a text. Qrels: TREC’s four columns, or query-id, corpus-id and score with tabs between them."
)
MOST_MEGABYTES = 200
_QUICK_SECONDS = 5
_ROWS = "evaluate-rows"
_SECONDS_BETWEEN_LOOKS = 1.0


def change(**changes: Any) -> None:  # noqa: ANN401  the fields of EvaluationChoice
    """Change what the page shows."""
    session.update(evaluation=dataclasses.replace(session.current().evaluation, **changes))


def choose_questions(choice: EvaluationChoice) -> QuestionSet | None:
    """The chosen set of questions with known answers; None while no set of that kind exists."""
    offered = question_sets.offered()
    questions = choice.questions if choice.questions in offered else offered[0]
    st.session_state["evaluate-on"] = questions
    st.radio(
        "Questions whose right answers are known",
        offered,
        format_func=lambda name: _NAMES[name],
        captions=[_caption(name) for name in offered],
        key="evaluate-on",
        on_change=lambda: change(questions=st.session_state["evaluate-on"], query=""),
    )
    if questions == "own":
        _bring()
    if questions == "judged" and not judged_queries():
        return None
    return question_sets.question_set(questions)


def _caption(questions: Questions) -> str:
    if questions != "judged":
        return _CAPTIONS[questions]
    count = len(handles.library().judgements)
    if not count:
        return "None yet. Search for a document, and say with the thumbs under its hits which are relevant."
    many = f"{how_many(count, 'hit')} judged on the Search page or blind."
    return f"{many} What you never saw counts as wrong, so judge hits of several rankings."


def _bring() -> None:
    """The visitor's own files: take them, or show what is held and offer to drop it."""
    held = question_sets.own_questions()
    if held is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            own = f"{how_many(held.documents or 0, 'document')} of its own"
            documents = "your library’s documents" if held.in_library else own
            show(element("p", element("strong", held.name), f", over {documents}", class_="ps-quiet", role="status"))
            st.button("Take other files", key="drop-own", type="tertiary", on_click=question_sets.drop_own)
        return
    uploads = st.file_uploader(
        _FILES, accept_multiple_files=True, max_upload_size=MOST_MEGABYTES, key="evaluate-files", help=_FORMATS
    )
    why = None if uploads else "Choose the files first"
    if st.button("Read these files", key="read-own", disabled=not uploads, help=why) and uploads:
        _read(uploads)


def _read(uploads: list[UploadedFile]) -> None:
    with st.spinner("Reading"), notices.shown_errors():
        question_sets.bring([(upload.name, upload.getvalue()) for upload in uploads])
        st.rerun()


def choose_rows(choice: EvaluationChoice, questions: QuestionSet) -> tuple[str, ...]:
    """Which rankings to measure; returns the chosen ones."""
    searches = search_rows()
    if strange := [row for row in choice.rows if row not in searches]:
        notices.note(
            f"Expected rankings that a search offers; this link also names {', '.join(strange)}, which is left out."
        )
    chosen = tuple(row for row in searches if row in choice.rows) or quick_rows(in_library=questions.in_library)
    _pills(searches, chosen, questions)
    if questions.in_library:
        _reading_times(unread(searches))
    return chosen


def _reading_times(names: tuple[str, ...]) -> None:
    """Explain the times beside encoders; unknown ones are measured while nothing else runs."""
    left = [name for name in names if handles.reading_seconds(name) is None]
    if not names or (left and jobs.running() is not None):
        return
    if not left:
        _said("The times are those to read your library on this machine, once, while it does little else.")
        return
    handles.measure_reading(names)
    _measuring(tuple(left))


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _measuring(names: tuple[str, ...]) -> None:
    if any(handles.reading_seconds(name) is not None for name in names):
        st.rerun()
    _said("Measuring on a sample how long the others need to read your library.")


def _said(text: str) -> None:
    show(element("p", text, class_="ps-quiet", role="status"))


def _pills(offered: tuple[str, ...], chosen: tuple[str, ...], questions: QuestionSet) -> None:
    st.session_state[_ROWS] = list(chosen)
    labels = {row: _with_cost(row, questions) for row in offered}  # which Streamlit asks for several times
    st.pills(
        "Rankings to compare",
        offered,
        selection_mode="multi",
        wrap=True,
        format_func=lambda row: labels[row],
        key=_ROWS,
        on_change=lambda: change(rows=tuple(st.session_state[_ROWS])),
    )


def _with_cost(row: str, questions: QuestionSet) -> str:
    """A ranking's name, and its time if long."""
    if questions.documents is None:
        return short_row(row)
    seconds = reading_seconds(row, questions.documents, in_library=questions.in_library)
    if seconds is None or seconds < _QUICK_SECONDS:
        return short_row(row)
    return f"{short_row(row)} · about {progress.rough(seconds)}"


def measure_button(questions: QuestionSet, rows: tuple[str, ...]) -> None:
    """Measure what has no results yet."""
    found = evaluated.held(questions)
    left = [row for row in rows if found is None or row not in found.measured]
    if not left:
        help_ = "Measures the chosen rankings again, as after an update of Priorscope"
        if st.button("Measure again", key="measure-again", type="tertiary", help=help_):
            _start(questions, rows, again=True)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Measure" if len(left) == len(rows) else f"Measure {len(left)} more"
        if st.button(label, type="primary", key="measure", icon=":material/play_arrow:"):
            _start(questions, left)
        show(element("p", "Every page can be used meanwhile.", class_="ps-quiet"))


def _start(questions: QuestionSet, rows: Sequence[str], *, again: bool = False) -> None:
    with notices.shown_errors():
        evaluated.start(questions, rows, again=again)
        st.rerun()
