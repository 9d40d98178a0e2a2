"""What this visitor chose, held for the session; the address bar shows it as a link."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from engine.core.errors import EngineError
from engine.documents import Document
from explorer.state import handles
from explorer.state.links import as_words, from_link, lost_of, to_link, with_own_questions, with_own_sides
from explorer.state.visit import EVERY_PLACE, ChosenPair, Origin, Visit

T = TypeVar("T")

_VISIT, _DOCUMENT, _WRITTEN, _TOLD, _GOES_TO = "visit", "query_document", "written_links", "told", "goes_to"
PageName = Literal["search", "compare", "map", "evaluate", "library", "models"]
DRAFT = "draft"
"""Where a document waits for correction (`drafts`); any other question replaces it."""
_SHOWN = "shown_link"
_LOST = (
    "A part of this link could not be restored: {}. What you see may differ from what its sender saw. Check the "
    "documents and the filters."
)

_FRESH: Mapping[str, Any] = {"liked": (), "disliked": (), "selected": "", "checking": "", "as_question": False}
"""What was chosen for one query and does not go on to the next."""


@dataclass(frozen=True, slots=True)
class ShownLink:
    """The link in the address bar, as text, with the page and the choices that it is of.

    `is_passing` is True for a page on the way to the next step, such as the empty page of a new search. None keeps
    what the browser already noted about a link that came from it.
    """

    page: str
    link: str
    visit: Visit
    is_passing: bool | None


def arrive() -> None:
    """Take the link that the browser came with, once for each drawing of a page.

    Back and Forward restore all of it. A page's name in the navigation brings an empty one: what was asked goes on.
    A link that cannot be restored as a whole leaves a sentence for the page.
    """
    arrived, before, (page, is_history) = _arrived(), shown_link(), _page()
    text = _text_of(arrived)
    if before is None or is_history:
        _restore(arrived, is_whole_visit=is_history)
    elif arrived and text != before.link:
        is_late = page == before.page and text in st.session_state[_WRITTEN]  # the browser sent the one of before
        if not is_late:
            _restore(arrived)


def current() -> Visit:
    """This visitor's choices; the link's on the first look."""
    if st.session_state.get(_VISIT) is None:
        _restore(_arrived())
    return cast(Visit, st.session_state[_VISIT])


def follow(link: Mapping[str, Sequence[str]]) -> None:
    """Restore what a link of the app's own describes, in place of what this visitor asks and compares."""
    forget_query()
    update(pair=ChosenPair())
    _restore(link)


def update(**changes: Any) -> None:  # noqa: ANN401  the fields of Visit, checked by dataclasses.replace
    """Change some choices and remember them for every page."""
    st.session_state[_VISIT] = dataclasses.replace(current(), **changes)


def change(part: Literal["pair", "coverage", "evaluation", "filters"], **changes: Any) -> None:  # noqa: ANN401  its fields
    """Change some choices of one part of the visit."""
    update(**{part: dataclasses.replace(getattr(current(), part), **changes)})


def write_link() -> None:
    """Make the address bar say what `current` says; a page calls it once, at its end."""
    link, before = to_link(current()), shown_link()
    _note_shown(link)
    is_on_its_way = before is not None and before.link != _text_of(link)  # the browser may not show what was sent yet
    if link != _arrived() or is_on_its_way:
        st.query_params.from_dict(link)


def shown_link() -> ShownLink | None:
    """Return the link in the address bar; None before a page has written one."""
    return cast(ShownLink | None, st.session_state.get(_SHOWN))


def ask(document: Document, *, origin: Origin, query: str = "") -> None:
    """Make a document the query of every page; seeds, the last query's selected hit and a draft are dropped."""
    st.session_state[_DOCUMENT] = document
    st.session_state.pop(DRAFT, None)
    update(origin=origin, query=query, **_FRESH)


def query_document() -> Document | None:
    """Return the query, if one was given in this session; a restored link names one without carrying it."""
    return cast(Document | None, st.session_state.get(_DOCUMENT))


def keep_query_document(document: Document) -> None:
    """Hold the document that a restored link named."""
    st.session_state[_DOCUMENT] = document


def forget_query() -> None:
    """Start again without query, seeds, words or draft; encoder, ranking and filters stay."""
    st.session_state.pop(_DOCUMENT, None)
    st.session_state.pop(DRAFT, None)
    update(origin="", query="", stressed=(), muted=(), **_FRESH)


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


def attempt(act: Callable[..., object], *given: object) -> None:
    """Call `act` with what is given in a button's callback; an error is shown when the page is drawn."""
    try:
        act(*given)
    except EngineError as error:
        tell(str(error))


