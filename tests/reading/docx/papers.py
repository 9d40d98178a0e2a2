"""A paper as Word writes it."""

from __future__ import annotations

from engine.reading.base import ReadFile
from engine.reading.dispatch import read_bytes
from engine.reading.limits import Limits
from tests.reading.docx.writer import docx, item, paragraph, table

TITLE = paragraph("Kettles that do not whistle", "Title")


ABSTRACT = (paragraph("Abstract", "berschrift1"), paragraph("We make kettles quiet."))


METHOD = (paragraph("1. Method", "berschrift1"), paragraph("A lid rests on a seal."))


PAPER = docx(
    TITLE,
    *ABSTRACT,
    *METHOD,
    item("cats"),
    item("dogs"),
    paragraph("Measures", "Mine"),
    table((paragraph("lid"), paragraph("3 dB")), (paragraph("none"), paragraph("80 dB"))),
    paragraph("References", "berschrift1"),
    paragraph("Lind, A. Quiet lids. 1999."),
    paragraph("Lovelace, A. Notes. 1843."),
)


def read(data: bytes, limits: Limits | None = None) -> ReadFile:
    return read_bytes(data, "a.docx") if limits is None else read_bytes(data, "a.docx", limits)
