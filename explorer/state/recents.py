"""What this visitor asked of late: noted as a page shows it, and restored on demand."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.core.errors import EngineError
from engine.documents import Document
from engine.workspace import Page, RecentEntry
from explorer.state import handles, session
from explorer.state.links import to_link

_NOTED = "noted_as_recent"
_WORDS = 14


def note_search(query: Document) -> None:
    """Note the search that is shown, unless its link cannot restore it."""
    visit = session.current()
    if visit.query or (visit.liked and not query.text):
        _note("search", in_words(query) if query.text else _seeds(visit.liked))


def note_comparison(documents: Sequence[Document]) -> None:
    """Note the comparison that is shown: of two or three documents, or of one with the library."""
    pair = session.current().pair
    sides = [side for side in (pair.a, pair.b, pair.c) if side.origin]
    if all(side.query for side in sides):
        others = [in_words(document) for document in documents] + (["your library"] if len(documents) == 1 else [])
        _note("compare", " and ".join(others))


def restore(entry: RecentEntry) -> None:
    """Make an entry's search or comparison the visitor's."""
    session.follow(entry.link)


def in_words(document: Document) -> str:
    """What a document is called: its title, or the first words of a text without one."""
    if document.title:
        return document.title
    words = document.text.split()
    return " ".join(words[:_WORDS]) + ("…" if len(words) > _WORDS else "") if words else document.name


def _seeds(liked: Sequence[str]) -> str:
    first = in_words(handles.library().get([liked[0]])[0])
    return f"Like {first}" + (f" and {len(liked) - 1} more" if len(liked) > 1 else "")


def _note(page: Page, title: str) -> None:
    link = to_link(session.current())
    asked = (page, repr(sorted(link.items())))
    if st.session_state.get(_NOTED) == asked:
        return
    st.session_state[_NOTED] = asked
    try:
        handles.workspace().recent.record(page, title, link)
    except EngineError as error:
        session.tell(f"This is not remembered. {error}")
