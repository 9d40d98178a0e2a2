"""A visitor's own documents: uploaded, read, kept, shown for correction, and only then searched or compared."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine import reading
from engine.core.errors import EngineError, UnknownDocumentError
from engine.core.files import sha256_bytes
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.documents.identifiers import asked_number
from engine.workspace import Job, OwnDocument, PageFile, given_file
from explorer.state import handles, session
from explorer.state.examples import every_example
from explorer.state.visit import Origin, Visit

SEEDS = Document("seeds", "query")
"""Stands for the query when only documents of the library say what is looked for."""

_GENERATION, _CORRECTED = "draft_generation", "draft_corrected"
_HELD = "own_pdfs"
MOST_FILES, MOST_BYTES = 6, 128 << 20


@dataclass(frozen=True, slots=True)
class Draft:
    """A document as read and as corrected.

    `name` is the file's, the example's or the library document's; `generation` counts drafts, so that the
    form of a new one does not inherit the last one's widgets.
    """

    document: Document
    read: Document
    origin: Origin
    query: str
    name: str
    warnings: tuple[str, ...] = ()
    pages: int | None = None
    generation: int = 0

    @property
    def is_own(self) -> bool:
        """Whether a link can name it by the key of a kept document alone: the visitor's own, or a corrected one."""
        return self.origin == "own" or self.document != self.read


def kept(draft: Draft) -> Draft:
    """Keep a document as the visitor's own, in the library's folder under a key, which becomes its `query`.

    Where nothing is to be kept, or it cannot be, the key is empty: the document lasts as long as this session.
    """
    own = OwnDocument(draft.document, draft.name, draft.warnings, draft.pages)
    key = ""
    try:
        key = handles.workspace().own.keep(own)
    except EngineError as error:
        session.tell(f"This document is not kept. {error}")
    return dataclasses.replace(draft, origin="own", query=key)


@dataclass(frozen=True, slots=True)
class Form:
    """Where a draft waits for correction in this visitor's session, under its own key.

    What waits in the form that is `linked` stands in the link, too, if it is the visitor's own.
    """

    key: str
    linked: bool = False

    def held(self) -> Draft | None:
        """Return the draft that waits, if there is one; the link's, if this session has lost it."""
        draft = cast(Draft | None, st.session_state.get(self.key))
        checking = session.current().checking if self.linked else ""
        if draft is not None or not checking:
            return draft
        try:
            self.keep(from_own(checking))
        except EngineError as error:
            session.tell(str(error))
            session.update(checking="")
            st.rerun()
        return cast(Draft, st.session_state[self.key])

    def keep(self, draft: Draft) -> None:
        """Hold a draft; its form starts with fresh widgets."""
        st.session_state[_GENERATION] = generation = st.session_state.get(_GENERATION, 0) + 1
        self._hold(dataclasses.replace(draft, generation=generation))

    def change(self, update: Callable[[Document], Document]) -> None:
        """Correct the draft that is held."""
        if (draft := self.held()) is not None:
            self._hold(dataclasses.replace(draft, document=update(draft.document)))

    def drop(self) -> None:
        """Give the draft up."""
        st.session_state.pop(self.key, None)
        if self.linked:
            session.update(checking="")

    def _hold(self, draft: Draft) -> None:
        if self.linked:
            key = kept(draft).query if draft.is_own else ""
            before, last = session.current().checking, st.session_state.get(_CORRECTED)
            session.update(checking=key)
            if last == before != key and last:  # a correction of a correction takes its place
                handles.workspace().own.forget(last)
            st.session_state[_CORRECTED] = key if draft.document != draft.read else ""
        st.session_state[self.key] = draft


QUERY = Form(session.DRAFT, linked=True)
"""The draft that becomes the query."""


def ask(draft: Draft) -> None:
    """Make the draft the query; the visitor's own, or a corrected one, is kept first."""
    asked = kept(draft) if draft.is_own else draft
    session.ask(asked.document, origin=asked.origin, query=asked.query)
    QUERY.drop()


def from_text(text: str) -> Draft:
    """Read pasted text; one that only names a work of the library stands for the library's document.

    A number names it, such as its DOI, and a paper's whole title. Raises EngineError where there is nothing to read, or
    where the library does not hold the work of a number.
    """
    text = text.strip()
    if (number := asked_number(text)) is not None:
        return from_library(handles.library().find_by_number(number))
    if "\n" not in text and (titled := handles.library().duplicates_of(Document("pasted:title", title=text))):
        return from_library(min(titled))
    return _draft(reading.read_text(text), origin="own", query="", name="Pasted text")


def from_own(key: str) -> Draft:
    """Read a document of the visitor's own that was kept.

    Raises UnknownDocumentError if it is not on this machine, StorageError if its file was changed or damaged.
    """
    own = handles.workspace().own.get(key)
    return Draft(own.document, own.document, "own", key, own.name, own.warnings, own.pages)


