"""Reads the authors' names around a title: in lists, one below the other, or in grids with addresses beneath."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from engine.documents.dates import MONTHS
from engine.documents.people import PARTICLE, is_name, is_place, split_byline, unmarked
from engine.reading.pdf.imprint import is_mark
from engine.reading.pdf.page import PdfLine

_LONGEST = 4_000
_MOST_LINES = 60
_CLOSE = 2.6
_PROSE_WORDS, _FEW_WORDS = 8, 3
_NAMES = ("april", "may", "june", "august")
"""Months that people are called by."""
_NOT_A_NAME = re.compile(
    r"abstract|^author notes?\b|"
    rf"gmbh|ltd|\b(?:{'|'.join(month for month in MONTHS if month not in _NAMES)})\b|version|vignette|package|"
    r"team\b|journal|unit\b|\bfund|\bgroup\b|\bstation\b|\boffice\b|programme?\b|\bpress\b|publish|consortium|collaboration|"
    r"\bmember\b|^the\b|^per\b|^of\b|\broad\b|\blane\b|\bsquare\b|\bbox\b|"
    r"\bnew (?:york|zealand|jersey|mexico|delhi|haven)\b|hong kong|\bsan (?:diego|francisco|jose)\b|"
    r"los angeles|\b(?:south|north) (?:africa|korea|carolina|dakota)\b|\bsaudi arabia\b|\bsri lanka\b|"
    r"\bthe netherlands\b",
    re.IGNORECASE,
)
"""Words of a first page that people are not called, beside those of addresses: groups, places, words of journals."""
_CAPITALS = re.compile(r"[^\W\d_]+")
_INITIAL = re.compile(r"\s[A-Z]\.$")
_GOES_ON = re.compile(r"(?:,|;|&|\band|\bund|\bet|·)$", re.IGNORECASE)
_BETWEEN_RUNS = 0.75
"""A gap of this many ems parts the cells of a grid."""


def read_byline(lines: Sequence[PdfLine]) -> tuple[str, ...]:
    """Return the authors in the lines around a title, as far as they are plainly names.

    The first line that holds names shows how names look; later ones count where they look the same. Where addresses
    look the same, too, names stand only at the top of a block of lines.
    """
    names: list[str] = []
    first: PdfLine | None = None
    with_address = False
    lines = _with_whole_names(lines[:_MOST_LINES])
    for place, line in enumerate(lines):
        if len(line.text) > _LONGEST or (names and any(map(is_prose, _cells(line)))):
            break
        above = lines[place - 1] if place else None
        open_list = bool(names and above and _GOES_ON.search(above.text.rstrip()))
        if first and not open_list and not (_alike(first, line) and _begins(lines, place, first)):
            continue
        strict = first is not None and not open_list and not with_address
        found = names_in_line(line, least=1.0 if strict else 0.5)
        if found and first is None:
            first = line
            with_address = not names_in_line(line, least=1.0)
        names += found
    return tuple(dict.fromkeys(map(_in_small, names) if all(map(str.isupper, names)) else names))


def _in_small(name: str) -> str:
    """Return a name that is set in capitals as it is usually written."""
    first, *more = (
        word if "." in word else _CAPITALS.sub(lambda part: part[0].capitalize(), word) for word in name.split()
    )
    return " ".join([first, *(word.lower() if re.fullmatch(PARTICLE, word.lower()) else word for word in more)])


def _with_whole_names(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines of a list joined where a line's end cuts a name in it: the last piece is part of one."""
    joined: list[PdfLine] = []
    for line in lines:
        above = joined[-1] if joined else None
        if above and 0 < line.gap < _CLOSE * line.size and _alike(above, line) and _ends_in_name(above):
            runs = [*above.runs, *line.runs]
            joined[-1] = replace(above, text=f"{above.text} {line.text}", y=line.y, runs=runs)
        else:
            joined.append(line)
    return joined


