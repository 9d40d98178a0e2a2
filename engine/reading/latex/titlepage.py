"""Who wrote a paper in LaTeX source, and the title, authors and headings that only fonts and places show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.documents.dates import CITED_YEAR, MONTH
from engine.documents.people import AND, is_name, is_place, split_byline
from engine.documents.text import clean
from engine.reading.latex.marks import BOLD, CENTRED, HARD, LINE, NOTE, PAGE, SOFT, USUAL, StyledLine
from engine.reading.text import headings

_ENTRIES = re.compile(rf"{HARD}|{LINE}[ \n\t]*{LINE}")
_CONTINUED = re.compile(rf"(?:[,;&]|\b{AND})[ \n\t{NOTE}]*{LINE}|{LINE}[ \n\t]*(?={AND}\b)")
_WORD = re.compile(r"[^\W\d_][\w'’-]+")
_GIVEN = re.compile(r"[^\W\d_](?:[\w'’-]+|\.)(?:[ -]?[^\W\d_]\.)*")
_SHORT_DEGREE = re.compile(r"m\.?a|b\.?a|dr", re.IGNORECASE)
_PROSE = 25
"""A line with more words is text, not front matter."""
_MOST_LINES = 60
_LONGEST_HEADING = 14
_MOST_HEADINGS = 20_000
"""Lines among which headings are looked for; a paper has fewer paragraphs."""
_NO_TITLE = re.compile(
    r"(?:\w+\.?,? )?\d{1,2},? \d{4}$|"
    rf"{MONTH}\b|"
    r"(?=\S*\d)\S++$|(?:by|and)$|"
    r"(?:preprint|technical report|report|thesis|dissertation|draft|version)\b.{0,30}$|"
    r"\(?(?:submitted|accepted|received|to appear|published|dedicated)\b",
    re.IGNORECASE,
)
_NO_LISTED_NAME = re.compile(
    r"\b(?:of|for|the|in|to|at|on|zur|für|im|a|(?i:thesis|dissertation|supervis\w*|advis\w*|dedica\w*|approved|reserved))\b"
)
_END_OF_AUTHORS = re.compile(r"thesis|dissertation|supervis|advis|submitted|committee|degree|abstract", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:§\s*)?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-H])[.)]?\s+[^\W\d_]")
_CAPTION = re.compile(
    r"(?:fig|tab|theorem|lemma|proof|proposition|corollary|definition|remark|example|claim|conjecture|note|case|step|"
    r"algorithm|satz|beweis|th[ée]or[èe]me|preuve)\w*\b",
    re.IGNORECASE,
)
_BRACED = r"(?:\s*+(?:\[[^\[\]]{0,300}+\]|\{(?:[^{}]|\{[^{}]{0,300}+\}){0,300}+\}))"
_DATED = tuple(
    re.compile(rf"\\(?:{names})(?![A-Za-z@])\*?({_BRACED}{{1,{arguments}}}+)")
    for names, arguments in (
        ("acmYear|jmlrheading", 2),
        (r"(?!\w*(?:cite|bib|birth|version|academic|format))[A-Za-z]{0,20}?[yY]ear", 1),
        ("acmConference|conferenceinfo|[cC]onference|[vV]enue|IEEEpubid|copyrightnotice|acmBooktitle", 3),
        ("(?:date)?(?:published|accepted)|(?:pub|publication|e|defen[cs]e|submission|exam|degree|thesis)?date|Date", 1),
    )
)
"""Commands that date a paper, the surest first; a year of `0000` and the like is a template's."""
_YEAR = re.compile(rf"(?<!\d){CITED_YEAR}(?!\d)")
_EDGE = " .:;,-\N{EN DASH}\N{EM DASH}"


def year_of(source: str) -> int | None:
    """Return the year that the surest command of some source gives, the latest of several within it."""
    found = (match[1] for pattern in _DATED for match in pattern.finditer(source))
    return next((max(years) for text in found if (years := [*map(int, _YEAR.findall(text))])), None)


def names_in(text: str, step: Callable[[], None]) -> Iterator[str]:
    """Yield the names of each entry: those of its first line, and of the next ones while they go on in the same way.

    `step` hears of each entry, and may raise to stop.
    """
    for entry in _ENTRIES.split(text):
        step()
        yield from _entry(entry)


