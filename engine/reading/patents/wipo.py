"""Patents in WIPO ST.96, put into the elements of ST.36 and read as any other publication.

No whole file of ST.96 was at hand; its names are those that public programs read and write. Read about were WIPO's
`PatentPublication`; the Japan Patent Office's publications since 2022 (`UnexaminedPatentPublication` and its kin); the
USPTO's application files as its portal gives them (`SpecificationDocument`, `ClaimsDocument`), each with one part of
an application; and its bulk records (`PatentBulkData`), which have no text. Other roots of ST.96 are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element, SubElement

from engine.documents import Document
from engine.reading.patents.epo import read_epo_publication
from engine.reading.xml.tree import find_line, line

_LEFT_OUT = frozenset(
    {"DeletedText", "Del", "ClaimNumber", "ClaimStatusCategory", "DocumentMetadata", "ClaimStatement", "PageBreak"}
)
_NAMES = {"ClaimText": "claim-text", "Claim": "claim", "Table": "tables", "Image": "img"}
_NUMBERS = ("PublicationNumber", "PatentNumber", "DocumentNumber", "ApplicationNumberText")
_DATES = ("PublicationDate", "GrantDate", "FilingDate")
_PUBLICATIONS = ("PatentGrantIdentification", "PatentPublicationIdentification")
_PARTS_OF_NAMES = {"FirstName": "first-name", "MiddleName": "middle-name", "LastName": "last-name"}
_WHOLE_NAMES = ("PersonFullName", "OrganizationStandardName", "OrganizationName", "EntityName", "PersonName")
_PARTS_OF_CODES = (
    (("Section", "CPCSection"), "section"),
    (("Class",), "class"),
    (("Subclass",), "subclass"),
    (("MainGroup",), "main-group"),
    (("Subgroup",), "subgroup"),
)
_CODES = frozenset({"MainClassification", "FurtherClassification", "PatentClassificationText"})
_TWO_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_STATUS = re.compile(
    r"(\s*+\d{1,4}\s*+[.)]\s*+)\((?:original|new|(?:currently|previously|once|twice)[ -](?:amended|presented)|amended|"
    r"presented|withdrawn)[^()]{0,40}\)\s*+",
    re.IGNORECASE,
)
"""What an amended claim is, in brackets behind its number."""


def read_wipo_publication(root: Element, fingerprint: str) -> Iterator[Document]:
    """Read one publication, or one part of an application; `fingerprint` names one without a publication's number."""
    data = next((one for one in root.iter() if one.tag.endswith("BibliographicData")), root)
    filed_at_uspto = root.tag in ("SpecificationDocument", "ClaimsDocument", "PatentData")
    language = _language(root) or ("en" if filed_at_uspto else "")
    document = Element("patent-document", lang=language)
    front = SubElement(document, "bibliographic-data")
    _numbers(data, front, "US" if filed_at_uspto else "")
    for title in data.iter("InventionTitle"):
        front.append(_converted(title, "invention-title", language))
    for role in ("Inventor", "Applicant", "Assignee"):
        for one in data.iter(role):
            _name(one, SubElement(front, role.lower()))
    _codes(data, front)
    _citations(data, front)
    for tag in ("Abstract", "Description", "Claims"):
        document.extend(_converted(one, tag.lower(), language) for one in root.iter(tag))
    if root.tag == "SpecificationDocument":
        _of_specification(root, document, front)
    read = read_epo_publication(document)
    yield read if front.find("publication-reference") is not None else replace(read, id=f"file:{fingerprint}", url="")


def _language(element: Element) -> str:
    return element.get("languageCode", "").lower()


def _numbers(data: Element, front: Element, office: str) -> None:
    """Add the publication, the application and the priorities, each with its number and its day."""
    found = (one for tag in _PUBLICATIONS for one in data.iter(tag))
    if (publication := next((one for one in found if _first(one, _NUMBERS)), None)) is not None:
        _document_id(publication, SubElement(front, "publication-reference"), office)
    application = next(data.iter("ApplicationIdentification"), None)
    if application is not None or _first(data, ("ApplicationNumberText",)):
        _document_id(data if application is None else application, SubElement(front, "application-reference"), office)
    for claim in data.iter("PriorityClaim"):
        _document_id(claim, SubElement(front, "priority-claim"), office)


