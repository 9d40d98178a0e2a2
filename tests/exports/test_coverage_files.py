"""A coverage as a table and as a picture."""

from __future__ import annotations

import csv
import io
import warnings
from dataclasses import replace

from engine.compare import Coverage
from engine.exports.coverage_files import coverage_csv, coverage_png
from tests.compare.test_coverage import COVERAGE


def named(title: str) -> Coverage:
    return replace(COVERAGE, rows=tuple(replace(row, title=title) for row in COVERAGE.rows))


def test_the_table_has_a_line_a_row_and_a_column_a_document() -> None:
    text = coverage_csv(COVERAGE)
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["row", "page", "covered", "share", "p", "d0", "d1", "d2"]
    assert lines[3] == ["row 2", "", "no", "0.4", "0.9", "0.9", "0.0", "0.0"]
    assert text.endswith("\r\n")


def test_no_name_is_a_formula_to_a_spreadsheet() -> None:
    assert "'=1+1" in coverage_csv(named("=1+1"))


def test_the_picture_is_drawn_whatever_names_hold() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("Cost $x_{ and $", "細胞の研究", ""):
            assert coverage_png(named(name)).startswith(b"\x89PNG")


def test_the_same_coverage_makes_the_same_picture() -> None:
    assert coverage_png(COVERAGE) == coverage_png(COVERAGE)
