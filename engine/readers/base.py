"""What every reader gives: a document and what the person should know about how it was read."""

from __future__ import annotations

from dataclasses import dataclass

from engine.documents import Document

UNTITLED = "Text"
"""The title of a stretch of text that stands under no heading."""

UNTITLED_DESCRIPTION = "Description"
"""The same in a patent."""

REFERENCES = "References"
"""The title of a reference list that has none."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One document read from a file or a text.

    `format` is a name that `detect` gives. `warnings` are whole sentences for the person who gave
    the file. `pages` is known for PDF only.
    """

    document: Document
    format: str
    warnings: tuple[str, ...] = ()
    pages: int | None = None
