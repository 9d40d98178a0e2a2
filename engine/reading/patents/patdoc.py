"""The USPTO's grants of 2001 to 2004 (`PATDOC`, WIPO ST.32) into documents: SGML in 2001, XML from 2002 on.

Its elements carry the numbers that offices print before each piece of data: B110 is the patent's number, B540 its
title, B721 an inventor. All text stands in `PDAT` elements, one for each change of type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.documents import Document, Reference
from engine.documents.dates import dates, year_in
from engine.documents.patents import (
    DESCRIPTION_GROUPS,
    application_family,
    cited_patent,
    claims,
    first_of_each,
    patent_id,
    patent_url,
    people,
    published,
    symbols,
)
from engine.reading.base import UNTITLED_DESCRIPTION, BodyPart, cut
from engine.reading.xml.tree import block, children, find_line, line

_BREAKS = frozenset({"LI", "UL", "OL", "DL", "DT", "DD", "ROW", "PARA", "CLMSTEP"})
_NO_PROSE = frozenset({"CWU", "TABLE-US", "CHEM-US", "MATH-US", "EMI", "CUSTOM-CHARACTER", "IMG"})
_DESIGN = ("S", "S1")


def read_patdoc(root: Element) -> Document:
    """Read one grant."""
    front = next(children(root, "SDOBI"), Element("SDOBI"))
    kind = find_line(front, "B100/B130")
    country = find_line(front, "B100/B190") or "US"
    identifier = patent_id(country, find_line(front, "B100/B110"), kind)
    inventors = first_of_each(_name(one) for one in front.iterfind("B700/B720/B721"))
    assignees = first_of_each(_name(one) for one in front.iterfind("B700/B730/B731"))
    return Document(
        id=identifier,
        kind="patent",
        title=find_line(front, "B500/B540"),
        abstract="\n\n".join(text for kind, text in _parts(root.find("SDOAB")) if kind == "text" and text),
        sections=tuple(cut(_parts(root.find("SDODE")), UNTITLED_DESCRIPTION)),
        references=tuple(_cited(front)),
        year=year_in(find_line(front, "B100/B140")),
        dates=dates(
            (published(country, kind), find_line(front, "B100/B140")),
            ("filed", find_line(front, "B200/B220")),
            *(("priority", line(one)) for one in front.iterfind("B300/B320")),
        ),
        language="en",
        categories=_classes(front.find("B500"), locarno=kind in _DESIGN),
        **people(inventors, assignees),
        url=patent_url(identifier),
        family=_family(front),
        claims=tuple(claims(line(one, apart=_BREAKS, without=_NO_PROSE) for one in root.iterfind("SDOCL//CLM"))),
    )


def _parts(element: Element | None) -> Iterator[BodyPart]:
    """Yield what a description or an abstract consists of, in reading order, whatever it is wrapped in."""
    for child in element if element is not None else ():
        if child.tag in DESCRIPTION_GROUPS:
            yield "group", DESCRIPTION_GROUPS[child.tag]
        if child.tag == "H":
            yield "heading", line(child)
        elif child.tag in ("PARA", "CLMSTEP"):
            yield "text", block(child, breaks=_BREAKS, without=_NO_PROSE)
        elif child.tag not in _NO_PROSE:
            yield from _parts(child)


def _classes(data: Element | None, *, locarno: bool) -> tuple[str, ...]:
    """Return the international classes; a design has one of Locarno, "14-02", written in four digits."""
    if data is None:
        return ()
    codes = ["".join(one.itertext()).strip("\n") for tag in ("B511", "B512") for one in data.iterfind(f"B510/{tag}")]
    if locarno:
        return tuple(dict.fromkeys(re.sub(r"^\s*(\d\d)(\d\d)\s*$", r"\1-\2", code) for code in codes if code.strip()))
    return symbols(code for code in codes if code.strip())


def _name(party: Element) -> str:
    """Return a person or a company: `FNM` is the first name, `SNM` the surname, `ONM` the name of an organisation."""
    parts = (next((line(one) for one in party.iter(tag)), "") for tag in ("ONM", "FNM", "SNM"))
    return " ".join(filter(None, parts))


def _cited(front: Element) -> Iterator[Reference]:
    """Yield cited patents (B561), then other works (B562)."""
    for one in front.iterfind("B500/B560/B561/PCIT"):
        country, number, kind = (find_line(one, f"DOC/{tag}") for tag in ("CTRY", "DNUM", "KIND"))
        if number:
            name = "; ".join(filter(None, (_name(party) for party in children(one, "PARTY-US"))))
            yield cited_patent(country or "US", number, kind, name=name, date=find_line(one, "DOC/DATE"))
    for one in front.iterfind("B500/B560/B562/NCIT"):
        if text := line(one).rstrip("* "):
            yield Reference(text)


def _family(front: Element) -> str:
    """Return the application's number with its series, as the XML of later years writes it."""
    number = re.sub(r"\D", "", find_line(front, "B200/B210"))
    series = find_line(front, "B200/B211US") if len(number) == len("413215") else ""
    return application_family("US", f"{series}{number}")
