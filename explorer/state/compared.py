"""The two documents that this visitor compares: read, held for the session, fetched again if a link names them."""

from __future__ import annotations

import dataclasses
from typing import cast

import streamlit as st

from engine.core.errors import EngineError
from engine.documents import Document
from explorer.state import drafts, session
from explorer.state.drafts import Draft, Form
from explorer.state.visit import Choice, Place


def choose(place: Place, draft: Draft) -> None:
    """Put a document on one side of the pair; the visitor's own is kept."""
    if draft.origin == "own" and not draft.query:
        draft = drafts.kept(draft)
    choice = Choice(draft.origin, draft.query)
    form(place).drop()
    st.session_state[_key(place)] = (choice, draft)
    session.update(pair=session.current().pair.with_side(place, choice))


def choose_both(first: Draft, second: Draft) -> None:
    """Make two documents the pair."""
    choose("a", first)
    choose("b", second)


def titled(draft: Draft) -> Draft:
    """Call a file without a title by its name, which says more than the digest of its text."""
    if draft.document.title or draft.origin != "own":
        return draft
    return dataclasses.replace(draft, document=dataclasses.replace(draft.document, title=draft.name))


def form(place: Place) -> Form:
    """Return where one place's draft is corrected; the comparison waits for it."""
    return Form(f"correcting-{place}")


def use(place: Place) -> None:
    """Compare the document in the form; a corrected one is the visitor's own."""
    draft, before = form(place).held(), get_draft(place)
    form(place).drop()
    if draft is not None and (before is None or draft.document != before.document):
        choose(place, dataclasses.replace(draft, origin="own", query=""))


def drop(place: Place) -> None:
    """Remove a document from the pair."""
    form(place).drop()
    st.session_state.pop(_key(place), None)
    session.update(pair=session.current().pair.with_side(place, Choice()))


def swap() -> None:
    """Exchange the two sides."""
    state = st.session_state
    state[_key("a")], state[_key("b")] = state.get(_key("b")), state.get(_key("a"))
    session.update(pair=session.current().pair.swapped())


def with_query(query: Document, hit: str) -> None:
    """Compare the query of the page with a document of the library. Raises UnknownDocumentError for an unknown id."""
    choose_both(drafts.from_query(query, session.current()), drafts.from_library(hit))


def get_draft(place: Place) -> Draft | None:
    """Return the document in one place, if chosen.

    Raises EngineError where a link names one that is gone; the side is then free again.
    """
    choice = session.current().pair.side(place)
    kept = cast(tuple[Choice, Draft] | None, st.session_state.get(_key(place)))
    if kept is not None and kept[0] == choice:
        return kept[1]
    try:
        draft = drafts.fetched(choice.origin, choice.query)
    except EngineError:
        drop(place)
        raise
    if draft is not None:
        named = Choice(draft.origin, draft.query)
        st.session_state[_key(place)] = (named, draft)
        if named != choice:  # the text of an old link is named by its key from now on
            side: dict[str, Choice] = {place: named}
            session.change("pair", **side)
    return draft


def _key(place: Place) -> str:
    return f"compared-{place}"
