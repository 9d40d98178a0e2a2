"""Links: their parameters, read into what a visitor chose, and written back. `to_link` names them all."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, get_args

from engine.compare import ColumnOrder, RowKind, RowOrder
from engine.documents import KINDS
from engine.documents.questions import RANKINGS
from engine.documents.text import plain_venue, tokens
from engine.library import Filters, Order, whole_lines
from engine.workspace import is_key
from explorer.state.visit import (
    CITED,
    COLOURS,
    EVERY_PLACE,
    LABELS,
    MATRICES,
    METRIC,
    PARTS,
    QUESTION_KINDS,
    WAYS,
    CellPlace,
    Choice,
    ChosenPair,
    CoverageChoice,
    EvaluationChoice,
    HeatmapLevel,
    Origin,
    Visit,
)

Parameters = Mapping[str, Sequence[str]]
OneOf = TypeVar("OneOf", bound=str)

MAX_LINK_TEXT = 1_500
MAX_ID = 1_000
"""Ids of 250 characters and venues named by a whole title are in use."""
MAX_LISTED, MAX_HITS, MAX_WORDS = 30, 100, 40
_YEARS = (1600, 2200)
_MOST_ROWS = 99_999
_NAMED = 40
"""Characters of a value that is named because it was lost."""
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls, line ends and marks that turn the writing direction: an import drops them, and they could make a value
look like another."""
_IN_LINK: tuple[Origin, ...] = ("library", "example", "own")
_LEVELS: dict[str, HeatmapLevel] = {"s": "section", "c": "chunk"}
_KEPT = ("references", "recurring")
_WITHOUT_DEFAULT = tuple(
    "doc example own check kind from to category venue in file line cited like unlike stress mute "
    "hit beside cell row look against case library at only review card turned as keep".split()
)
"""Parameters whose absence means none: every value present is restored."""
_DEFAULTS = {
    **dict.fromkeys(("encoder", "rank"), "default"),
    **{"k": "10", "colour": "cluster", "labels": "auto", "part": "overview", "sort": "added", "matrix": "across"},
    **{"words": "0", "salient": "on", "alone": "on", "versions": "off", "down": "text", "across": "coverage"},
    **{"on": "subjects", "metric": METRIC, "way": "answers"},
}
"""What a link need not say."""
_TEXTS = ("text", "a", "b", "c")
"""Those that hold a text in links made before own texts were kept; it is restored, and then named by its key."""


def from_link(parameters: Mapping[str, Sequence[str]]) -> Visit:
    """Read the visit that a link describes; whatever in it is unknown, malformed or too long is left at its default."""
    origin, query = _query_of(parameters)
    ranking = _one_of(parameters, "rank", RANKINGS)
    liked, stressed = _ids(parameters, "like"), _words(parameters, "stress")
    return Visit(
        origin=origin,
        query=query,
        encoder=_identifier(parameters, "encoder") or "default",
        ranking=ranking or "default",
        k=_number(parameters, "k", (1, MAX_HITS)) or 10,
        filters=_filters_of(parameters),
        cited=_one_of(parameters, "cited", CITED) or "",
        liked=liked,
        disliked=tuple(id_ for id_ in _ids(parameters, "unlike") if id_ not in liked),
        stressed=stressed,
        muted=tuple(word for word in _words(parameters, "mute") if word not in stressed),
        selected=_identifier(parameters, "hit"),
        colour=_one_of(parameters, "colour", COLOURS) or "cluster",
        labels=_one_of(parameters, "labels", LABELS) or "auto",
        beside=_identifier(parameters, "beside"),
        pair=_pair_of(parameters),
        coverage=_coverage_of(parameters),
        evaluation=_evaluation_of(parameters),
        checking=_own_key(parameters, "check"),
        part=_one_of(parameters, "part", PARTS) or "overview",
        order=_one_of(parameters, "sort", get_args(Order)) or "added",
        turned=_first(parameters, "turned") == "yes",
        review=_identifier(parameters, "review"),
        card=_identifier(parameters, "card"),
        as_question=_first(parameters, "as") == "question",
    )


