"""Turns the character codes that PDF fonts give into letters: ligatures, hyphens, TeX's own codes."""

from __future__ import annotations

import unicodedata

_HYPHENS = (2, 0xAD, 0x2010, 0x2011)
_UNUSABLE = (0, 0xFFFD, 0xFFFE, 0xFFFF)

_TEX_CODES = {
    11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl", 16: "\u201c", 17: "\u201d", 18: "\u201e",
    21: "\u2013", 22: "\u2014", 27: "ff", 28: "fi", 29: "fl", 30: "ffi", 31: "ffl",
}  # fmt: skip
"""Codes below the space that TeX's text fonts use, where a font does not say what they draw.

11 to 15 are the ligatures of its old encoding (OT1), the others those of its newer one (T1).
"""

_DINGBAT_NUMBERS = """
1 2 202 3 4 5 119 118 117 11 12 13 14 15 16 105 17 18 19 20 21 22 23 24 25 26 27 28 6 7 8 9 10 29 30 31 32 33 34 35
36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74
203 75 204 76 77 78 79 81 82 83 84 97 98 99 100 0 0 101 102 103 104 106 107 108
"""
"""The N of the glyph name aN that stands for each dingbat from U+2701 on."""
_OTHER_DINGBATS = {
    0x2605: 35, 0x260E: 4, 0x261B: 11, 0x261E: 12, 0x25CF: 71, 0x25A0: 73, 0x25B2: 76, 0x25BC: 77, 0x25C6: 78,
    0x25D7: 81, 0x2660: 109, 0x2663: 112, 0x2665: 110, 0x2666: 111, 0x2768: 89, 0x2769: 90, 0x276A: 93, 0x276B: 94,
    0x276C: 91, 0x276D: 92, 0x276F: 85, 0x2771: 86, 0x2772: 87, 0x2773: 88, 0x2774: 95, 0x2775: 96,
    **{0x2460 + n: 120 + n for n in range(7)},
}  # fmt: skip


def letter_of(code: int) -> str:
    """A character's text: ligatures spelt out, every kind of hyphen as one; nothing for what has no letter."""
    if code < 32:
        return "-" if code in _HYPHENS else _TEX_CODES.get(code, "")
    if code < 0xAD:
        return chr(code) if not 0x7F <= code < 0xA0 else ""
    if code in _HYPHENS:
        return "-"
    if 0xFB00 <= code <= 0xFB06:
        return unicodedata.normalize("NFKC", chr(code))
    return "" if code in _UNUSABLE or 0xE000 <= code <= 0xF8FF or 0xD800 <= code <= 0xDFFF else chr(code)


def _bitmap_letters() -> dict[int, str]:
    numbers = {0x2701 + place: int(number) for place, number in enumerate(_DINGBAT_NUMBERS.split())}
    numbers.update(_OTHER_DINGBATS)
    letters = {code: letter_of(number) for code, number in numbers.items() if number and letter_of(number)}
    return {**letters, 0x2793: "\u00a7"}  # a159 is the section sign in T1


_BITMAP_LETTERS = _bitmap_letters()


def bitmap_text(text: str) -> str:
    """Text of a bitmap font without a name, made readable.

    TeX's bitmap fonts call the glyph of code 101 "a101". That is also a dingbat's name, and some
    programs write the dingbat into the file as what the glyph means.
    """
    return text.translate(_BITMAP_LETTERS) if not text.isascii() else text
