"""The numbers that Word writes before paragraphs: lists, their levels and restarts (ECMA-376 part 1, section 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from engine.reading.xml.tree import children

_LEVELS = 9
_SIGN = re.compile(r"%([1-9])")
_COUNTED = frozenset(
    {"decimal", "decimalZero", "decimalFullWidth", "upperRoman", "lowerRoman", "upperLetter", "lowerLetter"}
)
_LARGEST = 100_000


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
        self._levels = {key: _levels(one) for key, one in definitions.items()}
        self._styled = {
            (key, style): level for key, one in definitions.items() for style, level in _styles_of_levels(one)
        }
        self._lists = {one.get("numId", ""): self._list(one) for one in children(root, "num")}
        self._counts: dict[str, list[int | None]] = {}

    def level_of_style(self, list_id: str, style: str) -> int:
        """The level of a list that a style stands for."""
        found = self._lists.get(list_id)
        return self._styled.get((found.definition, style), 0) if found is not None else 0

    def next(self, list_id: str, level: int) -> Number | None:
        """The number of the next paragraph of a list; None for list 0, which stands for no list."""
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
        definition = _value(element, "abstractNumId")
        levels = dict(self._levels.get(definition, {}))
        restarts: dict[int, int] = {}
        for one in children(element, "lvlOverride"):
            at = _whole(one.get("ilvl", ""), 0)
            restart = one.find("startOverride")
            inner = one.find("lvl")
            if inner is not None:
                levels[at] = _level(inner)
            if restart is not None and at < _LEVELS:
                restarts[at] = _whole(restart.get("val", ""), 1)
        return _List(definition, levels, restarts)


def _levels(definition: Element) -> dict[int, _Level]:
    return {_whole(one.get("ilvl", ""), 0): _level(one) for one in children(definition, "lvl")}


def _level(element: Element) -> _Level:
    return _Level(
        _whole(_value(element, "start"), 1), _value(element, "numFmt") or "decimal", _value(element, "lvlText")
    )


def _styles_of_levels(definition: Element) -> list[tuple[str, int]]:
    levels = children(definition, "lvl")
    return [(style, _whole(one.get("ilvl", ""), 0)) for one in levels if (style := _value(one, "pStyle"))]


def _label(text: str, levels: dict[int, _Level], counts: list[int | None]) -> str:
    """The label as Word shows it: `%1.%2` by the counts of its levels."""

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


def _value(element: Element, name: str) -> str:
    found = element.find(name)
    return found.get("val", "") if found is not None else ""


def _whole(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else default
