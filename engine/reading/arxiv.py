"""arXiv's records of papers: the JSON of its metadata, in the columns of a document, and the Atom feed of its API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from engine.core.errors import UnsupportedFormatError
from engine.documents import Document, Identifier
from engine.documents.dates import dates, day, year_in
from engine.documents.identifiers import ARXIV, arxiv_number, arxiv_url, doi_number, doi_url
from engine.documents.people import split_names
from engine.documents.text import one_line, plain_venue, tidy
from engine.reading.xml.tree import children, find_line

_ABSTRACT_PAGE = "/abs/"
_ERRORS = "/api/errors"
_NUMBER = re.compile(ARXIV, re.IGNORECASE)
_MARKS = frozenset({"authors_parsed", "versions", "submitter", "update_date", "journal-ref"})
_LISTED = re.compile(r"[;,\[]")
_JOURNAL = re.compile(r"[^\d,(:;]*")
_VOLUME_WORDS = re.compile(r"\b(?:vol|volume|no|issue|pp|in press|to appear)\b", re.IGNORECASE)
_UNFINISHED = frozenset({"of", "the", "in", "on", "and", "at", "for", "to", "by", "et", "al."})
_AFFILIATION = re.compile(r"(?:(?<!\s)\s++)?\((?:[^()]++|\([^()]*+\))*+\)")


def is_arxiv_record(values: Mapping[str, Any]) -> bool:
    """Tell whether a JSON object is one of arXiv's records, and not a row of the user's own table."""
    number, categories = values.get("id"), values.get("categories")
    if not isinstance(number, str) or not isinstance(categories, str) or not _MARKS & values.keys():
        return False
    return _NUMBER.fullmatch(number) is not None and _LISTED.search(categories) is None


def arxiv_columns(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record's id, title, abstract, year, categories, venue, authors and url, as a document has them.

    Raises KeyError, TypeError or AttributeError if a part is missing or is not what it should be.
    """
    number, doi = record["id"], (record.get("doi") or "").split()
    return {
        "id": f"arXiv:{number}",
        "title": " ".join(record["title"].split()),
        "abstract": _paragraphs(record["abstract"]),
        "year": _year(record),
        "categories": record["categories"].split(),
        "venue": venue_of(record.get("journal-ref") or ""),
        "authors": _authors(record),
        "url": doi_url(doi[0]) if doi else arxiv_url(number),
    }


def venue_of(journal_reference: str) -> str:
    """Return the journal's name at the head of a reference: "Phys.Rev. D76:013009,2007" gives "Phys. Rev. D"."""
    found = _JOURNAL.match(plain_venue(" ".join(journal_reference.split())))
    name = found.group() if found else ""
    if volume := _VOLUME_WORDS.search(name):
        name = name[: volume.start()].rstrip(". ")
    name = re.sub(r"\.(?=\w)", ". ", name).strip(" -'\"[&/")
    ends_midway = name.rsplit(" ", 1)[-1].lower() in _UNFINISHED
    return name if sum(letter.isalpha() for letter in name) > 1 and len(name) <= 80 and not ends_midway else ""


def _year(record: Mapping[str, Any]) -> int | None:
    """Return the year of the first version ("Mon, 2 Apr 2007 19:18:42 GMT"); without versions, that in the number."""
    if versions := record.get("versions"):
        return year_in(versions[0]["created"])
    if _NUMBER.fullmatch(record["id"]) is None:
        return None
    archive, _, number = record["id"].rpartition("/")
    year = int(number[:2])
    return (1900 if archive and year > 90 else 2000) + year


def _authors(record: Mapping[str, Any]) -> list[str]:
    """Return names from arXiv's lists of [last, first, suffix]; some copies of the records have one line alone."""
    if "authors_parsed" in record or "authors" not in record:
        return [_name(parts) for parts in record["authors_parsed"]]
    return split_names(_AFFILIATION.sub("", " ".join(record["authors"].split())))


def _name(parts: list[str]) -> str:
    last, first, suffix = [*parts, "", "", ""][:3]
    return " ".join(part for part in (first, last, suffix) if part)


def _paragraphs(abstract: str) -> str:
    """Return an abstract without its line breaks; a line that arXiv indents begins a paragraph."""
    parts = re.split(r"\n {2,}", abstract.strip())
    return "\n\n".join(" ".join(part.split()) for part in parts)


def read_entry(entry: Element, fingerprint: str) -> Iterator[Document]:
    """Read one entry of a feed; `fingerprint` names it where it carries no number of arXiv's and no DOI.

    Raises UnsupportedFormatError for what arXiv answers with where it could not answer.
    """
    address = find_line(entry, "id")
    if _ERRORS in address:
        raise UnsupportedFormatError(
            f"Expected a paper, found an error of arXiv's: {find_line(entry, 'summary')[:200]!r}. Ask arXiv again."
        )
    _, _, after = address.partition(_ABSTRACT_PAGE)
    preprint, doi = arxiv_number(after), doi_number(find_line(entry, "doi"))
    published, revised = (day(find_line(entry, tag)) for tag in ("published", "updated"))
    summary = entry.find("summary")
    yield Document(
        id=f"arXiv:{preprint}" if preprint else f"doi:{doi}" if doi else f"file:{fingerprint}",
        title=one_line(find_line(entry, "title")),
        abstract=tidy(_paragraphs("".join(summary.itertext()))) if summary is not None else "",
        identifiers=tuple(Identifier(kind, one) for kind, one in (("arxiv", preprint), ("doi", doi)) if one),
        year=year_in(published or revised),
        dates=dates(("published", published), ("revised", revised if revised != published else "")),
        categories=tuple(dict.fromkeys(term for one in children(entry, "category") if (term := one.get("term", "")))),
        venue=venue_of(find_line(entry, "journal_ref")),
        authors=tuple(name for one in children(entry, "author") if (name := find_line(one, "name"))),
        url=doi_url(doi) or arxiv_url(preprint) or _link(entry),
    )


def _link(entry: Element) -> str:
    """Return the page of an entry."""
    found = [one.get("href", "") for one in children(entry, "link") if one.get("rel", "alternate") == "alternate"]
    return next((one for one in found if one.startswith(("http://", "https://"))), "")
