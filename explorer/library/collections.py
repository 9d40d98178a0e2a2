"""The library's collections: what each holds, where to look through it, and how to rename or delete it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from engine.documents import KIND_NAMES, Document
from engine.documents.markup import element, in_label
from engine.documents.text import how_many
from engine.library import Filters
from explorer.shared.document import UNTITLED
from explorer.shared.markup import name_groups, show, typeset
from explorer.shared.widgets import document_downloads, file_stem
from explorer.state import handles, session
from explorer.state.links import MAX_LISTED

_LISTED = 50
_NONE = (
    "None yet. Press Keep under a result, or select documents on the map and press Keep there: a collection is a "
    "reading list, or the prior art of one case. Search and Map can then look at it alone."
)


def collection_list() -> None:
    """Draw every collection with what can be done with it; without any, say how to make one."""
    counts = handles.library().collections.counts()
    st.header("Collections", anchor=False)
    if not counts:
        show(element("p", _NONE, class_="ps-quiet"))
        return
    names: dict[str, str] = {}
    for number, (name, count) in enumerate(counts.items()):
        key = f"collection-{number}"
        names[key] = f"Collection {name}"
        with st.container(border=True, gap="small", key=key):
            _collection(name, number, count)
    name_groups("collections", names)


def _collection(name: str, number: int, count: int) -> None:
    """Draw one collection's name, actions and documents."""
    many = how_many(count, "document")
    show(element("p", element("strong", name), " ", element("span", many, class_="ps-quiet"), class_="ps-seed"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if count:
            _looks(name, number)
            stem = file_stem(name) or "collection"
            with st.popover("Download", icon=":material/download:", key=f"download-of-{number}", help="As a file"):
                ids = handles.library().collections.ids(name)
                document_downloads(ids, handles.library().listing.kept, stem=stem, key=f"collection-{number}")
        _rename(name, number)
        with st.popover("Delete", icon=":material/delete:", key=f"delete-{number}", type="tertiary"):
            show(element("p", f"Delete {name}? Its documents stay in the library."))
            st.button(
                "Delete it", key=f"delete-it-{number}", type="primary", on_click=session.attempt, args=(_delete, name)
            )
    if not count:
        return
    with st.expander("Its documents", key=f"collection-{number}-open", type="compact", on_change="rerun") as documents:
        if documents.open:
            _documents(name, number)


def _documents(name: str, number: int) -> None:
    """Draw the documents of a collection, each with a button to remove it."""
    ids = handles.library().collections.ids(name)
    with st.container(gap="xxsmall"):
        for document in handles.library().get(ids[:_LISTED]):
            _line(document, name, number)
    if len(ids) > _LISTED:
        show(element("p", f"and {len(ids) - _LISTED:,} more; the downloads hold them all.", class_="ps-quiet"))


def _looks(name: str, number: int) -> None:
    """Buttons to show this collection alone, and what is near it."""
    only, go = partial(session.update, filters=Filters(collections=frozenset({name}))), session.go_to

    def more() -> None:
        ids = handles.library().collections.ids(name)
        session.forget_query()
        session.update(liked=tuple(ids[-MAX_LISTED:]), filters=Filters())

    search, scatter = ":material/search:", ":material/scatter_plot:"
    st.button("Search in it", key=f"search-in-{number}", icon=search, on_click=go, args=("search", only))
    help_ = f"What lies near them all together, by the {MAX_LISTED} that were added last"
    key = f"like-{number}"
    st.button("More like these", key=key, icon=":material/add:", help=help_, on_click=go, args=("search", more))
    st.button("Show on map", key=f"map-of-{number}", icon=scatter, on_click=go, args=("map", only))


def _rename(name: str, number: int) -> None:
    with (
        st.popover("Rename", icon=":material/edit:", key=f"rename-{number}", type="tertiary"),
        st.form(f"rename-form-{name}", border=False, enter_to_submit=True),
    ):
        field = f"rename-to-{name}"  # numbers go over to the next one where one is deleted, and text stays in a field
        st.text_input("New name", name, key=field, max_chars=handles.library().collections.MAX_NAME)
        st.form_submit_button("Rename it", on_click=session.attempt, args=(_rename_to, name, field))


def _line(document: Document, name: str, number: int) -> None:
    """Draw one document, and the button that removes it from the collection."""
    text, button = st.columns([6, 1], vertical_alignment="center")
    with text:
        facts = ", ".join(str(fact) for fact in (KIND_NAMES.get(document.kind), document.year) if fact)
        quiet = element("span", f" {facts}", class_="ps-quiet")
        show(element("p", typeset(document.title or UNTITLED), quiet, class_="ps-seed"))
    with button:
        key, help_ = f"take-{number}-{document.id}", in_label(f"Take “{document.name}” out of {name}")
        args = (handles.library().collections.take_out, name, [document.id])
        st.button("Take out", key=key, type="tertiary", help=help_, on_click=session.attempt, args=args)


def _rename_to(name: str, field: str) -> None:
    to = " ".join(st.session_state[field].split())
    if to != name:
        handles.library().collections.rename(name, to)
        _filter_by(name, to)


def _delete(name: str) -> None:
    handles.library().collections.delete(name)
    _filter_by(name, "")


def _filter_by(name: str, to: str) -> None:
    """Use a collection's new name where Search and Map show it alone; without one, show everything again."""
    filters = session.current().filters
    if name in filters.collections:
        left = (filters.collections - {name}) | ({to} if to else set())
        session.change("filters", collections=left)