def line_of_names(text: str) -> list[str]:
    """Return the names of a line that holds nothing else, or two at least before it does."""
    names, whole = _names(text)
    return names if whole or len(names) > 1 else []


def _entry(entry: str) -> Iterator[str]:
    lines = [line for line in _CONTINUED.sub(lambda found: f"{found[0].replace(LINE, ' ')}", entry).split(LINE)]
    lines = [line for line in lines if re.search(r"[^\W\d_]", line)]
    if not lines:
        return
    first, _ = _names(lines[0])
    if not first and len(lines) > 1 and len(lines[0].split()) < 3:
        lines = lines[1:]  # "by"
        first, _ = _names(lines[0])
    yield from first
    for line in lines[1:]:
        marked = NOTE in lines[0] and NOTE in line and not line.lstrip(" \n\t\x02").startswith(NOTE)
        beside = SOFT in lines[0] and SOFT in line and NOTE not in line
        names, whole = _names(line)
        if not (whole and first and (marked or beside)):
            return
        yield from names


def _names(line: str) -> tuple[list[str], bool]:
    """Return the names that begin a line, and whether it holds nothing else."""
    pieces = split_byline(clean(re.sub(f"[{SOFT}{NOTE}]", ";", line)))
    if (
        len(pieces) == 2
        and not is_name(pieces[0], sure=True)
        and _WORD.fullmatch(pieces[0])
        and _GIVEN.fullmatch(pieces[1])
    ):
        return [f"{pieces[1]} {pieces[0]}"], True
    found = list[str]()
    for piece in pieces:
        if is_name(piece, sure=True):
            found.append(piece)
        elif "@" not in piece and not _SHORT_DEGREE.fullmatch(piece):
            return found, False
    return found, bool(found)


@dataclass(slots=True)
class Front:
    """What stands above a paper's text; `rest` are the lines that are none of it."""

    title: str = ""
    authors: list[str] = field(default_factory=list)
    rest: list[StyledLine] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


@dataclass(slots=True)
class OpeningPart:
    """A stretch under one heading."""

    title: str = ""
    role: headings.Role = "body"
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What stands under the heading."""
        return "".join(self.pieces)


def read_front(lines: Sequence[StyledLine], *, titled: bool, signed: bool) -> Front:
    """Title and authors of the first lines, unless the source names them itself."""
    end = next(
        (place for place, line in enumerate(lines[:_MOST_LINES]) if _is_text(line)), min(len(lines), _MOST_LINES)
    )
    above = lines[:end]
    front, used = Front(), set[int]()
    if not titled and (place := _title(above)) is not None:
        used.update(_whole_title(above, place))
        front.title = " ".join(above[one].plain for one in sorted(used)).strip(" *†‡")
    begin = max(used, default=-1) + 1
    if not signed and (titled or used):
        for place, names in _authors(above, begin):
            used.add(place)
            front.authors.extend(names)
    for place, line in enumerate(lines):
        if place in used:
            continue
        beside = place < end and (titled or bool(used)) and (line.has(CENTRED) or is_place(line.plain))
        if beside or (line.has(PAGE) and place < end):
            front.left_out.append(line.plain)
        else:
            front.rest.append(line)
    return front


def parts_of(lines: Sequence[StyledLine], *, headed: bool) -> list[OpeningPart]:
    """Cut lines at headings; where the source marks its headings (`headed`), at abstract and keywords only."""
    parts = [OpeningPart()]
    for place, line in enumerate(lines):
        shown = place < _MOST_HEADINGS and (line.apart or bool(line.bold) or line.has(CENTRED))
        heading = _heading(line, headed=headed) if shown else None
        if heading is not None:
            parts.append(OpeningPart(heading.title, heading.role, [heading.rest]))
        else:
            last = parts[-1]
            last.pieces.append(f"\n\n{line.text}" if line.apart else f" {line.text}")
            if headed and last.role == "keywords":
                parts.append(OpeningPart())
    return parts


def _is_text(line: StyledLine) -> bool:
    """Whether the front matter ends above a line."""
    prose = len(line.plain.split()) > _PROSE and line.size <= USUAL and not line.has(PAGE)
    return prose or _label(line) is not None


def _title(lines: Sequence[StyledLine]) -> int | None:
    """Return the place of the title's first line: the largest, or else bold, or else centred."""
    can = [
        (place, line)
        for place, line in enumerate(lines)
        if len(line.plain) > 3 and not _NO_TITLE.match(line.plain) and any(map(str.isalpha, line.plain))
    ]
    largest = max((line.size for _, line in can), default=0)
    if largest > USUAL and any(line.size < largest for line in lines):
        return next(place for place, line in can if line.size == largest)
    for shown in ((line.is_bold for _, line in can), (line.has(CENTRED | PAGE) for _, line in can)):
        for (place, line), is_shown in zip(can, shown, strict=True):
            if is_shown and len(line.plain.split()) > 1 and not is_place(line.plain):
                return place
    return None


