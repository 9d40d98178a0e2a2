"""Finds documents of the library by words of their titles, or by id."""

from __future__ import annotations

import streamlit as st

from engine.documents import Document
from engine.errors import UnknownDocumentError
from engine.markup import element
from explorer.shared import notices
from explorer.shared.markup import show
from explorer.state import handles

_MOST = 8


def title_search(key: str) -> list[Document]:
    """The field for the words, and what was found: the document with that id first, then those by title."""
    words = st.text_input(
        "Words of the title, or an id", key=key, placeholder="graph convolution", icon=":material/search:"
    )
    if not words:
        show(element("p", f"Type the beginning of a title among {handles.document_count():,}.", class_="ps-quiet"))
        return []
    found = _found(words)
    if not found:
        notices.note(f"No title holds all of these words, and no document has this id: {words}. Try fewer words.")
    return found


def _found(words: str) -> list[Document]:
    library = handles.library()
    matches = library.get(library.title_matches(words, _MOST))
    try:
        named = library.get([words.strip()])
    except UnknownDocumentError:
        return matches
    return [*named, *(document for document in matches if document.id != named[0].id)]
