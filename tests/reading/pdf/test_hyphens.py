"""Hyphens at the ends of lines."""

from __future__ import annotations

from functools import reduce

import pytest

from engine.reading.pdf.hyphens import Hyphens
from engine.reading.pdf.lines import Line
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import INTRODUCTION, METHODS
from tests.reading.pdf.writer import PdfWriter


@pytest.mark.parametrize(
    ("first", "second", "title"),
    [
        ("2. LONG RUNS OF NIGHT TEM-", "PERATURES", "LONG RUNS OF NIGHT TEMPERATURES"),
        ("2. Long Runs of Night Tem-", "peratures", "Long Runs of Night Temperatures"),
    ],
)
def test_a_heading_is_joined_over_its_lines(first: str, second: str, title: str) -> None:
    pdf = PdfWriter().page()
    pdf.line(50, 60, "1. INTRODUCTION" if title.isupper() else "1. Introduction", 12, "bold")
    pdf.paragraph(50, 80, 236, INTRODUCTION)
    pdf.line(50, 300, first, 12, "bold")
    pdf.line(50, 314, second, 12, "bold")
    pdf.paragraph(50, 334, 236, METHODS)
    assert read_pdf(pdf.data(), "x.pdf").document.sections[1].title == title


def test_the_end_of_a_word_on_the_next_line_is_no_word() -> None:
    lines = [set_line("for the develop-"), set_line("ment of a method. They develop it."), set_line("the treat-")]
    assert Hyphens([*lines, set_line("ment is new.")]).join("for the develop-", "ment of") == "for the development of"


def test_many_lines_are_joined_as_two_are() -> None:
    hyphens = Hyphens([])
    texts = [f"number {place} is infor-" if place % 2 else f"mation number {place} and" for place in range(2_000)]
    assert hyphens.joined(texts) == reduce(hyphens.join, texts)
    assert hyphens.joined([]) == ""


def set_line(text: str) -> Line:
    return Line(text, 0, 400, 0, 10, 0, 0, 0, 400)
