"""A blind bake-off on the Evaluate page: ask two rankings at once, judge their joined list, then hear the verdict."""

from __future__ import annotations

from functools import partial

import streamlit as st

from engine import evaluation, reading
from engine.core.errors import EngineError
from engine.core.files import fingerprint
from engine.documents import Document
from engine.documents.markup import element, in_label
from engine.library import Grade
from explorer.evaluate.results import DEFAULT, short_row, spoken_row
from explorer.shared import notices
from explorer.shared.document import full_text, head, heading
from explorer.shared.judging import thumbs
from explorer.shared.markup import cut_at_word, name_groups, show
from explorer.state import handles, session

_LEAD = (
    "Two rankings answer your questions in one list, and nothing says which of them brought what. Judge what you read; "
    "after {enough} judgements the verdict names both. A coin says which picks first, so that equally good rankings "
    "win equally often."
)
_TEXT, _SHOWN = "blind-text", "blind-shown"
_SHOWN_PAST = 5
_ABSTRACT_CHARACTERS = 420


def blind_bake_off() -> None:
    """Draw it: how to begin, or the questions and the lists, and earlier verdicts."""
    show(element("p", _LEAD.format(enough=evaluation.BakeOff.ENOUGH), class_="ps-quiet"))
    held = evaluation.BakeOffs(handles.library().folder)
    running = held.current()
    if running is None:
        _begin(held)
    else:
        _state(held, running)
        _ask(held)
        _list(held, running)
    _past([one for one in held.all() if one.revealed])


def row_name(row: str) -> str:
    """Name a ranking for people: a search by an encoder, or the encoder alone."""
    fused = evaluation.fused_encoder(row)
    if fused is None:
        return spoken_row(row) if row == "keywords" else f"{short_row(row)} alone"
    return f"Search with {short_row(fused)}{' (default)' if row == DEFAULT else ''}"


