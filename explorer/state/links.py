"""What a link restores of a visit, read from its parameters and written back to them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from engine.documents import KINDS
from engine.documents.questions import RANKINGS, Ranking
from engine.documents.text import plain_venue
from engine.library import ORDERS, Filters, Order, whole_lines
from explorer.state.choices import (
    EVERY_PLACE,
    ChosenPair,
    CoverageChoice,
    EvaluationChoice,
    coverage_from_link,
    coverage_to_link,
    evaluation_from_link,
    evaluation_to_link,
    pair_from_link,
    pair_to_link,
)
from explorer.state.link_values import (
    Origin,
    first,
    fits_in_a_link,
    identifier,
    ids,
    number,
    one_of,
    own_key,
    words,
)

Colour = Literal["cluster", "kind", "year", "category"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""What the colours of the map stand for."""
Labels = Literal["auto", "regions", "topics", "details", "none"]
LABELS: tuple[Labels, ...] = get_args(Labels)
"""Which cluster labels the map shows; `auto` follows the zoom."""
Cited = Literal["", "yes", "no"]
CITED: tuple[Cited, ...] = get_args(Cited)
"""Whether all documents answer, those that the query cites, or those that it does not cite."""
LibraryPart = Literal["overview", "documents", "screening"]
PARTS: tuple[LibraryPart, ...] = get_args(LibraryPart)
"""The parts of the Library page."""

MAX_HITS = 100
YEARS = (1600, 2200)

_WITHOUT_DEFAULT = tuple(
    "doc example own check kind from to category venue in file line cited like unlike stress mute "
    "hit beside cell row look against case library at only card turned as".split()
)
"""Parameters whose absence means none: every value present is restored."""
_TEXTS = ("text", "a", "b", "c")
"""Those that hold a text in links made before own texts were kept; it is restored, and then named by its key."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Everything a link restores.

    `query` is an id, an example's name, or the key of a document of the visitor's own, as `origin` says; it is empty
    where that is not kept. `checking` is the key of what is open for correction before it becomes the query. `selected`
    is the id of the hit that a page should point at, `beside` the encoder whose map stands beside the first one's,
    `pair` what is compared, `coverage` the same with the library, `evaluation` what is measured, `part` the open part
    of the Library page, `order` what its documents are sorted by and `turned` whether the other way round than usual,
    `card` the encoder whose card the Models page shows, empty for the one in use. `as_question` says that a query which
    is only a person's name is asked as any other, and not for what that person wrote.
    """

    origin: Origin = ""
    query: str = ""
    encoder: str = "default"
    ranking: Ranking = "default"
    k: int = 10
    filters: Filters = dataclasses.field(default_factory=Filters)
    cited: Cited = ""
    liked: tuple[str, ...] = ()
    disliked: tuple[str, ...] = ()
    stressed: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    selected: str = ""
    colour: Colour = "cluster"
    labels: Labels = "auto"
    beside: str = ""
    pair: ChosenPair = dataclasses.field(default_factory=ChosenPair)
    coverage: CoverageChoice = dataclasses.field(default_factory=CoverageChoice)
    evaluation: EvaluationChoice = dataclasses.field(default_factory=EvaluationChoice)
    checking: str = ""
    part: LibraryPart = "overview"
    order: Order = "added"
    turned: bool = False
    card: str = ""
    as_question: bool = False


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
        cited=one_of(parameters, "cited", CITED) or "",
        liked=liked,
        disliked=tuple(id_ for id_ in ids(parameters, "unlike") if id_ not in liked),
        stressed=stressed,
        muted=tuple(word for word in words(parameters, "mute") if word not in stressed),
        selected=identifier(parameters, "hit"),
        colour=one_of(parameters, "colour", COLOURS) or "cluster",
        labels=one_of(parameters, "labels", LABELS) or "auto",
        beside=identifier(parameters, "beside"),
        pair=pair_from_link(parameters),
        coverage=coverage_from_link(parameters),
        evaluation=evaluation_from_link(parameters),
        checking=own_key(parameters, "check"),
        part=one_of(parameters, "part", PARTS) or "overview",
        order=one_of(parameters, "sort", ORDERS) or "added",
        turned=first(parameters, "turned") == "yes",
        card=identifier(parameters, "card"),
        as_question=first(parameters, "as") == "question",
    )


def to_link(visit: Visit) -> dict[str, list[str]]:
    """The link's parameters; defaults are left out."""
    filters = visit.filters
    link: dict[str, list[str]] = {
        "doc": [visit.query] if visit.origin == "library" else [],
        "example": [visit.query] if visit.origin == "example" else [],
        "own": [visit.query] if visit.origin == "own" and visit.query else [],
        "check": [visit.checking] if visit.checking else [],
        "encoder": [visit.encoder] if visit.encoder != "default" else [],
        "rank": [visit.ranking] if visit.ranking != "default" else [],
        "k": [str(visit.k)] if visit.k != 10 else [],
        "kind": sorted(filters.kinds),
        "from": [str(filters.year_from)] if filters.year_from is not None else [],
        "to": [str(filters.year_to)] if filters.year_to is not None else [],
        "category": sorted(filters.categories),
        "venue": sorted(filters.venues),
        "in": sorted(filters.collections),
        "file": sorted(filters.files),
        "line": list(filters.lines),
        "cited": [visit.cited] if visit.cited else [],
        "like": list(visit.liked),
        "unlike": list(visit.disliked),
        "stress": list(visit.stressed),
        "mute": list(visit.muted),
        "hit": [visit.selected] if visit.selected else [],
        "colour": [visit.colour] if visit.colour != "cluster" else [],
        "labels": [visit.labels] if visit.labels != "auto" else [],
        "beside": [visit.beside] if visit.beside else [],
        "part": [visit.part] if visit.part != "overview" else [],
        "sort": [visit.order] if visit.order != "added" else [],
        "turned": ["yes"] if visit.turned else [],
        "card": [visit.card] if visit.card else [],
        "as": ["question"] if visit.as_question else [],
        **pair_to_link(visit.pair),
        **coverage_to_link(visit.coverage),
        **evaluation_to_link(visit.evaluation),
    }
    return {key: values for key, values in link.items() if values}


def is_whole(parameters: Mapping[str, Sequence[str]], restored: Visit) -> bool:
    """Whether a visit holds all of its link, with nothing dropped as unknown, malformed or too long."""
    said = to_link(restored)
    pair = restored.pair
    texts = {place: f"text:{side.query}" for place in EVERY_PLACE if (side := pair.side(place)).origin == "text"}
    texts |= {"text": restored.query} if restored.origin == "text" else {}
    plain = {"venue": plain_venue}  # also where a link was made before venues were shown so
    given = ((key, value.strip()) for key in (*_WITHOUT_DEFAULT, *_TEXTS) for value in parameters.get(key, ()))
    arrived = ((key, plain.get(key, str)(value)) for key, value in given)
    return all(value in said.get(key, ()) or value == texts.get(key) for key, value in arrived if value)


def _query_of(parameters: Mapping[str, Sequence[str]]) -> tuple[Origin, str]:
    if document := identifier(parameters, "doc"):
        return "library", document
    if example := identifier(parameters, "example"):
        return "example", example
    if key := own_key(parameters, "own"):
        return "own", key
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
        venues=frozenset(map(plain_venue, ids(parameters, "venue"))),
        collections=frozenset(ids(parameters, "in")),
        files=frozenset(ids(parameters, "file")),
        lines=whole_lines(ids(parameters, "line")),
    )
