"""What the Compare page shows of one document against the library, as part of the link."""

from __future__ import annotations

from dataclasses import dataclass

from engine.compare import COLUMN_ORDERS, ROW_KINDS, ROW_ORDERS, ColumnOrder, RowKind, RowOrder
from explorer.state.link_values import Parameters, first, identifier, is_identifier, number_of, one_of

_MOST_ROWS = 99_999


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
