"""The library page: what the library holds, the samples, imports, and what could not be imported."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import streamlit as st

from engine.core.files import fingerprint, write_bytes
from engine.documents.markup import element
from engine.documents.text import how_many
from explorer.library.documents import documents
from explorer.library.removal import removal
from explorer.library.review import screening
from explorer.shared import notices
from explorer.shared.collection_list import collection_list
from explorer.shared.counts import count_tiles, failure_table, file_table
from explorer.shared.markup import show
from explorer.state import handles, jobs, session
from explorer.state.encoder_names import encoder_name
from explorer.state.links import Part

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_tab_container import TabContainer

    from engine.core.progress import Report
    from engine.workspace import ImportSummary

_LEAD = "The papers and patents that your searches look through. Everything stays in one folder on this machine."
_SAMPLES = (
    "It brings 26,277 documents: 21,821 arXiv papers of 1992 to 2022 with title and abstract, and in full text 229 "
    "papers from PLOS and the ACL Anthology, 4,181 US patents of 1877 to 1898, and 46 of 1974 to 2025. "
    "43 MB are fetched from the Python package index and checked; after that everything works offline."
)

_TABS: dict[Part, str] = {"overview": "Overview", "documents": "Documents", "screening": "Screening"}
_TAB = "library-tab"
_COPIES_HELP = "A copy lies in the library's folder, for your eyes alone, and goes with its documents."
_KEEP_COPIES = "keep-copies"
_MOST_NOTES = 100
_NAME_BYTES = 200  # file systems end at 255


def draw() -> None:
    """Draw the page."""
    notices.page_title("Library", _LEAD)
    with st.container(key="library-news"):  # always there: if it came and went, the tabs below would jump back
        if sentence := session.told():
            notices.problem(sentence)
    with notices.shown_errors():
        library = handles.library()
        counts = library.counts()
        if counts.documents:
            overview, listed, screened = _tabs()
            with overview:
                if overview.open:
                    count_tiles(counts)
                    _next_step()
                    _overview()
            with listed:
                if listed.open:
                    documents(session.current())
            with screened:
                if screened.open:
                    screening(session.current())
        else:
            _first_step()
            _overview()
    session.write_link()


def _tabs() -> Sequence[TabContainer]:
    """The parts of the page; the link says which is open."""
    st.session_state[_TAB] = _TABS[session.current().part]
    return st.tabs(tuple(_TABS.values()), key=_TAB, on_change=_opened)


def _opened() -> None:
    session.update(part=next(part for part, label in _TABS.items() if label == st.session_state[_TAB]))


def _overview() -> None:
    """Imports, collections, and what was imported and can be removed."""
    library = handles.library()
    _import()
    if len(library):
        collection_list()
        if not handles.has_samples():
            st.header("Sample library", anchor=False)
            show(element("p", _SAMPLES, class_="ps-quiet"))
            _samples_button(look="secondary")
    failure_table(library.failures())
    file_table(library.files())
    if len(library):
        removal()
    _kept_copies()
    show(element("p", f"Folder: {library.folder}", class_="ps-quiet"))


def _first_step() -> None:
    """An empty library: the samples are the quickest way on."""
    notices.empty_state("Nothing here yet", f"The sample library is the quickest start. {_SAMPLES}")
    with st.container(horizontal=True, horizontal_alignment="center"):
        _samples_button(look="primary")


def _next_step() -> None:
    with st.container(horizontal=True):
        if st.button("Search your library", key="to-search", icon=":material/search:"):
            st.switch_page("explorer/search/view.py")


def _samples_button(*, look: Literal["primary", "secondary"]) -> None:
    icon = ":material/download:"
    if st.button("Get the sample library", key="samples", type=look, icon=icon):
        _start("Getting the sample library", _get_samples, "samples")


def _import() -> None:
    from engine.reading import LIMITS, spoken

    st.header("Import your own", anchor=False)
    files, folder = st.tabs(["Files", "A folder on this machine"])
    with files:
        uploads = st.file_uploader(
            f"Papers, patents, or tables of them: {spoken()}",
            accept_multiple_files=True,
            max_upload_size=LIMITS.max_file_bytes >> 20,
            key=f"import-{st.session_state.get('imports', 0)}",
            help="Each file comes in whole or not at all, and only once. Import larger ones by their path. "
            "JSONL may be ours, OpenAlex’s or arXiv’s.",
        )
        why = None if uploads else "Choose the files first"
        if st.button("Import these files", key="import-files", disabled=not uploads, help=why) and uploads:
            st.session_state["imports"] = st.session_state.get("imports", 0) + 1
            held = [(upload.name, upload.getvalue()) for upload in uploads]
            name = f"Importing {held[0][0] if len(held) == 1 else how_many(len(held), 'file')}"
            content = fingerprint(*(part for upload in held for part in upload))
            _start(name, lambda encoder, report: import_uploads(held, encoder, report), content)
    with folder:
        path = st.text_input("Path of a file or folder", key="import-path", placeholder="~/papers")
        why = None if path else "Write the path first, and press Enter"
        if st.button("Import this path", key="import-folder", disabled=not path, help=why) and path:
            chosen = _expanded(path)
            _start(
                f"Importing {chosen.name}",
                lambda encoder, report: handles.workspace().import_paths([chosen], encoder=encoder, report=report),
                str(chosen),
            )


def import_uploads(uploads: Sequence[tuple[str, bytes]], encoder: str, report: Report) -> ImportSummary:
    """Write uploads (name, content) into a folder that is deleted again, and import them under their own names."""
    with tempfile.TemporaryDirectory(prefix="priorscope-") as folder:
        names = {}
        for number, (name, content) in enumerate(uploads):
            path = Path(folder) / str(number) / safe_name(name)
            write_bytes(path, content)
            names[path] = path.name
        return handles.workspace().import_paths(list(names), names=names, encoder=encoder, report=report)


def safe_name(name: str) -> str:
    """An upload's name as a file's: no folders, no control characters, at most 200 bytes with its ending kept."""
    last = "".join(character for character in re.split(r"[/\\]", name)[-1] if character.isprintable())
    short = last.encode("utf-8", "ignore")[-_NAME_BYTES:].decode("utf-8", "ignore")
    return short if short.strip(". ") else "upload"


def _expanded(path: str) -> Path:
    """A path with its "~" expanded; one of an unknown user stays as it is, and is not found."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def _get_samples(encoder: str, report: Report) -> ImportSummary:
    return handles.workspace().import_samples(encoder=encoder, report=report)


