"""The evaluate page: what to measure, how well each ranking finds known answers, and the results as files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from engine import evaluation
from engine.documents import Document
from engine.documents.markup import element
from engine.documents.text import how_many
from explorer import ASSETS
from explorer.evaluate import results
from explorer.evaluate.bake_off import blind_bake_off
from explorer.evaluate.figures import METRICS, cases, lines, measured_when, metric_name, score_table, verdict_lines
from explorer.evaluate.queries import choose_case, count_leads, query_bars, rankings
from explorer.shared import notices, progress
from explorer.shared.document import head, outline
from explorer.shared.judging import judged_queries
from explorer.shared.markup import show
from explorer.shared.widgets import FileKind, bind, file_downloads, file_stem
from explorer.state import background, drafts, handles, session
from explorer.state.drafts import Draft
from explorer.state.visit import WAYS, EvaluationChoice, QuestionKind, Way

_NAMES: dict[QuestionKind, str] = {
    "subjects": "Your library’s subjects",
    "judged": "Your own judgements",
    "small": "A small set that comes with Priorscope",
    "own": "Your own files",
}
_CAPTIONS: dict[QuestionKind, str] = {
    "subjects": "Up to 200 of your documents are the questions; right answers are those filed under exactly the same "
    "subjects. You judge nothing, but documents of one subject need not answer each other.",
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
_SECONDS_BETWEEN_LOOKS = 1.0
_LEAD = "Measure rankings on questions whose right answers are known, or judge two of them blind."
_WAYS: dict[Way, str] = {"answers": "On known answers", "blind": "Blind, by your own judgement"}


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    choice = session.current().evaluation
    st.html(ASSETS / "evaluate.css")
    notices.page_title("Which ranking finds more?", _LEAD)
    with st.container(key="evaluate-news"):  # always there: if it came and went, what is below would jump back
        notices.show_told()
    bind(
        st.segmented_control,
        "How to compare rankings",
        WAYS,
        key="evaluate-way",
        value=choice.way,
        change=lambda way: session.change("evaluation", way=way),
        required=True,
        format_func=_WAYS.__getitem__,
        label_visibility="collapsed",
    )
    with notices.shown_errors():
        if choice.way == "blind":
            blind_bake_off()
        else:
            _page(choice)
    session.write_link()


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
    found = results.find_results(questions)
    if found is not None:
        _found(found, rows, choice)


def _found(found: results.Evaluated, rows: tuple[str, ...], choice: EvaluationChoice) -> None:
    for row, problem in found.problems.items():
        if row in rows:
            notices.problem(f"{results.spoken_row(row)}: {problem}")
    shown = [row for row in rows if row in found.measured]
    if not shown:
        return
    metric = metric_name(choice.metric)
    if metric != choice.metric:
        notices.note(f"Expected one of the metrics below, got {choice.metric[:40]}; {metric} is shown instead.")
    against = choice.against if choice.against in shown else results.BM25 if results.BM25 in shown else shown[0]
    _what(found, shown)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _select("Metric", "metric", list(METRICS), metric, width=220)
        _select("Compare with", "against", shown, against, width=280, format_func=results.spoken_row)
        st.space("stretch")
        evaluation_downloads(found, shown, against)
    show(element("p", METRICS[metric], class_="ps-quiet"))
    drawn = lines(found, shown, metric, against)
    show(verdict_lines(drawn, metric, against, len(found.benchmark.queries)))
    show(score_table(drawn, metric, against))
    others = [line.row for line in drawn if line.row != against]
    if others:
        _query_by_query(found, choice, metric, (choice.row if choice.row in others else others[0], against), others)


def _ask(query: Document) -> None:
    """Make a query with known answers the question of every page."""
    if handles.workspace().holds_document(query):
        session.ask(query, origin="library", query=query.id)
    else:
        drafts.ask(Draft(query, query, "own", "", query.name))


def _query_by_query(
    found: results.Evaluated, choice: EvaluationChoice, metric: str, rows: tuple[str, str], others: list[str]
) -> None:
    """Show where two rankings differ, and one query under both."""
    st.header("Query by query", anchor=False)
    _select("Ranking", "row", others, rows[0], width=280, format_func=results.spoken_row)
    asked = cases(found, metric, *rows)
    show(element("p", count_leads(asked, rows), class_="ps-quiet"))
    chosen = next((case for case in asked if case.query.id == choice.query), None)
    name = chosen.query.id if chosen else ""
    if any(case.difference for case in asked):
        query_bars(asked, name, rows, on_choose=lambda id_: session.change("evaluation", query=id_))
    choose_case(asked, name, on_choose=lambda id_: session.change("evaluation", query=id_))
    if chosen is not None:
        show(element("div", head(chosen.query, note=outline(chosen.query), level=3), class_="ps-read"))
        st.button(
            "Open in Search",
            key="open-case",
            icon=":material/search:",
            help="What lies near this query",
            on_click=session.go_to,
            args=("search", lambda: _ask(chosen.query)),
        )
        rankings(found, chosen, rows)


def _select(label: str, field: str, offered: list[str], chosen: str, **look: Any) -> None:  # noqa: ANN401  a box's own
    """Choose a field of what the page shows."""
    key, change = f"evaluate-{field}", lambda value: session.change("evaluation", **{field: value})
    bind(st.selectbox, label, offered, key=key, value=chosen, change=change, **look)


def _what(found: results.Evaluated, shown: list[str]) -> None:
    queries, documents = len(found.benchmark.queries), len(found.benchmark.corpus)
    st.header("Results", anchor=False)
    left_out = found.benchmark.left_out
    unjudged = f" {left_out:,} more without a right answer were left out." if left_out else ""
    counts = f"{how_many(queries, 'query')} over {how_many(documents, 'document')}."
    text = " ".join([f"{counts}{unjudged}", *found.benchmark.notes, measured_when(found, shown)])
    show(element("p", text, class_="ps-quiet"))


def choose_questions(choice: EvaluationChoice) -> results.QuestionSet | None:
    """Choose a set of questions with known answers; None while no set of that kind exists."""
    offered = results.question_kinds()
    questions = choice.questions if choice.questions in offered else offered[0]
    bind(
        st.radio,
        "Questions whose right answers are known",
        offered,
        key="evaluate-on",
        value=questions,
        change=lambda chosen: session.change("evaluation", questions=chosen, query=""),
        format_func=_NAMES.__getitem__,
        captions=[_caption(name) for name in offered],
    )
    if questions == "own":
        _bring()
    if questions == "judged" and not judged_queries():
        return None
    return results.question_set(questions)


def _caption(questions: QuestionKind) -> str:
    if questions != "judged":
        return _CAPTIONS[questions]
    count = len(handles.library().judgements)
    if not count:
        return "None yet. Search for a document, and say with the thumbs under its hits which are relevant."
    many = f"{how_many(count, 'hit')} judged on the Search page or blind."
    return f"{many} What you never saw counts as wrong, so judge hits of several rankings."


def _bring() -> None:
    """Take the visitor's own files, or show what is held and offer to drop it."""
    held = results.own_questions()
    if held is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            own = f"{how_many(held.documents or 0, 'document')} of its own"
            documents = "your library’s documents" if held.in_library else own
            show(element("p", element("strong", held.name), f", over {documents}", class_="ps-quiet", role="status"))
            st.button("Take other files", key="drop-own", type="tertiary", on_click=results.drop_own)
        return
    uploads = st.file_uploader(
        _FILES, accept_multiple_files=True, max_upload_size=MOST_MEGABYTES, key="evaluate-files", help=_FORMATS
    )
    why = None if uploads else "Choose the files first"
    read = (lambda: results.bring([(upload.name, upload.getvalue()) for upload in uploads]),)
    st.button("Read these files", key="read-own", disabled=not uploads, help=why, on_click=session.attempt, args=read)


