"""Removes documents from the library: all that one file brought, or a single one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from engine.core.errors import LibraryError
from engine.core.progress import Report
from engine.documents import Document
from engine.documents.markup import element
from engine.documents.text import how_many
from engine.library import ImportedFile
from explorer.shared import notices
from explorer.shared.document import head, heading
from explorer.shared.group_names import name_groups
from explorer.shared.markup import show
from explorer.shared.title_search import title_search
from explorer.state import handles, jobs, session

_FOR_GOOD = "They leave the search, the maps, your collections and what you judged."
_WAITS = "Notes, tags and decisions wait, and come back with them."
_AGAIN = "The file itself is not touched; import it again to have them back."


def removal() -> None:
    """The two ways to remove documents."""
    with st.expander("Remove documents", key="removal", on_change="rerun") as section:
        if not section.open:
            return
        files, one = st.tabs(["All that a file brought", "One document"])
        with files:
            _file(handles.library().files()[::-1])
        with one:
            _one()
        _remembered()


def _file(files: Sequence[ImportedFile]) -> None:
    names = {file.key: file.name for file in files}
    key = st.selectbox(
        "Imported file", list(names), index=None, format_func=names.__getitem__, placeholder="Choose a file", key="gone"
    )
    if key is None:
        return
    try:
        ids = handles.library().documents_of_file(key)
    except LibraryError as error:
        notices.note(str(error))
        return
    show(element("p", _brought(len(ids)), class_="ps-quiet"))
    with st.popover("Remove it", icon=":material/delete:", key="remove-file"):
        show(element("p", f"Remove {names[key]} and {_documents(len(ids))}? {_FOR_GOOD} {_AGAIN} {_WAITS}"))
        pressed = st.button(f"Remove {_documents(len(ids))}", key="remove-file-now", type="primary")
    if pressed:
        _start(f"Removing {names[key]}", ids, lambda: handles.workspace().remove_file(key))


def _one() -> None:
    found = title_search("gone-words")
    for number, document in enumerate(found, start=1):
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"gone-{number}"):
            show(head(document, level=3))
            _ask(document, number)
    name_groups("gone", {f"gone-{number}": heading(document) for number, document in enumerate(found, start=1)})


def _ask(document: Document, number: int) -> None:
    with st.popover("Remove", icon=":material/delete:", key=f"remove-{number}"):
        show(element("p", f"Remove “{heading(document)}”? It leaves the search, the maps and your collections."))
        pressed = st.button("Remove it", key=f"remove-{number}-now", type="primary")
    if pressed:
        _start("Removing a document", [document.id], lambda: handles.workspace().remove_documents([document.id]))


def _remembered() -> None:
    """What waits for removed documents, and a button to forget it."""
    kept = handles.library().annotations
    if waiting := kept.of_removed():
        told = f"Your notes, tags and decisions on {how_many(waiting, 'removed document')} wait in case they come back."
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="remembered"):
            show(element("p", told, class_="ps-quiet"))
            forget = kept.forget_removed
            st.button("Forget them", key="forget-removed", type="tertiary", on_click=session.attempt, args=(forget,))


def _start(name: str, ids: Sequence[str], remove: Callable[[], list[str]]) -> None:
    """Remove in the background; this visitor's search goes on without what is gone."""

    def work(report: Report) -> str:
        del report
        return f"{_documents(len(remove())).capitalize()} removed."

    with notices.shown_errors():
        jobs.ask(name, work, key=("removing", *ids))
        session.forget_documents(ids)
        st.rerun()


def _brought(count: int) -> str:
    if not count:
        return "All that it holds came with other files, too: only the file's name leaves this list."
    return f"{_documents(count).capitalize()} came with this file and with no other."


def _documents(count: int) -> str:
    return f"{count:,} document{'' if count == 1 else 's'}"
