"""The USPTO's patents into documents: XML since 2004 (versions 4.x), what came before, and its portal's JSON.

Applications of 2001 to 2004 have a form of their own (`patent-application-publication`). So have the grants of these
years (`PATDOC`, WIPO ST.32), as SGML in 2001 and XML from 2002 on. The elements of these carry the numbers that offices
print before each piece of data: B110 is the patent's number, B540 its title, B721 an inventor. All text stands in
`PDAT` elements, one for each change of type. Grants of 1976 to 2001 are read by `greenbook`.

The Open Data Portal calls an application's record its file wrapper. Each has a title, numbers, dates, people and
classes, and none of its text: that stands in an XML file, which the record names. The portal also answers with parts of
a record, such as its events alone, which are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from engine.documents import Document, Identifier, Reference, patents
from engine.documents.dates import dates, year_in
from engine.documents.document import UNTITLED_DESCRIPTION
from engine.documents.text import one_line
from engine.reading.base import BodyPart, cut, list_at, objects_at, string_at
from engine.reading.patents.wordings import companies, flow
from engine.reading.xml.tree import block, children, find_line, line

_BREAKS = frozenset(
    {"li", "ul", "ol", "dl", "dt", "dd", "br", "row", "claim-text", "unordered-list", "ordered-list", "list-item"}
)
_NO_PROSE = frozenset({"img", "tables", "chemistry", "number", "table-cwu", "image", "chemistry-cwu"})
_CLASSIFIED = ("classifications-cpc", "classifications-ipcr", "classification-ipc")


def read_patent(root: Element) -> Document:
    """Read one grant or application."""
    front = _first(root, "us-bibliographic-data-grant", "us-bibliographic-data-application")
    publication = front.find("publication-reference/document-id")
    application = front.find("application-reference/document-id")
    country, kind = find_line(publication, "country") or "US", find_line(publication, "kind")
    identifier = patents.patent_id(country, find_line(publication, "doc-number"), kind)
    inventors, assignees = tuple(_inventors(front)), tuple(_assignees(front))
    return Document(
        id=identifier,
        kind="patent",
        title=find_line(front, "invention-title"),
        abstract="\n\n".join(_paragraphs(root.find("abstract"))),
        sections=tuple(cut(_parts(root.find("description")), UNTITLED_DESCRIPTION)),
        references=tuple(_cited(front)),
        year=year_in(find_line(publication, "date")),
        dates=dates(
            (patents.published(country, kind), find_line(publication, "date")),
            ("filed", find_line(application, "date")),
            *(("priority", find_line(one, "date")) for one in front.iterfind("priority-claims/priority-claim")),
        ),
        language="en",
        categories=patents.symbols(_codes(front)),
        keywords=tuple(text for one in front.iterfind("us-botanic/*") if (text := line(one))),
        **patents.people(inventors, assignees),
        url=patents.patent_url(identifier),
        family=patents.application_family(country, find_line(application, "doc-number")),
        claims=_claims(root.find("claims")),
    )


def read_application_2001(root: Element) -> Document:
    """Read one application in the form of 2001 to 2004 (`patent-application-publication`, version 1.x)."""
    front = _first(root, "subdoc-bibliographic-information")
    kind, date = find_line(front, "document-id/kind-code"), find_line(front, "document-id/document-date")
    identifier = patents.patent_id("US", find_line(front, "document-id/doc-number"), kind)
    filing, technical = front.find("domestic-filing-data"), front.find("technical-information")
    inventors = tuple(_inventors_2001(front))
    assignees = tuple(name for one in children(front, "assignee") if (name := _assignee_2001(one)))
    return Document(
        id=identifier,
        kind="patent",
        title=find_line(technical, "title-of-invention"),
        abstract="\n\n".join(_paragraphs(root.find("subdoc-abstract"))),
        sections=tuple(cut(_parts(root.find("subdoc-description")), UNTITLED_DESCRIPTION)),
        year=year_in(date),
        dates=dates(
            (patents.published("US", kind), date),
            ("filed", find_line(filing, "filing-date")),
            *(("priority", find_line(one, "filing-date")) for one in front.iter("foreign-priority-data")),
        ),
        language="en",
        categories=patents.symbols(_codes_2001(technical)),
        **patents.people(inventors, assignees),
        url=patents.patent_url(identifier),
        family=patents.application_family("US", find_line(filing, "application-number/doc-number")),
        claims=_claims(root.find("subdoc-claims")),
    )


def _parts(element: Element | None) -> Iterator[BodyPart]:
    """Yield what the description consists of, in reading order, whatever it is wrapped in."""
    for child in flow(element):
        if child.tag == "heading":
            yield "heading", line(child)
        else:
            yield "text", block(child, breaks=_BREAKS, without=_NO_PROSE)


def _paragraphs(element: Element | None) -> Iterator[str]:
    """Yield the paragraphs of an abstract, its heading left out."""
    for paragraph in flow(element):
        if paragraph.tag != "heading" and (text := block(paragraph, breaks=_BREAKS, without=_NO_PROSE)):
            yield text


def _claims(claims_element: Element | None) -> tuple[str, ...]:
    """Return the claims one by one, each in one line with its steps."""
    return tuple(patents.claims(line(claim, apart=_BREAKS) for claim in children(claims_element, "claim")))


def _first(root: Element, *names: str) -> Element:
    return next(children(root, *names), Element(names[0]))


def _codes(front: Element) -> Iterator[str]:
    for group in children(front, *_CLASSIFIED):
        for code in group.iter():
            if code.tag in ("classification-cpc", "classification-ipcr"):
                subclass = "".join(find_line(code, part) for part in ("section", "class", "subclass"))
                yield f"{subclass} {find_line(code, 'main-group')}/{find_line(code, 'subgroup')}"
            elif group.tag == "classification-ipc" and code.tag in ("main-classification", "further-classification"):
                yield patents.symbol("".join(code.itertext()))


def _assignees(front: Element) -> Iterator[str]:
    for assignee in front.iterfind("assignees/assignee"):
        if name := next((line(found) for found in assignee.iter("orgname")), "") or _person(assignee):
            yield name


def _cited(front: Element) -> Iterator[Reference]:
    """Yield what a grant cites: patents (`patcit`) and other works (`nplcit`)."""
    for cited in _first(front, "us-references-cited", "references-cited", "citations").iter():
        if cited.tag == "patcit":
            document = cited.find("document-id")
            country, number, kind, name, date = (
                find_line(document, tag) for tag in ("country", "doc-number", "kind", "name", "date")
            )
            if number:
                yield patents.cited_patent(country or "US", number, kind, name=name, date=date)
        elif cited.tag == "nplcit" and (text := line(cited)):
            yield Reference(text)


def _assignee_2001(assignee: Element) -> str:
    """Return a company, or the person of an assignee without one."""
    return find_line(assignee, "organization-name") or " ".join(
        part for tag in ("given-name", "middle-name", "family-name") if (part := find_line(assignee, f".//{tag}"))
    )


def _inventors(front: Element) -> Iterator[str]:
    """Yield the inventors of their own list; older files list them as applicants."""
    named = list(front.iterfind("us-parties/inventors/inventor")) or list(front.iterfind("parties/inventors/inventor"))
    if not named:
        applicants = (*front.iterfind("parties/applicants/applicant"), *front.iterfind("us-parties/us-applicants/*"))
        named = [one for one in applicants if "inventor" in one.get("app-type", "")]
    yield from (name for person in named if (name := _person(person)))


def _person(party: Element) -> str:
    book = party.find("addressbook")
    where = book if book is not None else party
    return " ".join(part for name in ("first-name", "last-name") if (part := find_line(where, name)))


def _codes_2001(technical: Element | None) -> Iterator[str]:
    for group in children(technical, "classification-ipc"):
        yield from ("".join(code.itertext()) for code in group.iter("ipc"))


def _inventors_2001(front: Element) -> Iterator[str]:
    for inventor in children(front.find("inventors"), "first-named-inventor", "inventor"):
        parts = (find_line(inventor, f"name/{part}") for part in ("given-name", "middle-name", "family-name"))
        if name := " ".join(part for part in parts if part):
            yield name


_BREAKS_OF_PATDOC = frozenset({"LI", "UL", "OL", "DL", "DT", "DD", "ROW", "PARA", "CLMSTEP"})
_NO_PROSE_OF_PATDOC = frozenset({"CWU", "TABLE-US", "CHEM-US", "MATH-US", "EMI", "CUSTOM-CHARACTER", "IMG"})
_DESIGN = ("S", "S1")


def read_patdoc(root: Element) -> Document:
    """Read one grant of 2001 to 2004."""
    front = next(children(root, "SDOBI"), Element("SDOBI"))
    kind = find_line(front, "B100/B130")
    country = find_line(front, "B100/B190") or "US"
    identifier = patents.patent_id(country, find_line(front, "B100/B110"), kind)
    inventors = patents.first_of_each(_party(one) for one in front.iterfind("B700/B720/B721"))
    assignees = patents.first_of_each(_party(one) for one in front.iterfind("B700/B730/B731"))
    return Document(
        id=identifier,
        kind="patent",
        title=find_line(front, "B500/B540"),
        abstract="\n\n".join(text for kind, text in _parts_of_patdoc(root.find("SDOAB")) if kind == "text" and text),
        sections=tuple(cut(_parts_of_patdoc(root.find("SDODE")), UNTITLED_DESCRIPTION)),
        references=tuple(_cited_in_patdoc(front)),
        year=year_in(find_line(front, "B100/B140")),
        dates=dates(
            (patents.published(country, kind), find_line(front, "B100/B140")),
            ("filed", find_line(front, "B200/B220")),
            *(("priority", line(one)) for one in front.iterfind("B300/B320")),
        ),
        language="en",
        categories=_classes_of_patdoc(front.find("B500"), locarno=kind in _DESIGN),
        **patents.people(inventors, assignees),
        url=patents.patent_url(identifier),
        family=_family_of_patdoc(front),
        claims=tuple(
            patents.claims(
                line(one, apart=_BREAKS_OF_PATDOC, without=_NO_PROSE_OF_PATDOC) for one in root.iterfind("SDOCL//CLM")
            )
        ),
    )


def _parts_of_patdoc(element: Element | None) -> Iterator[BodyPart]:
    """Yield what a description or an abstract consists of, in reading order, whatever it is wrapped in."""
    for child in element if element is not None else ():
        if child.tag in patents.DESCRIPTION_GROUPS:
            yield "group", patents.DESCRIPTION_GROUPS[child.tag]
        if child.tag == "H":
            yield "heading", line(child)
        elif child.tag in ("PARA", "CLMSTEP"):
            yield "text", block(child, breaks=_BREAKS_OF_PATDOC, without=_NO_PROSE_OF_PATDOC)
        elif child.tag not in _NO_PROSE_OF_PATDOC:
            yield from _parts_of_patdoc(child)


def _classes_of_patdoc(data: Element | None, *, locarno: bool) -> tuple[str, ...]:
    """Return the international classes; a design has one of Locarno, "14-02", written in four digits."""
    if data is None:
        return ()
    codes = ["".join(one.itertext()).strip("\n") for tag in ("B511", "B512") for one in data.iterfind(f"B510/{tag}")]
    if locarno:
        return tuple(dict.fromkeys(re.sub(r"^\s*(\d\d)(\d\d)\s*$", r"\1-\2", code) for code in codes if code.strip()))
    return patents.symbols(code for code in codes if code.strip())


def _party(party: Element) -> str:
    """Return a person or a company: `FNM` is the first name, `SNM` the surname, `ONM` the name of an organisation."""
    parts = (next((line(one) for one in party.iter(tag)), "") for tag in ("ONM", "FNM", "SNM"))
    return " ".join(filter(None, parts))


def _cited_in_patdoc(front: Element) -> Iterator[Reference]:
    """Yield cited patents (B561), then other works (B562)."""
    for one in front.iterfind("B500/B560/B561/PCIT"):
        country, number, kind = (find_line(one, f"DOC/{tag}") for tag in ("CTRY", "DNUM", "KIND"))
        if number:
            name = "; ".join(filter(None, (_party(party) for party in children(one, "PARTY-US"))))
            yield patents.cited_patent(country or "US", number, kind, name=name, date=find_line(one, "DOC/DATE"))
    for one in front.iterfind("B500/B560/B562/NCIT"):
        if text := line(one).rstrip("* "):
            yield Reference(text)


def _family_of_patdoc(front: Element) -> str:
    """Return the application's number with its series, as the XML of later years writes it."""
    number = re.sub(r"\D", "", find_line(front, "B200/B210"))
    series = find_line(front, "B200/B211US") if len(number) == len("413215") else ""
    return patents.application_family("US", f"{series}{number}")


