"""What this visitor chose, held for the session; the address bar shows it as a link."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, cast

import streamlit as st

from engine.documents import Document
from engine.errors import EngineError
from explorer.state.evaluation_choice import with_own_questions
from explorer.state.link_values import Origin, as_words
from explorer.state.links import Visit, from_link, is_whole, to_link
from explorer.state.pair import Pair, with_own_sides

_VISIT, _DOCUMENT, _WRITTEN, _TOLD = "visit", "query_document", "written_links", "told"
DRAFT = "draft"
"""Where a document waits for correction (`drafts`); any other question replaces it."""
_SHOWN = "shown_link"
_LOST = (
    "A part of this link could not be restored, so you may see something else than its sender did. "
    "Check the documents and the filters."
)
_LATE_SECONDS = 2.0
"""How long a new link may take to reach the browser; until then it sends the former one."""


def current() -> Visit:
    """This visitor's choices; the link's on the first look, and when another link was opened.

    A link that cannot be restored as a whole leaves a sentence for the page.
    """
    state = st.session_state
    arrived = {key: st.query_params.get_all(key) for key in st.query_params}
    held: Visit | None = state.get(_VISIT)
    if held is None or (arrived and (_text_of(arrived) not in state.setdefault(_WRITTEN, []) or _went_back(arrived))):
        _restore(arrived)
    return cast(Visit, state[_VISIT])


def follow(link: Mapping[str, Sequence[str]]) -> None:
    """Restore what a link of the app's own describes, in place of what this visitor asks and compares."""
    forget_query()
    update(pair=Pair())
    _restore(link)


def update(**changes: Any) -> Visit:  # noqa: ANN401  the fields of Visit, checked by dataclasses.replace
    """Change some choices and remember them for every page."""
    visit = dataclasses.replace(current(), **changes)
    st.session_state[_VISIT] = visit
    return visit


def write_link() -> None:
    """Make the address bar say what `current` says; a page calls it once, at its end."""
    link = to_link(current())
    shown, _ = st.session_state.get(_SHOWN, ("", 0.0))
    _remember(link)
    _note_shown(link)
    arrived = {key: st.query_params.get_all(key) for key in st.query_params}
    if link != arrived or (shown and shown != _text_of(link)):  # the browser may still be on its way to what was sent
        st.query_params.from_dict(link)


def ask(document: Document, *, origin: Origin, query: str = "") -> Visit:
    """Make a document the query of every page; seeds, the last query's selected hit and a draft are dropped."""
    st.session_state[_DOCUMENT] = document
    st.session_state.pop(DRAFT, None)
    return update(origin=origin, query=query, liked=(), disliked=(), selected="", checking="")


def query_document() -> Document | None:
    """The query, if one was given in this session; a restored link names one without carrying it."""
    return cast(Document | None, st.session_state.get(_DOCUMENT))


def keep_query_document(document: Document) -> None:
    """Hold the document that a restored link named."""
    st.session_state[_DOCUMENT] = document


def forget_query() -> None:
    """Start again without query, seeds, words or draft; encoder, ranking and filters stay."""
    st.session_state.pop(_DOCUMENT, None)
    st.session_state.pop(DRAFT, None)
    update(origin="", query="", liked=(), disliked=(), stressed=(), muted=(), selected="", checking="")


def forget_documents(gone: Collection[str]) -> None:
    """Drop documents that leave the library from the query and from liked and disliked ones."""
    visit = current()
    if visit.origin == "library" and visit.query in gone:
        forget_query()
        return
    update(
        liked=tuple(id_ for id_ in visit.liked if id_ not in gone),
        disliked=tuple(id_ for id_ in visit.disliked if id_ not in gone),
        selected="" if visit.selected in gone else visit.selected,
    )


def choose_words(field: Literal["stressed", "muted"], chosen: Sequence[str]) -> None:
    """Stress or leave out these words, each as its tokens; a word in the other list moves here."""
    other: Literal["stressed", "muted"] = "muted" if field == "stressed" else "stressed"
    found = as_words(chosen)
    update(**{field: found, other: tuple(word for word in getattr(current(), other) if word not in found)})


def tell(sentence: str) -> None:
    """Leave a sentence for the next time the page is drawn; for what happens in a button's callback."""
    st.session_state[_TOLD] = sentence


def attempt(act: Callable[[], object]) -> None:
    """Do something in a button's callback; an error is shown when the page is drawn."""
    try:
        act()
    except EngineError as error:
        tell(str(error))


def told() -> str:
    """The sentence left for the page, once."""
    return cast(str, st.session_state.pop(_TOLD, ""))


def _restore(arrived: Mapping[str, Sequence[str]]) -> None:
    """Take the choices of a link; what it cannot say of this visit is kept."""
    state = st.session_state
    held: Visit | None = state.get(_VISIT)
    restored = from_link(arrived)
    if not is_whole(arrived, restored):
        tell(_LOST)
    if held is not None and not restored.origin:  # a link inside the app: the query goes on
        restored = dataclasses.replace(restored, origin=held.origin, query=held.query)
    elif held is not None and (restored.origin, restored.query) != (held.origin, held.query):
        state.pop(_DOCUMENT, None)
        state.pop(DRAFT, None)
    if held is not None and restored.checking != held.checking:
        state.pop(DRAFT, None)
    if held is not None:
        evaluation = with_own_questions(restored.evaluation, held.evaluation)
        restored = dataclasses.replace(restored, pair=with_own_sides(restored.pair, held.pair), evaluation=evaluation)
    state[_VISIT] = restored
    _remember(arrived)
    _note_shown(arrived)


def _note_shown(link: Mapping[str, Sequence[str]]) -> None:
    """Remember the link in the address bar, and since when."""
    text = _text_of(link)
    if st.session_state.get(_SHOWN, ("", 0.0))[0] != text:
        st.session_state[_SHOWN] = (text, time.monotonic())


def _went_back(arrived: Mapping[str, Sequence[str]]) -> bool:
    """Whether the browser went back to an earlier link, and is not just late with the last one."""
    text, since = st.session_state.get(_SHOWN, ("", 0.0))
    return bool(text) and text != _text_of(arrived) and time.monotonic() - since > _LATE_SECONDS


def _remember(link: Mapping[str, Sequence[str]]) -> None:
    written = st.session_state.setdefault(_WRITTEN, [])
    text = _text_of(link)
    if text not in written:
        written.append(text)


def _text_of(link: Mapping[str, Sequence[str]]) -> str:
    return repr(sorted((key, list(values)) for key, values in link.items()))
