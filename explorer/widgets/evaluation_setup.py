"""What to measure: whose answers are known, and which rankings are to find them."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from explorer import evaluated, handles, session
from explorer.evaluated import QuestionSet
from explorer.evaluation_choice import EvaluationChoice, Questions
from explorer.evaluation_rows import all_rows, quick_rows, reading_seconds, short_row
from explorer.widgets import notices, progress
from explorer.widgets.markup import element, show

_NAMES: dict[Questions, str] = {
    "subjects": "Your library’s subjects",
    "judged": "Your own judgements",
    "small": "The small set that comes with Priorscope",
    "own": "Your own files",
}


def change(**changes: Any) -> None:  # noqa: ANN401  the fields of EvaluationChoice
    """Change what the page shows."""
    choice = session.current().evaluation
    session.update(evaluation=dataclasses.replace(choice, **changes))


def choose_questions(choice: EvaluationChoice) -> None:
    """Whose right answers are known."""
    st.session_state["evaluate-on"] = choice.questions
    offered: list[Questions] = ["subjects", "judged"]
    st.radio(
        "Questions whose answers are known",
        offered,
        format_func=lambda name: _NAMES[name],
        captions=[_caption(name) for name in offered],
        key="evaluate-on",
        on_change=lambda: change(questions=st.session_state["evaluate-on"], query=""),
    )


def _caption(questions: Questions) -> str:
    if questions == "subjects":
        return (
            "200 of your documents ask. An answer is right if it was filed under exactly the same subjects. You need "
            "to judge nothing, but the same subjects do not always mean the same question."
        )
    count = len(handles.library().judgements)
    if not count:
        return "None yet. Search for a document, and say of its hits whether they are relevant."
    return f"{count:,} hit{'s' if count != 1 else ''} judged on the Search page. Nothing comes closer to what you need."


def choose_rows(choice: EvaluationChoice, questions: QuestionSet, documents: int) -> tuple[str, ...]:
    """Which rankings to measure; returns those that are chosen."""
    known = all_rows()
    chosen = [row for row in choice.rows if row in known] or list(quick_rows(in_library=questions.in_library))
    st.session_state["evaluate-rows"] = chosen
    st.pills(
        "Rankings to compare",
        known,
        selection_mode="multi",
        format_func=lambda row: _offered(row, documents, in_library=questions.in_library),
        key="evaluate-rows",
        on_change=lambda: change(rows=tuple(row for row in known if row in st.session_state["evaluate-rows"])),
    )
    return tuple(chosen)


def _offered(row: str, documents: int, *, in_library: bool) -> str:
    seconds = reading_seconds(row, documents, in_library=in_library)
    return short_row(row) if seconds is not None and seconds < 5 else f"{short_row(row)} · {_long(seconds)}"


def _long(seconds: float | None) -> str:
    return "takes a while" if seconds is None else progress.duration(seconds)


def measure_button(questions: QuestionSet, rows: tuple[str, ...], *, busy: bool) -> None:
    """Measure what was not measured yet."""
    found = evaluated.held(questions)
    left = [row for row in rows if found is None or row not in found.measured]
    if not left:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Measure" if found is None or not found.measured else f"Measure {len(left)} more"
        if st.button(label, type="primary", key="measure", icon=":material/play_arrow:", disabled=busy):
            with notices.shown_errors():
                evaluated.start(questions, left)
                st.rerun()
        show(element("p", "Every page can be used meanwhile.", class_="ps-quiet"))
