"""The numbers of a review's flow as rows, JSON and CSV."""

from __future__ import annotations

import csv
import io

from engine.exports.screening_flow import flow_as_json, flow_csv, flow_rows
from engine.library.screening import Flow

FLOW = Flow(identified=12, duplicates=2, undecided=3, included=2, excluded=5, reasons={"@wind": 3, "": 2})


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
    assert found["reasons"] == [{"reason": "@wind", "documents": 3}, {"reason": None, "documents": 2}]
    assert [value for value in found.values() if isinstance(value, int)] == [12, 2, 10, 7, 5, 2, 3]


def test_csv_has_a_row_for_each_number() -> None:
    (head, *rows) = csv.reader(io.StringIO(flow_csv(FLOW)))
    assert head == ["counted", "documents"]
    assert [(name, int(number)) for name, number in rows] == flow_rows(FLOW)
