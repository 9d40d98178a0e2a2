"""Abstracts as PubMed shows and saves them as text ("Abstract (text)"): numbered records, parts between blank lines.

A record is a line of journal, date and pages, then title, authors, their addresses, the abstract, notices, and last
the record's numbers: DOI, PMCID, PMID.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from engine.core.files import fingerprint
from engine.documents import Document, Section
from engine.documents.dates import CITED_YEAR
from engine.documents.identifiers import doi_number, doi_url, pubmed_identifiers, pubmed_number, pubmed_url
from engine.documents.text import one_line
from engine.reading.base import Omissions
from engine.reading.encoding import text_lines
from engine.reading.limits import Limits, record_too_large

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
_AUTHOR = re.compile(r"[^\W\d_][\w'’. -]{0,80} [A-ZÀ-Þ]{1,4}(?: (?:Jr|Sr|2nd|3rd|I{2,3}|IV))?(?:\(\d{1,3}\)){0,30}")
_LABEL = re.compile(r"(?m)^(?=[A-Z][A-Z /&,'()-]{2,80}: )")
_OWN_PART = re.compile(r"(Conflict of interest statement|Plain Language Summary|Publisher)\s*:\s*", re.IGNORECASE)
_MARKS = re.compile(r"\(\d{1,3}\)")
_WRAPPED = re.compile(r"-\n(?=\w)")


def looks_like_pubmed_abstracts(text: str) -> bool:
    """Return whether a text begins with a numbered record of PubMed, and the record's number stands below."""
    begun = text.lstrip("\ufeff \r\n")
    return _FIRST.match(begun) is not None and re.search(r"(?m)^PMID:? ?\d", begun) is not None


def read_pubmed_abstracts(file: BinaryIO, name: str, limits: Limits, warn: Callable[[str], None]) -> Iterator[Document]:
    """Yield the documents of a file; `warn` is told about records without a title."""
    omissions = Omissions(warn, limits)
    lines = text_lines(file, name, limits, warn=warn, omit=omissions.value)
    for line, record in _records(lines, limits.max_record_bytes):
        place = f"the record of line {line} of {name}"
        if not record:
            omissions.entry(record_too_large(place, limits.max_record_bytes))
            continue
        for document in omissions.documents([_document(record)], place):
            if document.title or document.abstract:
                yield document
            else:
                warn(f"The record of line {line} of {name} has neither a title nor an abstract, and was left out.")
    omissions.finish()


def _records(lines: Iterable[str], most: int) -> Iterator[tuple[int, str]]:
    """Yield each record with its first line's number; nothing of one of more than `most` characters.

    One begins with the next number, below the numbers of the last.
    """
    record: list[str] = []
    begun = size = last = 0
    ended = True
    for number, line in enumerate(lines, start=1):
        match = _FIRST.match(line.lstrip("\ufeff")) if ended else None
        if match is not None and (not begun or int(match[1]) == last + 1):
            if begun:
                yield begun, "".join(record)
            record, begun, size, last, ended = [], number, 0, int(match[1]), False
        ended = ended or line.startswith("PMID")
        size += len(line)
        if begun and size <= most:
            record.append(line)
        elif begun:
            record.clear()
    if begun:
        yield begun, "".join(record)


def _document(record: str) -> Document:
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
        title=title.removeprefix("[").removesuffix("].") if title.startswith("[") and title.endswith("].") else title,
        abstract="\n\n".join(text for block in below if not _is_apart(block) for text in _paragraphs(block)),
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


def _paragraphs(block: str) -> Iterator[str]:
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
