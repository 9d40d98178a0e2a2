"""A coverage as one HTML file that stands by itself, as a table and as a picture."""

from __future__ import annotations

import csv
import io
import warnings
from dataclasses import replace
from datetime import date

import pytest
from PIL import Image

from engine.compare import Coverage
from engine.exports.coverage import coverage_csv, coverage_html, coverage_png
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


def picture(coverage: Coverage) -> Image.Image:
    with Image.open(io.BytesIO(coverage_png(coverage))) as image:
        assert image.format == "PNG"
        return image.convert("RGB")


@pytest.mark.parametrize("name", ["Cost $x_{ and $", "細胞の研究", "On 細胞 and β", "", "A\x00\nB", "W" * 500])
def test_the_picture_is_drawn_whatever_names_hold(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert coverage_png(named(name)).startswith(b"\x89PNG")


def test_a_name_in_letters_that_the_picture_lacks_is_a_number_and_a_line_says_so() -> None:
    lacking = picture(named("細胞の研究"))
    rows = tuple(replace(row, title=f"row {number}") for number, row in enumerate(COVERAGE.rows, 1))
    numbered = picture(replace(COVERAGE, rows=rows))
    assert lacking.crop((0, 0, *numbered.size)).tobytes() == numbered.tobytes()
    assert lacking.height > numbered.height
    assert picture(named("Исследование β")).height == numbered.height  # these it has


def test_the_darker_a_cell_the_more_probably_it_is_covered() -> None:
    light, dark = (
        picture(replace(COVERAGE, cells=tuple(tuple(replace(cell, p=p) for cell in row) for row in COVERAGE.cells)))
        for p in (0.0, 1.0)
    )
    for image, colour in ((light, (255, 255, 217)), (dark, (8, 29, 88))):
        share = sum(count for count, found in image.getcolors(1 << 24) or [] if found == colour)
        assert share > image.width * image.height // 5


def test_the_names_of_many_rows_do_not_cover_each_other() -> None:
    many = replace(COVERAGE, rows=COVERAGE.rows * 300, cells=COVERAGE.cells * 300)
    assert picture(many).height > 10 * len(many.rows)


def test_a_coverage_without_documents_is_drawn() -> None:
    none = replace(COVERAGE, columns=(), cells=((),) * len(COVERAGE.rows), p=COVERAGE.p[:, :0])
    assert picture(none).width > 375


def test_the_same_coverage_makes_the_same_picture() -> None:
    assert coverage_png(COVERAGE) == coverage_png(COVERAGE)