def to_link(visit: Visit) -> dict[str, list[str]]:
    """Return a visit's parameters; defaults are left out."""
    filters = visit.filters
    link: dict[str, list[str]] = {
        "doc": [visit.query] if visit.origin == "library" else [],
        "example": [visit.query] if visit.origin == "example" else [],
        "own": [visit.query] if visit.origin == "own" and visit.query else [],
        "check": _unless("", visit.checking),
        "encoder": _unless("default", visit.encoder),
        "rank": _unless("default", visit.ranking),
        "k": _unless(10, visit.k),
        "kind": sorted(filters.kinds),
        "from": _unless(None, filters.year_from),
        "to": _unless(None, filters.year_to),
        "category": sorted(filters.categories),
        "venue": sorted(filters.venues),
        "in": sorted(filters.collections),
        "file": sorted(filters.files),
        "line": list(filters.lines),
        "cited": _unless("", visit.cited),
        "like": list(visit.liked),
        "unlike": list(visit.disliked),
        "stress": list(visit.stressed),
        "mute": list(visit.muted),
        "hit": _unless("", visit.selected),
        "colour": _unless("cluster", visit.colour),
        "labels": _unless("auto", visit.labels),
        "beside": _unless("", visit.beside),
        "part": _unless("overview", visit.part),
        "sort": _unless("added", visit.order),
        "turned": ["yes"] if visit.turned else [],
        "review": _unless("", visit.review),
        "card": _unless("", visit.card),
        "as": ["question"] if visit.as_question else [],
        **_pair_in_link(visit.pair),
        **_coverage_in_link(visit.coverage),
        **_evaluation_in_link(visit.evaluation),
    }
    return {key: values for key, values in link.items() if values}


def lost_of(parameters: Mapping[str, Sequence[str]], restored: Visit) -> list[str]:
    """Return what a visit lacks of its link, dropped as unknown, malformed or too long, and what it has instead."""
    said = to_link(restored)
    pair = restored.pair
    texts: dict[str, str] = {
        place: f"text:{side.query}" for place in EVERY_PLACE if (side := pair.side(place)).origin == "text"
    }
    texts |= {"text": restored.query} if restored.origin == "text" else {}
    plain: dict[str, Callable[[str], str]] = {"venue": plain_venue}  # links from before venues were shown so, too
    keys = (*_WITHOUT_DEFAULT, *_TEXTS, *_DEFAULTS)
    given = ((key, value.strip()) for key in keys for value in parameters.get(key, ()))
    lost = []
    for key, value in ((key, plain.get(key, str)(value)) for key, value in given):
        if value and value not in (*said.get(key, ()), texts.get(key), _DEFAULTS.get(key)):
            named = f"{key}={_UNSEEN.sub('', value)[:_NAMED]}"
            instead = next(iter(said.get(key, ())), _DEFAULTS.get(key))
            lost.append(f"{named} (used instead: {instead})" if key in _DEFAULTS else named)
    return lost


def _pair_of(parameters: Parameters) -> ChosenPair:
    """Return the pair that a link describes."""
    kept = {value for value in parameters.get("keep", ()) if value in _KEPT}
    return ChosenPair(
        a=_document_of(_first(parameters, "a")),
        b=_document_of(_first(parameters, "b")),
        c=_document_of(_first(parameters, "c")),
        cell=_cell_of(_first(parameters, "cell")),
        matrix=_one_of(parameters, "matrix", MATRICES) or "across",
        references="references" not in kept,
        recurring="recurring" not in kept,
        min_words=_number(parameters, "words", (1, MAX_WORDS)) or 0,
        salient=_first(parameters, "salient") != "off",
        alone=_first(parameters, "alone") != "off",
        versions=_first(parameters, "versions") == "on",
    )