def from_upload(data: bytes, name: str, report: Report = silent) -> Draft:
    """Read an uploaded file; `report` hears of its pages, and may raise to stop.

    Raises EngineError that says what to do where it cannot be read.
    """
    return _draft(reading.read_bytes(data, name, report=report), origin="own", query="", name=name)


def from_example(name: str) -> Draft:
    """Read one of our examples. Raises UnknownDocumentError for an unknown name."""
    if name not in every_example():
        raise UnknownDocumentError(
            f"Expected the name of an example ({', '.join(every_example())}), got {name!r}. Choose one below."
        )
    return _draft(reading.read_file(every_example()[name].path), origin="example", query=name, name="Example")


def from_library(id_: str) -> Draft:
    """Take a document of the library. Raises UnknownDocumentError for an id that is not held."""
    document = handles.library().get([id_])[0]
    return Draft(document, document, "library", id_, "Library")


def fetched(origin: Origin, query: str) -> Draft | None:
    """Fetch the document that a link names by an id, an example's name or a key; None if it names nothing.

    A text of an old link is kept now. Raises EngineError where the document cannot be found.
    """
    if origin == "library":
        return from_library(query)
    if origin == "example":
        return from_example(query)
    if origin == "text":
        return kept(from_text(query))
    return from_own(query) if origin == "own" and query else None


def from_query(document: Document, visit: Visit) -> Draft:
    """Open the query of the page for correction."""
    return Draft(document, document, visit.origin, visit.query, "Your query")


def restored(visit: Visit) -> Document | None:
    """Return the query of this visit: the one held, else the one that the link names, else None.

    Seeds that the library does not hold are left out, which the page says when it is drawn again. Raises
    EngineError where the link names a document that is gone.
    """
    if unknown := handles.missing([*visit.liked, *visit.disliked]):
        liked, disliked = (tuple(id_ for id_ in ids if id_ not in unknown) for ids in (visit.liked, visit.disliked))
        session.update(liked=liked, disliked=disliked)
        session.tell(
            f"Expected to steer the ranking by documents of your library; it does not hold {', '.join(unknown)}. "
            "The ranking goes without."
        )
        st.rerun()
    document = session.query_document()
    if document is None and (draft := fetched(visit.origin, visit.query)) is not None:
        document = draft.document
        session.update(origin=draft.origin, query=draft.query)
        session.keep_query_document(document)
    return document


def _draft(found: reading.ReadFile, *, origin: Origin, query: str, name: str) -> Draft:
    return Draft(found.document, found.document, origin, query, name, found.warnings, found.pages)


def keep_pdf(data: bytes, name: str) -> None:
    """Hold a file of this visitor's, if it is a PDF; the ones brought first go when they grow too many."""
    if not reading.is_pdf(data):
        return
    held = _pdfs()
    key = sha256_bytes(data)
    held[key] = given_file(data, key, name)
    held.move_to_end(key)
    while len(held) > MOST_FILES or (len(held) > 1 and sum(len(one.read()) for one in held.values()) > MOST_BYTES):
        held.popitem(last=False)


def find_pdf(key: str) -> PageFile | None:
    """Return the file with this sha256, if this visitor brought it."""
    return _pdfs().get(key)


def _pdfs() -> OrderedDict[str, PageFile]:
    return cast("OrderedDict[str, PageFile]", st.session_state.setdefault(_HELD, OrderedDict()))


@dataclass(frozen=True, slots=True)
class FileUpload:
    """One file on its way to a draft, which `read` holds in the end; nothing if it was refused or given up."""

    file_id: str
    job: Job
    read: list[Draft] = field(default_factory=list)

    @property
    def pages(self) -> int:
        """How many of its pages have been read so far."""
        return max((stage.done for stage in list(self.job.stages.values())), default=0)


def held_upload(key: str) -> FileUpload | None:
    """Return what is being read for a field of this visitor's."""
    return cast(FileUpload | None, st.session_state.get(key))


def begin_upload(key: str, file: UploadedFile) -> FileUpload:
    """Read a file in place of the one before it."""
    drop_upload(key)
    data, name = file.getvalue(), file.name
    keep_pdf(data, name)
    upload = FileUpload(file.file_id, Job(1, f"Reading {name}"))

    def work(report: Report) -> str:
        upload.read.append(from_upload(data, name, report))
        return ""

    upload.job.begin(work)
    st.session_state[key] = upload
    return upload


def drop_upload(key: str) -> None:
    """Give a file up; reading stops."""
    upload = cast(FileUpload | None, st.session_state.pop(key, None))
    if upload is not None:
        upload.job.cancel()