def _document_id(found: Element, parent: Element, office: str) -> None:
    into = SubElement(parent, "document-id")
    numbers = _NUMBERS[-1:] if parent.tag == "application-reference" else _NUMBERS
    dates = _DATES[-1:] if parent.tag != "publication-reference" else _DATES
    for tag, text in (
        ("country", _first(found, ("IPOfficeCode",)) or office),
        ("doc-number", _first(found, numbers)),
        ("kind", _first(found, ("PatentDocumentKindCode",))),
        ("date", _first(found, dates)),
    ):
        SubElement(into, tag).text = text


def _first(element: Element, names: Sequence[str]) -> str:
    """Return the text of the first element below with one of these names, the names in their order."""
    return next((text for name in names for one in element.iter(name) if (text := line(one))), "")


def _name(party: Element, into: Element) -> None:
    """Add a party's name, by its parts or as a whole; of several spellings the first."""
    book = SubElement(into, "addressbook")
    structured = next(party.iter("PersonStructuredName"), None)
    if structured is not None:
        for tag, name in _PARTS_OF_NAMES.items():
            SubElement(book, name).text = find_line(structured, tag)
    else:
        SubElement(book, "name").text = _first(party, _WHOLE_NAMES)


def _codes(element: Element, front: Element) -> None:
    """Add the codes of the IPC and the CPC; a nation's own are left out."""
    for child in element:
        if child.tag == "NationalClassification":
            continue
        if child.find("MainGroup") is not None:
            code = SubElement(front, "classification-ipcr")
            for names, tag in _PARTS_OF_CODES:
                SubElement(code, tag).text = next((text for one in names if (text := find_line(child, one))), "")
        elif child.tag in _CODES:
            SubElement(front, "main-classification").text = line(child)
        else:
            _codes(child, front)


def _citations(data: Element, front: Element) -> None:
    """Add cited patents and other works; a patent without a number of its own is kept as it is printed."""
    for one in data.iter("PatentCitation"):
        if _first(one, _NUMBERS):
            _document_id(one, SubElement(front, "patcit"), "")
        else:
            SubElement(front, "nplcit").text = line(one)
    for one in data.iter("NPLCitation"):
        SubElement(front, "nplcit").text = _first(one, ("NPLCitationText",)) or line(one)


def _of_specification(root: Element, document: Element, front: Element) -> None:
    """Add the description or the abstract of an application; the first of two headings in a row is its title."""
    is_abstract = find_line(root, ".//DocumentCode") == "ABST"
    converted = _converted(root, "abstract" if is_abstract else "description", "en")
    first = [one.tag for one in converted[:2]]
    if first == ["heading", "heading"] and not is_abstract:
        title = converted[0]
        converted.remove(title)
        SubElement(front, "invention-title", lang="en").text = line(title)
    document.append(converted)


def _converted(element: Element, tag: str, language: str) -> Element:
    """Return an element with all below it, under the names of ST.36; `language` is its own where it names no other."""
    language = _language(element) or language
    into = Element(tag, lang=language)
    into.text, into.tail = element.text, element.tail
    if tag == "claim-text" and into.text and (status := _STATUS.match(into.text)) is not None:
        into.text = f"{status[1]}{into.text[status.end() :]}"
    for child in element:
        if child.tag not in _LEFT_OUT:
            into.append(_converted(child, _NAMES.get(child.tag, child.tag.lower()), language))
        elif child.tail and len(into):
            into[-1].tail = f"{into[-1].tail or ''}{child.tail}"
        elif child.tail:
            into.text = f"{into.text or ''}{child.tail}"
    if element.find("P") is not None and element.find("Heading") is None and _TWO_WORDS.search(element.tag):
        heading = Element("heading")
        heading.text = _TWO_WORDS.sub(" ", element.tag)  # a part such as TechnicalField names itself
        into.insert(0, heading)
    return into
