"""Reads authors' names off a first page: in lists, one below the other, and in grids with addresses beneath."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.reading.pdf.lines import Line

_LONGEST = 400
_MOST_LINES = 60
_CLOSE = 1.6
_NOT_A_NAME = re.compile(
    r"universit|institut|department|college|school|laborator|\blabs?\b|research|center|centre|faculty|facult|"
    r"abstract|hospital|academy|compan|corporation|inc\b|ltd|gmbh|@|http|www|\d|january|february|march|april|"
    r"june|july|august|september|october|november|december|version|vignette|package|team\b|journal|e-?mail|"
    r"clinic|hochschule|technikum|unit\b|\bfund|society|\bgroup\b|division|ministry|agency|museum|observator|"
    r"\bstation\b|council|\boffice\b|bureau|programme?\b|\bpress\b|publish|polytechni|politecnic|\becole\b|"
    r"école|escuela|instituto|consortium|collaboration|[\"“”{}()\[\]<>]|^the\b|^per\b|^of\b|street|\broad\b|"
    r"avenue|\blane\b|\bsquare\b|\bboulevard\b|\bbox\b|strasse|straße|[:/?!=]|\bunited (?:states|kingdom)\b|"
    r"\bnew (?:york|zealand|jersey|mexico|delhi|haven)\b|hong kong|\bsan (?:diego|francisco|jose)\b|"
    r"los angeles|\b(?:south|north) (?:africa|korea|carolina|dakota)\b|\bsaudi arabia\b|\bsri lanka\b|"
    r"\bthe netherlands\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:(?:free )?(?:full|open)[- ](?:text|access)(?: \w+)?|free (?:article|full text|access)|(?:mini|"
    r"systematic |invited |literature |narrative |scoping )?-?reviews?(?: article| paper)?|(?:original|regular|"
    r"research|short|full|brief|rapid|invited|survey|data|conference|technical|case|special|review|featured?|"
    r"contributed|position|software|methods?)(?: (?:original|research|scientific|length|clinical|"
    r"issue))?(?: (?:articles?|papers?|reports?|communications?|notes?|stud(?:y|ies)|research|contributions?|"
    r"letters?|resources?))?|letters?(?: to the editor)?|editorials?|perspectives?|comment(?:ary|aries)?|"
    r"view ?points?|opinions?|correspondence|reports?|articles?|essays?|technology|protocols?|"
    r"(?:author['’]?s? |accepted |final )?(?:manuscript|preprint|post-?print)|(?:pre-?proof|early view|"
    r"in press|check for updates|peer[- ]reviewed|available online|downloaded from|creative commons|"
    r"under review|research highlights?|graphical abstract|book chapter|chapter \w+|technical report|"
    r"working paper|discussion paper|meta-analysis))$",
    re.IGNORECASE,
)
"""What journals print above a title: the kind of article, and who may read it."""
_MARKS = r"[\d\u2217*†‡§¶‖#,.☯✉]"
_MARK_SIGNS = "0123456789\u2217*†‡§¶‖#,.☯✉ "
_SYMBOLS = re.compile(r"[\u2217*†‡§¶‖☯✉]")
_LONE_LETTERS = re.compile(r"\s[a-z](?:\s?,\s?[a-z]){0,6}$")
"""Letters that tell an author's address, as Elsevier prints them."""
_LEADING = re.compile(rf"^(?:[\s·•|–—-]|{_MARKS})++")
_BEFORE_NAME = re.compile(
    r"^(?:(?:and|und|et|y|e|by|von|par|por|di)\s+(?=\S+\s+\S)|(?:dr|prof|professor|mr|mrs|ms|sir|dipl|ing)\.?\s+(?=\S))+",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?:(?<!\s)\s++)?[,;&·|\u2022\u0001]\s*+(?:(?:and|und|et|y|e)\s++)?|(?<!\s)\s++(?:and|und|et|y)\s++", re.IGNORECASE
)
_AFTER_NAME = re.compile(
    r"^(?:ph\.?\s?d\.?|m\.?\s?d\.?|m\.?\s?sc\.?|b\.?\s?sc\.?|m\.?\s?p\.?\s?h\.?|m\.?b\.?a\.?|d\.?phil\.?|"
    r"r\.?n\.?|frc\w+|jr\.?|sr\.?|i{2,3}|(?:senior |student |graduate student |life |associate )*(?:member|"
    r"fellow)|ieee|acm|esq\.?|[a-z]|)$",
    re.IGNORECASE,
)
"""Degrees and memberships between names, marks that are left of them, and nothing."""
_GOES_ON = re.compile(r"(?:,|;|&|\band|\bund|\bet|·)$", re.IGNORECASE)
_CJK_NAME = re.compile(r"[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]{2,5}")
_BETWEEN_RUNS = 0.75
"""A gap of this many ems parts the cells of a grid."""


class _Look(NamedTuple):
    size: float
    bold: bool
    italic: bool


