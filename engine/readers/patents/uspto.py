"""USPTO XML into documents: grants and applications since 2004 (versions 4.x), and applications from 2001 on."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.documents import Document, Section
from engine.readers.base import UNTITLED_DESCRIPTION
from engine.readers.patent_fields import application_family, claims, patent_id, patent_url, symbol, symbols, year
from engine.readers.xml.tree import block, children, find_line, line

_BREAKS = frozenset(
    {"li", "ul", "ol", "dl", "dt", "dd", "br", "row", "claim-text", "unordered-list", "ordered-list", "list-item"}
)
_NO_PROSE = frozenset({"img", "tables", "chemistry", "number", "table-cwu", "image", "chemistry-cwu"})
_CLASSIFIED = ("classifications-cpc", "classifications-ipcr", "classification-ipc")


def read_patent(root: Element) -> Document:
    """One grant or application."""
    front = _first(root, "us-bibliographic-data-grant", "us-bibliographic-data-application")
    publication = front.find("publication-reference/document-id")
    application = front.find("application-reference/document-id")
    country = find_line(publication, "country") or "US"
    identifier = patent_id(country, find_line(publication, "doc-number"), find_line(publication, "kind"))
    return Document(
        id=identifier,
        kind="patent",
        title=find_line(front, "invention-title"),
        abstract="\n\n".join(_paragraphs(root.find("abstract"))),
        sections=tuple(_sections(root.find("description"))),
        year=year(find_line(publication, "date")),
        categories=symbols(_codes(front)),
        venue=_assignee(front),
        authors=tuple(_inventors(front)),
        url=patent_url(identifier),
        family=application_family(country, find_line(application, "doc-number")),
        claims=_claims(root.find("claims")),
    )


def read_application_2001(root: Element) -> Document:
    """One application in the form of 2001 to 2004 (`patent-application-publication`, version 1.x)."""
    front = next(children(root, "subdoc-bibliographic-information"), None)
    identifier = patent_id("US", find_line(front, "document-id/doc-number"), find_line(front, "document-id/kind-code"))
    application = find_line(front, "domestic-filing-data/application-number/doc-number")
    technical = front.find("technical-information") if front is not None else None
    return Document(
        id=identifier,
        kind="patent",
        title=find_line(technical, "title-of-invention"),
        abstract="\n\n".join(_paragraphs(root.find("subdoc-abstract"))),
        sections=tuple(_sections(root.find("subdoc-description"))),
        year=year(find_line(front, "document-id/document-date")),
        categories=symbols(_codes_2001(technical)),
        venue=find_line(front, "assignee/organization-name"),
        authors=tuple(_inventors_2001(front)),
        url=patent_url(identifier),
        family=application_family("US", application),
        claims=_claims(root.find("subdoc-claims")),
    )


def _sections(description: Element | None) -> Iterator[Section]:
    """The description cut at its headings; text before the first is the `Description`."""
    title, texts = "", list[str]()
    for element in _flow(description):
        if element.tag == "heading":
            if title or texts:
                yield Section(title or UNTITLED_DESCRIPTION, "\n\n".join(texts))
            title, texts = line(element), []
        elif text := block(element, breaks=_BREAKS, without=_NO_PROSE):
            texts.append(text)
    if title or texts:
        yield Section(title or UNTITLED_DESCRIPTION, "\n\n".join(texts))


def _paragraphs(element: Element | None) -> Iterator[str]:
    """The paragraphs of an abstract, its heading left out."""
    for paragraph in _flow(element):
        if paragraph.tag != "heading" and (text := block(paragraph, breaks=_BREAKS, without=_NO_PROSE)):
            yield text


def _claims(claims_element: Element | None) -> tuple[str, ...]:
    """The claims one by one, each in one line with its steps."""
    return tuple(claims(line(claim, apart=_BREAKS) for claim in children(claims_element, "claim")))


def _flow(element: Element | None) -> Iterator[Element]:
    """Headings and paragraphs in reading order, whatever they are wrapped in."""
    for child in element if element is not None else ():
        if child.tag in ("heading", "p", "paragraph"):
            yield child
        else:
            yield from _flow(child)


def _first(root: Element, *names: str) -> Element:
    return next(children(root, *names), Element(names[0]))


def _codes(front: Element) -> Iterator[str]:
    for group in children(front, *_CLASSIFIED):
        for code in group.iter():
            if code.tag in ("classification-cpc", "classification-ipcr"):
                subclass = "".join(find_line(code, part) for part in ("section", "class", "subclass"))
                yield f"{subclass} {find_line(code, 'main-group')}/{find_line(code, 'subgroup')}"
            elif group.tag == "classification-ipc" and code.tag in ("main-classification", "further-classification"):
                yield symbol("".join(code.itertext()))


def _assignee(front: Element) -> str:
    for assignee in front.iterfind("assignees/assignee"):
        name = next((line(found) for found in assignee.iter("orgname")), "") or _person(assignee)
        if name:
            return name
    return ""


def _inventors(front: Element) -> Iterator[str]:
    """Inventors by their own list; older files list them as applicants."""
    people = list(front.iterfind("us-parties/inventors/inventor")) or list(front.iterfind("parties/inventors/inventor"))
    if not people:
        applicants = (*front.iterfind("parties/applicants/applicant"), *front.iterfind("us-parties/us-applicants/*"))
        people = [one for one in applicants if "inventor" in one.get("app-type", "")]
    yield from (name for person in people if (name := _person(person)))


def _person(party: Element) -> str:
    book = party.find("addressbook")
    where = book if book is not None else party
    return " ".join(part for name in ("first-name", "last-name") if (part := find_line(where, name)))


def _codes_2001(technical: Element | None) -> Iterator[str]:
    for group in children(technical, "classification-ipc"):
        yield from ("".join(code.itertext()) for code in group.iter("ipc"))


def _inventors_2001(front: Element | None) -> Iterator[str]:
    inventors = front.find("inventors") if front is not None else None
    for inventor in children(inventors, "first-named-inventor", "inventor"):
        parts = (find_line(inventor, f"name/{part}") for part in ("given-name", "middle-name", "family-name"))
        if name := " ".join(part for part in parts if part):
            yield name