def _start(name: str, work: Callable[[str, Report], ImportSummary], what: str) -> None:
    """Import in the background, and encode what came in by the encoder of this visit; `what` names the files."""
    encoder = encoder_name(session.current().encoder)

    with notices.shown_errors():
        key = jobs.encoding(encoder, "import", what)
        jobs.ask(name, lambda report: outcome_sentence(work(encoder, report)), key=key)
        st.rerun()


def outcome_sentence(summary: ImportSummary) -> str:
    """What an import did, in one sentence, and a line for each note on how files were read."""
    pieces = [how_many(summary.documents, "new document")]
    if summary.folded:
        pieces.append(f"{summary.folded:,} folded as duplicates")
    if summary.completed:
        one = summary.completed == 1
        what = "document here got text or facts that it" if one else "documents here got text or facts that they"
        pieces.append(f"{summary.completed:,} {what} had lacked")
    if summary.skipped:
        pieces.append(f"{how_many(summary.skipped, 'file')} already here")
    if failures := len(summary.failures):
        pieces.append(f"{how_many(failures, 'file')} could not be read, see below")
    notes = summary.told()
    more = [f"{how_many(len(notes) - _MOST_NOTES, 'more note')}."] if len(notes) > _MOST_NOTES else []
    return "\n".join(["Import finished: " + ", ".join(pieces) + ".", *notes[:_MOST_NOTES], *more])


def _kept_copies() -> None:
    """How many copies there are, a switch for those to come, and a button that removes those that are there."""
    copies = handles.library().copies
    kept = copies.total()
    told = f"{how_many(kept.files, 'PDF')} kept to show passages on their pages, {kept.bytes / 1e6:,.1f} MB."
    with st.expander("Copies of PDFs", key="copies"):
        show(element("p", told if kept.files else "No PDF is kept yet.", class_="ps-quiet"))
        st.session_state[_KEEP_COPIES] = copies.are_wanted
        st.toggle("Keep a copy of each imported PDF", key=_KEEP_COPIES, help=_COPIES_HELP, on_change=_switch_copies)
        if kept.files:
            with st.popover("Remove the copies", icon=":material/delete:", key="remove-copies"):
                show(element("p", "Remove them? The documents stay; their pages can no longer be shown."))
                pressed = st.button("Remove them", key="remove-copies-now", type="primary")
            if pressed:
                with notices.shown_errors():
                    copies.drop(copies.keys())
                    st.rerun()


def _switch_copies() -> None:
    session.attempt(lambda: handles.library().copies.want(bool(st.session_state[_KEEP_COPIES])))


if __name__ == "__main__":
    draw()
