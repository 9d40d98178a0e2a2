"""The library's documents in pages: sorted, filtered, opened, noted, and handed on to Search and Map."""

from __future__ import annotations

import re

import streamlit as st

from engine.documents import Document
from engine.documents.document import public_id
from engine.documents.markup import Markup, element
from engine.library import Annotation, Filters, Listed, Order
from explorer.library import review
from explorer.library.review import decide, decision_mark
from explorer.shared.document import UNTITLED, full_text, kind_badge, meta_line, source_link
from explorer.shared.keeping import annotate, keep_button, kept_in, read_mark
from explorer.shared.markup import name_groups, show, typeset
from explorer.shared.options import documents_that_pass, lines_choice, other_filters
from explorer.shared.widgets import bind, document_downloads
from explorer.state import drafts, handles, session
from explorer.state.visit import Visit

_ROWS = 25
_PAGE, _TURNS, _SHOWN, _OPENED = "list-page", "list-turns", "list-shown", "list-opened"
_ORDER_NAMES: dict[Order, str] = {"added": "Added", "title": "Title", "year": "Year"}
_FALLING_NAMES: dict[Order, tuple[str, str]] = {
    "added": ("First added first", "Last added first"),
    "title": ("A to Z", "Z to A"),
    "year": ("Oldest first", "Newest first"),
}


def document_list(visit: Visit) -> None:
    """Draw the filters, one page of documents, and the way to the other pages."""
    lines_choice(visit, key="list-lines")
    library = handles.library()
    total = library.count(visit.filters)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="list-head"):
        other_filters(visit, key="list")
        order, falling = _sorting(visit)
        _tag_names()
        _uses(visit.filters, total)
    if not total:
        show(element("p", "No document passes the filters.", class_="ps-quiet", role="status"))
        return
    pages = -(-total // _ROWS)
    key, page = _page((visit.filters, order, falling), pages)
    first = (page - 1) * _ROWS
    rows = library.listing.in_review(review.current_review()).page(
        visit.filters, order=order, descending=falling, first=first, count=_ROWS
    )
    show(element("p", _said(first, len(rows), total, visit.filters), class_="ps-quiet", role="status"))
    with st.container(gap=None, key="documents"):
        for number, row in enumerate(rows):
            _row(row, number)
    name_groups("documents", {f"document-{number}": row.title or UNTITLED for number, row in enumerate(rows)})
    if pages > 1:
        st.pagination(pages, key=key)


def _sorting(visit: Visit) -> tuple[Order, bool]:
    order, falling = visit.order, (visit.order != "title") != visit.turned
    bind(
        st.segmented_control,
        "Sort by",
        tuple(_ORDER_NAMES),
        key="list-order",
        value=order,
        change=lambda chosen: session.update(order=chosen, turned=False),
        format_func=_ORDER_NAMES.__getitem__,
        required=True,
    )
    st.button(
        _FALLING_NAMES[order][falling],
        key="list-turn",
        icon=":material/arrow_downward:" if falling else ":material/arrow_upward:",
        type="tertiary",
        help="Reverse the order",
        on_click=session.update,
        kwargs={"turned": not visit.turned},
    )
    return order, falling


def _tag_names() -> None:
    """Draw a button behind which a tag is renamed everywhere."""
    tags = handles.library().annotations.tags()
    if not tags:
        return
    with st.popover(
        "Tags", icon=":material/label:", key="tags", help="Rename a tag everywhere", on_change="rerun"
    ) as at:
        if at.open:
            show(element("p", "Under the name of another tag, the two become one.", class_="ps-quiet"))
            tag = st.selectbox("Tag", list(tags), format_func=lambda one: f"{one} ({tags[one]:,})", key="tag-renamed")
            with st.form("tag-rename", border=False, enter_to_submit=True):
                field = f"tag-to-{tag}"
                st.text_input("New name", tag, key=field, max_chars=Annotation.MAX_TAG)
                rename = lambda: handles.library().annotations.rename_tag(tag, st.session_state[field])  # noqa: E731
                st.form_submit_button("Rename it", on_click=session.attempt, args=(rename,))


def _uses(filters: Filters, total: int) -> None:
    """Search and Map look through what is listed, because the filters are theirs, too; and all of it as a file."""
    if not total:
        return
    limited = filters != Filters()
    if limited:
        go = session.go_to
        st.button("Search in these", key="list-search", icon=":material/search:", on_click=go, args=("search",))
        st.button("Show on map", key="list-map", icon=":material/scatter_plot:", on_click=go, args=("map",))
    help_ = "What is listed, with notes, tags and decisions, as a file"
    with st.popover(
        "Download", icon=":material/download:", key="list-download", help=help_, on_change="rerun"
    ) as opened:
        if opened.open:
            ids = handles.library().ids(filters)
            listing = handles.library().listing.in_review(review.current_review())
            document_downloads(ids, listing.kept, stem="priorscope-documents", key="list")


def _page(shown: tuple[Filters, Order, bool], pages: int) -> tuple[str, int]:
    """Return the key of the choice of pages and the page to show: the first again where filters or order changed."""
    state = st.session_state
    key = f"{_PAGE}-{state.get(_TURNS, 0)}"
    if state.get(_SHOWN) != shown or state.get(key, 1) > pages:
        state[_SHOWN], state[_TURNS] = shown, state.get(_TURNS, 0) + 1
        state.pop(_OPENED, None)
        key = f"{_PAGE}-{state[_TURNS]}"
    return key, int(state.get(key, 1))


def _said(first: int, count: int, total: int, filters: Filters) -> str:
    shown = f"{first + 1:,} to {first + count:,}" if count > 1 else f"{total:,}"
    return f"{shown} of {documents_that_pass(total, filters)}" if count < total else documents_that_pass(total, filters)


def _row(row: Listed, number: int) -> None:
    """Draw a document in two lines with a button that opens it below."""
    is_open = st.session_state.get(_OPENED) == row.id
    with st.container(gap="small", key=f"document-{number}"):
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            key=f"document-line-{number}",
        ):
            show(row_lines(row))
            st.button(
                "Close" if is_open else "Open",
                key=f"open-document-{number}",
                type="tertiary",
                icon=":material/expand_less:" if is_open else ":material/expand_more:",
                on_click=st.session_state.update,
                args=({_OPENED: "" if is_open else row.id},),
            )
        if is_open:
            _opened(handles.library().get([row.id])[0])