def byline(lines: Sequence[Line]) -> tuple[str, ...]:
    """The authors in the lines around a title, as far as they are plainly names.

    The first line that holds names shows how names look; later ones count where they look the same. Where addresses
    look the same, too, names stand only at the top of a block of lines.
    """
    names: list[str] = []
    look: _Look | None = None
    lines = _with_whole_names(lines[:_MOST_LINES])
    for place, line in enumerate(lines):
        if len(line.text) > _LONGEST or (names and any(map(_is_prose, _cells(line)))):
            break
        above = lines[place - 1] if place else None
        open_list = bool(names and above and _GOES_ON.search(above.text.rstrip()))
        if look and not open_list and not (_alike(look, line) and _begins(lines, place, look)):
            continue
        found = _names_in(line, least=1.0 if look and not open_list else 0.5)
        if found and look is None:
            look = _look(line)
        names += found
    return tuple(dict.fromkeys(names))


def _with_whole_names(lines: Sequence[Line]) -> list[Line]:
    """The lines of a list joined where a line's end cuts a name in it: the last piece is part of one."""
    joined: list[Line] = []
    for line in lines:
        above = joined[-1] if joined else None
        if above and 0 < line.gap < _CLOSE * line.size and _alike(_look(above), line) and _ends_in_name(above):
            runs = [*above.runs, *line.runs]
            joined[-1] = replace(above, text=f"{above.text} {line.text}", y=line.y, runs=runs)
        else:
            joined.append(line)
    return joined


def _ends_in_name(line: Line) -> bool:
    """Whether a line lists names, and ends within one: in a word or an initial that is none, and no mark after it."""
    if line.runs[-1].size < 0.85 * line.size or _GOES_ON.search(line.text.rstrip()):
        return False
    *before, last = [piece for part in _cells(line) for piece in split_names(part)] or [""]
    words = last.split()
    return (
        bool(before) and all(map(is_name, before)) and len(words) in (1, 2) and not is_name(last) and last[0].isupper()
    )


def _is_prose(text: str) -> bool:
    """Whether a line is running text: eight words or more, most of them in small letters."""
    words = [word for word in text.split() if word.isalpha()]
    return len(words) >= 8 and sum(word.islower() for word in words) > 0.6 * len(words)


def _look(line: Line) -> _Look:
    return _Look(line.size, line.bold, line.italic)


def _alike(look: _Look, line: Line) -> bool:
    return abs(look.size - line.size) < 0.4 and (look.bold, look.italic) == (line.bold, line.italic)


def _begins(lines: Sequence[Line], place: int, look: _Look) -> bool:
    """Whether a name may stand in a line: in any, where addresses look otherwise; else in a block's first line."""
    plain = any(_alike(look, line) and _is_address(line.text) for line in lines)
    above = lines[place - 1]
    if not plain or (_names_in(above) and _alike(look, above)):
        return True
    return "@" in above.text or lines[place].gap > 1.5 * look.size or above.region != lines[place].region


def _is_address(text: str) -> bool:
    return bool(_NOT_A_NAME.search(_unmarked(text)))


def _names_in(line: Line, least: float = 0.5) -> list[str]:
    """The names that a line holds, where they are at least a share of it; or a lone name before its address."""
    pieces = [piece for part in _cells(line) for piece in split_names(part)]
    found = [piece for piece in pieces if is_name(piece)]
    if len(found) >= least * len(pieces):
        return found
    return found[:1] if least < 1 and pieces and found[:1] == pieces[:1] and any(map(_is_address, pieces[1:])) else []


def split_names(text: str) -> list[str]:
    """A list of names as its pieces, without marks, titles and degrees."""
    pieces = (_BEFORE_NAME.sub("", _unmarked(piece)) for piece in _BETWEEN.split(re.sub(r"\([^()]{0,60}\)", "", text)))
    return [piece for piece in pieces if not _AFTER_NAME.match(piece)]


def _unmarked(text: str) -> str:
    """A text without the marks of notes and addresses around it."""
    text = _SYMBOLS.sub("", text).strip()
    last = None
    while text != last:
        last, text = text, _LONE_LETTERS.sub("", text.rstrip(_MARK_SIGNS))
    return _LEADING.sub("", text).strip()


def _cells(line: Line) -> list[str]:
    """A line's text without raised marks, cut where a gap is wider than a word's; a mark parts names, too."""
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


def is_name(text: str) -> bool:
    """Whether a text looks like a person's name: a few words, most with a capital, none of an address or a label."""
    words = text.split()
    if _CJK_NAME.fullmatch(text):
        return True
    capital = sum(1 for word in words if word[:1].isupper() or word[:2].lower() in ("d'", "d’"))
    if any(word == word.lower() and len(word) > 4 for word in words):
        return False
    fits = 2 <= len(words) <= 5 and capital >= 2 and len(text) < 50 and any(len(word.strip(".")) > 1 for word in words)
    return fits and not _NOT_A_NAME.search(text) and not _LABEL.match(text)
