"""Named characters of XML (`&mgr;`) as numbers, which a parser reads without a DTD.

Publishers' DTDs define the names of ISO 8879 and of HTML. HTML's table, which Python carries, holds nearly all of both.
What ISO 8879 has beyond it stands here: the Greek of ISOgrk1 and ISOgrk2, the bold Greek of ISOgrk4 (read as plain
letters), and a few signs. A name in neither table stays as it is written, and is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from html.entities import html5

_REFERENCE = re.compile(r"<!--(?:[^-]|-(?!->))*+|<!\[CDATA\[(?:[^]]|\](?!\]>))*+|&([A-Za-z][\w.-]*+);")
"""A named character; a comment or a CDATA section before its end, which hold text as it is written, name none."""
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})

_LETTERS = "a b g d e z ee th i k l m n x o p r sf s t u ph kh ps oh".split()
"""The stems of ISOgrk1 from alpha to omega: `agr` is the small alpha, `Agr` the capital one, `EEgr` the capital eta."""
_SMALL, _CAPITAL = 0x3B1, 0x391
_ACCENTED = (
    "aacgr 3AC, eacgr 3AD, eeacgr 3AE, iacgr 3AF, udiagr 3B0, idigr 3CA, udigr 3CB, oacgr 3CC, uacgr 3CD, ohacgr 3CE, "
    "idiagr 390, Aacgr 386, Eacgr 388, EEacgr 389, Iacgr 38A, Oacgr 38C, Uacgr 38E, OHacgr 38F, Idigr 3AA, Udigr 3AB"
)
"""ISOgrk2, each name with its number in Unicode."""
_SIGNS = (
    "thetas 3B8, epsis 3F5, phis 3D5, gcedil 123, jnodot 237, ang90 221F, vprime 2032, sbsol FE68, lpargt 29A0, "
    "samalg 2210, cupre 227C, gsdot 22D7, ldot 22D6, darr2 21CA, larr2 21C7, rarr2 21C9, uarr2 21C8, dlarr 2199, "
    "drarr 2198, lrarr2 21C6, rlarr2 21C4, lrhar2 21CB, rlhar2 21CC"
)
"""Names of ISO 8879 that HTML left out or renamed."""


def as_numbers(text: str, unknown: Counter[str]) -> str:
    """XML text with its named characters as numbers; `unknown` counts the names that no table holds."""

    def number(match: re.Match[str]) -> str:
        name = match[1]
        if name is None or name in _OF_XML:
            return match[0]
        found = _character(name)
        if found is None:
            unknown[name] += 1
            return f"&amp;{name};"
        return "".join(f"&#{ord(character)};" for character in found)

    return _REFERENCE.sub(number, text)


def _character(name: str) -> str | None:
    """The character of a name, or the several of one that HTML writes with two."""
    bold = name.removeprefix("b.")
    return _ISO.get(bold) or html5.get(f"{bold};")


def _numbered(table: str) -> dict[str, str]:
    return {name: chr(int(number, 16)) for name, number in (entry.split(" ") for entry in table.split(", "))}


_ISO: dict[str, str] = {
    **{f"{stem}gr": chr(_SMALL + place) for place, stem in enumerate(_LETTERS)},
    **{f"{stem.upper()}gr": chr(_CAPITAL + place) for place, stem in enumerate(_LETTERS) if stem != "sf"},
    **_numbered(_ACCENTED),
    **_numbered(_SIGNS),
}
