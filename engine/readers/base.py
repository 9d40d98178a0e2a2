"""What every reader returns: a document, and warnings about how it was read."""

from __future__ import annotations

from dataclasses import dataclass

from engine.documents import Document

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
