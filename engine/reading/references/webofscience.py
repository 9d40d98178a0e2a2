"""Web of Science's plain text (.ciw, savedrecs.txt), also Derwent's: tags of two characters, wrapped lines indented."""

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
    begins=frozenset({"PT"}),
    ends=frozenset({"ER"}),
    around=frozenset({"FN", "VR", "EF"}),
    gap=" ",
)
_END = r"(?:\r\n?|\n)"
_LOOKS = re.compile(rf"\ufeff?\s*+(?:FN [^\r\n]*+{_END}VR \d|PT [ABCJPS]{_END}[A-Z][A-Z0-9] )")
_NUMBER = re.compile(r"[A-Z]{2}\d[\dA-Z]*+(?:-[A-Z]\d?)?")


def looks_like_web_of_science(text: str) -> bool:
    """Whether a text begins as Web of Science's exports do, or with a record of theirs."""
    return _LOOKS.match(text) is not None


def read_web_of_science(
    file: BinaryIO, name: str, limits: Limits = LIMITS, *, warn: Callable[[str], None] = _log.warning
) -> Iterator[Document]:
    """The documents of an export of Web of Science or Derwent; `warn` is told what was left out."""
    return read_tagged(file, name, limits, warn, _DIALECT, _reference)


def _reference(record: Record) -> Reference:
    patent = record.first("PT") == "P"
    numbers = [number.replace("-", "") for number in _NUMBER.findall(record.first("PN"))] if patent else []
    people = next(filter(None, (record.lines(tag) for tag in ("AF", "AU", "BE", "ED"))), [])
    dates = ("PD", "PY") if patent else ("PY", "EY", "PD")
    return Reference(
        record.place,
        patent,
        title=record.first("TI"),
        abstract=record.first("AB"),
        authors=people + record.lines("CA", "GP") if not patent else people,
        date=record.first(*dates),
        venue=record.first("AE") if patent else record.first("SO", "SE", "PU"),
        keywords=[word for one in record.all("DE", "ID") for word in one.split(";")],
        categories=[one for value in record.all("WC", "SC") for one in value.split(";")],
        doi=record.first("DI"),
        identifiers=numbers,
    )