def go_to(page: PageName, first: Callable[[], object] | None = None) -> None:
    """Open another page from a button's callback, after calling `first`; if that fails, the error shows on this page.

    A click that `st.button` returns is lost if another run interrupts this one; what a callback did is not.
    """

    def go() -> None:
        if first is not None:
            first()
        st.session_state[_GOES_TO] = page

    attempt(go)


def leads_away() -> bool:
    """Tell whether another page is about to open: a fragment then has to rerun the whole page."""
    return _GOES_TO in st.session_state


def go_on(page: str) -> None:
    """Open the page that a button asked for, and try again until it is open.

    It opens with its link: an address without one in between would be a step of its own, which a slow browser may take
    for the last.
    """
    wanted = st.session_state.get(_GOES_TO)
    if wanted == page:
        del st.session_state[_GOES_TO]
    elif wanted is not None:
        st.switch_page(f"explorer/{wanted}/view.py", query_params=to_link(current()))


def remember(slot: str, key: Hashable, make: Callable[[], T], *, most: int = 1) -> T:
    """Return what `make` gives; under each `slot`, this visitor's last keys are held with it, `most` at most."""
    held: dict[Hashable, T] = st.session_state.setdefault(slot, {})
    held[key] = found = held.pop(key) if key in held else make()
    while len(held) > most:
        del held[next(iter(held))]
    return found


def remembered(slot: str) -> list[Any]:
    """Return the keys that are held under `slot`, the one used last first."""
    return list(st.session_state.get(slot, ()))[::-1]


def told() -> str:
    """Take the sentence left for the page, once."""
    return cast(str, st.session_state.pop(_TOLD, ""))


def _restore(arrived: Mapping[str, Sequence[str]], *, is_whole_visit: bool = False) -> None:
    """Take the choices of a link; what it cannot say of this visit is kept.

    One that `is_whole_visit` says all that can be kept of what was asked: one without a question takes it away.
    """
    state = st.session_state
    held: Visit | None = state.get(_VISIT)
    here = arrived
    with suppress(EngineError):  # of a damaged library the page tells
        here = {key: [one for one in values if handles.holds(key, one)] for key, values in arrived.items()}
    restored = from_link(here)
    if lost := lost_of(arrived, restored):
        tell(_LOST.format(", ".join(lost)))
    goes_on = held is not None and (not is_whole_visit or (held.origin == "own" and not held.query))
    if held is not None and goes_on and not restored.origin:
        restored = dataclasses.replace(restored, origin=held.origin, query=held.query)
    elif held is not None and (restored.origin, restored.query) != (held.origin, held.query):
        state.pop(_DOCUMENT, None)
        state.pop(DRAFT, None)
    if held is not None and (restored.checking != held.checking or (is_whole_visit and not restored.checking)):
        state.pop(DRAFT, None)
    if held is not None:
        evaluation = with_own_questions(restored.evaluation, held.evaluation)
        restored = dataclasses.replace(restored, pair=with_own_sides(restored.pair, held.pair), evaluation=evaluation)
    state[_VISIT] = restored
    _note_shown(arrived, is_restored=True)


def _note_shown(link: Mapping[str, Sequence[str]], *, is_restored: bool = False) -> None:
    """Remember the link in the address bar, and whether what it shows only leads to the next step."""
    state, before, text, page = st.session_state, shown_link(), _text_of(link), _page()[0]
    visit = cast(Visit, state[_VISIT])
    is_passing = None if is_restored else before is not None and _is_passing(before.visit, visit)
    if before is not None and (before.page, before.link) == (page, text) and not is_restored:
        is_passing = before.is_passing
    state[_SHOWN] = ShownLink(page, text, visit, is_passing)
    written = state.setdefault(_WRITTEN, [])
    if text not in written:
        written.append(text)


def _is_passing(before: Visit, now: Visit) -> bool:
    """Tell whether a step only leads to the next: a check of what was read, or the place for what was taken away."""
    return bool(now.checking) or (_asks(before) and not _asks(now)) or _sides(now) < _sides(before)


def _asks(visit: Visit) -> bool:
    return bool(visit.origin or visit.liked or visit.checking)


def _sides(visit: Visit) -> int:
    return sum(bool(visit.pair.side(place).origin) for place in EVERY_PLACE)


def _arrived() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params}


def _page() -> tuple[str, bool]:
    """Return the page that is drawn, and whether Back or Forward of the browser brought it."""
    context = get_script_run_ctx()
    return ("", False) if context is None else (context.page_script_hash, context.is_history_navigation)


def _text_of(link: Mapping[str, Sequence[str]]) -> str:
    """Write a link's parameters in the order of their names, as a part of an address."""
    return urlencode(sorted((key, list(values)) for key, values in link.items()), doseq=True)
