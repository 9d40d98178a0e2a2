"""How a document comes to a page: pasted, uploaded, found in the library by its title, or named by a link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine import reading
from engine.core.errors import EngineError, InputError
from engine.documents import Document
from engine.documents.identifiers import asked_number, spoken
from engine.documents.markup import element
from explorer.shared import notices
from explorer.shared.document import head
from explorer.shared.markup import name_groups, show
from explorer.shared.progress import upload_panel
from explorer.shared.recents import kept_for
from explorer.state import drafts, handles, session
from explorer.state.drafts import Draft
from explorer.state.visit import Visit

_MOST = 8
QUICK_SECONDS = 2.0
"""A file that takes longer shows how far it is read."""
_REFUSED_TEXT = "paste-refused"


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a document is brought to: what becomes of it, and what the widgets say.

    `name` ends the keys of its widgets, so that a page may have two desks; empty for the only one. `take` gets what was
    read of a text or a file and may raise EngineError.
    """

    take: Callable[[Draft], None]
    name: str = ""

    def key(self, widget: str) -> str:
        """Return the key of a widget of this desk."""
        return f"{widget}-{self.name}" if self.name else widget


def paste(desk: Desk, *, label: str, placeholder: str, height: int, primary: bool = False) -> None:
    """Draw a field for a text, and the button that reads it."""
    with st.form(desk.key("paste"), border=False):
        st.text_area(label, key=desk.key("paste-text"), height=height, placeholder=placeholder, persist_state="session")
        st.form_submit_button(
            "Read this text",
            type="primary" if primary else "secondary",
            icon=":material/article:",
            key=desk.key("paste-read"),
            on_click=_take_text,
            args=(desk,),
        )
    if problem := st.session_state.pop(desk.key(_REFUSED_TEXT), ""):
        notices.problem(problem)


def _take_text(desk: Desk) -> None:
    """Read what was pasted before the page is drawn, so that it is drawn once; a refusal is shown below the field."""
    try:
        desk.take(drafts.from_text(st.session_state[desk.key("paste-text")] or ""))
    except EngineError as error:
        st.session_state[desk.key(_REFUSED_TEXT)] = str(error)


def upload(desk: Desk) -> None:
    """Draw a field for one file, which is read as it comes."""
    megabytes, count = reading.LIMITS.max_file_bytes >> 20, desk.key("uploads")
    file = st.file_uploader(
        f"One file, up to {megabytes} MB: {reading.spoken(single=True)}",
        key=f"{desk.key('upload')}-{st.session_state.get(count, 0)}",
        max_upload_size=megabytes,
        help=f"The content decides how a file is read, not its name. {_stays()} {kept_for()}",
    )
    if file is None:
        drafts.drop_upload(desk.key("reading"))
    elif _was_read(desk, file):
        st.session_state[count] = st.session_state.get(count, 0) + 1
        st.rerun()


def _stays() -> str:
    """Say who learns of a file that is brought."""
    return "Nothing leaves this machine." if handles.stores().are_here else "Only your library's servers are asked."


def _was_read(desk: Desk, file: UploadedFile) -> bool:
    """Read a new upload once, and take it when it is read; one that was given up leaves the field empty.

    A file that was refused keeps its sentence on the page without being read again.
    """
    key, refused = desk.key("reading"), st.session_state.get(desk.key("refused"))
    if refused is not None and refused[0] == file.file_id:
        notices.problem(refused[1])
        return False
    upload = drafts.held_upload(key)
    if upload is None or upload.file_id != file.file_id:
        upload = drafts.begin_upload(key, file)
        with st.spinner("Reading the file"):
            upload.job.finished.wait(QUICK_SECONDS)
    if not upload.job.finished.is_set():
        upload_panel(upload, key)
        return False
    drafts.drop_upload(key)
    try:
        if upload.job.problem:
            raise InputError(upload.job.problem)
        for draft in upload.read:
            desk.take(draft)
    except EngineError as error:
        st.session_state[desk.key("refused")] = (file.file_id, str(error))
        notices.problem(str(error))
        return False
    return True


@dataclass(frozen=True, slots=True)
class PickAction:
    """What is done with a document that was found by its title, and how its button and card look."""

    act: Callable[[str], None]
    button: str
    explain: Callable[[int], str]
    level: int = 2
    beside: bool = True


def pick(desk: Desk, how: PickAction) -> None:
    """Draw a field for words of a title, and a card with a button for each document found."""
    found = title_search(desk.key("pick-words"))
    for number, document in enumerate(found, start=1):
        _match(desk, how, number, document)
    names = {f"{desk.key('match')}-{number}": document.name for number, document in enumerate(found, start=1)}
    name_groups(desk.key("matches"), names)


def _match(desk: Desk, how: PickAction, number: int, document: Document) -> None:
    key = f"{desk.key('match')}-{number}"
    with st.container(
        border=True,
        horizontal=how.beside,
        vertical_alignment="center" if how.beside else "top",
        key=key,
        gap="small" if how.beside else "xsmall",
    ):
        show(head(document, level=how.level))
        st.button(
            how.button,
            key=f"{desk.key('pick')}-{document.id}",
            on_click=session.attempt,
            args=(lambda id_=document.id: how.act(id_),),
            help=how.explain(number),
        )


def restored_query(visit: Visit) -> Document | None:
    """Return the query of this visit; if its link names a document that is gone, say so and go on without it."""
    try:
        return drafts.restored(visit)
    except EngineError as error:
        notices.problem(str(error))
        session.forget_query()
        return None


def title_search(key: str) -> list[Document]:
    """Draw the field for the words, and return what is found: by id or number first, then by title, then by author."""
    words = st.text_input(
        "Words of the title, an author, or a number (DOI, arXiv, patent)",
        key=key,
        placeholder="graph convolution",
        icon=":material/search:",
    )
    if not words:
        show(element("p", f"Type the beginning of a title among {len(handles.library()):,}.", class_="ps-quiet"))
        return []
    found = handles.library().find(words, _MOST)
    if not found and (number := asked_number(words)) is not None:
        notices.note(f"No document of the library has the {spoken(number)}. Bring its PDF or its text, or import it.")
    elif not found:
        notices.note(f"No title holds all of these words, and no author, id or number is {words}. Try fewer words.")
    return found
