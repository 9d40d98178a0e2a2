"""What a paragraph's style and list say of it: its role by the style's name or outline level, its size, its number.

Word's lists count by their definitions, levels and restarts (ECMA-376 part 1, section 17.9).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element

from engine.core.patterns import LatePattern
from engine.reading.heading_names import ABSTRACT, KEYWORDS, REFERENCES
from engine.reading.xml.tree import children

ParagraphPart = Literal["text", "title", "subtitle", "heading", "abstract", "keywords", "references", "skip"]

_HEADING = re.compile(
    r"(?:.{0,200}[ _\d.])?(?:heading|head|überschrift|berschrift|titre|título|ttulo|titulo|titolo|kop|rubrik|otsikko|"
    r"nagłówek|nagwek|overskrift|nadpis|заголовок|標題|标题|見出し|제목) ?_?([1-9])(?:[ _].*)?",
    re.IGNORECASE,
)
_BY_NAME: tuple[tuple[ParagraphPart, re.Pattern[str] | LatePattern], ...] = (
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
_LEVELS = 9
_SIGN = re.compile(r"%([1-9])")
_COUNTED = frozenset(
    {"decimal", "decimalZero", "decimalFullWidth", "upperRoman", "lowerRoman", "upperLetter", "lowerLetter"}
)
_LARGEST = 100_000


@dataclass(frozen=True, slots=True)
class Style:
    """A style as the styles that it is based on complete it.

    `level` is a heading's, from 1. `list_id` is empty without a list; `list_level` is None where only the list's
    definition names it. `size` is in half points, 0 if unknown.
    """

    part: ParagraphPart = "text"
    level: int = 0
    list_id: str = ""
    list_level: int | None = None
    size: int = 0


class _Own(NamedTuple):
    """What one style says by itself."""

    base: str
    role: tuple[ParagraphPart, int] | None
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
        """Return the style with an id."""
        if key not in self._known:
            self._known[key] = self._resolved(key)
        return self._known[key]

    def script(self, key: str) -> str:
        """Return how a style of runs raises or lowers them, by itself or by those that it is based on."""
        for _ in range(_BASES):
            element = self._elements.get(key)
            if element is None:
                break
            if script := value(element.find("rPr"), "vertAlign"):
                return script
            key = value(element, "basedOn")
        return ""

    def _normal(self, path: str) -> Element | None:
        normal = self._elements.get("Normal")
        return normal.find(path) if normal is not None else None

    def _resolved(self, key: str) -> Style:
        """Return the style, each trait by itself or by the nearest style that it is based on."""
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
        """Yield what the style and those that it is based on say themselves, each read once."""
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


def _role(key: str, style: Element) -> tuple[ParagraphPart, int] | None:
    """Return the role by the style's own name or outline level; None if it says nothing."""
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
    """Return the small whole number that an element gives as its value."""
    found = element.get("val", "") if element is not None else ""
    return int(found) if found.isascii() and found.isdecimal() and len(found) < 4 else None


def value(element: Element | None, name: str) -> str:
    """Return the value of a child; empty without it."""
    found = element.find(name) if element is not None else None
    return found.get("val", "") if found is not None else ""


@dataclass(frozen=True, slots=True)
class Number:
    """A list's number before one paragraph: the list, the level from 0, and what is counted, as value and as label.

    `value` is None for bullets and where the file does not say how the list counts.
    """

    list_id: str
    level: int
    value: int | None = None
    label: str = ""

    @property
    def decimal(self) -> bool:
        """Whether the label is a plain number with its marks, as 1. or [0001]."""
        return self.value is not None and re.fullmatch(r"[\W_]*\d+[\W_]*", self.label) is not None


