"""RIS into documents, streamed: one record from `TY` to `ER`, or to the next `TY` where `ER` is missing.

rispy 0.10 (MIT) reads a whole file into a list, drops a last record without `ER` and what stands outside records in
silence, makes an item of a list of each wrapped line, and names no line in an error.
"""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from engine.documents import Document
from engine.errors import InputTooLargeError, MalformedFileError
from engine.readers.encoding import text_lines
from engine.readers.limits import LIMITS, Limits
from engine.readers.references.documents import Reference, documents
from engine.text import without_tags

_log = logging.getLogger(__name__)

_TAGGED = re.compile(r"([A-Z][A-Z0-9])(?:  ?-(?:[ \t]|$)|  +-)[ \t]*(.*)")
_LOOKS = re.compile(r"(?:[^\n]*\n){0,20}?TY {1,2}- *[A-Z]{3,8}[ \t\r]*\n\s*[A-Z][A-Z0-9] {1,2}-")
_TITLES, _ABSTRACTS, _DATES = ("TI", "T1", "CT"), ("AB", "N2"), ("PY", "Y1", "DA")
_VENUES, _ASSIGNEES = ("T2", "JO", "JF", "JA", "BT", "PB"), ("PB", "T2")
_PATENTS = frozenset({"PAT", "PATENT"})


def looks_like_ris(text: str) -> bool:
    """Whether a text begins with a record, perhaps after some lines about its provider."""
    return _LOOKS.match(text) is not None


def read_ris(
    file: BinaryIO, name: str, limits: Limits = LIMITS, *, warn: Callable[[str], None] = _log.warning
) -> Iterator[Document]:
    """The documents of a RIS file; `warn` is told how many records had neither title nor abstract."""
    return documents(_records(text_lines(file, name, limits), name, limits), warn, name, limits)


def _records(lines: Iterable[str], name: str, limits: Limits) -> Iterator[Reference]:
    fields: dict[str, list[list[str]]] = {}
    begun = size = 0
    last: list[str] | None = None
    for number, line in enumerate(lines, start=1):
        match = _TAGGED.match(line.lstrip("\ufeff").rstrip())
        tag = match[1] if match is not None else ""
        if tag in ("TY", "ER") and begun:
            yield _reference(fields, f"the record of line {begun} of {name}")
            fields, begun, size, last = {}, 0, 0, None
        if tag == "TY":
            begun = number
        if match is None and last is not None:
            last.append(line.strip())  # a value that goes on in the next line
        elif match is not None and tag != "ER":
            _require_begun(begun, tag, number, name)
            last = [match[2]]
            fields.setdefault(tag, []).append(last)
        size += len(line)
        _require_size(size if begun else 0, begun, name, limits)
    if begun:
        yield _reference(fields, f"the record of line {begun} of {name}")


def _require_begun(begun: int, tag: str, number: int, name: str) -> None:
    if not begun:
        raise MalformedFileError(
            f"Expected a record to begin with TY in line {number} of {name}, found {tag}. "
            "Put its TY line before it, or take the record out."
        )


def _require_size(size: int, begun: int, name: str, limits: Limits) -> None:
    if size > limits.max_record_bytes:
        raise InputTooLargeError(
            f"Expected records of at most {limits.max_record_bytes >> 20} MiB in {name}; the one of line {begun} "
            "is larger. End each record with ER."
        )


def _reference(fields: dict[str, list[list[str]]], place: str) -> Reference:
    values = {tag: ["\n".join(lines).strip() for lines in found] for tag, found in fields.items()}
    patent = _first(values, "TY").upper() in _PATENTS
    title_tags = _TITLES if values.keys() & set(_TITLES) else ("BT", "T2")
    venues = _ASSIGNEES if patent else _VENUES
    return Reference(
        place,
        patent,
        title=_without_markup(_first(values, *title_tags), gap=""),
        abstract=_without_markup(_first(values, *_ABSTRACTS)),
        authors=_all(values, "AU") or _all(values, "A1"),
        date=_first(values, *_DATES),
        venue=_first(values, *(tag for tag in venues if tag not in title_tags)),
        keywords=[word for one in _all(values, "KW") for word in re.split(r"[;\n]", one)],
        doi=_first(values, "DO"),
        identifiers=_all(values, "SN", "AN", "M1", "C1"),
        urls=_all(values, "UR", "L2", "LK"),
    )


def _without_markup(text: str, *, gap: str = " ") -> str:
    """A text without HTML's tags and named characters, which reference managers export as they got them."""
    return html.unescape(without_tags(text, gap=gap))


def _first(values: dict[str, list[str]], *tags: str) -> str:
    return next((value for value in _all(values, *tags) if value), "")


def _all(values: dict[str, list[str]], *tags: str) -> list[str]:
    return [value for tag in tags for value in values.get(tag, [])]
