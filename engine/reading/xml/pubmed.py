"""PubMed's XML into documents, as its yearly files and its service have it: title, abstract and bibliographic data."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.core.errors import MalformedFileError
from engine.documents import Document, Identifier
from engine.documents.dates import MONTHS, dates, year_in
from engine.documents.identifiers import doi_number, doi_url, pubmed_identifiers, pubmed_url
from engine.reading.xml.tree import children, find_line, line

_MONTHS = {name[:3]: number for number, name in enumerate(MONTHS, start=1)}
_DATES = ("Journal/JournalIssue/PubDate", "ContributionDate", "Book/PubDate")
_NO_LABEL = "UNLABELLED"
_NO_TITLE = frozenset({"not available", "in process citation"})
"""What stands in brackets where a title is not translated, or not there yet."""


def read_record(record: Element) -> Document:
    """Read a record of an article, a book or a chapter, named by its DOI, else PubMed's number, as in .nbib files.

    Raises MalformedFileError for a record without a number.
    """
    citation = record.find("MedlineCitation")
    book = record.find("BookDocument")  # has its own fields where a citation has an article's
    citation = book if citation is None else citation
    number = find_line(citation, "PMID")
    if citation is None or not number.isdecimal():
        raise MalformedFileError("Expected a record of PubMed with its number (PMID), got one without. Fetch it again.")
    article = citation.find("Article") if book is None else book
    lists = ("PubmedData/ArticleIdList/ArticleId", "BookDocument/ArticleIdList/ArticleId")
    ids = {one.get("IdType", ""): line(one) for path in lists for one in record.iterfind(path)}
    located = {one.get("EIdType", ""): line(one) for one in children(article, "ELocationID")}
    doi = doi_number(ids.get("doi", "") or located.get("doi", ""))
    others = (Identifier(scheme, value) for scheme, value in (("doi", doi), ("pmc", ids.get("pmc", ""))) if value)
    published = next(filter(None, (_date(article.find(path)) for path in _DATES if article is not None)), "")
    return Document(
        id=f"doi:{doi}" if doi else f"pmid:{number}",
        title=_title(article) or find_line(article, "VernacularTitle") or find_line(article, "Book/BookTitle"),
        abstract="\n\n".join(_paragraphs(article)),
        identifiers=(*pubmed_identifiers(number), *others),
        year=year_in(published),
        dates=dates(("published", published)),
        categories=_lines(citation, "MeshHeadingList/MeshHeading/DescriptorName"),
        keywords=_lines(citation, "KeywordList/Keyword"),
        venue=find_line(article, "Journal/Title") or find_line(article, "Book/BookTitle"),
        authors=tuple(_authors(article)),
        url=doi_url(doi) or pubmed_url(number),
    )


def _title(article: Element | None) -> str:
    """Return the title; one that is translated stands in brackets, and so does a note that it is missing."""
    title = find_line(article, "ArticleTitle")
    bare = title.removesuffix(".")
    if not (bare.startswith("[") and bare.endswith("]")):
        return title
    translated = bare[1:-1].strip()
    return "" if translated.rstrip(".").lower() in _NO_TITLE else translated


def _paragraphs(article: Element | None) -> Iterator[str]:
    """Yield the parts of the abstract; the label of a part goes before it, with a colon."""
    abstract = article.find("Abstract") if article is not None else None
    for part in children(abstract, "AbstractText"):
        label, text = part.get("Label", "").strip().rstrip(":"), line(part)
        if text:
            yield f"{label.capitalize()}: {text}" if label and label != _NO_LABEL else text


def _authors(article: Element | None) -> Iterator[str]:
    for author in children(article.find("AuthorList") if article is not None else None, "Author"):
        parts = (find_line(author, "ForeName") or find_line(author, "Initials"), find_line(author, "LastName"))
        if name := " ".join(filter(None, parts)) or find_line(author, "CollectiveName"):
            yield name


def _date(date: Element | None) -> str:
    """Return a date as digits, as exactly as it is given: 20150400; months come as words or as numbers."""
    given = find_line(date, "Year") or find_line(date, "MedlineDate")[:4]
    month, day = find_line(date, "Month").lower(), find_line(date, "Day")
    number = _MONTHS.get(month[:3], int(month) if month.isdecimal() and len(month) < 3 else 0)
    if not number:
        return given
    return f"{given}{number:02d}{int(day) if day.isdecimal() and len(day) < 3 else 0:02d}"


def _lines(citation: Element, path: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for one in citation.iterfind(path) if (text := line(one))))
