"""What a paragraph's style says of it: its role by the style's name or outline level, its list, and its size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element

from engine.core.patterns import LatePattern
from engine.reading.heading_names import ABSTRACT, KEYWORDS, REFERENCES
from engine.reading.xml.tree import children

Part = Literal["text", "title", "subtitle", "heading", "abstract", "keywords", "references", "skip"]

_HEADING = re.compile(
    r"(?:.{0,200}[ _\d.])?(?:heading|head|überschrift|berschrift|titre|título|ttulo|titulo|titolo|kop|rubrik|otsikko|"
    r"nagłówek|nagwek|overskrift|nadpis|заголовок|標題|标题|見出し|제목) ?_?([1-9])(?:[ _].*)?",
    re.IGNORECASE,
)
_BY_NAME: tuple[tuple[Part, re.Pattern[str] | LatePattern], ...] = (
    (
        "skip",
        re.compile(
            r"toc ?\d|toc heading|header|footer|date|table of (?:figures|authorities)|"
            r"(?:.{0,200}[ _\d])?(?:auth(?:or)?s?(?:names?|notes?)?|affiliations?|correspondence)(?:[ _].*)?",
            re.IGNORECASE,
        ),
    ),
    (
        "title",
        re.compile(
            r"(?:(?:paper|article|document|book|mdpi)[ _.\d]*)?title(?:_document)?|titel|titre|título|titolo|"
            r"название|标题|表題",
            re.IGNORECASE,
        ),
    ),
    ("subtitle", re.compile(r"sub-?title(?:_document)?|untertitel|sous-titre|subtítulo|sottotitolo", re.IGNORECASE)),
    ("abstract", re.compile(r"(?:.{0,200}[ _\d])?abstract(?: text)?", re.IGNORECASE)),
    ("keywords", re.compile(r"(?:.{0,200}[ _\d])?key ?words?", re.IGNORECASE)),
    (
        "references",
        re.compile(r"(?:.{0,200}[ _\d])?(?:references?|bibliography|bib_entry|reference ?list|reference ?item)", re.I),
    ),
    ("abstract", ABSTRACT),
    ("keywords", KEYWORDS),
    ("references", REFERENCES),
)
_LONGEST_NAME = 250
_BASES = 20
_BODY_LEVEL = 9


@dataclass(frozen=True, slots=True)
class Style:
    """A style as the styles that it is based on complete it.

    `level` is a heading's, from 1. `list_id` is empty without a list; `list_level` is None where only the list's
    definition names it. `size` is in half points, 0 if unknown.
    """

    part: Part = "text"
    level: int = 0
    list_id: str = ""
    list_level: int | None = None
    size: int = 0


class _Own(NamedTuple):
    """What one style says by itself."""

    base: str
    role: tuple[Part, int] | None
    list_id: str
    list_level: int | None
    size: int


class Styles:
    """The styles of a file, each looked up when a paragraph first names it."""

    def __init__(self, root: Element | None) -> None:
        """Take the styles of a file's list; without one, only a style's id tells what it is."""
        self._elements = {one.get("styleId", ""): one for one in children(root, "style")}
        self._known: dict[str, Style] = {}
        self._own: dict[str, _Own] = {}
        default = number(root.find("docDefaults/rPrDefault/rPr/sz")) if root is not None else None
        self.size = default or number(self._normal("rPr/sz")) or 22

    def of(self, key: str) -> Style:
        """The style with an id."""
        if key not in self._known:
            self._known[key] = self._resolved(key)
        return self._known[key]

    def _normal(self, path: str) -> Element | None:
        normal = self._elements.get("Normal")
        return normal.find(path) if normal is not None else None

    def _resolved(self, key: str) -> Style:
        """The style, each trait by itself or by the nearest style that it is based on."""
        chain = list(self._chain(key))
        part, level = next((one.role for one in chain if one.role is not None), ("text", 0))
        if not chain:
            named = _HEADING.fullmatch(key[:_LONGEST_NAME])
            part, level = ("heading", int(named[1])) if named is not None else ("text", 0)
        return Style(
            part,
            level,
            next((one.list_id for one in chain if one.list_id), ""),
            next((one.list_level for one in chain if one.list_level is not None), None),
            next((one.size for one in chain if one.size), 0),
        )

    def _chain(self, key: str) -> Iterator[_Own]:
        """What the style and those that it is based on say themselves, each read once."""
        for _ in range(_BASES):
            element = self._elements.get(key)
            if element is None:
                return
            if key not in self._own:
                self._own[key] = _own(key, element)
            yield self._own[key]
            key = self._own[key].base


def _own(key: str, style: Element) -> _Own:
    listed = style.find("pPr/numPr")
    return _Own(
        value(style, "basedOn"),
        _role(key, style),
        value(listed, "numId"),
        number(listed.find("ilvl")) if listed is not None else None,
        number(style.find("rPr/sz")) or 0,
    )


def _role(key: str, style: Element) -> tuple[Part, int] | None:
    """The role by the style's own name or outline level; None if it says nothing."""
    name = value(style, "name")[:_LONGEST_NAME]
    for part, pattern in _BY_NAME:
        if pattern.fullmatch(name):
            return part, 0
    own = number(style.find("pPr/outlineLvl"))
    named = _HEADING.fullmatch(name) or _HEADING.fullmatch(key[:_LONGEST_NAME])
    if own is None and named is None:
        return None
    level = own + 1 if own is not None else int(named[1]) if named is not None else 0
    return ("heading", level) if level <= _BODY_LEVEL else ("text", 0)


def number(element: Element | None) -> int | None:
    """The small whole number that an element gives as its value."""
    found = element.get("val", "") if element is not None else ""
    return int(found) if found.isascii() and found.isdecimal() and len(found) < 4 else None


def value(element: Element | None, name: str) -> str:
    """The value of a child; empty without it."""
    found = element.find(name) if element is not None else None
    return found.get("val", "") if found is not None else ""
