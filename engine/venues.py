r"""A venue's name as plain text: records of papers give it with TeX in it, as `Int.\ J.\ Mod.\ Phys.`."""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = {
    **{"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307"},
    **{"u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323"},
}
"""The combining character of each accent."""
_NAMED = {
    **{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å"},
    **{"l": "ł", "L": "Ł", "i": "i", "j": "j", "S": "§", "textendash": "–", "textemdash": "—"},
    **{"textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”"},
}
_ACCENTED = re.compile(r"""\\(?:(['`^"~=.])|([uvHckrd])(?=[{\\\s]))[ ]?\{?(?:\\([ij])(?![A-Za-z])|([^\W\d_]))\}?""")
_COMMAND = re.compile(r"\\([A-Za-z]+)\s?|\\(.)|~", re.DOTALL)


def plain_venue(text: str) -> str:
    """The name with accents as letters and without commands and braces; as it stands where it holds no TeX."""
    if "\\" not in text and "{" not in text:
        return text
    made = _COMMAND.sub(_said, _ACCENTED.sub(_letter, text)).replace("{", "").replace("}", "")
    return unicodedata.normalize("NFC", " ".join(made.split()))


def _letter(match: re.Match[str]) -> str:
    mark, named, dotless, letter = match.groups()
    return f"{letter or dotless}{_ACCENTS[mark or named]}"


def _said(match: re.Match[str]) -> str:
    command, sign = match.groups()
    if command:
        return _NAMED.get(command, "")
    return sign if sign and sign in "&%#$_'{}" else " "


PLAIN_VENUE = "CASE WHEN instr(venue, '\\') OR instr(venue, '{') THEN plain_venue(venue) ELSE venue END"
"""The same in SQL of a table's column `venue`, where `plain_venue` is a function of the connection.

A library holds the names of documents that were imported before they were cleaned as they came.
"""