_DATA = "applicationMetaData"
_APPLICATION_NUMBER = "applicationNumberText"
_PUBLICATION = re.compile(r"(?:US)?\s*+(\d{4})[\s/-]*+(\d{6,7})\s*+(A\d)?", re.IGNORECASE)
_GRANT = re.compile(r"(?:US)?\s*+((?:D|RE|PP|H|T)?\d{1,8})\s*+", re.IGNORECASE)
_KINDS_OF_GRANTS = {"D": ("S1", "S1"), "RE": ("E1", "E1"), "PP": ("P2", "P3"), "H": ("H1", "H1")}
"""The code of a grant's kind by the letters of its number, without an earlier publication and with one."""
_UTILITY = ("B1", "B2")
_FIRST_WITH_KIND = 2001
_ASSIGNMENT = re.compile(r"assign", re.IGNORECASE)
_NO_OWNER = re.compile(r"security|release|lien|license", re.IGNORECASE)


def is_wrapper(values: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is an application's record, with its metadata."""
    return isinstance(values.get(_DATA), dict) and _APPLICATION_NUMBER in values


def read_wrapper(values: Mapping[str, Any]) -> Document:
    """Read one application, named by its grant, else its publication; values of wrong types are left out."""
    data = values[_DATA]
    application = string_at(values, _APPLICATION_NUMBER)
    grant, publication = _numbers_of_wrapper(data)
    inventors = patents.first_of_each(_inventors_of_wrapper(data))
    assignees = companies(patents.first_of_each(_names_in_bag(data, "applicantBag", "applicantNameText")), inventors)
    assignees = assignees or patents.first_of_each(_first_owners(values))
    identifier = grant or publication or patents.application_family("US", application)
    day = string_at(data, "earliestPublicationDate") if publication else ""
    return Document(
        id=identifier,
        kind="patent",
        title=patents.sentence_case(one_line(string_at(data, "inventionTitle"))),
        identifiers=tuple(Identifier("patent", one) for one in (grant, publication) if one),
        year=year_in(string_at(data, "grantDate")) or year_in(day),
        dates=dates(
            ("granted", string_at(data, "grantDate")),
            ("published", day),
            ("filed", string_at(data, "filingDate")),
            *(("priority", string_at(one, "filingDate")) for one in objects_at(values, "foreignPriorityBag")),
        ),
        language="en",
        categories=patents.symbols(code for code in list_at(data, "cpcClassificationBag") if isinstance(code, str)),
        **patents.people(inventors, assignees),
        url=patents.patent_url(identifier) if grant or publication else "",
        family=patents.application_family("US", application),
    )


def _numbers_of_wrapper(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the ids of the grant and of the publication before it, each empty without one.

    The portal gives no kind with a grant's number: it follows from its letters and from whether it was published.
    """
    found = _PUBLICATION.fullmatch(string_at(data, "earliestPublicationNumber").strip())
    publication = (
        patents.patent_id("US", f"{found[1]}{found[2]:0>7}", (found[3] or "A1").upper()) if found is not None else ""
    )
    match = _GRANT.fullmatch(string_at(data, "patentNumber").strip())
    if match is None:
        return "", publication
    number = match[1].upper()
    granted = year_in(string_at(data, "grantDate"))
    kinds = _KINDS_OF_GRANTS.get(number.rstrip("0123456789"), _UTILITY)
    kind = kinds[bool(publication)] if granted is not None and granted >= _FIRST_WITH_KIND else ""
    return patents.patent_id("US", number, kind), publication


def _inventors_of_wrapper(data: Mapping[str, Any]) -> Iterator[str]:
    for one in objects_at(data, "inventorBag"):
        parts = (string_at(one, part) for part in ("firstName", "middleName", "lastName", "nameSuffix"))
        yield one_line(" ".join(filter(None, parts)) or string_at(one, "inventorNameText"))


def _names_in_bag(data: Mapping[str, Any], bag: str, name: str) -> Iterator[str]:
    return (one_line(string_at(one, name)) for one in objects_at(data, bag))


def _first_owners(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield those to whom the inventors first assigned it; later owners and banks are left out."""
    found = [
        one
        for one in objects_at(values, "assignmentBag")
        if _ASSIGNMENT.search(string_at(one, "conveyanceText"))
        and not _NO_OWNER.search(string_at(one, "conveyanceText"))
    ]
    first = min(found, key=lambda one: string_at(one, "assignmentRecordedDate"), default={})
    yield from _names_in_bag(first, "assigneeBag", "assigneeNameText")
