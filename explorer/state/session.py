"""What this visitor chose: one frozen value, restored from the link and written back to it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import streamlit as st

from engine.documents import KINDS, Document
from engine.errors import EngineError
from engine.library import Filters
from engine.questions import RANKINGS, Ranking
from explorer.state.evaluation_choice import (
    EvaluationChoice,
    evaluation_from_link,
    evaluation_to_link,
    with_own_questions,
)
from explorer.state.link_values import MAX_LISTED as MAX_LISTED  # other rooms read it here
from explorer.state.link_values import Origin, as_words, first, fits_in_a_link, identifier, ids, number, one_of, words
from explorer.state.pair import Pair, pair_from_link, pair_to_link, with_own_sides

Colour = Literal["cluster", "kind", "year", "category"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""What the colours of the map stand for."""
Labels = Literal["auto", "regions", "topics", "details", "none"]
LABELS: tuple[Labels, ...] = get_args(Labels)
"""Which cluster labels the map shows; `auto` follows the zoom."""

MAX_HITS = 100
YEARS = (1600, 2200)

_VISIT, _DOCUMENT, _WRITTEN, _TOLD = "visit", "query_document", "written_links", "told"
DRAFT = "draft"
"""Where a document waits for correction (`drafts`); any other question replaces it."""
_SHOWN = "shown_link"
_LOST = (
    "A part of this link could not be restored, so you may see something else than its sender did. "
    "Check the documents and the filters."
)
_WITHOUT_DEFAULT = tuple(
    "doc example text kind from to category venue in like unlike stress mute "
    "hit beside a b cell row look against case".split()
)
"""Parameters whose absence means none: every value present is restored."""

_LATE_SECONDS = 2.0
"""How long a new link may take to reach the browser; until then it sends the former one."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Everything a link restores.

    `query` is an id, an example's name or a short text, as `origin` says; it is empty where the
    query cannot stand in a link. `selected` is the id of the hit that a page should point at, `beside`
    the encoder whose map stands beside the first one's, `pair` what is compared, `evaluation` what is measured.
    """

    origin: Origin = ""
    query: str = ""
    encoder: str = "default"
    ranking: Ranking = "default"
    k: int = 10
    filters: Filters = dataclasses.field(default_factory=Filters)
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()
    stressed: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    selected: str = ""
    colour: Colour = "cluster"
    labels: Labels = "auto"
    beside: str = ""
    pair: Pair = dataclasses.field(default_factory=Pair)
    evaluation: EvaluationChoice = dataclasses.field(default_factory=EvaluationChoice)


def from_link(parameters: Mapping[str, Sequence[str]]) -> Visit:
    """The visit that a link describes; whatever in it is unknown, malformed or too long is left at its default."""
    origin, query = _query_of(parameters)
    ranking = one_of(parameters, "rank", RANKINGS)
    liked, stressed = ids(parameters, "like"), words(parameters, "stress")
    return Visit(
        origin=origin,
        query=query,
        encoder=identifier(parameters, "encoder") or "default",
        ranking=ranking or "default",
        k=number(parameters, "k", (1, MAX_HITS)) or 10,
        filters=_filters_of(parameters),
        liked=liked,
        disliked=tuple(id_ for id_ in ids(parameters, "unlike") if id_ not in liked),
        stressed=stressed,
        muted=tuple(word for word in words(parameters, "mute") if word not in stressed),
        selected=identifier(parameters, "hit"),
        colour=one_of(parameters, "colour", COLOURS) or "cluster",
        labels=one_of(parameters, "labels", LABELS) or "auto",
        beside=identifier(parameters, "beside"),
        pair=pair_from_link(parameters),
        evaluation=evaluation_from_link(parameters),
    )


