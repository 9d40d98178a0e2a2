"""The evaluate page: how well each ranking finds known answers."""

from __future__ import annotations

import streamlit as st

from engine.documents import Document
from engine.documents.markup import element
from engine.documents.text import how_many
from explorer.evaluate import evaluated
from explorer.evaluate.bake_off import blind_bake_off
from explorer.evaluate.downloads import evaluation_downloads
from explorer.evaluate.evaluated import Evaluated
from explorer.evaluate.figures import METRICS, cases, lines, measured_when, metric_name
from explorer.evaluate.queries import choose_case, counted, query_bars
from explorer.evaluate.rankings import rankings
from explorer.evaluate.rows import BM25, spoken_row
from explorer.evaluate.setup import change, choose_questions, choose_rows, measure_button
from explorer.evaluate.table import score_table, verdict
from explorer.shared import notices
from explorer.shared.design import ASSETS
from explorer.shared.document import head, outline
from explorer.shared.markup import show
from explorer.state import drafts, handles, session
from explorer.state.drafts import Draft
from explorer.state.evaluation_choice import WAYS, EvaluationChoice, Way

_LEAD = "Measure rankings on questions whose right answers are known, or judge two of them blind."
_WAYS: dict[Way, str] = {"answers": "On known answers", "blind": "Blind, by your own judgement"}


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    choice = session.current().evaluation
    st.html(ASSETS / "evaluate.css")
    notices.page_title("Which ranking finds more?", _LEAD)
    with st.container(key="evaluate-news"):  # always there: if it came and went, what is below would jump back
        if sentence := session.told():
            notices.problem(sentence)
    _way(choice.way)
    with notices.shown_errors():
        if choice.way == "blind":
            blind_bake_off()
        else:
            _page(choice)
    session.write_link()


def _way(way: Way) -> None:
    st.session_state["evaluate-way"] = way
    st.segmented_control(
        "How to compare rankings",
        WAYS,
        required=True,
        format_func=lambda one: _WAYS[one],
        key="evaluate-way",
        label_visibility="collapsed",
        on_change=lambda: change(way=st.session_state["evaluate-way"]),
    )


def _page(choice: EvaluationChoice) -> None:
    with st.container(border=True, key="evaluate-setup"):
        left, right = st.columns(2, gap="large")
        with left:
            questions = choose_questions(choice)
        if questions is None:
            return
        with right:
            rows = choose_rows(choice, questions)
            measure_button(questions, rows)
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
    _what(found, shown)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _metric(metric)
        _against(shown, against)
        st.space("stretch")
        evaluation_downloads(found, shown, against)
    show(element("p", METRICS[metric], class_="ps-quiet"))
    drawn = lines(found, shown, metric, against)
    show(verdict(drawn, metric, against, len(found.benchmark.queries)))
    show(score_table(drawn, metric, against))
    others = [line.row for line in drawn if line.row != against]
    if others:
        _query_by_query(found, choice, metric, (choice.row if choice.row in others else others[0], against), others)


def _query_by_query(
    found: Evaluated, choice: EvaluationChoice, metric: str, rows: tuple[str, str], others: list[str]
) -> None:
    """Where two rankings differ, and one query under both."""
    st.header("Query by query", anchor=False)
    _row(rows[0], others)
    asked = cases(found, metric, *rows)
    show(element("p", counted(asked, rows), class_="ps-quiet"))
    chosen = next((case for case in asked if case.query.id == choice.query), None)
    name = chosen.query.id if chosen else ""
    if any(case.difference for case in asked):
        query_bars(asked, name, rows, on_choose=lambda id_: change(query=id_))
    choose_case(asked, name, on_choose=lambda id_: change(query=id_))
    if chosen is not None:
        show(element("div", head(chosen.query, note=outline(chosen.query), level=3), class_="ps-read"))
        if st.button("Open in Search", key="open-case", icon=":material/search:", help="What lies near this query"):
            _search(chosen.query)
        rankings(found, chosen, rows)


def _search(query: Document) -> None:
    """Open a query on the Search page, by its id where it is a document of the library."""
    if handles.holds(query):
        session.ask(query, origin="library", query=query.id)
    else:
        drafts.ask(Draft(query, query, "own", "", query.name))
    st.switch_page("explorer/search/view.py")


def _row(row: str, others: list[str]) -> None:
    st.session_state["evaluate-row"] = row
    st.selectbox(
        "Ranking",
        others,
        format_func=spoken_row,
        key="evaluate-row",
        width=280,
        on_change=lambda: change(row=st.session_state["evaluate-row"]),
    )


def _what(found: Evaluated, shown: list[str]) -> None:
    queries, documents = len(found.benchmark.queries), len(found.benchmark.corpus)
    st.header("What they reached", anchor=False)
    left_out = found.benchmark.left_out
    unjudged = f" {left_out:,} more without a right answer were left out." if left_out else ""
    counts = f"{how_many(queries, 'query')} over {how_many(documents, 'document')}."
    text = f"{counts}{unjudged} {measured_when(found, shown)}"
    show(element("p", text, class_="ps-quiet"))


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
