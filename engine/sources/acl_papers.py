"""Papers of the ACL Anthology in full text: JSON of S2ORC, read from the PDFs by GROBID.

Only papers of 2016 and later are read: the Anthology gives those under CC BY 4.0, older ones for no commercial use.
Authors are left out. GROBID mixes their names with companies, cities and other words of the first page, and the archive
tells the authors nowhere else; a paper's `url` is its page in the Anthology, which names them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from engine.core.errors import MalformedFileError
from engine.documents import Document, Section
from engine.documents.document import REFERENCES, UNTITLED
from engine.reading import read_bytes

_FIRST_YEAR = 2016  # of CC BY 4.0
_NUMBER = re.compile(r"(?P<letter>[A-Z])(?P<short>\d\d)-\d{4}|(?P<year>\d{4})\.(?P<venue>[a-z]+)-\w+\.\d+")
_VENUES = {"P": "ACL", "N": "NAACL", "D": "EMNLP", "E": "EACL"}
_LAST_CENTURY = 60  # years of two digits from here on
_NOTES = "Notes"
_PARTED = re.compile(r"(?<=[a-z])- (?=[a-z])")
_TITLES = {
    "2021.emnlp-main.411": "OSCAR: Orthogonal Subspace Correction and Rectification of Biases in Word Embeddings",
}
"""Titles that GROBID read on into the next lines."""


def parse(files: Mapping[str, bytes]) -> Iterator[Document]:
    """Yield every free paper of the files, each named by its paper's number and ".json".

    The number within a file is cut at its first dot. Raises MalformedFileError for any other file, and what
    `read_bytes` raises.
    """
    for path, data in files.items():
        number = PurePosixPath(path).name.removesuffix(".json")
        try:
            year, venue = _published(number)
            if year >= _FIRST_YEAR:
                entries = json.loads(data)["pdf_parse"]["bib_entries"]
                listed = "\n\n".join(_PARTED.sub("", entry["raw_text"]) for entry in entries.values())
                yield _document(read_bytes(data, f"{number}.json").document, number, year, venue, listed)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise MalformedFileError(
                f"Expected a paper of the ACL Anthology in S2ORC's JSON; {type(error).__name__}: {error}."
            ) from None


def _published(number: str) -> tuple[int, str]:
    """Return a paper's year and conference, which its number tells: P18-1034, 2021.acl-long.67. Raises ValueError."""
    found = _NUMBER.fullmatch(number)
    if found is None:
        raise ValueError(f"{number!r} does not name a paper")
    if found["year"]:
        return int(found["year"]), found["venue"].upper()
    short = int(found["short"])
    return short + (1900 if short >= _LAST_CENTURY else 2000), _VENUES.get(found["letter"], "")


def _document(read: Document, number: str, year: int, venue: str, listed: str) -> Document:
    return replace(
        read,
        id=f"ACL:{number}",
        title=_TITLES.get(number, read.title.rstrip(" *")),
        sections=(*_sections(read), *([Section(REFERENCES, listed, "references")] if listed else [])),
        year=year,
        venue=venue,
        authors=(),
        url=f"https://aclanthology.org/{number}/",
    )


def _sections(read: Document) -> Iterator[Section]:
    """Yield the sections with a heading, and after them what has none, which are footnotes, as one."""
    yield from (section for section in read.sections if section.title != UNTITLED)
    if notes := "\n\n".join(section.text for section in read.sections if section.title == UNTITLED):
        yield Section(_NOTES, notes)