def _pair_in_link(pair: ChosenPair) -> dict[str, list[str]]:
    """Return the pair's parameters; those at their defaults are empty lists."""
    cell = pair.cell
    kept = [name for name, left_out in zip(_KEPT, (pair.references, pair.recurring), strict=True) if not left_out]
    return {
        **{
            place: [f"{side.origin}:{side.query}"]
            if (side := pair.side(place)).origin in _IN_LINK and side.query
            else []
            for place in EVERY_PLACE
        },
        "cell": [f"{cell.level[0]}-{cell.row}-{cell.column}"] if cell else [],
        "matrix": _unless("across", pair.matrix),
        "keep": kept,
        "words": _unless(0, pair.min_words),
        "salient": [] if pair.salient else ["off"],
        "alone": [] if pair.alone else ["off"],
        "versions": ["on"] if pair.versions else [],
    }


def with_own_sides(restored: ChosenPair, held: ChosenPair) -> ChosenPair:
    """Return a pair from a link inside the app, with those of the visitor's own documents that are not kept."""
    for place in EVERY_PLACE:
        if not restored.side(place).origin and held.side(place) == Choice("own"):
            side: dict[str, Any] = {place: held.side(place)}
            restored = dataclasses.replace(restored, **side)
    return restored


def _coverage_of(parameters: Parameters) -> CoverageChoice:
    """Return the choice that a link describes."""
    rows = _one_of(parameters, "library", get_args(RowKind))
    number, _, document = _first(parameters, "at").partition(":")
    row = _number_of(number, (0, _MOST_ROWS))
    is_chosen = row is not None and _is_identifier(document)
    return CoverageChoice(
        on=rows is not None,
        rows=rows or "sections",
        row_order=_one_of(parameters, "down", get_args(RowOrder)) or "text",
        column_order=_one_of(parameters, "across", get_args(ColumnOrder)) or "coverage",
        collection=_identifier(parameters, "only"),
        row=row if is_chosen and row is not None else 0,
        document=document if is_chosen else "",
    )


def _coverage_in_link(choice: CoverageChoice) -> dict[str, list[str]]:
    """Return the choice's parameters, none where it is off; those at their defaults are empty lists."""
    if not choice.on:
        return {}
    return {
        "library": [choice.rows],
        "down": _unless("text", choice.row_order),
        "across": _unless("coverage", choice.column_order),
        "only": _unless("", choice.collection),
        "at": [f"{choice.row}:{choice.document}"] if choice.document else [],
    }


def _evaluation_of(parameters: Parameters) -> EvaluationChoice:
    """Return the choice that a link describes."""
    return EvaluationChoice(
        questions=_one_of(parameters, "on", QUESTION_KINDS) or "subjects",
        rows=_ids(parameters, "row"),
        metric=_identifier(parameters, "metric") or METRIC,
        row=_identifier(parameters, "look"),
        against=_identifier(parameters, "against"),
        query=_identifier(parameters, "case"),
        way=_one_of(parameters, "way", WAYS) or "answers",
    )


def _evaluation_in_link(choice: EvaluationChoice) -> dict[str, list[str]]:
    """Return the choice's parameters; those at their defaults are empty lists."""
    return {
        "on": [choice.questions] if choice.questions not in ("subjects", "own") else [],
        "row": list(choice.rows),
        "metric": _unless(METRIC, choice.metric),
        "look": _unless("", choice.row),
        "against": _unless("", choice.against),
        "way": _unless("answers", choice.way),
        "case": [choice.query] if choice.query and choice.questions != "own" else [],
    }


def with_own_questions(restored: EvaluationChoice, held: EvaluationChoice) -> EvaluationChoice:
    """Return a choice from a link inside the app, with the visitor's own files, which a link cannot carry."""
    return held if held.questions == "own" and restored.questions == "subjects" else restored


def _query_of(parameters: Mapping[str, Sequence[str]]) -> tuple[Origin, str]:
    if document := _identifier(parameters, "doc"):
        return "library", document
    if example := _identifier(parameters, "example"):
        return "example", example
    if key := _own_key(parameters, "own"):
        return "own", key
    text = _first(parameters, "text").strip()
    return ("text", text) if _fits_in_a_link(text) else ("", "")