def _whole_title(lines: Sequence[StyledLine], place: int) -> Iterator[int]:
    """Yield the places of a title's lines: those after the first in the same style."""
    first = lines[place]
    yield place
    for other in range(place + 1, len(lines)):
        line = lines[other]
        alike = line.style == first.style and line.is_bold == first.is_bold and not line.text.strip().startswith("(")
        stands_out = first.size > USUAL or first.has(BOLD)
        if not alike or _NO_TITLE.match(line.plain) or (not stands_out and (line.apart or line_of_names(line.signed))):
            return
        yield other


def _authors(lines: Sequence[StyledLine], begin: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of names below the title, all in one style, with their places."""
    first: StyledLine | None = None
    for place in range(begin, len(lines)):
        line = lines[place]
        if _END_OF_AUTHORS.search(line.plain):
            return
        below = first is not None and line.signed.lstrip(" \n\t\x02").startswith(NOTE)  # a place, as its mark shows
        names = [] if below or is_place(line.plain) else line_of_names(line.signed)
        names = (
            []
            if names and _NO_LISTED_NAME.search(names[0])
            else [name for name in names if not _NO_LISTED_NAME.search(name)]
        )
        same = first is None or (line.style | CENTRED) == (first.style | CENTRED)
        if names and same:
            first = first or line
            yield place, names


def _label(line: StyledLine) -> headings.TextHeading | None:
    """Return the heading of an abstract or of keywords that begins a line."""
    bold = line.bold.strip(_EDGE)
    if bold and len(bold) < 60:
        found = headings.find([bold, "1. A"], 0, "body")
        if found is not None and found.role in ("abstract", "keywords") and not found.rest:
            return headings.TextHeading(found.title, found.role, line.plain[len(line.bold) :].lstrip(" .:-–—"))
    found = headings.find([line.plain], 0, "front")
    return found if found is not None and found.role in ("abstract", "keywords") else None


def _heading(line: StyledLine, *, headed: bool) -> headings.TextHeading | None:
    """Return the heading that a line is, or begins with."""
    if (found := _label(line)) is not None or headed:
        return found
    plain, bold = line.plain, line.bold
    if line.is_bold or (line.has(CENTRED) and _reads_as_heading(plain)) or is_references(plain):
        short = len(plain.split()) <= _LONGEST_HEADING and not _CAPTION.match(plain)
        return headings.TextHeading(plain.strip(_EDGE)) if short and len(plain.strip(_EDGE)) > 2 else None
    if (
        bold
        and len(bold.split()) <= _LONGEST_HEADING
        and (_NUMBERED.match(bold) or headings.is_named(bold.strip(_EDGE)))
    ):
        return headings.TextHeading(bold.strip(_EDGE), rest=plain[len(bold) :].lstrip(" .:"))
    return None


def _reads_as_heading(text: str) -> bool:
    """Whether a centred line is a heading: numbered, a usual name, or in capitals."""
    return bool(_NUMBERED.match(text)) or headings.is_named(text) or (text.isupper() and len(text) > 6)


def is_references(text: str) -> bool:
    """Whether a line is the heading of a reference list."""
    found = headings.find([text, "1. A"], 0, "body") if len(text) < 40 else None
    return found is not None and found.role == "references"
