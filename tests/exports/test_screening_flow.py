"""The numbers of a review's flow as rows, JSON and CSV."""

from __future__ import annotations

import csv
import io

from engine.exports.screening_flow import flow_as_json, flow_csv, flow_rows
from engine.library import Flow

COUNTS = {"identified": 12, "duplicates": 2, "undecided": 3, "included": 2, "excluded": 5}
FLOW = Flow(review="=Beach", **COUNTS, reasons={"@wind": 3, "": 2})


def test_the_rows_stand_in_the_order_of_the_diagram() -> None:
    assert flow_rows(FLOW) == [
        ("Records identified", 12),
        ("Duplicates removed", 2),
        ("Records to screen", 10),
        ("Records screened", 7),
        ("Records excluded", 5),
        ("Excluded: @wind", 3),
        ("Excluded: No reason given", 2),
        ("Records included", 2),
        ("Undecided", 3),
    ]


def test_json_says_the_same_and_null_where_no_reason_was_given() -> None:
    found = flow_as_json(FLOW)
    assert found["review"] == "=Beach"
    assert found["reasons"] == [{"reason": "@wind", "documents": 3}, {"reason": None, "documents": 2}]
    assert [value for value in found.values() if isinstance(value, int)] == [12, 2, 10, 7, 5, 2, 3]


def test_csv_has_a_row_for_each_number_that_names_the_review() -> None:
    (head, *rows) = csv.reader(io.StringIO(flow_csv(FLOW)))
    assert head == ["review", "counted", "documents"]
    assert [(name, int(number)) for _, name, number in rows] == flow_rows(FLOW)
    assert {review for review, _, _ in rows} == {"'=Beach"}  # no formula for a spreadsheet