def row_lines(row: Listed) -> Markup:
    """Return a document's title, its facts with the files that brought it, and what a person keeps of it."""
    facts = [kind_badge(row.kind)]
    facts += [element("span", str(row.year))] if row.year is not None else []
    told = public_id(row.id) if row.kind == "patent" or not row.title else ""
    facts += [element("span", told)] if told else []
    facts += [element("em", row.venue)] if row.venue else []
    if row.files:
        short = (re.split(r"[/\\]", name.rstrip("/\\"))[-1] for name in row.files)
        came = f"from {', '.join(short)}, {row.added[:10]}"
        facts.append(element("span", came, title=f"Brought by {', '.join(row.files)}; first on {row.added[:10]}"))
    noted = row.annotation
    marks = [element("li", tag) for tag in noted.tags]
    marks += [read_mark()] if noted.is_read else []
    marks += [element("li", "Note", class_="ps-done-mark", title=noted.note[:300])] if noted.note else []
    marks += [decision_mark(row.screened)] if row.screened else []
    lines = [
        element("h2", typeset(row.title or UNTITLED), class_="ps-row-title"),
        element("div", *facts, class_="ps-meta"),
        *([element("ul", *marks, class_="ps-tags")] if marks else []),
    ]
    return element("div", *lines, class_="ps-document-row")


def _opened(document: Document) -> None:
    """Draw the document's text, and beside it what can be done with it and written about it."""
    id_ = document.id
    with st.container(border=True, key="opened-document"):
        text, own = st.columns([3, 2], gap="medium")
        with text:
            show(element("div", meta_line(document), source_link(document), kept_in(id_), full_text(document)))
        with own:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                asked = ("search", lambda: drafts.ask(drafts.from_library(id_)))
                label, icon = "Find what is near", ":material/search:"
                st.button(label, key="near-document", icon=icon, on_click=session.go_to, args=asked)
                keep_button([id_], key="document", what="this document")
            annotate(id_, key=f"document-{id_}")
            if review.current_review():
                decide(id_, key="document")
