"""The first bytes of formats that we meet, and what to do about those that we do not read."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PAGES = "Save it as PDF or paste its text."
_PICTURE = "A picture has no text: run text recognition (OCR) on it and give the PDF, or paste the text."
_ARCHIVE = "Unpack it first and give the files inside."


@dataclass(frozen=True, slots=True)
class Foreign:
    """A format that we know and do not read."""

    name: str
    advice: str


_FIRST_BYTES: tuple[tuple[bytes, Foreign], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Foreign("an old Office file (DOC, XLS or PPT)", _PAGES)),
    (b"{\\rtf", Foreign("RTF", _PAGES)),
    (b"%!PS", Foreign("PostScript", "Convert it to PDF, for example with ps2pdf.")),
    (b"AT&TFORM", Foreign("DjVu", "Convert it to PDF with text.")),
    (b"\x89PNG\r\n\x1a\n", Foreign("a PNG picture", _PICTURE)),
    (b"\xff\xd8\xff", Foreign("a JPEG picture", _PICTURE)),
    (b"GIF8", Foreign("a GIF picture", _PICTURE)),
    (b"II*\x00", Foreign("a TIFF picture", _PICTURE)),
    (b"MM\x00*", Foreign("a TIFF picture", _PICTURE)),
    (b"BM", Foreign("a BMP picture", _PICTURE)),
    (b"RIFF", Foreign("a WebP picture, or sound", _PICTURE)),
    (b"\x1f\x8b", Foreign("a gzip archive", _ARCHIVE)),
    (b"BZh", Foreign("a bzip2 archive", _ARCHIVE)),
    (b"\xfd7zXZ\x00", Foreign("an xz archive", _ARCHIVE)),
    (b"\x28\xb5\x2f\xfd", Foreign("a zstd archive", _ARCHIVE)),
    (b"7z\xbc\xaf\x27\x1c", Foreign("a 7z archive", _ARCHIVE)),
    (b"Rar!\x1a\x07", Foreign("a RAR archive", _ARCHIVE)),
    (b"SQLite format 3\x00", Foreign("an SQLite database", "Export its table as CSV.")),
    (b"\x7fELF", Foreign("a program", "Choose a paper or a patent.")),
    (b"MZ", Foreign("a program", "Choose a paper or a patent.")),
)
_TEXT_LIKE = frozenset({b"BM", b"MZ", b"BZh", b"RIFF", b"GIF8"})
"""Signatures that a text may begin with; they count only before bytes that no text holds."""

_IN_ZIP: tuple[tuple[bytes, Foreign], ...] = (
    (b"word/", Foreign("a Word file (DOCX)", _PAGES)),
    (b"xl/", Foreign("an Excel file (XLSX)", "Save its table as CSV.")),
    (b"ppt/", Foreign("a PowerPoint file (PPTX)", _PAGES)),
    (b"application/epub", Foreign("an EPUB book", _PAGES)),
    (b"application/vnd.oasis.opendocument", Foreign("an OpenDocument file", _PAGES)),
)
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+html\b|html[\s>]|head[\s>]|body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_LATEX = re.compile(rb"(?:\s*%[^\n]*\n)*\s*\\documentclass\b")


def foreign(head: bytes, *, binary: bool) -> Foreign | None:
    """The format of a file's first bytes where it is one that we do not read; `binary` as `encoding` says."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        inside = (found for inner, found in _IN_ZIP if inner in head)
        return next(inside, Foreign("a ZIP archive", _ARCHIVE))
    for first, found in _FIRST_BYTES:
        if head.startswith(first) and (binary or first not in _TEXT_LIKE):
            return found
    body = head.removeprefix(b"\xef\xbb\xbf")
    if _HTML.match(body):
        return Foreign("an HTML page", "Print the page to PDF, or paste its text.")
    if _LATEX.match(body):
        return Foreign("LaTeX source", "Give the PDF that it makes, or paste its text.")
    return None
