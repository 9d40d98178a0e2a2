"""RIS into documents, streamed: one record from `TY` to `ER`, or to the next `TY` where `ER` is missing."""

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

_KNOWN = (
    "TY|A[1-4BDNUV]|BT|C[1-8ANPTY]|D[ABOPI]|DOI|E[DPRT]|I[DPS]|J[12AFO]|K[WY]|L[1-4ABK]|M[1-3]|N[12OV]|OP|P[BMPTY]|"
    "R[INP]|S[ENOPT]|T[1-3AIT]|U[1-5RS]|V[LO]|XR|Y[12R]"
)
"""The tags that are known where blanks are missing, as in "AU- Lind"; others look like words with a hyphen."""

_END = r"(?>\r\n?|\n)"  # atomic: else each line of two signs could end in two ways
_DIALECT = Dialect(
    tagged=re.compile(
        rf"((?:{_KNOWN})(?=[ \t]*+-(?:[ \t]|$))|[A-Z][A-Z0-9](?=  ?-(?:[ \t]|$)|  ++-))[ \t]*+-[ \t]*+(.*)"
    ),
    begins=frozenset({"TY"}),
    ends=frozenset({"ER"}),
    paragraphs=frozenset({"AB", "N2", "N1"}),
    notes=re.compile(r"Link to the Ovid Full Text|Record #\d+ of |Provider:|Content: ?text/|<?\d+\. ?>?$"),
)
_RECORD = rf"TY[ \t]{{0,4}}-[ \t]*+[A-Z]{{3,8}}[ \t]*+{_END}\s*+[A-Z][A-Z0-9]{{1,3}}[ \t]{{0,4}}-"
_LOOKS = re.compile(rf"\ufeff?(?:[^\r\n]*+{_END}){{0,20}}?{_RECORD}")
_LOOKS_NAMED = re.compile(rf"(?:\A\ufeff?|[\r\n])TY[ \t]{{0,4}}-[^\r\n]*+{_END}\s*+[A-Z][A-Z0-9]{{1,3}}[ \t]{{0,4}}-")
_TITLES, _ABSTRACTS, _DATES = ("TI", "T1", "CT"), ("AB", "N2"), ("PY", "Y1", "YR", "DA")
_VENUES, _ASSIGNEES = ("T2", "JO", "JF", "JA", "J2", "BT", "SO", "PB"), ("PB", "T2")
_PATENTS = frozenset({"PAT", "PATENT"})


def looks_like_ris(text: str, *, sure: bool) -> bool:
    """Whether a text begins with a record, perhaps after some lines about its provider; with `sure` after any."""
    return _LOOKS.match(text) is not None or (sure and _LOOKS_NAMED.search(text) is not None)


def read_ris(
    file: BinaryIO, name: str, limits: Limits = LIMITS, *, warn: Callable[[str], None] = _log.warning
) -> Iterator[Document]:
    """The documents of a RIS file; `warn` is told what was left out."""
    return read_tagged(file, name, limits, warn, _DIALECT, _reference)


def _reference(record: Record) -> Reference:
    patent = record.first("TY").upper() in _PATENTS
    title_tags = _TITLES if record.fields.keys() & set(_TITLES) else ("BT", "T2")
    venues = _ASSIGNEES if patent else _VENUES
    return Reference(
        record.place,
        patent,
        title=record.first(*title_tags),
        abstract=record.first(*_ABSTRACTS),
        authors=next(filter(None, map(record.all, ("AU", "A1", *(() if patent else ("A2", "ED"))))), []),
        date=record.first(*_DATES),
        venue=record.first(*(tag for tag in venues if tag not in title_tags)),
        keywords=[word for one in record.all("KW", "KY") for word in re.split(r"[;\n]", one)],
        doi=record.first("DO", "DOI", "DI"),
        identifiers=record.all("SN", "AN", "M1", "C1"),
        urls=record.all("UR", "L2", "LK", "US"),
    )
