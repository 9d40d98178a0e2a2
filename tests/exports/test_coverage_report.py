"""A coverage as one HTML file that stands by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from engine.compare import Coverage
from engine.exports.coverage_report import coverage_html
from tests.compare.test_coverage import COVERAGE

HOSTILE = "<script>alert(1)</script>"


def hostile() -> Coverage:
    rows = tuple(replace(row, title=HOSTILE) for row in COVERAGE.rows)
    columns = tuple(replace(one, title=HOSTILE) for one in COVERAGE.columns)
    return replace(COVERAGE, rows=rows, columns=columns, question=replace(COVERAGE.question, title=HOSTILE))


def test_it_lists_what_may_be_new_and_the_passages_of_what_is_covered() -> None:
    page = coverage_html(COVERAGE, held=26_033, made_on=date(2026, 5, 3))
    new = page[page.index('id="new"') : page.index('id="heat"')]
    assert "row 2" in new and "row 0" not in new
    assert page.count("In this one") == 5  # every covered cell
    assert 'href="#m-2-0"' in page and 'id="m-2-0"' in page
    assert "3 of 26,033 documents" in page and "3 May 2026" in page


def test_formulas_of_names_are_set() -> None:
    page = coverage_html(replace(COVERAGE, question=replace(COVERAGE.question, title="On $x^2$")), held=3)
    assert '<h2 dir="auto">On <math' in page


def test_a_wholly_covered_document_has_nothing_new() -> None:
    whole = replace(COVERAGE, rows=COVERAGE.rows[:2], cells=COVERAGE.cells[:2])
    assert "Every part is covered." in coverage_html(whole, held=3)


def test_no_text_of_a_document_becomes_markup_and_nothing_runs() -> None:
    page = coverage_html(hostile(), held=3)
    assert "<script" not in page and "&lt;script&gt;" in page
    assert "default-src &#39;none&#39;" in page
