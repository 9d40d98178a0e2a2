"""PubMed's records into documents: its XML, and the abstracts that it shows and saves as text ("Abstract (text)").

The XML comes in its yearly files and from its service. In a text, numbered records stand between blank lines: a line of
journal, date and pages, then title, authors, their addresses, the abstract, notices, and last the record's numbers:
DOI, PMCID, PMID. MEDLINE's tagged records (.nbib) are read by `tagged`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO
from xml.etree.ElementTree import Element

from engine.core.errors import MalformedFileError
from engine.core.files import fingerprint
from engine.documents import Document, Identifier, Section
from engine.documents.dates import CITED_YEAR, MONTHS, dates, year_in
from engine.documents.identifiers import doi_number, doi_url, pubmed_identifiers, pubmed_number, pubmed_url
from engine.documents.people import GENERATION, INITIALS
from engine.documents.text import one_line
from engine.reading.base import Omissions
from engine.reading.encoding import text_lines
from engine.reading.limits import Limits, record_too_large
from engine.reading.placeholders import said
from engine.reading.xml.tree import children, find_line, line

_MONTHS = {name[:3]: number for number, name in enumerate(MONTHS, start=1)}
_DATES = ("Journal/JournalIssue/PubDate", "ContributionDate", "Book/PubDate")
_NO_LABEL = "UNLABELLED"


def read_pubmed_record(record: Element) -> Document:
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
        title=_without_brackets(find_line(article, "ArticleTitle"))
        or find_line(article, "VernacularTitle")
        or find_line(article, "Book/BookTitle"),
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


def _without_brackets(title: str) -> str:
    """Return a title; one that is translated stands in brackets, and so does a note that it is missing."""
    bare = title.removesuffix(".")
    return said(bare[1:-1].strip()) if bare.startswith("[") and bare.endswith("]") else title


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


_FIRST = re.compile(rf"(\d{{1,7}})(?:\.|:) +(\S[^.]{{0,200}}(?:\.[^.]{{1,60}}){{0,4}}?)\. ({CITED_YEAR})\b")
_NUMBERS = re.compile(r"^(DOI|PMCID|PMID|PII):? ?(\S+)", re.MULTILINE)
_ADDRESSES = re.compile(r"Author information:|Collaborators:|\(\d+\)\w")
_NOTES = re.compile(
    r"(?:Comment (?:in|on)|Erratum (?:in|for)|Update (?:in|of)|Retraction (?:in|of)|Republished (?:in|from)|"
    r"Corrected and republished|Expression of concern|Summary for patients in|Original report in|Cites)\b"
)
_RIGHTS = re.compile(
    r"(?:©|\(c\)|copyright\b|published by\b|this is an open access|all rights reserved)", re.IGNORECASE
)
_TRANSLATED = re.compile(r"\[Article in [A-Z][^\]]{1,60}\]")
_AUTHOR = re.compile(rf"[^\W\d_][\w'’. -]{{0,80}} {INITIALS}(?: {GENERATION})?(?:\(\d{{1,3}}\)){{0,30}}")
_LABEL = re.compile(r"(?m)^(?=[A-Z][A-Z /&,'()-]{2,80}: )")
_OWN_PART = re.compile(r"(Conflict of interest statement|Plain Language Summary|Publisher)\s*:\s*", re.IGNORECASE)
_MARKS = re.compile(r"\(\d{1,3}\)")
_WRAPPED = re.compile(r"-\n(?=\w)")


def looks_like_pubmed_abstracts(text: str) -> bool:
    """Return whether a text begins with a numbered record of PubMed, and the record's number stands below."""
    begun = text.lstrip("\ufeff \r\n")
    return _FIRST.match(begun) is not None and re.search(r"(?m)^PMID:? ?\d", begun) is not None


def read_pubmed_abstracts(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Yield the documents of abstracts saved as text; `warn` is told about records without a title."""
    omissions = Omissions(warn, limits)
    lines = text_lines(file, name, limits, warn=warn, omit=omissions.value)
    for begun, record in _records(lines, limits.max_record_bytes):
        place = f"the record of line {begun} of {name}"
        if not record:
            omissions.entry(record_too_large(place, limits.max_record_bytes))
            continue
        for document in omissions.documents([_document_of_text(record)], place):
            if document.title or document.abstract:
                yield document
            else:
                warn(f"The record of line {begun} of {name} has neither a title nor an abstract, and was left out.")
    omissions.finish()


def _records(lines: Iterable[str], most: int) -> Iterator[tuple[int, str]]:
    """Yield each record with its first line's number; nothing of one of more than `most` characters.

    One begins with the next number, below the numbers of the last.
    """
    record: list[str] = []
    begun = size = last = 0
    ended = True
    for number, text in enumerate(lines, start=1):
        match = _FIRST.match(text.lstrip("\ufeff")) if ended else None
        if match is not None and (not begun or int(match[1]) == last + 1):
            if begun:
                yield begun, "".join(record)
            record, begun, size, last, ended = [], number, 0, int(match[1]), False
        ended = ended or text.startswith("PMID")
        size += len(text)
        if begun and size <= most:
            record.append(text)
        elif begun:
            record.clear()
    if begun:
        yield begun, "".join(record)


def _document_of_text(record: str) -> Document:
    blocks = [block.strip() for block in re.split(r"\n[ \t]*\n", record.replace("\r\n", "\n")) if block.strip()]
    first = one_line(blocks[0])
    match = _FIRST.match(first)
    numbers = dict(pair for block in blocks for pair in _NUMBERS.findall(block))
    rest = [block for block in blocks[1:] if not _NUMBERS.match(block) and not _TRANSLATED.fullmatch(one_line(block))]
    title = one_line(rest[0]) if rest else ""
    authors = _names(one_line(rest[1])) if len(rest) > 1 else ()
    below = rest[2:] if authors else rest[1:]
    doi, pmid = doi_number(numbers.get("DOI", "")).lower(), pubmed_number(numbers.get("PMID", ""))
    identifier = f"doi:{doi}" if doi else f"pmid:{pmid}" if pmid else f"text:{fingerprint(record)}"
    return Document(
        id=identifier,
        title=_without_brackets(title),
        abstract="\n\n".join(text for block in below if not _is_apart(block) for text in _labelled_parts(block)),
        sections=tuple(_sections(below)),
        identifiers=pubmed_identifiers(pmid),
        year=int(match[3]) if match is not None else None,
        venue=match[2] if match is not None else "",
        authors=authors,
        url=doi_url(doi) or pubmed_url(pmid),
    )


def _is_apart(block: str) -> bool:
    """Tell whether a block below the authors is not of the abstract: addresses, notes, rights, another section."""
    return any(pattern.match(block) for pattern in (_ADDRESSES, _NOTES, _RIGHTS, _OWN_PART))


def _labelled_parts(block: str) -> Iterator[str]:
    """Yield a block's paragraphs: one for each part of a structured abstract."""
    for part in _LABEL.split(_WRAPPED.sub("-", block)):
        if text := one_line(part):
            yield text


def _sections(blocks: Iterable[str]) -> Iterator[Section]:
    for block in blocks:
        if (match := _OWN_PART.match(block)) and (text := one_line(block[match.end() :])):
            yield Section(match[1], text)


def _names(listed: str) -> tuple[str, ...]:
    """Return the authors of a line; none where most of it does not look like names with initials."""
    parts = re.split(r"[,;] ", listed.rstrip(".;"))
    if sum(_AUTHOR.fullmatch(part) is not None for part in parts) <= len(parts) / 2:
        return ()
    return tuple(dict.fromkeys(name for part in parts if (name := _MARKS.sub("", part).strip())))
