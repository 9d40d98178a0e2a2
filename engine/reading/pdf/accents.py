"""Puts accents that a file draws on their own, as TeX does, onto the letters that they stand over."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

ACCENTS = dict(
    zip(
        "\u00a8\u00b4`\u02c6\u02dc\u02c7\u00b8\u02da\u00af\u02d8\u02d9\u02dd",
        "\u0308\u0301\u0300\u0302\u0303\u030c\u0327\u030a\u0304\u0306\u0307\u030b",
        strict=True,
    )
)
"""Accents that stand alone, and the combining ones that they mean."""
_DOTLESS = {"\u0131": "i", "\u0237": "j"}
_CELL = 8
_OFF_CENTRE = 0.2
"""An accent's middle lies within this many ems of its letter's; an italic one leans farther."""
_OFF_LINE = 0.35


class Drawn(NamedTuple):
    """A letter or an accent: its place among a page's characters, its middle along the line, its baseline, its size."""

    place: int
    middle: float
    y: float
    size: float
    sign: str


def accented(letter: str, accent: str) -> str:
    """A letter with an accent over it, as one character where Unicode has it."""
    return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + ACCENTS[accent])


def placed(accents: Iterable[Drawn], letters: Iterable[Drawn]) -> tuple[dict[int, str], frozenset[int]]:
    """The letters that have an accent over them, by their places, and the places of those accents."""
    lines: dict[int, list[Drawn]] = defaultdict(list)
    for one in sorted(letters, key=lambda one: one.middle):
        lines[int(one.y // _CELL)].append(one)
    found: dict[int, str] = {}
    used: set[int] = set()
    for accent in accents:
        near = [
            letter for step in (-1, 0, 1) for letter in _nearest(lines.get(int(accent.y // _CELL) + step, []), accent)
        ]
        fits = [one for one in near if one.place not in found and len(accented(one.sign, accent.sign)) == 1]
        if fits:
            best = min(fits, key=lambda one: abs(one.middle - accent.middle))
            found[best.place] = accented(best.sign, accent.sign)
            used.add(accent.place)
    return found, frozenset(used)


def _nearest(line: list[Drawn], accent: Drawn) -> list[Drawn]:
    """The letters beside an accent's place whose middle is as good as there."""
    place = bisect_left(line, accent.middle, key=lambda one: one.middle)
    return [
        one
        for one in line[max(place - 2, 0) : place + 2]
        if abs(one.middle - accent.middle) < _OFF_CENTRE * accent.size
        and abs(one.y - accent.y) < _OFF_LINE * accent.size
    ]
