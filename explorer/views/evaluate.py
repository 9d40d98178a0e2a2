"""The evaluate page: how well each ranking finds what is known to be right."""

from __future__ import annotations

import streamlit as st

from explorer import evaluated, handles, session
from explorer.design import ASSETS
from explorer.evaluated import Evaluated
from explorer.evaluation_choice import EvaluationChoice
from explorer.evaluation_figures import METRICS, lines, metric_name
from explorer.evaluation_rows import BM25, spoken_row
from explorer.widgets import notices
from explorer.widgets.evaluation_setup import change, choose_questions, choose_rows, measure_button
from explorer.widgets.evaluation_table import score_table, verdict
from explorer.widgets.markup import element, show
from explorer.widgets.progress import job_panel

_LEAD = "Ask many questions whose right answers are known, and count how many of them each ranking brings to the top."


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    st.html(ASSETS / "evaluate.css")
    notices.page_title("Which ranking finds more?", _LEAD)
    with st.container(key="evaluate-news"):  # always there: were it to come and go, what stands below would jump back
        busy = job_panel()
    with notices.shown_errors():
        if handles.document_count() == 0:
            _no_library()
        else:
            _page(session.current().evaluation, busy=busy)
    session.write_link()


def _no_library() -> None:
    notices.empty_state(
        "Your library is empty",
        "A measurement needs documents to rank. Get the sample library, or import your own files.",
    )
    with st.container(horizontal=True, horizontal_alignment="center"):
        if st.button("Go to the library", type="primary", icon=":material/local_library:", key="to-library"):
            st.switch_page("explorer/views/library.py")


def _page(choice: EvaluationChoice, *, busy: bool) -> None:
    with st.container(border=True, key="evaluate-setup"):
        left, right = st.columns(2, gap="large")
        with left:
            choose_questions(choice)
        questions = evaluated.library_questions(choice.questions)
        with right:
            rows = choose_rows(choice, questions, handles.document_count())
            measure_button(questions, rows, busy=busy)
    found = evaluated.held(questions)
    if found is not None:
        _found(found, rows, choice)


def _found(found: Evaluated, rows: tuple[str, ...], choice: EvaluationChoice) -> None:
    for row, problem in found.problems.items():
        if row in rows:
            notices.problem(f"{spoken_row(row)}: {problem}")
    shown = [row for row in rows if row in found.measured]
    if not shown:
        return
    metric = metric_name(choice.metric)
    against = choice.against if choice.against in shown else BM25 if BM25 in shown else shown[0]
    _what(found)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _metric(metric)
        _against(shown, against)
    show(element("p", METRICS[metric], class_="ps-quiet"))
    drawn = lines(found, shown, metric, against)
    show(verdict(drawn, metric, against, len(found.benchmark.queries)))
    show(score_table(drawn, metric, against))


def _what(found: Evaluated) -> None:
    queries, documents = len(found.benchmark.queries), len(found.benchmark.corpus)
    st.subheader("What they reached", anchor=False)
    show(element("p", f"{queries:,} queries over {documents:,} documents.", class_="ps-quiet", role="status"))


def _metric(metric: str) -> None:
    st.session_state["evaluate-metric"] = metric
    st.selectbox(
        "Metric",
        list(METRICS),
        key="evaluate-metric",
        width=220,
        on_change=lambda: change(metric=st.session_state["evaluate-metric"]),
    )


def _against(rows: list[str], against: str) -> None:
    st.session_state["evaluate-against"] = against
    st.selectbox(
        "Compare with",
        rows,
        format_func=spoken_row,
        key="evaluate-against",
        width=280,
        on_change=lambda: change(against=st.session_state["evaluate-against"]),
    )


if __name__ == "__main__":
    draw()
