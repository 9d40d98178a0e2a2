"""Finds documents of the library by words of their titles, by author, by id or by a number such as a DOI."""

from __future__ import annotations

import streamlit as st

from engine.core.errors import UnknownDocumentError
from engine.documents import Document
from engine.documents.markup import element
from engine.library import PersonName
from engine.search import asked_number, spoken
from explorer.shared import notices
from explorer.shared.markup import show
from explorer.state import handles

_MOST = 8


def title_search(key: str) -> list[Document]:
    """The field for the words, and what was found: by id or number first, then by title, then by author."""
    words = st.text_input(
        "Words of the title, an author, or a number (DOI, arXiv, patent)",
        key=key,
        placeholder="graph convolution",
        icon=":material/search:",
    )
    if not words:
        show(element("p", f"Type the beginning of a title among {handles.document_count():,}.", class_="ps-quiet"))
        return []
    found = _found(words)
    if not found and (number := asked_number(words)) is not None:
        notices.note(f"No document of the library has the {spoken(number)}. Bring its PDF or its text, or import it.")
    elif not found:
        notices.note(f"No title holds all of these words, and no author, id or number is {words}. Try fewer words.")
    return found


def _found(words: str) -> list[Document]:
    library = handles.library()
    number = asked_number(words)
    ids = library.known_as([number]) if number is not None else []
    ids += [*library.title_matches(words, _MOST), *library.by_person(words, _MOST)]
    if (name := PersonName.read(words)) is not None and name.given:
        ids += library.by_author(name)[:_MOST]
    try:
        found = library.get([words.strip(), *ids])
    except UnknownDocumentError:
        found = library.get(ids)
    return list({document.id: document for document in found}.values())[:_MOST]
