"""US patents from the pages of the Patent Office's former full-text search, which patent-client has read into JSON.

Its kinds are wrong before 2001 and for reissues. What has no description, as a design or a scanned patent, is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from engine.core.errors import MalformedFileError
from engine.documents import Document
from engine.documents.dates import dates
from engine.documents.patents import patent_id, patent_url, people, sentence_case, symbols
from engine.sources import modern_patents

_FIRST_OF_KINDS = "2001"  # earlier patents are all of kind A
_PARAGRAPH_NUMBER = re.compile(r"^\[\d{4}\]\s*")
_CLAIM_NUMBER = re.compile(r"(\d{1,3})\s*\.\s")
_WITHDRAWN = re.compile(r"\.\[.*?\.\]\.?", re.DOTALL)  # by a reissue
_ADDED = re.compile(r"\.Iadd(?:end)?\.")
_LEAST_CHARACTERS = 1_000


def parse(files: Iterable[bytes]) -> Iterator[Document]:
    """Yield the patent of each file, if it has a description. Raises MalformedFileError for any other file."""
    for data in files:
        try:
            record = json.loads(data)
            if len(record.get("description") or "") >= _LEAST_CHARACTERS:
                yield _document(record)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise MalformedFileError(
                f"Expected a patent's page as patent-client's JSON; {type(error).__name__}: {error}."
            ) from None


def _document(record: dict[str, Any]) -> Document:
    published = record["publication_date"]
    identifier = _id(record["publication_number"].strip(), published, record["kind_code"])
    inventors = tuple(f"{one['first_name']} {one['last_name']}" for one in record.get("inventors") or ())
    owners = tuple(dict.fromkeys(one["name"] for one in record.get("assignees") or ()))
    return Document(
        id=identifier,
        kind="patent",
        title=sentence_case(record["title"]),
        abstract=" ".join(_paragraphs(record.get("abstract") or "")),
        sections=tuple(modern_patents.cut_sections(_paragraphs(record["description"]))),
        claims=_claims(list(_paragraphs(record["claims"]))),
        year=int(published[:4]),
        dates=dates(("filed", record["filing_date"]), ("published" if "A1" in identifier else "granted", published)),
        categories=symbols(one["class"] for one in record["cpc_classes"]),
        **people(inventors, owners),
        url=patent_url(identifier),
        family=record.get("family_id") or "",
    )


def _id(number: str, published: str, kind: str) -> str:
    if number.startswith("RE"):
        return patent_id("US", number, "E1" if published >= _FIRST_OF_KINDS else "E")
    return patent_id("US", number, kind if published >= _FIRST_OF_KINDS else "A")


def _claims(lines: list[str]) -> tuple[str, ...]:
    """Return the claims; those that a reissue has withdrawn before them are empty."""
    first = next((int(number[1]) for line in lines if (number := _CLAIM_NUMBER.match(line))), 1)
    return ("",) * (first - 1) + tuple(modern_patents.join_claims(lines))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs as they are in force, without their numbers."""
    for paragraph in _ADDED.sub("", _WITHDRAWN.sub("", text)).split("\n\n"):
        if line := _PARAGRAPH_NUMBER.sub("", " ".join(paragraph.split())):
            yield line
