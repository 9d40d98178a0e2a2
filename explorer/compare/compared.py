"""The two documents that this visitor compares: read, held for the session, fetched again where a link names them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import cast

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError
from explorer.compare.pair import Choice, Place
from explorer.state import drafts, session
from explorer.state.drafts import Draft


def choose(place: Place, draft: Draft) -> None:
    """Make a document one side of the pair."""
    choice = Choice(draft.origin, draft.query)
    leave(place)
    st.session_state[_key(place)] = (choice, draft)
    session.update(pair=session.current().pair.with_side(place, choice))


def choose_both(first: Draft, second: Draft) -> None:
    """Make two documents the pair."""
    choose("a", first)
    choose("b", second)


def titled(draft: Draft) -> Draft:
    """A file in which no title was found goes by its own name, which says more than the digest of its text."""
    if draft.document.title or draft.origin != "own":
        return draft
    return dataclasses.replace(draft, document=dataclasses.replace(draft.document, title=draft.name))


def correct(place: Place, draft: Draft) -> None:
    """Open what was read of one side for correction; the comparison waits."""
    st.session_state[_open_key(place)] = drafts.opened(draft)


def correcting(place: Place) -> Draft | None:
    """What stands in the form of one side; None where none is open."""
    return cast(Draft | None, st.session_state.get(_open_key(place)))


def change(place: Place, update: Callable[[Document], Document]) -> None:
    """Correct what stands in the form."""
    draft = correcting(place)
    if draft is not None:
        st.session_state[_open_key(place)] = dataclasses.replace(draft, document=update(draft.document))


def use(place: Place) -> None:
    """Compare what stands in the form; a corrected one is the visitor's own, which cannot stand in a link."""
    draft, before = correcting(place), held(place)
    leave(place)
    if draft is not None and (before is None or draft.document != before.document):
        choose(place, dataclasses.replace(draft, origin="own", query=""))


def leave(place: Place) -> None:
    """Close the form; what was changed in it is given up."""
    st.session_state.pop(_open_key(place), None)


def drop(place: Place) -> None:
    """Take a document out of the pair."""
    leave(place)
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


def held(place: Place) -> Draft | None:
    """The document of one side; None where none is chosen.

    Raises EngineError where a link names one that cannot be had; the side is then free again.
    """
    choice = session.current().pair.side(place)
    kept = cast(tuple[Choice, Draft] | None, st.session_state.get(_key(place)))
    if kept is not None and kept[0] == choice:
        return kept[1]
    if choice.source in ("", "own"):  # an own document of another session is gone
        return None
    try:
        draft = _fetched(choice)
    except EngineError:
        drop(place)
        raise
    st.session_state[_key(place)] = (choice, draft)
    return draft


def _fetched(choice: Choice) -> Draft:
    if choice.source == "library":
        return drafts.from_library(choice.query)
    if choice.source == "example":
        return drafts.from_example(choice.query)
    return drafts.from_text(choice.query)


def _key(place: Place) -> str:
    return f"compared-{place}"


def _open_key(place: Place) -> str:
    return f"correcting-{place}"