def _ends_in_name(line: PdfLine) -> bool:
    """Whether a line lists names, and ends within one: in a word or an initial that is none, and no mark after it."""
    if line.runs[-1].size < 0.85 * line.size or _GOES_ON.search(line.text.rstrip()):
        return False
    *before, last = [piece for part in _cells(line) for piece in split_byline(part)] or [""]
    words = last.split()
    if before and before[0].isupper() and not last.isupper():
        return False  # an address after a name in capitals
    initial = len(words) > 1 and _INITIAL.search(last) and not any(map(_INITIAL.search, before))
    cut = bool(initial) or (len(words) in (1, 2) and last[0].isupper() and not may_be_author(last))
    return cut and bool(before) and all(map(may_be_author, before))


def is_prose(text: str, following: Sequence[PdfLine] = ()) -> bool:
    """Tell whether a line is running text: eight words or more, most of them in small letters.

    A narrow column's lines hold fewer: the `following` lines then count with it.
    """
    words = [word for word in text.split() if word.isalpha()]
    if len(words) < _PROSE_WORDS and len(words) > _FEW_WORDS and following:
        return is_prose(" ".join([text, *(line.text for line in following)])) and sum(map(str.islower, words)) > 1
    return len(words) >= _PROSE_WORDS and sum(word.islower() for word in words) > 0.6 * len(words)


def _alike(first: PdfLine, line: PdfLine) -> bool:
    """Whether two lines look the same, as a whole or where they begin: an address may follow a name."""
    whole = abs(first.size - line.size) < 0.4 and (first.bold, first.italic) == (line.bold, line.italic)
    return whole or (first.runs[0].font == line.runs[0].font and abs(first.runs[0].size - line.runs[0].size) < 0.4)


def _begins(lines: Sequence[PdfLine], place: int, first: PdfLine) -> bool:
    """Whether a name may stand in a line: in any, where addresses look otherwise; else in a block's first line."""
    plain = any(_alike(first, line) and _is_address(line.text) and not names_in_line(line) for line in lines)
    above = lines[place - 1]
    if not plain or (names_in_line(above) and _alike(first, above)):
        return True
    return "@" in above.text or lines[place].gap > 1.5 * first.size or above.region != lines[place].region


def _is_address(text: str) -> bool:
    text = unmarked(text)
    return is_place(text) or bool(_NOT_A_NAME.search(text) or re.search(r"[\d“”\"{}()\[\]<>:/?!=]", text))


def names_in_line(line: PdfLine, least: float = 0.5) -> list[str]:
    """Return the names that a line holds, where they are at least a share of it; or a lone name before its address."""
    pieces = [piece for part in _cells(line) for piece in split_byline(part)]
    found = [piece for piece in pieces if may_be_author(piece)]
    if len(found) < len(pieces) and found[:1] == pieces[:1] != [] and found[0].isupper():
        led = list(takewhile(str.isupper, found))  # names in capitals, and an address that may look like one
        return led if least < 1 else []
    if len(found) >= least * len(pieces):
        return found
    return found[:1] if least < 1 and pieces and found[:1] == pieces[:1] and any(map(_is_address, pieces[1:])) else []


def _cells(line: PdfLine) -> list[str]:
    """Return a line's text without raised marks, cut where a gap is wider than a word's; a mark parts names, too."""
    parts: list[str] = []
    end = line.x0
    raised = False
    for run in line.runs:
        small = run.size < 0.85 * line.size
        if small and (line.y - run.y > 0.1 * line.size or not any(map(str.isalpha, run.text))):
            raised = True
            continue
        gap = run.x0 - end if run.x0 > end - line.size else 0.5 * line.size  # a line's end parts words
        if not parts or gap > _BETWEEN_RUNS * line.size:
            parts.append(run.text)
        else:
            joint = "\u0001" if raised and run.text[:1].isalpha() else " " if gap > 0.14 * line.size else ""
            parts[-1] += joint + run.text
        end, raised = run.x1, False
    return parts


def may_be_author(text: str) -> bool:
    """Tell whether a piece of a first page looks like a person's name, and not like a place, a group or a label."""
    return is_name(text) and not _NOT_A_NAME.search(text) and not is_mark(text)


def named_authors(listed: str, first_page: str, found: tuple[str, ...]) -> tuple[str, ...]:
    """Take the metadata's authors where they are more names, and the first page knows one; else those found."""
    names = tuple(split_byline(" ".join(listed.split())))
    known = any(_plain(name) in _plain(first_page) for name in names)
    return names if known and len(names) > len(found) and all(map(may_be_author, names)) else found


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text)).lower()
