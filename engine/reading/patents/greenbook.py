"""Green Book text, the USPTO's format for grants of 1976 to 2001, into documents.

A line is a key of up to four characters and a text from the sixth column; a line that begins with
white space goes on with the one before. A key alone opens a group (`ABST`, `BSUM`, `CLMS`), and
`PATN` opens a patent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from engine.core.errors import MalformedFileError
from engine.documents import Document, Reference, patents
from engine.documents.dates import dates, year_in
from engine.documents.document import UNTITLED_DESCRIPTION
from engine.documents.text import one_line
from engine.reading.base import BodyPart, Omissions, cut
from engine.reading.encoding import text_lines
from engine.reading.limits import Budget, Limits, record_too_large

_PATN = re.compile(r"\A(?:HHHHHT.*\n|[^\S\n]*+\n)*+PATN\s*$", re.MULTILINE)
_KEY = re.compile(r"([A-Z][A-Z0-9]{2,3})(?: (.*))?$")
_KINDS = {"1": "A", "2": "E", "4": "S", "6": "P"}
_SERIES = re.compile(r"\d{1,2}")
_SERIAL_DIGITS = 6
_PARAGRAPH = re.compile(r"P(?:AR|AL|A\d)$")


@dataclass(slots=True)
class _Group:
    """One group of a record: its key, and its lines in order."""

    key: str
    lines: list[tuple[str, list[str]]] = field(default_factory=list)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Each key with its text, wrapped lines joined."""
        return [(key, " ".join(texts)) for key, texts in self.lines]

    def first(self, key: str) -> str:
        return next((text for found, text in self.fields if found == key), "")

    def every(self, key: str) -> list[str]:
        return [text for found, text in self.fields if found == key]

    def paragraphs(self) -> list[str]:
        return [one_line(text) for key, text in self.fields if _PARAGRAPH.match(key)]


def looks_like_greenbook(text: str) -> bool:
    """Return whether a text begins with a patent, blank lines and the tape's own header aside."""
    return _PATN.search(text) is not None


def read_greenbook(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Yield the patents of a Green Book file, streamed; `warn` gets a sentence on each that cannot be read."""
    omissions, budget = Omissions(warn, limits), Budget.within(limits, name)
    lines = text_lines(file, name, limits, warn=warn, omit=omissions.value)
    for line, record in _records(lines, limits.max_file_bytes):
        budget.check()
        place = f"the record of line {line:,} of {name}"
        if record:
            yield from omissions.documents(_patents(record, place), place)
        else:
            omissions.entry(record_too_large(place, limits.max_file_bytes))
    omissions.finish()


def _records(lines: Iterable[str], most: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of each patent and the number of its first; none of one of more than `most` characters.

    What stands before the first `PATN` is the tape's own header.
    """
    record: list[str] = []
    begun = size = 0
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\n")
        if text.rstrip() == "PATN":
            if begun:
                yield begun, record
            begun, size, record = number, len(text), [text]
        elif begun:
            size += len(text)
            if size <= most:
                record.append(text)
            else:
                record = []
    if begun:
        yield begun, record


def _patents(lines: Iterable[str], name: str) -> Iterator[Document]:
    """Yield the one patent from the lines of its record.

    Raises MalformedFileError where the record has no number (`WKU`) or no title (`TTL`).
    """
    groups = _groups(lines)
    front = groups[0]
    if not front.first("WKU") or not front.first("TTL"):
        raise MalformedFileError(
            f"Expected a patent number (WKU) and a title (TTL) after PATN in {name}; one is missing. "
            "Check that the record is whole."
        )
    number = re.sub(r"\s", "", front.first("WKU"))[:8]  # the ninth character is a check digit
    kind = _KINDS.get(front.first("APT").strip(), "")
    identifier = patents.patent_id("US", number, kind)
    inventors = tuple(_name(group) for group in groups if group.key == "INVT")
    assignees = tuple(name for group in groups if group.key == "ASSG" and (name := _name(group)))
    yield Document(
        id=identifier,
        kind="patent",
        title=one_line(front.first("TTL")),
        abstract="\n\n".join(text for group in groups if group.key == "ABST" for text in group.paragraphs()),
        sections=tuple(cut(_parts(groups), UNTITLED_DESCRIPTION)),
        references=tuple(_cited(groups)),
        year=year_in(front.first("ISD")),
        dates=dates(
            (patents.published("US", kind), front.first("ISD")),
            ("filed", front.first("APD")),
            *(("priority", group.first("APD")) for group in groups if group.key == "PRIR"),
        ),
        language="en",
        categories=patents.symbols(code for group in groups if group.key == "CLAS" for code in group.every("ICL")),
        **patents.people(inventors, assignees),
        url=patents.patent_url(identifier),
        family=_family(front),
        claims=tuple(patents.claims(_claims(groups))),
    )


def _groups(lines: Iterable[str]) -> list[_Group]:
    groups: list[_Group] = []
    for text in lines:
        match = _KEY.match(text.rstrip())
        if match is None:
            if groups and groups[-1].lines and text.strip():
                groups[-1].lines[-1][1].append(text.strip())
        elif (match[2] is None and len(match[1]) == 4) or not groups:
            groups.append(_Group(match[1]))
        else:
            groups[-1].lines.append((match[1], [(match[2] or "").removeprefix(" ")]))
    return groups


def _parts(groups: Iterable[_Group]) -> Iterator[BodyPart]:
    """Yield what the description consists of: its groups, their headings (`PAC`) and paragraphs."""
    for group in groups:
        if group.key in patents.DESCRIPTION_GROUPS:
            yield "group", patents.DESCRIPTION_GROUPS[group.key]
            for key, text in group.fields:
                if key == "PAC":
                    yield "heading", one_line(text)
                elif _PARAGRAPH.match(key):
                    yield "text", one_line(text)


def _claims(groups: Iterable[_Group]) -> Iterator[str]:
    """Yield the claims of `CLMS`, each from its number to the next; a design's one claim stands in `DCLM`."""
    for group in groups:
        if group.key == "CLMS":
            claim: list[str] = []
            for key, text in group.fields:
                if key == "NUM":
                    yield " ".join(claim)
                    claim = []
                elif key != "STM" and _PARAGRAPH.match(key):
                    claim.append(one_line(text))
            yield " ".join(claim)
        elif group.key == "DCLM":
            yield " ".join(group.paragraphs())


def _name(group: _Group) -> str:
    """Write `Daniels; Everette E.` as `Everette E. Daniels`; a company as it is."""
    last, _, first = one_line(group.first("NAM")).partition(";")
    return f"{first.strip()} {last}".strip()


def _cited(groups: Iterable[_Group]) -> Iterator[Reference]:
    """Yield what the patent cites: US patents (`UREF`), foreign ones (`FREF`), and other works (`OREF`)."""
    for group in groups:
        number = one_line(group.first("PNO"))
        if group.key in ("UREF", "FREF") and number:
            country = "US" if group.key == "UREF" else one_line(group.first("CNT"))
            name = one_line(group.first("NAM"))
            yield patents.cited_patent(country, number, "", name=name, date=group.first("ISD"))
        elif group.key == "OREF":
            yield from (Reference(text) for text in group.paragraphs())


def _family(front: _Group) -> str:
    """Return the application's number with its series, as the XML files write it; APN ends in a check digit."""
    number = re.sub(r"\D", "", front.first("APN"))
    series = front.first("SRC").strip()
    if not _SERIES.fullmatch(series) or len(number) < _SERIAL_DIGITS:
        return ""
    return patents.application_family("US", f"{series:0>2}{number[:_SERIAL_DIGITS]}")
