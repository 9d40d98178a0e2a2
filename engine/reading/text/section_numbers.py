"""The number that a heading begins with: `2.1.`, `IV.`, `Chapter 3`, and `一、` and `第2章`."""

from __future__ import annotations

import re

from engine.reading.heading_names import KNOWN

IDEOGRAPH = "[\u3041-\u30ff\u3400-\u9fff]"
"""A character of Chinese or Japanese, as a pattern."""

_COUNTING = "一二三四五六七八九"
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV")
_CHAPTER = "(?i:section|chapter|kapitel|abschnitt|chapitre|cap[íi]tulo|capitolo|глава|раздел)"
_NUMBERED = re.compile(
    rf"(?:(?:{_CHAPTER}|appendix)\s+)?(?P<number>\d{{1,2}}(?:\.\d{{1,2}}){{0,3}}|[IVX]{{1,5}}|[A-H](?=[.)])|"
    r"[A-H]\.\d{1,2})(?P<mark>[.):]?)\s+(?P<title>[^\W\d_].*)"
)
_MARKED = re.compile(
    rf"(?:{_CHAPTER}\s+(?:\d{{1,2}}|[IVX]{{1,5}})[.:]?|(?P<top>\d{{1,2}})(?:\.\d{{1,2}}){{0,5}}[.)]?|[IVX]{{1,5}}\.)"
    r"(?=\s+[^\W\d_])"
)
_IDEOGRAPHIC = re.compile(
    rf"(?P<written>第\s?(?P<chapter>\d{{1,2}}|[{_COUNTING}十]{{1,3}})\s?[章节節编編部]\s{{0,4}}"
    rf"|(?P<count>[{_COUNTING}十]{{1,3}})\s?[、.．]\s{{0,4}}|[(（][{_COUNTING}十]{{1,3}}[)）]\s{{0,4}}"
    rf"|(?P<digits>\d{{1,2}})(?:[.．]\d{{1,2}}){{0,3}}(?P<mark>\s?[.．、)）]?\s{{0,4}}))(?P<title>{IDEOGRAPH}.*)"
)


def apart(text: str) -> tuple[str, str]:
    """A heading's number, as digits or letters, and its text: `2.1. Method`, `IV. METHOD` and `第2章 方法` have one."""
    match = _NUMBERED.fullmatch(text)
    if match is not None and (match["mark"] or not match["number"][0].isalpha()):
        return match["number"], match["title"].strip()
    match = _IDEOGRAPHIC.fullmatch(text)
    if match is None or not _is_apart(match):
        return "", text
    return match["chapter"] or match["count"] or match["written"].rstrip(" .．、)）"), match["title"].strip()


def marked(heading: str) -> tuple[str, int | None]:
    """The number that a heading which the file marks begins with, as it is written; and its first part, if digits."""
    if match := _MARKED.match(heading):
        return match[0], int(match["top"]) if match["top"] else None
    match = _IDEOGRAPHIC.fullmatch(heading)
    return (match["written"].strip(), None) if match is not None and _is_apart(match) else ("", None)


def counted(number: str) -> int | None:
    """What the first part of a number counts, as it goes up by one; None for letters."""
    top = number.replace("．", ".").partition(".")[0]
    if top.isdecimal():
        return int(top)
    if top and all(one in f"{_COUNTING}十" for one in top):
        tens, ten, ones = top.rpartition("十")
        return (10 * (_COUNTING.find(tens) + 1 if tens else 1) if ten else 0) + (
            _COUNTING.find(ones) + 1 if ones else 0
        )
    return _ROMAN.index(top) + 1 if top in _ROMAN else None


def _is_apart(match: re.Match[str]) -> bool:
    """Whether a number is a heading's: digits without a mark or a space may begin a text, as a year does."""
    return match["digits"] is None or bool(match["mark"]) or KNOWN.match(match["title"]) is not None