def choose_rows(choice: EvaluationChoice, questions: results.QuestionSet) -> tuple[str, ...]:
    """Choose which rankings to measure, and return them."""
    searches = results.search_rows()
    named = (*choice.rows, *filter(None, (choice.row, choice.against)))
    if strange := [row for row in dict.fromkeys(named) if row not in searches]:
        notices.note(
            f"Expected rankings that a search offers; this link also names {', '.join(strange)}, which is left out. "
            "The command python -m engine.research evaluate measures the papers' baselines."
        )
    chosen = tuple(row for row in searches if row in choice.rows) or results.quick_rows(in_library=questions.in_library)
    _pills(searches, chosen, questions)
    if questions.in_library:
        _reading_times(results.unread(searches))
    return chosen


def _reading_times(names: tuple[str, ...]) -> None:
    """Explain the times beside encoders; unknown ones are measured while nothing else runs."""
    left = [name for name in names if handles.workspace().reading_seconds(name) is None]
    if not names or (left and background.in_line()):
        return
    if not left:
        _said("The times are those to read your library on this machine, once, while it does little else.")
        return
    handles.workspace().measure_reading(names)
    _measuring(tuple(left))


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _measuring(names: tuple[str, ...]) -> None:
    if any(handles.workspace().reading_seconds(name) is not None for name in names):
        st.rerun()
    _said("Measuring on a sample how long the others need to read your library.")


