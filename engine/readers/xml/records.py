"""XML into documents, record by record, without reading a file whole.

The USPTO's weekly files are XML documents one after another, each with its own declaration. A record's root says
which reader it goes to.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO
from xml.etree.ElementTree import Element

from engine.documents import Document
from engine.errors import UnsupportedFormatError
from engine.files import fingerprint
from engine.readers.limits import LIMITS, Limits, require_record_size
from engine.readers.xml.doctype import root_name
from engine.readers.xml.tree import parse

_log = logging.getLogger(__name__)

ElementReader = Callable[[Element, str], Document]
"""Reads one document from its element; the text names it where it carries no identifier of its own."""

_SETS = {"pmc-articleset": "article"}
"""Roots that hold documents, and the elements that these are."""

_OTHER_RECORDS = frozenset({"sequence-cwu"})
"""Roots in the USPTO's weekly files other than patents: gene sequences, which belong to the patent before."""

_BLOCK_BYTES = 1 << 20
_DECLARATION = b"<?xml "
_PROLOG_BYTES, _CLOSING_BYTES = 1 << 20, 4096


def read_xml(file: BinaryIO, name: str, limits: Limits, readers: Mapping[str, ElementReader]) -> Iterator[Document]:
    """The documents of an XML file; `readers` are by the root of a record. Raises what `parse` raises."""
    for record in xml_records(file, name, limits):
        root = parse(record, name, limits)
        if root.tag in _OTHER_RECORDS:
            _log.info("%s: left out a record of %s, which is not a patent", name, root.tag)
        elif root.tag not in readers:
            raise UnsupportedFormatError(
                f"Expected USPTO patents, JATS or TEI in {name}, found a record of {root.tag!r}. Take that record out."
            )
        elif root.tag in _SETS:
            for number, element in enumerate(root.iter(_SETS[root.tag])):
                yield readers[root.tag](element, fingerprint(record, str(number)))
        else:
            yield readers[root.tag](root, fingerprint(record))


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
        require_record_size(len(pending), name, limits)
    yield from _unless_blank(pending)


def _closes(tail: bytes, name: str) -> bool:
    """Whether bytes end with the closing tag of an element of that local name, or with its only tag."""
    _, opens, tag = tail.rstrip().rpartition(b"<")
    words = tag.strip(b"/>").split()
    whole = tag.endswith(b">") and (tag.startswith(b"/") or tag.endswith(b"/>"))
    return bool(opens and words) and whole and words[0].rpartition(b":")[2] == name.encode("latin-1")


def _unless_blank(record: bytes) -> Iterator[bytes]:
    if record.strip():
        yield record