def to_link(visit: Visit) -> dict[str, list[str]]:
    """The link's parameters; defaults are left out."""
    filters = visit.filters
    link: dict[str, list[str]] = {
        "doc": [visit.query] if visit.origin == "library" else [],
        "example": [visit.query] if visit.origin == "example" else [],
        "text": [visit.query] if visit.origin == "text" else [],
        "encoder": [visit.encoder] if visit.encoder != "default" else [],
        "rank": [visit.ranking] if visit.ranking != "default" else [],
        "k": [str(visit.k)] if visit.k != 10 else [],
        "kind": sorted(filters.kinds),
        "from": [str(filters.year_from)] if filters.year_from is not None else [],
        "to": [str(filters.year_to)] if filters.year_to is not None else [],
        "category": sorted(filters.categories),
        "venue": sorted(filters.venues),
        "in": sorted(filters.collections),
        "like": list(visit.liked),
        "unlike": list(visit.disliked),
        "stress": list(visit.stressed),
        "mute": list(visit.muted),
        "hit": [visit.selected] if visit.selected else [],
        "colour": [visit.colour] if visit.colour != "cluster" else [],
        "labels": [visit.labels] if visit.labels != "auto" else [],
        "beside": [visit.beside] if visit.beside else [],
        **pair_to_link(visit.pair),
        **evaluation_to_link(visit.evaluation),
    }
    return {key: values for key, values in link.items() if values}


def is_whole(parameters: Mapping[str, Sequence[str]], restored: Visit) -> bool:
    """Whether a visit holds all of its link, with nothing dropped as unknown, malformed or too long."""
    said = to_link(restored)
    arrived = ((key, value.strip()) for key in _WITHOUT_DEFAULT for value in parameters.get(key, ()))
    return all(value in said.get(key, ()) for key, value in arrived if value)


def current() -> Visit:
    """This visitor's choices; the link's on the first look, and when another link was opened.

    A link that cannot be restored as a whole leaves a sentence for the page.
    """
    state = st.session_state
    arrived = {key: st.query_params.get_all(key) for key in st.query_params}
    held: Visit | None = state.get(_VISIT)
    if held is None or (arrived and (_text_of(arrived) not in state.setdefault(_WRITTEN, []) or _went_back(arrived))):
        restored = from_link(arrived)
        if not is_whole(arrived, restored):
            tell(_LOST)
        if held is not None and not restored.origin:  # a link inside the app: an uploaded query cannot stand in it
            restored = dataclasses.replace(restored, origin=held.origin, query=held.query)
        elif held is not None and (restored.origin, restored.query) != (held.origin, held.query):
            state.pop(_DOCUMENT, None)
            state.pop(DRAFT, None)
        if held is not None:
            evaluation = with_own_questions(restored.evaluation, held.evaluation)
            restored = dataclasses.replace(
                restored, pair=with_own_sides(restored.pair, held.pair), evaluation=evaluation
            )
        state[_VISIT] = restored
        _remember(arrived)
        _note_shown(arrived)
    return cast(Visit, state[_VISIT])


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
    return update(origin=origin, query=query, liked=(), disliked=(), selected="")


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
    update(origin="", query="", liked=(), disliked=(), stressed=(), muted=(), selected="")


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


def _query_of(parameters: Mapping[str, Sequence[str]]) -> tuple[Origin, str]:
    if document := identifier(parameters, "doc"):
        return "library", document
    if example := identifier(parameters, "example"):
        return "example", example
    text = first(parameters, "text").strip()
    return ("text", text) if fits_in_a_link(text) else ("", "")


def _filters_of(parameters: Mapping[str, Sequence[str]]) -> Filters:
    year_from, year_to = number(parameters, "from", YEARS), number(parameters, "to", YEARS)
    if year_from is not None and year_to is not None and year_from > year_to:
        year_from = year_to = None
    return Filters(
        kinds=frozenset(kind for kind in parameters.get("kind", ()) if kind in KINDS),
        year_from=year_from,
        year_to=year_to,
        categories=frozenset(ids(parameters, "category")),
        venues=frozenset(ids(parameters, "venue")),
        collections=frozenset(ids(parameters, "in")),
    )
