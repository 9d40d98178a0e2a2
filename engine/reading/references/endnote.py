"""EndNote's tagged export (.enw), also of Google Scholar: `%`, a character of tag, a blank and a value."""

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

_DIALECT = Dialect(tagged=re.compile(r"%([A-Z0-9!@#$&()*+<>?\[\]^~=|])(?: +|$)(.*)"), begins=frozenset({"0"}))
_TYPED = re.compile(r"\ufeff?\s*+%0 +[A-Z][\w ()/-]*+[\r\n]\s*+%\S(?: |[\r\n])")
_UNTYPED = re.compile(r"\ufeff?\s*+(?:%[A-Z0-9] [^\r\n]*+[\r\n]++){0,40}?%T [^\r\n]*+[\r\n]++%[A-Z0-9] ")


def looks_like_endnote(text: str, *, sure: bool) -> bool:
    """Whether a text begins with a record that says its type; with `sure` one with a title will do."""
    return _TYPED.match(text) is not None or (sure and _UNTYPED.match(text) is not None)


def read_endnote(
    file: BinaryIO, name: str, limits: Limits = LIMITS, *, warn: Callable[[str], None] = _log.warning
) -> Iterator[Document]:
    """The documents of a file of EndNote's tagged records; `warn` is told what was left out."""
    return read_tagged(file, name, limits, warn, _DIALECT, _reference)


def _reference(record: Record) -> Reference:
    patent = "patent" in record.first("0").lower()
    return Reference(
        record.place,
        patent,
        title=record.first("T", "!"),
        abstract=record.first("X"),
        authors=record.all("A") or record.all("E", "Y"),
        date=record.first("D", "8", "7"),
        venue=record.first(*("I?B" if patent else "JBSI")),
        keywords=[word for one in record.all("K") for word in re.split(r"[;\n]", one)],
        doi=record.first("R"),
        identifiers=record.all("@", "M", "N"),
        urls=record.all("U", ">"),
    )
