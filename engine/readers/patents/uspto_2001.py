"""USPTO XML of applications from 2001 to 2004 (`patent-application-publication`, version 1.x) into documents."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.documents import Document
from engine.readers.patents.fields import application_family, patent_id, patent_url, symbols, year
from engine.readers.patents.uspto import claim_texts, paragraphs, sections
from engine.readers.xml.tree import children, find_line

ROOTS = {"patent-application-publication": "uspto-application"}


def read_application(root: Element) -> Document:
    """One published application."""
    front = next(children(root, "subdoc-bibliographic-information"), None)
    identifier = patent_id("US", find_line(front, "document-id/doc-number"), find_line(front, "document-id/kind-code"))
    application = find_line(front, "domestic-filing-data/application-number/doc-number")
    technical = front.find("technical-information") if front is not None else None
    return Document(
        id=identifier,
        kind="patent",
        title=find_line(technical, "title-of-invention"),
        abstract="\n\n".join(paragraphs(root.find("subdoc-abstract"))),
        sections=tuple(sections(root.find("subdoc-description"))),
        year=year(find_line(front, "document-id/document-date")),
        categories=symbols(_codes(technical)),
        venue=find_line(front, "assignee/organization-name"),
        authors=tuple(_inventors(front)),
        url=patent_url(identifier),
        family=application_family("US", application),
        claims=claim_texts(root.find("subdoc-claims")),
    )


def _codes(technical: Element | None) -> Iterator[str]:
    for group in children(technical, "classification-ipc"):
        yield from ("".join(code.itertext()) for code in group.iter("ipc"))


def _inventors(front: Element | None) -> Iterator[str]:
    inventors = front.find("inventors") if front is not None else None
    for inventor in children(inventors, "first-named-inventor", "inventor"):
        parts = (find_line(inventor, f"name/{part}") for part in ("given-name", "middle-name", "family-name"))
        if name := " ".join(part for part in parts if part):
            yield name
