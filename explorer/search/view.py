"""The search page: a document comes in by one of four ways, is checked, and its neighbours come out."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from engine import search
from engine.core.errors import EngineError
from engine.documents import Document
from engine.documents.markup import element
from explorer import ASSETS
from explorer.search.asking import read_ahead
from explorer.search.results import results
from explorer.shared import bring, notices, recents, salient
from explorer.shared.bring import Desk, PickAction, restored_query
from explorer.shared.document import full_text, heading, kind_badge, meta_line, outline
from explorer.shared.document_form import document_form
from explorer.shared.encoder import is_unread, preparation
from explorer.shared.markup import name_groups, show, typeset
from explorer.shared.options import begin_options, drop_idle_years, search_options
from explorer.shared.recents import limits_button, own_note, recent_list
from explorer.shared.widgets import bind, place_of
from explorer.state import drafts, handles, session
from explorer.state.drafts import Draft
from explorer.state.examples import Example, examples
from explorer.state.handles import encoder_name
from explorer.state.links import MAX_LISTED
from explorer.state.visit import Visit

_PASTE = (
    "Paste an abstract, a draft, or a patent's text with its claims: title, abstract and sections are found for you, "
    "and you can correct them. Or ask a question in a sentence or two, or give the title, DOI, arXiv "
    "id or patent number of a document in your library, or an author's name."
)
_WAYS = ("Paste a text", "Upload a file", "Pick from the library")
_OFFERED = 60
_STRESS_HELP = (
    "Near documents that say them come further up. Offered are the words of your text that count most; type any other."
)
_MUTE_HELP = "They do not count: words that your text shares with works you are not after."
_LEAD = "Give it a paper, a patent or a question. It shows what lies near in your library, and why."
_STEPS = ("welcome", "check", "found")
_ASKED = "asks_with_the_draft"


def draw() -> None:
    """Draw the page for what this visitor has chosen so far."""
    st.html(ASSETS / "search.css")
    if st.session_state.pop(_ASKED, False) and (checked := drafts.QUERY.held()) is not None:
        drafts.ask(checked)  # here, after every correction was taken, and before its form would be drawn once more
    visit = session.current()
    notices.show_told()
    has_library = _has_library()
    draft, query = drafts.QUERY.held(), restored_query(visit)
    if has_library:
        drop_idle_years()
        options = begin_options()
    if draft is not None:
        with place_of("check", _STEPS):
            _check(draft, has_library=has_library)
    elif query is None and not visit.liked:
        with place_of("welcome", _STEPS):
            _welcome(visit, has_library=has_library)
    else:
        with place_of("found", _STEPS):
            _found(query or drafts.SEEDS, session.current(), has_library=has_library)
    if has_library:  # after the results: the filters count what each choice would leave
        with options:
            search_options(session.current())
            if draft is None and query is not None:
                words_choice(query, session.current())
    session.write_link()
    if has_library and (draft is not None or (query is None and not visit.liked)):
        handles.workspace().warm(encoder_name(visit.encoder))


def _has_library() -> bool:
    """Tell whether there is anything to search; if not, say what to do."""
    try:
        if len(handles.library()) > 0:
            return True
    except EngineError as error:
        notices.problem(str(error))
        return False
    text = "Your library is empty, so there is nothing to search yet. Get the sample library, or import your own files."
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="no-library"):
        show(element("p", text, role="status"))
        label, icon = "Go to the library", ":material/local_library:"
        st.button(label, type="primary", icon=icon, key="to-library", on_click=session.go_to, args=("library",))
    return False


def _welcome(visit: Visit, *, has_library: bool) -> None:
    """Draw the ways to enter a query; an encoder that has not read the library can do so meanwhile."""
    notices.page_title("What lies near your document?", _LEAD)
    name = encoder_name(visit.encoder)
    with st.container(key="search-news"):  # always there: if it came and went, the tabs below would jump back
        if has_library and visit.ranking != "keywords" and is_unread(name):
            preparation(name)
    query_inputs(has_library=has_library)
    recent_list()
    example_cards()


def _check(draft: Draft, *, has_library: bool) -> None:
    """Draw the read document, open for correction."""
    notices.page_title("Check what was read", "Correct the title, the abstract or a section that was misread.")
    if has_library and session.current().ranking != "keywords":
        read_ahead(draft.read, encoder_name(session.current().encoder))
    top = st.container(horizontal=True, gap="small")
    salient.read_first_on_demand(draft.document)
    with st.container(key="draft-form"):
        document_form(draft, change=drafts.QUERY.change, key="draft")
    with top:
        why = None if has_library else "Your library is empty: there is nothing to search yet"
        label, icon = "Find what is near", ":material/search:"
        asked = {_ASKED: True}
        st.button(
            label,
            type="primary",
            icon=icon,
            disabled=not has_library,
            key="ask",
            help=why,
            on_click=st.session_state.update,
            args=(asked,),
        )
        st.button("Discard", key="discard", on_click=drafts.QUERY.drop)


def _found(query: Document, visit: Visit, *, has_library: bool) -> None:
    """Draw the query and its neighbours."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="found-head"):
        st.title("What lies near", anchor=False)
        if query.text:
            correct, args = drafts.QUERY.keep, (drafts.from_query(query, visit),)
            st.button("Correct it", icon=":material/edit:", key="correct", type="tertiary", on_click=correct, args=args)
        st.button("New search", icon=":material/add:", key="new-search", on_click=session.forget_query)
    if query.text:
        _query_panel(query)
    else:
        show(element("p", "to these documents of your library, all together.", class_="ps-quiet"))
    if has_library:
        results(query, visit)
    recents.note_search(query)
    if visit.origin == "own" and query.text:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="own-note"):
            show(element("p", own_note(is_kept=bool(visit.query)), class_="ps-quiet"))
            limits_button()


