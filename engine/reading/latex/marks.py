"""Stripped text of LaTeX source into stretches and lines: paragraphs, titles, parts of an abstract, looks of lines.

Signs that no source holds stand in the text for what commands said, such as where a note's mark or another font begins.
A font is in force up to the end of its group, as TeX has it; `mark` notes where another one begins, and `lines_of` cuts
marked text into lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.documents.text import one_line
from engine.reading.text import headings
from engine.reading.text.outline import Stretch

HARD, SOFT, LINE, NOTE = "\x1e", "\x1d", "\x1c", "\x1f"
"""Stand between two entries, between two names of a line, at a line's end, and where a note's mark stood."""
_MARK = "\x03"
_FIRST = 0xE000
BOLD, SLANTED, CENTRED, PAGE, RAISED = 1, 2, 4, 8, 16
_SIZE = 32
USUAL = 4
"""The size of text."""
NORMAL = USUAL * _SIZE
"""The style of text."""

_SIZES = "tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge HUGE".split()
_POINTS = (5.5, 7.5, 8.5, 9.5, 11.5, 13, 16, 18.5, 22, 26)
_ADDED = {
    **dict.fromkeys("bf bfseries boldmath textbf".split(), BOLD),
    **dict.fromkeys("it sl em itshape slshape textit textsl emph".split(), SLANTED),
    **dict.fromkeys("centering Centering centerline ctrline ctr".split(), CENTRED),
    "textsuperscript": RAISED,
}
_TAKEN = {**dict.fromkeys("rm tt sf mdseries normalfont textrm textnormal".split(), BOLD | SLANTED), "upshape": SLANTED}
WITH_ARGUMENT = frozenset("textbf textit textsl emph textrm textnormal centerline ctrline textsuperscript".split())
"""Commands that set their argument in another style."""
_FONT = re.compile(
    r"\\font[ \t]*+\\([A-Za-z@]++)[ \t]*+=?[ \t]*+([A-Za-z-]*+)(\d*+)"
    r"(?:[ \t]++(?:scaled[ \t]*+(?:\\magstep(half|[ \t]*+\d)|(\d++))|at[ \t]*+([\d.]++)))?"
)
_MARKED = re.compile(rf"{_MARK}(.)", re.DOTALL)
_RAISED_MATH = re.compile(r"\$\s*(?:\{\})?\^[^$\n]{1,60}\$")
_ENDS = re.compile(rf"({LINE}|\n[ \t]*\n\s*)")
TRACE = "\x02"
"""Stands where a command stood; `clean` leaves no control characters in the source."""
HEADING = "\x0e"
"""Stands before a heading within an abstract."""
BEGIN_OF_SMALL, END_OF_SMALL = "\x06", "\x07"
"""Stand in a title where small print begins and ends."""
_CONTROLS = re.compile(f"[{HARD}{LINE}{SOFT}{NOTE}{TRACE}{BEGIN_OF_SMALL}{END_OF_SMALL}]")
_NOTE_MARK = re.compile(
    r"[*†‡§¶#]{1,3}|\$\s*+(?:\{\})?\^?\s*+\{?\s*+(?:\*++|\\(?:d?dagger|star|ast|S|P|diamond|sharp|natural|bullet))\s*+\}?\s*+\$"
)
_NUMBER = re.compile(r"^\d{1,2}[.)]?\s+")
_NOTE_IN_TITLE = re.compile(f"{BEGIN_OF_SMALL}[^{END_OF_SMALL}]*+(?:{END_OF_SMALL}|\\Z)")
_SPACE_BEFORE = re.compile(r"[ \n](?=[.,;:)\]])|[ \n]\([ ;,]*\)")


@dataclass(frozen=True, slots=True)
class StyledLine:
    """A line as it is set.

    `signed` is its text with a note's mark for what is raised; `bold` is what it begins with in bold; `apart` where a
    paragraph begins.
    """

    text: str
    signed: str
    style: int
    bold: str
    apart: bool

    @property
    def size(self) -> int:
        """From 0, tiny, to 10."""
        return self.style // _SIZE

    @property
    def plain(self) -> str:
        """The text without the marks of notes."""
        return " ".join(re.sub(rf"[{HARD}{SOFT}{NOTE}\x02]", " ", self.text).split())

    @property
    def is_bold(self) -> bool:
        """Whether all of it is bold."""
        return bool(self.bold) and len(self.bold) >= len(self.plain)

    def has(self, style: int) -> bool:
        """Tell whether a style is in force in most of it."""
        return bool(self.style & style)


def mark(style: int) -> str:
    """Return what stands in a text where a style begins."""
    return f"{_MARK}{chr(_FIRST + style)}"


def without_marks(text: str) -> str:
    """Return text without marks of styles."""
    return _MARKED.sub("", text)


def style_after(style: int, name: str, fonts: dict[str, int]) -> int | None:
    """Return the style in force after a command; None for any other command."""
    if name in fonts:
        return (style & ~(BOLD | SLANTED)) % _SIZE + fonts[name]
    if name in _SIZES:
        return style % _SIZE + _SIZES.index(name) * _SIZE
    if name in _ADDED:
        return style | _ADDED[name]
    return style & ~_TAKEN[name] if name in _TAKEN else None


def resize(style: int, size: str | float) -> int:
    """Return a style in another size, given in points."""
    number = re.match(r"\d{1,3}(?:\.\d{1,3})?", str(size))
    if number is None:
        return style
    points = float(number[0])
    return style % _SIZE + sum(points >= one for one in _POINTS) * _SIZE


def is_small(style: int) -> bool:
    """Tell whether a style is smaller than usual text: a note's."""
    return style < NORMAL