def _said(text: str) -> None:
    show(element("p", text, class_="ps-quiet", role="status"))


def _pills(offered: tuple[str, ...], chosen: tuple[str, ...], questions: results.QuestionSet) -> None:
    labels = {row: _with_cost(row, questions) for row in offered}  # which Streamlit asks for several times
    bind(
        st.pills,
        "Rankings to compare",
        offered,
        key="evaluate-rows",
        value=list(chosen),
        change=lambda rows: session.change("evaluation", rows=tuple(rows)),
        selection_mode="multi",
        wrap=True,
        format_func=labels.__getitem__,
    )


def _with_cost(row: str, questions: results.QuestionSet) -> str:
    """Return a ranking's name, and its time if long."""
    if questions.documents is None:
        return results.short_row(row)
    seconds = results.seconds_until_ready(row, questions.documents, in_library=questions.in_library)
    if seconds is None or seconds < _QUICK_SECONDS:
        return results.short_row(row)
    return f"{results.short_row(row)} · about {progress.rough(seconds)}"


def measure_button(questions: results.QuestionSet, rows: tuple[str, ...]) -> None:
    """Measure what has no results yet."""
    found = results.find_results(questions)
    left = [row for row in rows if found is None or row not in found.measured]
    if not left:
        help_ = "Measures the chosen rankings again, as after an update of Priorscope"
        begin, args = results.start, (questions, rows)
        st.button("Measure again", key="measure-again", type="tertiary", help=help_, on_click=begin, args=args)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        label, icon = "Measure" if len(left) == len(rows) else f"Measure {len(left)} more", ":material/play_arrow:"
        st.button(label, type="primary", key="measure", icon=icon, on_click=results.start, args=(questions, left))
        show(element("p", "Every page can be used meanwhile.", class_="ps-quiet"))


def evaluation_downloads(found: results.Evaluated, rows: Sequence[str], against: str) -> None:
    """Draw one button that opens the formats; a file is made when it is asked for."""

    def as_json() -> bytes:
        facts = results_report(found, rows, against).as_json(by_query=True)
        return json.dumps(facts, ensure_ascii=False, indent=1).encode()

    kinds: Sequence[FileKind] = (
        ("md", "Report, Markdown", lambda: results_report(found, rows, against).as_markdown().encode()),
        ("json", "JSON with every query's scores", as_json),
        ("zip", "Rankings, TREC runs, zipped", lambda: results_report(found, rows, "").zipped_runs()),
    )
    file_downloads(
        kinds, stem=file_stem("evaluation on", found.benchmark.name), key="evaluation", what="What was measured"
    )


def results_report(found: results.Evaluated, rows: Sequence[str], against: str) -> evaluation.EvaluationReport:
    """Return all results with the circumstances; two or more rankings are compared."""
    measured = [found.measured[row] for row in rows]
    problems = {row: text for row, text in found.problems.items() if row not in rows}
    compared = against if len(measured) > 1 else ""
    return evaluation.EvaluationReport(
        found.benchmark, measured, "the Evaluate page", against=compared, skipped=problems
    )


if __name__ == "__main__":
    draw()
