"""Records of applications that the USPTO's Open Data Portal answers with, as JSON, into documents.

The portal calls an application's record its file wrapper. Each has a title, numbers, dates, people and classes, and
none of its text: that stands in an XML file, which the record names and `uspto` reads. The portal also answers with
parts of a record, such as its events alone, which are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.documents import Document, Identifier
from engine.documents.dates import dates, year_in
from engine.documents.patents import (
    application_family,
    first_of_each,
    patent_id,
    patent_url,
    people,
    sentence_case,
    symbols,
)
from engine.documents.text import one_line
from engine.reading.base import list_at, objects_at, string_at
from engine.reading.patents.wordings import companies

_DATA = "applicationMetaData"
_NUMBER = "applicationNumberText"
_PUBLICATION = re.compile(r"(?:US)?\s*+(\d{4})[\s/-]*+(\d{6,7})\s*+(A\d)?", re.IGNORECASE)
_GRANT = re.compile(r"(?:US)?\s*+((?:D|RE|PP|H|T)?\d{1,8})\s*+", re.IGNORECASE)
_KINDS_OF_GRANTS = {"D": ("S1", "S1"), "RE": ("E1", "E1"), "PP": ("P2", "P3"), "H": ("H1", "H1")}
"""The code of a grant's kind by the letters of its number, without an earlier publication and with one."""
_UTILITY = ("B1", "B2")
_FIRST_WITH_KIND = 2001
_ASSIGNMENT = re.compile(r"assign", re.IGNORECASE)
_NO_OWNER = re.compile(r"security|release|lien|license", re.IGNORECASE)


def is_wrapper(values: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is an application's record, with its metadata."""
    return isinstance(values.get(_DATA), dict) and _NUMBER in values


def read_wrapper(values: Mapping[str, Any]) -> Document:
    """Read one application, named by its grant, else by its publication; values of wrong types are left out."""
    data = values[_DATA]
    application = string_at(values, _NUMBER)
    grant, publication = _numbers(data)
    inventors = first_of_each(_inventors(data))
    assignees = companies(first_of_each(_names(data, "applicantBag", "applicantNameText")), inventors)
    assignees = assignees or first_of_each(_owners(values))
    identifier = grant or publication or application_family("US", application)
    published = string_at(data, "earliestPublicationDate") if publication else ""
    return Document(
        id=identifier,
        kind="patent",
        title=sentence_case(one_line(string_at(data, "inventionTitle"))),
        identifiers=tuple(Identifier("patent", one) for one in (grant, publication) if one),
        year=year_in(string_at(data, "grantDate")) or year_in(published),
        dates=dates(
            ("granted", string_at(data, "grantDate")),
            ("published", published),
            ("filed", string_at(data, "filingDate")),
            *(("priority", string_at(one, "filingDate")) for one in objects_at(values, "foreignPriorityBag")),
        ),
        language="en",
        categories=symbols(code for code in list_at(data, "cpcClassificationBag") if isinstance(code, str)),
        **people(inventors, assignees),
        url=patent_url(identifier) if grant or publication else "",
        family=application_family("US", application),
    )


def _numbers(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the ids of the grant and of the publication before it, each empty without one.

    The portal gives no kind with a grant's number: it follows from its letters and from whether it was published.
    """
    found = _PUBLICATION.fullmatch(string_at(data, "earliestPublicationNumber").strip())
    publication = patent_id("US", f"{found[1]}{found[2]:0>7}", (found[3] or "A1").upper()) if found is not None else ""
    match = _GRANT.fullmatch(string_at(data, "patentNumber").strip())
    if match is None:
        return "", publication
    number = match[1].upper()
    granted = year_in(string_at(data, "grantDate"))
    kinds = _KINDS_OF_GRANTS.get(number.rstrip("0123456789"), _UTILITY)
    kind = kinds[bool(publication)] if granted is not None and granted >= _FIRST_WITH_KIND else ""
    return patent_id("US", number, kind), publication


def _inventors(data: Mapping[str, Any]) -> Iterator[str]:
    for one in objects_at(data, "inventorBag"):
        parts = (string_at(one, part) for part in ("firstName", "middleName", "lastName", "nameSuffix"))
        yield one_line(" ".join(filter(None, parts)) or string_at(one, "inventorNameText"))


def _names(data: Mapping[str, Any], bag: str, name: str) -> Iterator[str]:
    return (one_line(string_at(one, name)) for one in objects_at(data, bag))


def _owners(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield those to whom the inventors first assigned it; later owners and banks are left out."""
    found = [
        one
        for one in objects_at(values, "assignmentBag")
        if _ASSIGNMENT.search(string_at(one, "conveyanceText"))
        and not _NO_OWNER.search(string_at(one, "conveyanceText"))
    ]
    first = min(found, key=lambda one: string_at(one, "assignmentRecordedDate"), default={})
    yield from _names(first, "assigneeBag", "assigneeNameText")
