"""Cuts files that hold many records one after another, without reading them whole.

The USPTO's weekly files are XML documents one after another, each with its own declaration, or
Green Book records one after another, each from its `PATN` line.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

from engine.documents import Document
from engine.errors import InputTooLargeError
from engine.readers.encoding import mark, not_utf8
from engine.readers.limits import LIMITS, Limits
from engine.readers.patents import greenbook
from engine.readers.xml.doctype import root_name

_BLOCK_BYTES = 1 << 20
_DECLARATION = b"<?xml "
_PROLOG_BYTES, _CLOSING_BYTES = 1 << 20, 4096


def xml_records(file: BinaryIO, name: str, limits: Limits = LIMITS) -> Iterator[bytes]:
    """The XML documents of a file, each from its declaration to that of the next.

    A declaration within a document, quoted in a comment or in a CDATA section, cuts nothing.
    """
    pending, name_of_root = b"", ""
    searched = len(_DECLARATION)
    while block := file.read(_BLOCK_BYTES):
        pending += block
        while (cut := pending.find(_DECLARATION, searched)) >= 0:
            name_of_root = name_of_root or root_name(pending[:_PROLOG_BYTES].decode("latin-1"))
            if name_of_root and not _closes(pending[max(0, cut - _CLOSING_BYTES) : cut], name_of_root):
                searched = cut + len(_DECLARATION)
                continue
            yield from _unless_blank(pending[:cut])
            pending, searched, name_of_root = pending[cut:], len(_DECLARATION), ""
        searched = max(searched, len(pending) - len(_DECLARATION))
        _require_within(len(pending), name, limits)
    yield from _unless_blank(pending)


def _closes(tail: bytes, name: str) -> bool:
    """Whether bytes end with the closing tag of an element of that local name, or with its only tag."""
    _, opens, tag = tail.rstrip().rpartition(b"<")
    words = tag.strip(b"/>").split()
    whole = tag.endswith(b">") and (tag.startswith(b"/") or tag.endswith(b"/>"))
    return bool(opens and words) and whole and words[0].rpartition(b":")[2] == name.encode("latin-1")


def read_greenbook(file: BinaryIO, name: str, limits: Limits = LIMITS) -> Iterator[Document]:
    """The patents of a Green Book file."""
    for number, record in enumerate(greenbook.split_records(_lines(file, name, limits)), start=1):
        yield greenbook.read_record(record, f"record {number} of {name}")


def _lines(file: BinaryIO, name: str, limits: Limits) -> Iterator[str]:
    """Lines of a text whose records are bounded."""
    encoding, skip = mark(file.read(4))
    file.seek(skip)
    text = io.TextIOWrapper(file, encoding=encoding, errors="strict")
    size = 0
    try:
        while line := text.readline(_BLOCK_BYTES):
            size = len(line) if line.startswith("PATN") else size + len(line)
            _require_within(size, name, limits)
            yield line.rstrip("\n")
    except UnicodeDecodeError as error:
        raise not_utf8(name, error) from None
    finally:
        if not text.closed:
            text.detach()  # the file is the caller's to close


def _require_within(size: int, name: str, limits: Limits) -> None:
    if size > limits.max_file_bytes:
        raise InputTooLargeError(
            f"Expected records of at most {limits.max_file_bytes >> 20} MiB in {name}; one is larger. "
            "Cut the file into smaller ones."
        )


def _unless_blank(record: bytes) -> Iterator[bytes]:
    if record.strip():
        yield record