def _begin(held: evaluation.BakeOffs) -> None:
    """Choose two rankings and start."""
    rows = held.rows_offered(handles.workspace())
    if len(rows) < 2:
        notices.note("Rankings can be compared once your library holds documents and an encoder has read them all.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("One ranking", rows, format_func=row_name, key="blind-first", width=320)
        others = [row for row in rows if row != first]
        second = st.selectbox("The other", others, format_func=row_name, key="blind-second", width=320)
        begin = (held.start, (first, second))
        st.button("Start", key="blind-start", type="primary", on_click=session.attempt, args=begin)
    text = "Encoders that have not read your library yet are missing here: choose one on the Search page to prepare it."
    show(element("p", text, class_="ps-quiet"))


def _state(held: evaluation.BakeOffs, running: evaluation.BakeOff) -> None:
    """Say how far it is, and offer what ends it."""
    with st.container(horizontal=True, vertical_alignment="center", key="blind-state"):
        said = f"{running.judged} of at least {evaluation.BakeOff.ENOUGH} documents judged."
        if not running.is_ready:
            said = f"Too early to say: {said}"
        show(element("p", element("strong", said), role="status"))
        st.space("stretch")
        why = None if running.is_ready else f"After {evaluation.BakeOff.ENOUGH} judgements"
        act, off = session.attempt, not running.is_ready
        label, end = "Show the verdict", (held.reveal,)
        st.button(label, key="blind-reveal", type="primary", disabled=off, help=why, on_click=act, args=end)
        label, help_, stop = "Stop this bake-off", "Forget this bake-off; judgements stay", (held.drop,)
        st.button(label, key="blind-drop", type="tertiary", help=help_, on_click=act, args=stop)


def _ask(held: evaluation.BakeOffs) -> None:
    """Take a question of the visitor's own, or one of the library's documents as the question."""
    with st.form("blind-form", border=False, clear_on_submit=True, enter_to_submit=False):
        st.text_area(
            "Your question, an abstract or a claim", key=_TEXT, height=80, placeholder="cover times of random walks"
        )
        with st.container(horizontal=True):
            if st.form_submit_button("Ask both", key="blind-ask", type="primary") and st.session_state[_TEXT].strip():
                _asked(held, reading.read_text(st.session_state[_TEXT]).document)
            help_ = "One of your documents is the question: what lies near it?"
            if st.form_submit_button("Ask with one of my documents", key="blind-draw", help=help_):
                _asked(held, _drawn(held))


def _drawn(held: evaluation.BakeOffs) -> Document:
    """Return the next document of the library in an order that is the same every time."""
    library, running = handles.library(), held.current()
    asked = {one.query.id for one in running.asked} if running is not None else set()
    order = sorted((id_ for id_ in library.ids() if id_ not in asked), key=fingerprint)
    return library.get(order[:1])[0]


def _asked(held: evaluation.BakeOffs, query: Document) -> None:
    with st.spinner("Asking both"):
        st.session_state[_SHOWN] = held.ask(handles.workspace(), query).key
    st.rerun()


def _list(held: evaluation.BakeOffs, running: evaluation.BakeOff) -> None:
    """Draw the joined list of one question, with thumbs."""
    if not running.asked:
        return
    by_key = {one.key: one for one in reversed(running.asked)}
    if st.session_state.get(_SHOWN) not in by_key:
        st.session_state[_SHOWN] = next(iter(by_key))
    if len(by_key) > 1:
        names = {key: f"{heading(one.query)[:90]} ({len(one.grades)} judged)" for key, one in by_key.items()}
        st.selectbox("Question", list(by_key), format_func=names.__getitem__, key=_SHOWN)
    asked = by_key[st.session_state[_SHOWN]]
    st.header(f"Near “{in_label(heading(asked.query))}”", anchor=False)
    if asked.query.title and (said := _opening(asked.query)):
        show(element("p", said, class_="ps-quiet"))
    if not asked.picks:
        notices.note("Neither ranking found a document. Ask another question.")
    judge = partial(_judge, held, asked)
    shown = [_document(number, pick.id, asked, judge) for number, pick in enumerate(asked.picks, start=1)]
    name_groups("blind", {f"blind-{number}": name for number, name in enumerate(shown, start=1) if name})


def _document(number: int, id_: str, asked: evaluation.AskedBlind, judge: partial[None]) -> str:
    """Draw one document of the list, and return its name; a place stays empty where the library has lost it since."""
    try:
        document = handles.library().get([id_])[0]
    except EngineError:
        return ""
    with st.container(border=True, gap="small", key=f"blind-{number}"):
        show(head(document, level=3))
        show(element("p", _opening(document)))
        thumbs(asked.query, id_, asked.grades, keep=judge, note="")
        with st.expander("Read more", key=f"blind-more-{number}", type="compact", on_change="rerun") as more:
            if more.open:
                show(element("div", full_text(document), class_="ps-read"))
    return f"Document {number}: {heading(document)}"


def _opening(document: Document) -> str:
    """Return the beginning of a document's abstract or text."""
    text = document.abstract or next((part.text for part in document.parts if part.role != "title"), "")
    return cut_at_word(text, _ABSTRACT_CHARACTERS)


def _judge(
    held: evaluation.BakeOffs, asked: evaluation.AskedBlind, query: Document, id_: str, grade: Grade | None
) -> None:
    """Keep a thumb, for the bake-off and among the library's judgements."""
    del query
    session.attempt(lambda: held.judge(handles.library(), asked, id_, grade))


def _past(ended: list[evaluation.BakeOff]) -> None:
    """Draw the verdicts, the last first; the newest is open."""
    for number, one in enumerate(reversed(ended[-_SHOWN_PAST:])):
        first, second = (row_name(row) for row in one.rows)
        with st.expander(f"Verdict: {first} or {second}", expanded=not number, key=f"blind-verdict-{number}"):
            best, *rest = one.verdict().sentences((first, second))
            show(element("p", element("strong", best), class_="ps-verdict", role="status"))
            show(element("p", " ".join(rest)))
            show(element("p", f"Begun on {one.started[:10]}.", class_="ps-quiet"))
