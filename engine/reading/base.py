"""What every reader returns: a document, and warnings about how it was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from engine.core.files import fingerprint
from engine.documents import Document, Identifier, Section
from engine.reading.limits import Limits

UNTITLED = "Text"
"""The title of text without a heading."""

UNTITLED_DESCRIPTION = "Description"
"""The same in a patent."""

REFERENCES = "References"
"""The title of an untitled reference list."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One document read from a file or a text.

    `format` is a name from `detect`. `warnings` are whole sentences for the reader. `pages` is known for PDF only.
    """

    document: Document
    format: str
    warnings: tuple[str, ...] = ()
    pages: int | None = None


def require_within(document: Document, place: str, limits: Limits) -> Document:
    """The document, if its text and lists are within the limits; `place` names it in the error."""
    limits.require("characters", sum(len(part.text) for part in document.parts), place)
    limits.require("sections", len(document.sections), place)
    limits.require("claims", len(document.claims), place)
    return document


def identified(document: Document) -> Document:
    """The document, one without an id under the digest of its text: a patent's record may lack its number."""
    if document.id:
        return document
    return replace(document, id=f"text:{fingerprint(*(part.text for part in document.parts))}")


def pubmed(number: str) -> tuple[Identifier, ...]:
    """PubMed's number as a document's identifier, beside whatever the document is named by; none for another text."""
    return (Identifier("pmid", number),) if number.isdecimal() else ()


Part = tuple[Literal["group", "heading", "text"], str]
"""A piece of a body: the name of a group that begins, a heading, or a paragraph."""


def cut(parts: Iterable[Part], untitled: str) -> Iterator[Section]:
    """The sections of a body, cut at its headings; text before the first heading of a group has the group's name."""
    group, title, texts = untitled, "", list[str]()
    for kind, text in parts:
        if kind == "text":
            texts += filter(None, (text,))
            continue
        if title or texts:
            yield Section(title or group, "\n\n".join(texts))
        group, title = (text, "") if kind == "group" else (group, text)
        texts = []
    if title or texts:
        yield Section(title or group, "\n\n".join(texts))
