"""The first bytes of known formats, and what to do about those that we do not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.core.errors import EncryptedFileError
from engine.reading.encoding import is_binary

HEAD_BYTES = 1 << 16
"""How many bytes of a file tell its format."""
_PAGES = "Save it as PDF or paste its text."
_PICTURE = "A picture has no text: run text recognition (OCR) on it and give the PDF, or paste the text."
_ARCHIVE = "Unpack it first and give the files inside."


@dataclass(frozen=True, slots=True)
class Foreign:
    """A format that we know but do not read."""

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
_RECORDS = "Export its references as RIS or BibTeX."
FOREIGN_ROOTS: dict[str, Foreign] = {
    "collection": Foreign("MARC in XML", _RECORDS),
    "modsCollection": Foreign("MODS", _RECORDS),
    "mods": Foreign("MODS", _RECORDS),
    "Sources": Foreign("Word's list of sources", _RECORDS),
    "OutgoingDocument": Foreign("an office action of the USPTO", "Give the application's description or claims."),
    "rss": Foreign("an RSS feed", "Give the articles that it names."),
    "fault": Foreign("an error that a service answered with", "Ask the service again."),
    "error": Foreign("an error that a service answered with", "Ask the service again."),
}
"""XML that we know but do not read, by its roots."""

_MEMBER = b"PK\x03\x04"
_ZIP = (_MEMBER, b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TEXT_LIKE = frozenset({b"BM", b"MZ", b"BZh", b"RIFF", b"GIF8"})
"""Signatures that a text may start with; they count only before bytes that never occur in text."""

_IN_ZIP: tuple[tuple[bytes, Foreign], ...] = (
    (b"xl/", Foreign("an Excel file (XLSX)", "Save its table as CSV.")),
    (b"ppt/", Foreign("a PowerPoint file (PPTX)", _PAGES)),
    (b"application/epub", Foreign("an EPUB book", _PAGES)),
    (b"application/vnd.oasis.opendocument", Foreign("an OpenDocument file", _PAGES)),
)


def is_pdf(file: bytes | Path) -> bool:
    """Tell whether a file in memory or on disk is a PDF."""
    if isinstance(file, bytes):
        return looks_like_pdf(file[:HEAD_BYTES])
    with file.open("rb") as opened:
        return looks_like_pdf(opened.read(HEAD_BYTES))


def looks_like_pdf(head: bytes) -> bool:
    """Tell whether a file starts with PDF's mark, or has it among bytes that never occur in text."""
    return head.lstrip().startswith(b"%PDF-") or (b"%PDF-" in head[:1024] and is_binary(head))


def looks_like_parquet(head: bytes) -> bool:
    """Tell whether a file begins with Parquet's mark."""
    return head.startswith(b"PAR1")


def looks_like_docx(head: bytes, *, sure: bool) -> bool:
    """Tell whether a ZIP archive holds a folder "word"; where the name says DOCX, Office's list of parts will do."""
    if not head.startswith(_ZIP):
        return False
    names = list(_zip_names(head))
    office = any(name.startswith((b"xl/", b"ppt/")) for name in names)
    return any(name.startswith(b"word/") for name in names) or (
        sure and not office and any(name in (b"[Content_Types].xml", b"_rels/.rels") for name in names)
    )


def is_locked_office(head: bytes, *, sure: bool) -> bool:
    """Tell whether an Office file is encrypted, and so wrapped as old ones are; with `sure` the name says DOCX."""
    return head.startswith(_OLE) and (sure or "EncryptedPackage".encode("utf-16-le") in head)


def locked_error(name: str) -> EncryptedFileError:
    """Return the error for an Office file that needs a password."""
    return EncryptedFileError(
        f"Expected a file without a password in {name}; it is encrypted, or an old DOC under another name. "
        "Open it in Word, and save it as DOCX without a password."
    )


def format_in_archive(names: Iterable[str]) -> Foreign:
    """Return the format of an archive by the names of its members."""
    joined = "\n".join(names).encode()
    return next((found for inner, found in _IN_ZIP if inner in joined), Foreign("a ZIP archive", _ARCHIVE))


def find_foreign(head: bytes) -> Foreign | None:
    """Return the format of a file's first bytes where it is one that we do not read."""
    if head.startswith(_ZIP):
        inside = (found for inner, found in _IN_ZIP if inner in head)
        return next(inside, Foreign("a ZIP archive", _ARCHIVE))
    binary = is_binary(head)
    for first, found in _FIRST_BYTES:
        if head.startswith(first) and (binary or first not in _TEXT_LIKE):
            return found
    return None


def _zip_names(head: bytes) -> Iterator[bytes]:
    """Yield the names of an archive's first members, from the header that stands before each."""
    at = head.find(_MEMBER)
    while at >= 0:
        length = int.from_bytes(head[at + 26 : at + 28], "little")
        yield head[at + 30 : at + 30 + length]
        at = head.find(_MEMBER, at + 4)
