"""Reference lists without a heading."""

from __future__ import annotations

import pytest

from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import INTRODUCTION, METHODS
from tests.reading.pdf.writer import PdfWriter


def roles(*entries: str) -> list[tuple[str, str]]:
    pdf = PdfWriter().page()
    pdf.line(90, 80, "METHODS", 10, "bold")
    y = pdf.paragraph(90, 96, 415, f"{METHODS} {INTRODUCTION}") + 20
    for entry in entries:
        y = pdf.paragraph(90, y, 415, entry, size=8) + 2
    return [(section.role, section.text) for section in read_pdf(pdf.data(), "x.pdf").document.sections]


@pytest.mark.parametrize("label", ["1. ", "[1] "])
def test_numbered_entries_with_years_are_references(label: str) -> None:
    entries = [
        f"{label.replace('1', str(number))}Moor, A. Heat. Shore Notes 5, 1-9 (200{number})." for number in (1, 2)
    ]
    assert roles(*entries)[-1] == ("references", "\n\n".join(entries))


def test_a_numbered_list_without_years_is_text() -> None:
    assert [role for role, _ in roles("1. Fill the pool with water.", "2. Wait for the night.")] == ["body"]
