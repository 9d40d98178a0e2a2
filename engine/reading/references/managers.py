"""XML of reference managers into documents: EndNote's, which others write, too, and RDF as Zotero writes it.

EndNote parts a text into styles; Zotero's journals may stand beside the papers, which name them by an address.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.core.errors import MalformedFileError, UnsupportedFormatError
from engine.documents import Document
from engine.documents.text import one_line
from engine.documents.works import Printed
from engine.reading.references.entries import EntryFields, to_document
from engine.reading.xml.tree import find_line, line

_NO_WORKS = frozenset({"", "attachment", "note", "annotation"})
_ROLES = ("authors", "inventors", "presenters", "contributors", "editors")


def read_endnote_record(record: Element) -> Document:
    """Read one record of EndNote's XML. Raises MalformedFileError for one without title and abstract."""
    kind = record.find("ref-type")
    patent = kind is not None and "patent" in f"{kind.get('name')} {line(kind)}".lower()

    def texts(*paths: str) -> list[str]:
        found = ([one_line("".join(one.itertext())) for one in record.iterfind(path)] for path in paths)
        return next(filter(any, found), [])

    venues = ("publisher",) if patent else ("periodical/full-title", "titles/secondary-title", "publisher")
    fields = EntryFields(
        "a record of EndNote's",
        patent,
        title=" ".join(texts("titles/title", "titles/short-title")[:1]),
        abstract="\n\n".join(texts("abstract")),
        authors=texts("contributors/authors/author", "contributors/secondary-authors/author"),
        date=" ".join(texts("dates/year", "dates/pub-dates/date")),
        printed=Printed(*(" ".join(texts(path)[:1]) for path in ("volume", "number", "pages"))),
        venue=" ".join(texts(*venues)[:1]),
        keywords=[word for one in texts("keywords/keyword") for word in one.split(";")],
        doi=" ".join(texts("electronic-resource-num")[:1]),
        identifiers=texts("isbn") + texts("accession-num") + texts("number"),
        urls=texts("urls/related-urls/url", "urls/web-urls/url"),
    )
    if not (fields.title or fields.abstract):
        raise MalformedFileError(
            "Expected a record with a title or an abstract, got one without. Fill it, or leave it out."
        )
    return to_document(fields)


def read_zotero_rdf(root: Element) -> Iterator[Document]:
    """Yield the works of RDF that Zotero wrote. Raises UnsupportedFormatError where it holds none."""
    named = {one.get("about", ""): one for one in root}
    works = [one for one in root if find_line(one, "itemType") not in _NO_WORKS]
    if not works:
        raise UnsupportedFormatError(
            "Expected RDF with works as Zotero exports it, found none. Export the references as RIS or BibTeX."
        )
    documents = (to_document(_of_rdf(work, named)) for work in works)
    yield from (document for document in documents if document.title or document.abstract)


def _of_rdf(work: Element, named: dict[str, Element]) -> EntryFields:
    patent = find_line(work, "itemType") == "patent"
    parts = [one if len(one) else named.get(one.get("resource", ""), one) for one in work.iterfind("isPartOf")]
    numbers = [text for one in (work, *parts) for number in one.iter("identifier") if (text := line(number))]
    publisher = find_line(work, "publisher/Organization/name") or find_line(work, "publisher")
    venues = (title for one in parts for path in ("title", "*/title") if (title := find_line(one, path)))
    people = ([name for one in work.iterfind(f"{role}//Person") if (name := _name(one))] for role in _ROLES)
    return EntryFields(
        "an item of Zotero's",
        patent,
        title=find_line(work, "title"),
        abstract=work.findtext("abstract", ""),
        authors=next(filter(None, people), []),
        date=find_line(work, "date"),
        printed=Printed(
            *(
                next(filter(None, (find_line(one, name) for one in (*parts, work))), "")
                for name in ("volume", "issue", "pages")
            )
        ),
        venue=publisher if patent else next(venues, publisher),
        keywords=[line(one) for one in work.iterfind("subject")],
        doi=next((number[4:] for number in numbers if number.startswith("DOI ")), ""),
        identifiers=[*numbers, find_line(work, "number")],
        urls=[*numbers, work.get("about", "")],
    )


def _name(person: Element) -> str:
    parts = (find_line(person, "surname"), find_line(person, "givenName") or find_line(person, "givenname"))
    return ", ".join(filter(None, parts)) or find_line(person, "name")
