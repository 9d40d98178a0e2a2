"""Documents of lines that a test sets on pages."""

from __future__ import annotations

from engine.documents import Document
from engine.reading.pdf.reader import read_pdf
from tests.reading.pdf.papers import INTRODUCTION
from tests.reading.pdf.writer import PdfWriter


def document_of(*lines: str, after: str = INTRODUCTION) -> Document:
    """A document whose lines are set as given, all of about one width, with a paragraph after them."""
    pdf = PdfWriter().page()
    for place, line in enumerate(lines):
        pdf.line(90, 100 + 12 * place, line)
    pdf.paragraph(90, 100 + 12 * len(lines) + 24, 415, after)
    return read_pdf(pdf.data(), "x.pdf").document


def text_of(*lines: str, after: str = INTRODUCTION) -> str:
    return document_of(*lines, after=after).sections[0].text.split("\n\n")[0]
