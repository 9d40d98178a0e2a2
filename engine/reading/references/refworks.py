"""RefWorks' tagged export: a tag of two characters, a blank and a value; a record begins with `RT`."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from engine.documents import Document
from engine.reading.limits import LIMITS, Limits
from engine.reading.references.documents import Reference
from engine.reading.references.tagged import Dialect, Record, read_tagged

_log = logging.getLogger(__name__)

_DIALECT = Dialect(
    tagged=re.compile(r"([A-Z][A-Z0-9])(?: |$)(.*)"),
    begins=frozenset({"RT"}),
    notes=re.compile(r"ER$|<\?"),
)
_AFTER_COMMA = re.compile(r",(?=\S)")
_END = r"(?>\r\n?|\n)"
_LOOKS = re.compile(
    rf"\ufeff?\s*+RT (?:Journal|Book|Conference|Dissertation|Thesis|Report|Web|Generic|Patent|Magazine|Newspaper|"
    rf"Unpublished|Case|Abstract|Dataset)[^\r\n]*+{_END}(?:[A-Z][A-Z0-9] [^\r\n]*+{_END}){{1,30}}?[AT]1 "
)


def looks_like_refworks(text: str) -> bool:
    """Whether a text begins with a record that says its type and names an author or a title."""
    return _LOOKS.match(text) is not None


def read_refworks(
    file: BinaryIO, name: str, limits: Limits = LIMITS, *, warn: Callable[[str], None] = _log.warning
) -> Iterator[Document]:
    """The documents of a file of RefWorks' tagged records; `warn` is told what was left out."""
    return read_tagged(file, name, limits, warn, _DIALECT, _reference)


def _reference(record: Record) -> Reference:
    patent = "patent" in record.first("RT").lower()
    return Reference(
        record.place,
        patent,
        title=record.first("T1"),
        abstract=record.first("AB"),
        authors=[_AFTER_COMMA.sub(", ", name) for name in record.all("A1") or record.all("A2")],
        date=record.first("YR", "FD"),
        venue=record.first("PB") if patent else record.first("JF", "JO", "T2", "PB"),
        keywords=[word for one in record.all("K1") for word in re.split(r"[;\n]", one)],
        doi=record.first("DO"),
        identifiers=record.all("PN", "ID"),
        urls=record.all("LK", "UL"),
    )
