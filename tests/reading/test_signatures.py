"""Formats that are told by their first bytes."""

from __future__ import annotations

import pytest

from engine.core.errors import UnsupportedFormatError
from engine.reading.dispatch import detect
from tests.reading.zips import PNG, zipped


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (zipped("other"), "a.zip", r"a ZIP archive\. Unpack it first"),
        (zipped("password/notes.txt"), "a.zip", r"a ZIP archive\. Unpack it first"),
        (zipped("[Content_Types].xml"), "a", r"a ZIP archive\. Unpack it first"),
        (zipped("xl/workbook.xml"), "a.xlsx", r"an Excel file \(XLSX\)\. Save its table as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "a.doc", r"an old Office file .*Save it as PDF or paste its text"),
        (b"{\\rtf1 text}", "a.rtf", r"RTF\. Save it as PDF or paste its text"),
        (PNG, "a.png", r"a PNG picture\. A picture has no text: run text recognition"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a.jpg", "a JPEG picture"),
        (b"\x1f\x8b\x08\x00", "a.xml.gz", r"a gzip archive\. Unpack it first"),
        (b"MZ\x90\x00\x03", "a.exe", "a program"),
        (b"\x00\x01\x02\x03", "a.bin", "is in none of these formats"),
        (b"\x00\x01\x02\x03", "", "is in none of these formats"),
        (b"<?xml version='1.0'?><svg/>", "a.xml", "found the root 'svg'. Save the document as PDF, or paste its text"),
        (b"<WEEK>", "a.xml", "found the root 'WEEK'"),
    ],
)
def test_formats_that_are_not_read_say_what_to_do(data: bytes, name: str, said: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=said):
        detect(data, name)
