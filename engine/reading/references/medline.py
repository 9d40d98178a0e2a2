"""MEDLINE's tagged records, as PubMed exports them (.nbib): four places of tag, a hyphen, wrapped lines indented."""

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

_TAG = r"[A-Z][A-Z0-9]{1,3} {0,2}- "
_END = r"(?>\r\n?|\n)"  # atomic: else each line of two signs could end in two ways
_DIALECT = Dialect(
    tagged=re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}-(?: +|$)(.*)"), begins=frozenset({"PMID", "UI"}), gap=" "
)
_LOOKS = re.compile(
    rf"\ufeff?\s*+(?:{_TAG}[^\r\n]*+{_END}(?:[ \t][^\r\n]*+{_END})*+){{0,30}}?(?:PMID ?- ?\d|OWN ?- |STAT- |UI  ?- ?\d)"
)
_LOOKS_NAMED = re.compile(rf"\ufeff?\s*+{_TAG}")
_DOI = re.compile(r"(?<!\S)(10\.\S{1,300}?)\s{0,9}\[doi\]", re.IGNORECASE)


def looks_like_medline(text: str, *, sure: bool) -> bool:
    """Whether a text begins with a record that PubMed numbers; with `sure` any tagged line will do."""
    return _LOOKS.match(text) is not None or (sure and _LOOKS_NAMED.match(text) is not None)


def read_medline(
    file: BinaryIO, name: str, limits: Limits = LIMITS, *, warn: Callable[[str], None] = _log.warning
) -> Iterator[Document]:
    """The documents of a file of MEDLINE records; `warn` is told what was left out."""
    return read_tagged(file, name, limits, warn, _DIALECT, _reference)


def _reference(record: Record) -> Reference:
    number = record.first("PMID", "UI").split(maxsplit=1)
    marked = (_DOI.search(value) for value in record.all("LID", "AID", "SO", "DO"))
    doi = next((found[1] for found in marked if found is not None), "")
    return Reference(
        record.place,
        title=record.first("TI", "BTI", "TT"),
        abstract=record.first("AB", "OAB"),
        authors=next(filter(None, map(record.all, ("FAU", "AU", "FED", "ED"))), []) + record.all("CN"),
        date=record.first("DP", "DEP", "YR", "EDAT", "CRDT"),
        venue=record.first("JT", "TA", "CTI", "SO", "PB"),
        keywords=[word.lstrip("*") for one in record.all("OT", "MH", "KW") for word in one.split(";")],
        doi=doi or record.first("DO"),
        identifiers=[f"pmid:{number[0]}"] if number and number[0].isdecimal() else [],
        urls=[f"https://pubmed.ncbi.nlm.nih.gov/{number[0]}/"] if number and number[0].isdecimal() and not doi else [],
    )