def _filters_of(parameters: Mapping[str, Sequence[str]]) -> Filters:
    year_from, year_to = _number(parameters, "from", _YEARS), _number(parameters, "to", _YEARS)
    if year_from is not None and year_to is not None and year_from > year_to:
        year_from = year_to = None
    return Filters(
        kinds=frozenset(kind for kind in parameters.get("kind", ()) if kind in KINDS),
        year_from=year_from,
        year_to=year_to,
        categories=frozenset(_ids(parameters, "category")),
        venues=frozenset(map(plain_venue, _ids(parameters, "venue"))),
        collections=frozenset(_ids(parameters, "in")),
        files=frozenset(_ids(parameters, "file")),
        lines=whole_lines(_ids(parameters, "line")),
    )


def _document_of(value: str) -> Choice:
    name, _, query = value.partition(":")
    if name == "text":  # in links made before own texts were kept
        return Choice("text", query) if _fits_in_a_link(query) and query.strip() == query else Choice()
    origin: Origin = next((origin for origin in _IN_LINK if origin == name), "")
    good = is_key(query) if origin == "own" else _is_identifier(query)
    return Choice(origin, query) if origin and good else Choice()


def _cell_of(value: str) -> CellPlace | None:
    letter, *places = value.split("-")
    rows = [_number_of(place, (0, _MOST_ROWS)) for place in places]
    if letter not in _LEVELS or len(rows) != 2 or rows[0] is None or rows[1] is None:
        return None
    return CellPlace(_LEVELS[letter], rows[0], rows[1])


def _first(parameters: Parameters, key: str) -> str:
    """Return the first value of a key, or the empty string."""
    values = parameters.get(key, ())
    return values[0] if values else ""


def _is_identifier(value: str) -> bool:
    """Tell whether a value can be an id: on one line, not too long, without white space at its ends."""
    return 0 < len(value) <= MAX_ID and value.strip() == value and not _UNSEEN.search(value)


def _identifier(parameters: Parameters, key: str) -> str:
    """Return the id that a key holds, or the empty string."""
    value = _first(parameters, key)
    return value if _is_identifier(value) else ""


def _own_key(parameters: Parameters, key: str) -> str:
    """Return the key of a kept document that a key of the link holds, or the empty string."""
    value = _first(parameters, key)
    return value if is_key(value) else ""


def _ids(parameters: Parameters, key: str) -> tuple[str, ...]:
    """Return every id that a key holds, each once, up to a limit."""
    found = [value for value in parameters.get(key, ()) if _is_identifier(value)]
    return tuple(dict.fromkeys(found))[:MAX_LISTED]


def _words(parameters: Parameters, key: str) -> tuple[str, ...]:
    """Return every word that a key holds, each once, up to a limit."""
    found = parameters.get(key, ())
    return tuple(word for word in as_words(found) if word in found)


def as_words(values: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens of values that a person typed, each once, up to a limit."""
    found = (token for value in values if len(value) <= MAX_ID for token in tokens(value))
    return tuple(dict.fromkeys(found))[:MAX_LISTED]


def _one_of(parameters: Parameters, key: str, choices: tuple[OneOf, ...]) -> OneOf | None:
    """Return the choice that a key holds, or None."""
    value = _first(parameters, key)
    return next((choice for choice in choices if choice == value), None)


def _number(parameters: Parameters, key: str, bounds: tuple[int, int]) -> int | None:
    """Return the whole number that a key holds, if within the bounds."""
    return _number_of(_first(parameters, key), bounds)


def _number_of(value: str, bounds: tuple[int, int]) -> int | None:
    """Read a whole number written in digits, if within the bounds."""
    if not (value.isascii() and value.isdigit() and len(value) <= 6):
        return None
    return int(value) if bounds[0] <= int(value) <= bounds[1] else None


def _fits_in_a_link(text: str) -> bool:
    """Tell whether a text is short enough for a link."""
    return 0 < len(text) <= MAX_LINK_TEXT


def _unless(default: object, value: object) -> list[str]:
    """Return a value as a link has it: not where it is the default."""
    return [] if value == default else [str(value)]
