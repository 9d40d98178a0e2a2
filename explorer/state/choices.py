"""What the Compare and Evaluate pages show, as parts of a link: a pair, its coverage by the library, a measurement."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal, get_args

from engine.compare import COLUMN_ORDERS, ROW_KINDS, ROW_ORDERS, ColumnOrder, RowKind, RowOrder
from engine.workspace import is_key
from explorer.state.link_values import (
    Origin,
    Parameters,
    first,
    fits_in_a_link,
    identifier,
    ids,
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
_MOST_ROWS = 99_999
Questions = Literal["subjects", "judged", "small", "own"]
"""The questions with known answers: the library's subjects, the visitor's judgements, our small set, or the visitor's
own files, which a link cannot carry."""
QUESTIONS: tuple[Questions, ...] = get_args(Questions)
Way = Literal["answers", "blind"]
"""Rankings are measured on known answers, or judged blind by the visitor."""
WAYS: tuple[Way, ...] = get_args(Way)
METRIC = "nDCG@10"


@dataclass(frozen=True, slots=True)
class Choice:
    """One side: `query` is an id, an example's name or the key of a kept document, as `origin` says."""

    origin: Origin = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell of a heatmap: row of the first document, column of the second, both from 0."""

    level: Level
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ChosenPair:
    """Everything on the Compare page that a link restores.

    `min_words` leaves out shorter matches; `salient` marks salient sentences in both texts, `alone` what nothing in the
    other covers. `versions` reads the second document as a later version of the first.
    """

    a: Choice = Choice()
    b: Choice = Choice()
    cell: CellPlace | None = None
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

    def with_side(self, place: Place, choice: Choice) -> ChosenPair:
        """The pair with another document on one side; the cell of the old one is dropped."""
        side: dict[str, Choice] = {place: choice}
        return dataclasses.replace(self, cell=None, versions=False, **side)  # type: ignore[arg-type]

    def swapped(self) -> ChosenPair:
        """The same pair with its sides exchanged."""
        cell = CellPlace(self.cell.level, self.cell.column, self.cell.row) if self.cell else None
        others: dict[Matrix, Matrix] = {"within_a": "within_b", "within_b": "within_a"}
        others |= {"attention": "attention_back", "attention_back": "attention"}
        return dataclasses.replace(self, a=self.b, b=self.a, cell=cell, matrix=others.get(self.matrix, self.matrix))


def pair_from_link(parameters: Parameters) -> ChosenPair:
    """The pair that a link describes."""
    kept = {value for value in parameters.get("keep", ()) if value in _KEPT}
    return ChosenPair(
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


def pair_to_link(pair: ChosenPair) -> dict[str, list[str]]:
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


def with_own_sides(restored: ChosenPair, held: ChosenPair) -> ChosenPair:
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


def _cell(value: str) -> CellPlace | None:
    letter, *places = value.split("-")
    rows = [number_of(place, (0, _MAX_CELL)) for place in places]
    if letter not in _LEVELS or len(rows) != 2 or rows[0] is None or rows[1] is None:
        return None
    return CellPlace(_LEVELS[letter], rows[0], rows[1])


@dataclass(frozen=True, slots=True)
class CoverageChoice:
    """Everything that a link restores; `on` says whether the first document is compared with the library.

    An empty `collection` means the nearest documents. `row` is the chosen cell's, as rows stand in the text, and
    `document` the id of its document, empty if no cell is chosen.
    """

    on: bool = False
    rows: RowKind = "sections"
    row_order: RowOrder = "text"
    column_order: ColumnOrder = "coverage"
    collection: str = ""
    row: int = 0
    document: str = ""


def coverage_from_link(parameters: Parameters) -> CoverageChoice:
    """The choice that a link describes."""
    rows = one_of(parameters, "library", ROW_KINDS)
    number, _, document = first(parameters, "at").partition(":")
    row = number_of(number, (0, _MOST_ROWS))
    is_chosen = row is not None and is_identifier(document)
    return CoverageChoice(
        on=rows is not None,
        rows=rows or "sections",
        row_order=one_of(parameters, "down", ROW_ORDERS) or "text",
        column_order=one_of(parameters, "across", COLUMN_ORDERS) or "coverage",
        collection=identifier(parameters, "only"),
        row=row if is_chosen and row is not None else 0,
        document=document if is_chosen else "",
    )


def coverage_to_link(choice: CoverageChoice) -> dict[str, list[str]]:
    """The choice's parameters; those at their defaults, and all of one that is off, are empty lists."""
    on = choice.on
    return {
        "library": [choice.rows] if on else [],
        "down": [choice.row_order] if on and choice.row_order != "text" else [],
        "across": [choice.column_order] if on and choice.column_order != "coverage" else [],
        "only": [choice.collection] if on and choice.collection else [],
        "at": [f"{choice.row}:{choice.document}"] if on and choice.document else [],
    }


@dataclass(frozen=True, slots=True)
class EvaluationChoice:
    """Everything on the Evaluate page that a link restores.

    Empty `rows` means the quick ones. `row` and `against` are the two rankings compared query by query, empty if not
    picked; `query` is the id of the query whose rankings are shown.
    """

    questions: Questions = "subjects"
    rows: tuple[str, ...] = ()
    metric: str = METRIC
    row: str = ""
    against: str = ""
    query: str = ""
    way: Way = "answers"


def evaluation_from_link(parameters: Parameters) -> EvaluationChoice:
    """The choice that a link describes."""
    return EvaluationChoice(
        questions=one_of(parameters, "on", QUESTIONS) or "subjects",
        rows=ids(parameters, "row"),
        metric=identifier(parameters, "metric") or METRIC,
        row=identifier(parameters, "look"),
        against=identifier(parameters, "against"),
        query=identifier(parameters, "case"),
        way=one_of(parameters, "way", WAYS) or "answers",
    )


def evaluation_to_link(choice: EvaluationChoice) -> dict[str, list[str]]:
    """The choice's parameters; those at their defaults are empty lists."""
    return {
        "on": [choice.questions] if choice.questions not in ("subjects", "own") else [],
        "row": list(choice.rows),
        "metric": [choice.metric] if choice.metric != METRIC else [],
        "look": [choice.row] if choice.row else [],
        "against": [choice.against] if choice.against else [],
        "way": [choice.way] if choice.way != "answers" else [],
        "case": [choice.query] if choice.query and choice.questions != "own" else [],
    }


def with_own_questions(restored: EvaluationChoice, held: EvaluationChoice) -> EvaluationChoice:
    """A choice from a link inside the app, with the visitor's own files, which a link cannot carry."""
    return held if held.questions == "own" and restored.questions == "subjects" else restored
