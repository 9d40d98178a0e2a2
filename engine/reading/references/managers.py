"""XML of reference managers into documents: EndNote's, and RDF as Zotero writes it.

EndNote parts each text into styles, and Mendeley and RefWorks write the same elements. Zotero's journals may stand
beside the papers that name them by an address.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.core.errors import MalformedFileError, UnsupportedFormatError
from engine.documents import Document
from engine.documents.text import one_line
from engine.reading.references.entries import EntryFields, to_document
from engine.reading.xml.tree import find_line, line

_NO_WORKS = frozenset({"attachment", "note", "annotation"})


def read_endnote_record(record: Element) -> Document:
    """Read one record of EndNote's XML. Raises MalformedFileError for one without title and abstract."""
    kind = record.find("ref-type")
    patent = "patent" in ("" if kind is None else f"{kind.get('name')} {line(kind)}").lower()

    def lines(*paths: str) -> list[str]:
        found = ([text for one in record.iterfind(path) if (text := _text(one))] for path in paths)
        return next(filter(None, found), [])

    def first(*paths: str) -> str:
        return next(iter(lines(*paths)), "")

    fields = EntryFields(
        "a record of EndNote's",
        patent,
        title=first("titles/title", "titles/short-title"),
        abstract="\n\n".join(lines("abstract")),
        authors=lines("contributors/authors/author", "contributors/secondary-authors/author"),
        date=first("dates/year", "dates/pub-dates/date"),
        venue=first("publisher") if patent else first("periodical/full-title", "titles/secondary-title", "publisher"),
        keywords=[word for one in lines("keywords/keyword") for word in one.split(";")],
        doi=first("electronic-resource-num"),
        identifiers=lines("isbn") + lines("accession-num") + lines("number"),
        urls=lines("urls/related-urls/url") + lines("urls/web-urls/url"),
    )
    if not (fields.title or fields.abstract):
        raise MalformedFileError(
            "Expected a record with a title or an abstract, got one without. Fill it, or take it out."
        )
    return to_document(fields)


def _text(element: Element) -> str:
    """Return an element's text; styles part words anywhere, so nothing comes between them."""
    return one_line("".join(element.itertext()))


def read_zotero_rdf(root: Element) -> Iterator[Document]:
    """Yield the works of RDF that Zotero wrote. Raises UnsupportedFormatError where it holds none."""
    named = {one.get("about", ""): one for one in root}
    works = [one for one in root if (kind := find_line(one, "itemType")) and kind not in _NO_WORKS]
    if not works:
        raise UnsupportedFormatError(
            "Expected RDF with works as Zotero exports it, found none. Export the references as RIS or BibTeX."
        )
    for work in works:
        document = to_document(_of_rdf(work, named))
        if document.title or document.abstract:
            yield document


def _of_rdf(work: Element, named: dict[str, Element]) -> EntryFields:
    patent = find_line(work, "itemType") == "patent"
    parts = [one if len(one) else named.get(one.get("resource", ""), one) for one in work.iterfind("isPartOf")]
    numbers = [text for one in (work, *parts) for number in one.iter("identifier") if (text := line(number))]
    publisher = find_line(work, "publisher/Organization/name") or find_line(work, "publisher")
    venues = (title for one in parts for path in ("title", "*/title") if (title := find_line(one, path)))
    roles = ("authors", "inventors", "presenters", "contributors", "editors")
    people = ([name for person in work.iterfind(f"{role}//Person") if (name := _name(person))] for role in roles)
    return EntryFields(
        "an item of Zotero's",
        patent,
        title=find_line(work, "title"),
        abstract=work.findtext("abstract", ""),
        authors=next(filter(None, people), []),
        date=find_line(work, "date"),
        venue=publisher if patent else next(venues, publisher),
        keywords=[text for one in work.iterfind("subject") if (text := line(one))],
        doi=next((number[4:] for number in numbers if number.startswith("DOI ")), ""),
        identifiers=[*numbers, find_line(work, "number")],
        urls=[*numbers, work.get("about", "")],
    )


def _name(person: Element) -> str:
    """Return "Osei, Mara", as reference files write a name."""
    parts = (find_line(person, "surname"), find_line(person, "givenName") or find_line(person, "givenname"))
    return ", ".join(filter(None, parts)) or find_line(person, "name")
