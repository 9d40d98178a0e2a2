"""A page's work on its way into a document: where its text stands, how it is marked, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from engine.reading.web.metadata import Metadata
from engine.reading.web.prose import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one kind of page tells of its work; `abstract` only where it stands apart from the text."""

    root: Element
    layout: Layout
    meta: Metadata
    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: str = ""
    categories: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())