@dataclass(slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""


@dataclass(slots=True)
class _List:
    """One use of a list: the definition that it counts in, its levels, and the levels that start again."""

    definition: str
    levels: dict[int, _Level]
    restarts: dict[int, int] = field(default_factory=dict)
    begun: bool = False


class Numbering:
    """Counts the paragraphs of each list in reading order."""

    def __init__(self, root: Element | None) -> None:
        """Read the definitions; without any, each list counts nothing."""
        definitions = {one.get("abstractNumId", ""): one for one in children(root, "abstractNum")}
        self._levels = {key: dict(map(_level, children(one, "lvl"))) for key, one in definitions.items()}
        self._styled = {
            (key, style): _whole(one.get("ilvl", ""), 0)
            for key, definition in definitions.items()
            for one in children(definition, "lvl")
            if (style := value(one, "pStyle"))
        }
        self._lists = {one.get("numId", ""): self._list(one) for one in children(root, "num")}
        self._counts: dict[str, list[int | None]] = {}

    def level_of_style(self, list_id: str, style: str) -> int:
        """Return the level of a list that a style stands for."""
        found = self._lists.get(list_id)
        return self._styled.get((found.definition, style), 0) if found is not None else 0

    def next(self, list_id: str, level: int) -> Number | None:
        """Return the number of the next paragraph of a list; None for list 0, which stands for no list."""
        if list_id == "0":
            return None
        found = self._lists.get(list_id)
        if found is None:
            return Number(list_id, level)
        counts = self._counts.setdefault(found.definition, [None] * _LEVELS)
        if not found.begun:
            found.begun = True
            for place, start in found.restarts.items():
                counts[place] = start - 1
        at = min(level, _LEVELS - 1)
        own = found.levels.get(at, _Level())
        last = counts[at]
        counts[at] = min(own.start if last is None else last + 1, _LARGEST)
        counts[at + 1 :] = [None] * (_LEVELS - at - 1)
        if own.form not in _COUNTED:
            return Number(found.definition, level)
        return Number(found.definition, level, counts[at], _label(own.text, found.levels, counts))

    def _list(self, element: Element) -> _List:
        definition = value(element, "abstractNumId")
        levels = dict(self._levels.get(definition, {}))
        restarts: dict[int, int] = {}
        for one in children(element, "lvlOverride"):
            at = _whole(one.get("ilvl", ""), 0)
            restart = one.find("startOverride")
            inner = one.find("lvl")
            if inner is not None:
                levels[at] = _level(inner)[1]
            if restart is not None and at < _LEVELS:
                restarts[at] = _whole(restart.get("val", ""), 1)
        return _List(definition, levels, restarts)


def _level(element: Element) -> tuple[int, _Level]:
    """Read a level of a list, with its place."""
    form = value(element, "numFmt") or "decimal"
    return _whole(element.get("ilvl", ""), 0), _Level(
        _whole(value(element, "start"), 1), form, value(element, "lvlText")
    )


def _label(text: str, levels: dict[int, _Level], counts: list[int | None]) -> str:
    """Return the label as Word shows it: `%1.%2` by the counts of its levels."""

    def counted(match: re.Match[str]) -> str:
        at = int(match[1]) - 1
        level = levels.get(at, _Level())
        return _written(counts[at] if counts[at] is not None else level.start, level.form)

    return _SIGN.sub(counted, text[:40])


def _written(value: int | None, form: str) -> str:
    number = value or 0
    if form in ("upperLetter", "lowerLetter"):
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1) if 0 < number < 1_000 else str(number)
        return letter.upper() if form == "upperLetter" else letter
    if form in ("upperRoman", "lowerRoman"):
        return _roman(number) if form == "upperRoman" else _roman(number).lower()
    return f"{number:02}" if form == "decimalZero" else str(number)


def _roman(number: int) -> str:
    if not 0 < number < 4_000:
        return str(number)
    signs = (
        ("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100), ("XC", 90), ("L", 50), ("XL", 40),
        ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1),
    )  # fmt: skip
    written = []
    for sign, worth in signs:
        count, number = divmod(number, worth)
        written.append(sign * count)
    return "".join(written)


def _whole(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else default
