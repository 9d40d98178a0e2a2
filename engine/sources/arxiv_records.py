"""Papers from arXiv's metadata records: one JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from engine.documents import Document
from engine.errors import MalformedFileError

_JOURNAL = re.compile(r"[^\d,(:;]*")
_VOLUME_WORDS = re.compile(r"[\s.]*\b(?:vol|volume|no|issue|pp|in press|to appear)\b.*$", re.IGNORECASE)

_UNFINISHED = frozenset({"of", "the", "in", "on", "and", "at", "for", "to", "by", "et", "al."})


def parse(data: bytes) -> Iterator[Document]:
    """Every record of a JSON Lines file as a paper. Raises MalformedFileError at a line that is no record."""
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            yield _document(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise MalformedFileError(
                f"Expected an arXiv record in line {number}; it is none ({type(error).__name__}: {error})."
            ) from None


def venue(journal_reference: str) -> str:
    """The journal's name at the head of a reference: "Phys.Rev. D76:013009,2007" gives "Phys. Rev. D"."""
    found = _JOURNAL.match(" ".join(journal_reference.split()))
    name = _VOLUME_WORDS.sub("", found.group() if found else "")
    name = re.sub(r"\.(?=\w)", ". ", name).strip(" -'\"[&/")
    ends_midway = name.rsplit(" ", 1)[-1].lower() in _UNFINISHED
    return name if sum(letter.isalpha() for letter in name) > 1 and len(name) <= 80 and not ends_midway else ""


def _document(record: dict[str, Any]) -> Document:
    doi = record.get("doi")
    return Document(
        id=f"arXiv:{record['id']}",
        kind="paper",
        title=" ".join(record["title"].split()),
        abstract=_paragraphs(record["abstract"]),
        year=_year(record),
        categories=tuple(record["categories"].split()),
        venue=venue(record.get("journal-ref") or ""),
        authors=tuple(_name(parts) for parts in record["authors_parsed"]),
        url=f"https://doi.org/{doi.split()[0]}" if doi else f"https://arxiv.org/abs/{record['id']}",
    )


def _year(record: dict[str, Any]) -> int | None:
    """The year of the first version ("Mon, 2 Apr 2007 19:18:42 GMT")."""
    found = re.search(r"\b(?:19|20)\d\d\b", record["versions"][0]["created"])
    return int(found.group()) if found else None


def _name(parts: list[str]) -> str:
    """A name from arXiv's [last, first, suffix]."""
    last, first, suffix = [*parts, "", ""][:3]
    return " ".join(part for part in (first, last, suffix) if part)


def _paragraphs(abstract: str) -> str:
    """An abstract without its line breaks; a line that arXiv indents begins a paragraph."""
    parts = re.split(r"\n {2,}", abstract.strip())
    return "\n\n".join(" ".join(part.split()) for part in parts)
