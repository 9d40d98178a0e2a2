"""Hyphens at the ends of lines."""

from __future__ import annotations

import pytest

from engine.readers.pdf.reader import read_pdf
from tests.readers.pdf.papers import INTRODUCTION, METHODS
from tests.readers.pdf.writer import PdfWriter


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