def fonts_of(source: str) -> dict[str, int]:
    r"""Return the styles of the fonts that plain TeX loads by `\font`."""
    found: dict[str, int] = {}
    for match in _FONT.finditer(source):
        family, size = match[2], float(match[3] or 10)
        if match[6]:
            size = float(match[6].strip(".") or 10) if match[6].count(".") < 2 else 10
        elif match[4]:
            size *= 1.2 ** (0.5 if match[4] == "half" else int(match[4]))
        elif match[5]:
            size *= min(int(match[5][:6]), 10_000) / 1000
        bold = BOLD if re.search(r"bx|bold|-b|ssbx", family) else 0
        slanted = SLANTED if re.search(r"(?:ti|sl|it)$", family) else 0
        found[match[1]] = resize(0, size) | bold | slanted
    return found


def lines_of(text: str) -> Iterator[StyledLine]:
    """Yield the lines of marked text, in their order, without empty ones."""
    style, apart = NORMAL, True
    for piece in _ENDS.split(text):
        if piece == LINE or not piece.strip(" \n\t\x02"):
            apart = apart or (piece.count("\n") > 1 and piece != LINE)
            for one in _MARKED.findall(piece):
                style = ord(one) - _FIRST
            continue
        looks = _look(piece, style) if _MARK in piece else _Look(style, piece if style & BOLD else "", piece, style)
        plain = without_marks(piece) if _MARK in piece else piece
        if plain.strip(f" \n\t\x02{NOTE}{SOFT}{HARD}"):
            bold = " ".join(looks.bold.replace("\x02", " ").split())
            yield StyledLine(plain.strip(" \t"), _RAISED_MATH.sub(NOTE, looks.signed), looks.style, bold, apart)
            apart = False
        style = looks.after


@dataclass(frozen=True, slots=True)
class _Look:
    """The style of most of a line, what it begins with in bold, its text with notes' marks, the style at its end."""

    style: int
    bold: str
    signed: str
    after: int


def _look(piece: str, style: int) -> _Look:
    letters: dict[int, int] = {}
    bold, signed, begun, at = list[str](), list[str](), True, 0
    for match in (*_MARKED.finditer(piece), None):
        run = piece[at : match.start() if match is not None else len(piece)]
        signed.append(NOTE if style & RAISED else run)
        if run.strip(" \n\t\x02"):
            letters[style] = letters.get(style, 0) + len(run.strip())
            begun = begun and bool(style & BOLD)
            bold.append(run if begun else "")
        if match is not None:
            style, at = ord(match[1]) - _FIRST, match.end()
    most = max(letters, key=lambda one: letters[one], default=style) & ~RAISED
    return _Look(most, "".join(bold), "".join(signed), style)


@lru_cache(maxsize=1024)
def role_of(name: str) -> headings.Role | None:
    """Return the role of an environment whose name is a heading in some language."""
    found = headings.find([name.capitalize(), "1. A"], 0, "body") if 5 < len(name) < 20 else None
    return found.role if found is not None else None


def is_mark(text: str) -> bool:
    """Tell whether a formula, or what is raised, only points to a note."""
    return _NOTE_MARK.fullmatch(text.strip()) is not None


def parts_of_abstract(text: str) -> Iterator[Stretch]:
    """Yield an abstract, and its keywords, if they stand in it; a heading within goes before its text, with a colon."""
    kept, words, heading, in_words = list[str](), list[str](), "", False
    for paragraph in paragraphs(text).split("\n\n"):
        whole = paragraph.strip()
        named = whole.startswith(HEADING)
        whole = whole.strip(HEADING)
        label = headings.find([whole, "1. A"], 0, "body") if len(whole) < 4000 else None
        role = label.role if label is not None else ""
        if role == "keywords" and label is not None:
            in_words = True
            words.append(label.rest)
        elif role == "abstract" and label is not None and not kept:
            kept.extend([label.rest] if label.rest else [])
        elif named:
            heading, in_words = _NUMBER.sub("", whole).rstrip(":. "), False
        elif in_words:
            words.append(whole)
        elif whole:
            kept.append(f"{heading}: {whole}" if heading else whole)
            heading = ""
    if kept:
        yield stretch("Abstract", "abstract", "\n\n".join(kept))
    if any(words):
        yield stretch("Keywords", "keywords", part_keywords("; ".join(words)))


def part_keywords(text: str) -> str:
    """Return keywords with commas or semicolons between them."""
    text = without_marks(text).replace(LINE, ";")
    return text if re.search("[,;]", text) else re.sub(r"\s[–—-]\s", "; ", text)


def title_line(text: str) -> str:
    """Return a title or a heading in one line, without its notes."""
    without = _NOTE_IN_TITLE.sub("", text)
    text = without if re.search(r"[^\W_]", without) else text
    text = without_marks(text).replace(LINE, " ")
    return _without_gaps(one_line(_CONTROLS.sub("", text)))


def stretch(title: str, role: headings.Role = "body", text: str = "") -> Stretch:
    """Return a stretch with the paragraphs of some text."""
    return Stretch(title, role, [paragraphs(text)], wrapped=False)


def paragraphs(text: str) -> str:
    """Return the paragraphs of some text, each in one line, but for items of lists, which have lines of their own."""
    pieces: list[str] = []
    for written in without_marks(text).split("\n"):
        line = " ".join(written.replace(TRACE, "").split())
        if not line and TRACE in written:
            continue
        if not line:
            pieces.append("\n\n")
        elif line.startswith("- ") or not pieces or pieces[-1][-1] == "\n":
            pieces.extend(["\n", line])
        else:
            pieces.extend([" ", line])
    return _without_gaps("".join(pieces))


def _without_gaps(text: str) -> str:
    """Return text without the blanks and brackets that citations leave."""
    return _SPACE_BEFORE.sub("", text)
