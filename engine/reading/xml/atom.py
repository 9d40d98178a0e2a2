"""Atom feeds of papers, as arXiv's API answers with, into documents: an entry is a paper."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.core.errors import UnsupportedFormatError
from engine.documents import Document, Identifier
from engine.documents.dates import dates, day, year_in
from engine.documents.identifiers import arxiv_number, arxiv_url, doi_number, doi_url
from engine.documents.text import one_line, tidy
from engine.reading import arxiv
from engine.reading.xml.tree import children, find_line

_ABSTRACT_PAGE = "/abs/"
_ERRORS = "/api/errors"


def read_entry(entry: Element, fingerprint: str) -> Iterator[Document]:
    """Read one entry; `fingerprint` names it where it carries no number of arXiv's and no DOI.

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
        abstract=tidy(arxiv.paragraphs("".join(summary.itertext()))) if summary is not None else "",
        identifiers=tuple(Identifier(kind, one) for kind, one in (("arxiv", preprint), ("doi", doi)) if one),
        year=year_in(published or revised),
        dates=dates(("published", published), ("revised", revised if revised != published else "")),
        categories=tuple(dict.fromkeys(term for one in children(entry, "category") if (term := one.get("term", "")))),
        venue=arxiv.venue(find_line(entry, "journal_ref")),
        authors=tuple(name for one in children(entry, "author") if (name := find_line(one, "name"))),
        url=doi_url(doi) or arxiv_url(preprint) or _link(entry),
    )


def _link(entry: Element) -> str:
    """Return the page of an entry."""
    found = [one.get("href", "") for one in children(entry, "link") if one.get("rel", "alternate") == "alternate"]
    return next((one for one in found if one.startswith(("http://", "https://"))), "")
