"""What the Compare page shows, as part of the link: two documents, a cell of their heatmaps, what is left out."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal, get_args

from engine.workspace import is_key
from explorer.state.link_values import (
    Origin,
    Parameters,
    first,
    fits_in_a_link,
    is_identifier,
    number,
    number_of,
    one_of,
)

Level = Literal["section", "chunk"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The heatmaps, as they stand from left to right."""
Matrix = Literal["across", "within_a", "within_b", "attention", "attention_back"]
MATRICES: tuple[Matrix, ...] = get_args(Matrix)
"""Which matrix the heatmaps show."""

Place = Literal["a", "b", "c"]
EVERY_PLACE: tuple[Place, ...] = get_args(Place)
PLACES: tuple[Place, ...] = EVERY_PLACE[:2]
"""The first document and the second; a third one is asked for when both are there."""

MAX_WORDS = 40
_MAX_CELL = 99_999
_IN_LINK: tuple[Origin, ...] = ("library", "example", "own")
_LEVELS: dict[str, Level] = {"s": "section", "c": "chunk"}
_KEPT = ("references", "recurring")


@dataclass(frozen=True, slots=True)
class Choice:
    """One side: `query` is an id, an example's name or the key of a kept document, as `origin` says."""

    origin: Origin = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a heatmap: row of the first document, column of the second, both from 0."""

    level: Level
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Everything on the Compare page that a link restores.

    `min_words` leaves out shorter matches; `salient` marks salient sentences in both texts, `alone` what nothing in the
    other covers. `versions` reads the second document as a later version of the first.
    """

    a: Choice = Choice()
    b: Choice = Choice()
    cell: Cell | None = None
    matrix: Matrix = "across"
    references: bool = True
    recurring: bool = True
    min_words: int = 0
    salient: bool = True
    alone: bool = True
    versions: bool = False
    c: Choice = Choice()

    def side(self, place: Place) -> Choice:
        """What stands on one side."""
        sides: dict[Place, Choice] = {"a": self.a, "b": self.b, "c": self.c}
        return sides[place]

    def with_side(self, place: Place, choice: Choice) -> Pair:
        """The pair with another document on one side; the cell of the old one is dropped."""
        side: dict[str, Choice] = {place: choice}
        return dataclasses.replace(self, cell=None, versions=False, **side)  # type: ignore[arg-type]

    def swapped(self) -> Pair:
        """The same pair with its sides exchanged."""
        cell = Cell(self.cell.level, self.cell.column, self.cell.row) if self.cell else None
        others: dict[Matrix, Matrix] = {"within_a": "within_b", "within_b": "within_a"}
        others |= {"attention": "attention_back", "attention_back": "attention"}
        return dataclasses.replace(self, a=self.b, b=self.a, cell=cell, matrix=others.get(self.matrix, self.matrix))


def pair_from_link(parameters: Parameters) -> Pair:
    """The pair that a link describes."""
    kept = {value for value in parameters.get("keep", ()) if value in _KEPT}
    return Pair(
        a=_choice(first(parameters, "a")),
        b=_choice(first(parameters, "b")),
        c=_choice(first(parameters, "c")),
        cell=_cell(first(parameters, "cell")),
        matrix=one_of(parameters, "matrix", MATRICES) or "across",
        references="references" not in kept,
        recurring="recurring" not in kept,
        min_words=number(parameters, "words", (1, MAX_WORDS)) or 0,
        salient=first(parameters, "salient") != "off",
        alone=first(parameters, "alone") != "off",
        versions=first(parameters, "versions") == "on",
    )


def pair_to_link(pair: Pair) -> dict[str, list[str]]:
    """The pair's parameters; those at their defaults are empty lists."""
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
        "matrix": [pair.matrix] if pair.matrix != "across" else [],
        "keep": kept,
        "words": [str(pair.min_words)] if pair.min_words else [],
        "salient": [] if pair.salient else ["off"],
        "alone": [] if pair.alone else ["off"],
        "versions": ["on"] if pair.versions else [],
    }


def with_own_sides(restored: Pair, held: Pair) -> Pair:
    """A pair from a link inside the app, with those of the visitor's own documents that are not kept."""
    for place in EVERY_PLACE:
        if not restored.side(place).origin and held.side(place) == Choice("own"):
            side = {place: held.side(place)}
            restored = dataclasses.replace(restored, **side)
    return restored


def _choice(value: str) -> Choice:
    name, _, query = value.partition(":")
    if name == "text":  # in links made before own texts were kept
        return Choice("text", query) if fits_in_a_link(query) and query.strip() == query else Choice()
    origin = next((origin for origin in _IN_LINK if origin == name), "")
    good = is_key(query) if origin == "own" else is_identifier(query)
    return Choice(origin, query) if origin and good else Choice()


def _cell(value: str) -> Cell | None:
    letter, *places = value.split("-")
    rows = [number_of(place, (0, _MAX_CELL)) for place in places]
    if letter not in _LEVELS or len(rows) != 2 or rows[0] is None or rows[1] is None:
        return None
    return Cell(_LEVELS[letter], rows[0], rows[1])