def _query_panel(query: Document) -> None:
    """Draw the query in two lines; folded away: what to read first in it, and its text."""
    title = element("h2", typeset(heading(query)), class_="ps-title")
    consists = outline(query)
    with st.container(horizontal=True, gap="small", key="query"):
        show(element("div", title, meta_line(query, note=consists), class_="ps-query"))
        with st.expander("Read the query", key="read-query", type="compact", on_change="rerun") as reading:
            if reading.open:
                salient.read_query_first(query)
                show(full_text(query, salient=salient.known_sentences(query)))


def query_inputs(*, has_library: bool) -> None:
    """Draw these ways; what is read becomes a draft, or the query at once if nothing needs checking."""
    ways = st.tabs(_WAYS if has_library else _WAYS[:2])
    with ways[0]:
        desk = Desk(_ask_or_check if has_library else drafts.QUERY.keep)
        label = "Text of a paper or a patent, or a question"
        bring.paste(desk, label=label, placeholder=_PASTE, height=220, primary=True)
    with ways[1]:
        bring.upload(Desk(drafts.QUERY.keep))
    if has_library:
        with ways[2]:
            bring.pick(
                Desk(drafts.QUERY.keep),
                PickAction(
                    lambda id_: drafts.ask(drafts.from_library(id_)),
                    "Find what is near",
                    lambda number: f"Search with match {number}",
                ),
            )


def example_cards() -> None:
    """Draw the example papers and patents, three a row."""
    st.header("Or try an example", anchor=False)
    found = list(examples().values())
    for start in range(0, len(found), 3):
        for column, example in zip(st.columns(3, gap="small"), found[start : start + 3], strict=False):
            with column:
                _example_card(example)
    name_groups("examples", {f"example-{example.name}": f"Example: {example.title}" for example in found})


def _ask_or_check(draft: Draft) -> None:
    """Search with what was pasted at once; what was read with a doubt is checked first."""
    if draft.warnings and draft.is_own:
        drafts.QUERY.keep(draft)
    else:
        drafts.ask(draft)


def _example_card(example: Example) -> None:
    with st.container(border=True, height="stretch", vertical_alignment="distribute", key=f"example-{example.name}"):
        opening = element("p", example.opening, class_="ps-quiet ps-clamp")
        title = element("h3", example.title, class_="ps-title")
        show(element("div", kind_badge(example.kind), title, opening, class_="ps-example"))
        args = (lambda name=example.name: drafts.ask(drafts.from_example(name)),)
        st.button(
            "Find what is near",
            key=f"try-{example.name}",
            on_click=session.attempt,
            args=args,
            help=f"Example: {example.title}",
        )


def words_choice(query: Document, visit: Visit) -> None:
    """Draw two lists of words; they are off when only meaning ranks."""
    if not query.text or visit.ranking == "encoder":
        return
    offered = _offered(query)
    st.header("Words", anchor=False)
    _words("Stress", "stressed", visit.stressed, _left(offered, visit.muted), help_=_STRESS_HELP)
    _words("Leave out", "muted", visit.muted, _left(offered, visit.stressed), help_=_MUTE_HELP)


def _words(
    label: str, field: Literal["stressed", "muted"], chosen: tuple[str, ...], offered: list[str], *, help_: str
) -> None:
    bind(
        st.multiselect,
        label,
        list(dict.fromkeys([*chosen, *offered])),
        key=f"option-{field}",
        value=list(chosen),
        change=partial(session.choose_words, field),
        placeholder="Words",
        select_all=False,
        accept_new_options=True,
        max_selections=MAX_LISTED,
        help=help_,
    )


def _left(offered: list[str], taken: tuple[str, ...]) -> list[str]:
    return [word for word in offered if word not in taken]


def _offered(query: Document) -> list[str]:
    """Return the query's strongest words, counted once for each query and state of the library."""

    def make() -> list[str]:
        return search.leading_words(query, handles.library().keywords, _OFFERED)

    return list(session.remember("leading_words", (query, handles.workspace().state()), make))


if __name__ == "__main__":
    draw()
