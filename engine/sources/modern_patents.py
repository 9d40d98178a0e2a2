"""US patents from the Patent Office's public search: JSON with the text as HTML.

The records of 1974 to 1983 were scanned: they lack an abstract, often separate claims, and sometimes a title ("OCR
SCANNED DOCUMENT"). Their text is kept as it stands.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from engine.core.errors import MalformedFileError
from engine.documents import Document, Section
from engine.documents.text import without_tags

_NO_TITLE = "OCR SCANNED DOCUMENT"
_BREAK = re.compile(r"<br\s*/?>|\n")
_NUMBER = re.compile(r"^\s*(?:\(\d+\)|\[\d{4}\])\s*")
_CLAIM_NUMBER = re.compile(r"^\s*(\d{1,3})\s*\.\s+")
_FURNITURE = re.compile("PATENT|ABSTRACT|DESCRIPTION|BACKGROUND|SUMMARY|REFERENCE")
_TITLE_CHARACTERS = 20  # shorter lines in capitals are debris of the drawings
_HEADING = re.compile(r"[A-Z][A-Z\s,;:()/&.'-]{3,119}")


def parse(data: bytes) -> Iterator[Document]:
    """Yield every patent of the file. Raises MalformedFileError where it is not such a file."""
    try:
        for record in json.loads(data):
            yield _document(record)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MalformedFileError(
            f"Expected a JSON list of patents from the public search; {type(error).__name__}: {error}."
        ) from None


def _document(record: dict[str, Any]) -> Document:
    number = record["guid"].replace("-", "")
    title = record["inventionTitle"]
    lines = [line for name in ("backgroundTextHtml", "briefHtml", "descriptionHtml") for line in _lines(record, name)]
    codes = ";".join(record.get(name) or "" for name in ("cpcInventiveFlattened", "cpcAdditionalFlattened"))
    return Document(
        id=number,
        kind="patent",
        title=_scanned_title(lines) if title == _NO_TITLE else _title(title),
        abstract=" ".join(_lines(record, "abstractHtml")),
        sections=tuple(cut_sections(lines)),
        year=int(record["datePublished"][:4]),
        categories=tuple(dict.fromkeys(code for code in codes.split(";") if code)),
        authors=tuple(_name(name) for name in record.get("inventorsName") or ()),
        url=f"https://patents.google.com/patent/{number}",
        family=str(record.get("familyIdentifierCurStr") or ""),
        claims=tuple(join_claims(_lines(record, "claimsHtml"))),
    )


def _lines(record: dict[str, Any], name: str) -> list[str]:
    """Return the paragraphs of one HTML field, without tags and paragraph numbers."""
    lines = (_plain(line) for line in _BREAK.split(record.get(name) or ""))
    return [line for line in (_NUMBER.sub("", line) for line in lines) if line]


def _plain(text: str) -> str:
    return " ".join(html.unescape(without_tags(text, gap="")).split())


def _title(title: str) -> str:
    """Return a title without markup; one in capitals is put in sentence case."""
    plain = _plain(title)
    return plain.capitalize() if plain.isupper() else plain


def cut_sections(lines: Iterable[str]) -> Iterator[Section]:
    """Cut the description at its headings, which stand alone in capitals."""
    title, body = "Description", list[str]()
    for line in lines:
        if _HEADING.fullmatch(line) and not line.endswith(","):
            if body:
                yield Section(title, "\n\n".join(body))
            title, body = line.rstrip(".:").capitalize(), []
        else:
            body.append(line)
    if body:
        yield Section(title, "\n\n".join(body))


def join_claims(lines: Iterable[str]) -> Iterator[str]:
    """Join the lines of each claim; a claim begins with the number that follows the last one's."""
    claim = list[str]()
    expected: int | None = None  # the first may be any: claims before it were cancelled
    for line in lines:
        number = _CLAIM_NUMBER.match(line)
        if number and expected in (None, int(number.group(1))):
            if claim:
                yield " ".join(claim)
            claim, expected = [line[number.end() :]], int(number.group(1)) + 1
        elif expected is not None:
            claim.append(line)
    if claim:
        yield " ".join(claim)


def _scanned_title(lines: list[str]) -> str:
    """Return the title of a scanned patent: the first run of lines in capitals, or ""."""
    for line in lines[:8]:
        if len(line) >= _TITLE_CHARACTERS and line.isupper() and not _FURNITURE.search(line):
            start = lines.index(line)
            more = [line]
            for following in lines[start + 1 : start + 4]:
                if not following.isupper():
                    break
                more.append(following)
            return re.sub(r"-\s", "", " ".join(more)).capitalize()
    return ""


def _name(name: str) -> str:
    """Return the name in the order of speech: "Henley; Francois J." is Francois J. Henley."""
    last, _, first = name.partition(";")
    return f"{first.strip()} {last.strip()}".strip()
