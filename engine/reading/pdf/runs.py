"""Reads a PDF page's characters through pdfium as runs: stretches of text of one font on one baseline."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.reading.pdf.accents import ACCENTS, Drawn, accented, placed
from engine.reading.pdf.letters import bitmap_text, letter_of

_BOLD = re.compile(
    r"bold|black|heavy|demi|[-,]b[di]?$|medi(?!um|an)|^(?:cm|sf|ec|lm|t1x)b[xm]?(?:ti|sl|csc)?\d", re.IGNORECASE
)
_ITALIC = re.compile(r"ital|obli|slant|[-,](?:bd?)?it?$|^(?:cm|sf|ec|lm)(?:bx)?(?:ti|sl|it)", re.IGNORECASE)
_MONO = re.compile(
    r"cour|mono|typewriter|consol|menlo|inconsolata|^(?:cm|sf|ec|lm)(?:sl|it|v)?(?:tt|tk)|^(?:sf|ec)(?:st|it|tc|vt)\d",
    re.IGNORECASE,
)
_SMALL_CAPS = re.compile(r"smallcaps|[-,]sc$|caps|^(?:cm|sf|ec|lm)(?:b|x)?csc", re.IGNORECASE)
_FLAG_MONO, _FLAG_ITALIC, _FLAG_BOLD = 1, 1 << 6, 1 << 18
_TEX_FONT = re.compile(r"$|cm|ec|sf|lm", re.IGNORECASE)
_SMALLEST_STATED = 2
_FARTHEST = 20_000
_LINE_FEED, _CARRIAGE_RETURN = 10, 13
_WORD_GAP = 0.12
"""pdfium puts a space where letters stand apart; under this many ems they were only set loosely."""
_SPACE_GAP = 0.05
"""The same where the file itself holds a space."""
_OVERHANG = 0.35
"""A letter's drawing may reach this many ems beyond its own width."""
_OVERHANGING = frozenset("fFTVWYP")
_ALEFS = ("\u0622", "\u0623", "\u0625", "\u0627")
_SPACES = frozenset((9, 32, 0xA0, 0x2000, 0x2001, 0x2002, 0x2003, 0x2009, 0x200A, 0x202F, 0x3000))


@dataclass(frozen=True, slots=True)
class Font:
    """What a font's name and flags say about the look of its letters."""

    name: str
    bold: bool = False
    italic: bool = False
    mono: bool = False
    small_caps: bool = False


@dataclass(slots=True)
class Run:
    """Text of one font on one baseline; lengths in points, `y` from the top of the page down.

    `spaced` says that a space stands before it in the file, `broken` that a line's end does.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    spaced: bool = False
    broken: bool = False


@dataclass(slots=True)
class Page:
    """The upright text of one page in the order of the file, and how many characters had no known letter.

    `recognised` is how sure the recognition of its picture was, from 0 to 1; None for a page with a text of its own.
    `turned` counts the letters in other directions, which were left out. `quarters` is how often the text as it is read
    must be turned clockwise by a quarter to stand as the page is shown; `skew` is how far, in radians clockwise, its
    lines are aslant on a scan.
    """

    number: int
    width: float
    height: float
    runs: list[Run]
    characters: int = 0
    unknown: int = 0
    cut: bool = False
    recognised: float | None = None
    turned: int = 0
    quarters: int = 0
    skew: float = 0.0


def font_of(name: str, flags: int) -> Font:
    """Read a font's look from its name (without the subset's prefix) and its descriptor's flags."""
    name = re.sub(r"^[A-Z]{6}\+", "", name)
    return Font(
        name,
        bold=bool(_BOLD.search(name)) or bool(flags & _FLAG_BOLD),
        italic=bool(_ITALIC.search(name)) or bool(flags & _FLAG_ITALIC),
        mono=bool(_MONO.search(name)) or bool(flags & _FLAG_MONO),
        small_caps=bool(_SMALL_CAPS.search(name)),  # makers of subsets set the flag at random
    )


class RunReader:
    """Turns pages of one open document into runs; keeps each font's look while a page is open."""

    def __init__(self, raw: Any) -> None:  # noqa: ANN401  pdfium's C bindings carry no types
        """Keep the bindings and the cells that pdfium writes its answers to."""
        self._raw = raw
        self._fonts: dict[int, Font] = {}
        self._drawn: dict[int, float] = {}
        self._box = raw.FS_RECTF()
        self._matrix = raw.FS_MATRIX()
        self._width = ctypes.c_float()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self.character = raw.FPDFText_GetUnicode
        self.is_made = raw.FPDFText_IsGenerated
        self.text_object = _giving_address(raw.FPDFText_GetTextObject, ctypes.c_int)
        self._font_of = _giving_address(raw.FPDFTextObj_GetFont)

    def read(self, page: Any, number: int, max_characters: int) -> Page:  # noqa: ANN401
        """Read the first `max_characters` characters of a loaded page."""
        raw = self._raw
        self._drawn.clear()
        self._fonts.clear()  # pdfium may free a closed page's fonts and use their addresses again
        text_page = raw.FPDFText_LoadPage(page)
        width, height = raw.FPDF_GetPageWidthF(page), raw.FPDF_GetPageHeightF(page)
        visible = self._visible_box(page, width, height)
        if not text_page:
            return Page(number, width, height, [])
        try:
            count = raw.FPDFText_CountChars(text_page)
            result = _PageBuilder(self, text_page).build(min(count, max_characters))
            over, accents = placed(result.accents, result.letters) if result.accents else ({}, frozenset())
            if over:
                result = _PageBuilder(self, text_page, over, accents).build(min(count, max_characters))
        finally:
            raw.FPDFText_ClosePage(text_page)
        runs, turned, direction = _upright(result.runs, visible)
        read, cut = min(count, max_characters), count > max_characters
        quarters = (raw.FPDFPage_GetRotation(page) - direction) % 4
        return Page(number, width, height, runs, read, result.unknown, cut=cut, turned=turned, quarters=quarters)

    def _visible_box(self, page: Any, width: float, height: float) -> tuple[float, float, float, float]:  # noqa: ANN401
        """What a viewer shows of a page, in the page's own coordinates: left, bottom, right, top."""
        box = self._box
        if self._raw.FPDF_GetPageBoundingBox(page, box) and box.right > box.left and box.top > box.bottom:
            return box.left, box.bottom, box.right, box.top
        return 0.0, 0.0, width, height

    def style(self, text_page: Any, index: int, text_object: int) -> tuple[float, Font, int, float, float]:  # noqa: ANN401
        """Ask for effective size, font, direction (quarter turns, -1 aslant) and origin of a text object."""
        raw = self._raw
        raw.FPDFText_GetMatrix(text_page, index, self._matrix)
        raw.FPDFText_GetCharOrigin(text_page, index, self._x, self._y)
        matrix = self._matrix
        size = raw.FPDFText_GetFontSize(text_page, index) * math.hypot(matrix.c, matrix.d)
        turns = math.atan2(matrix.b, matrix.a) / (math.pi / 2)
        direction = round(turns) % 4 if abs(turns - round(turns)) < 0.03 else -1
        address = self._font_of(text_object) or 0
        font = self._font(address)
        if size < _SMALLEST_STATED and not font.name:
            size = self._drawn_size(text_page, index, address)
        return size, font, direction, self._x.value, self._y.value

    def _drawn_size(self, text_page: Any, index: int, address: int) -> float:  # noqa: ANN401
        """The height of a font's letters where its stated size means nothing, as in some bitmap fonts."""
        if address not in self._drawn:
            boxes = [self.box(text_page, place) for place in range(index, index + 40)]
            sides = [min(abs(right - left), abs(top - bottom)) for left, bottom, right, top in boxes]
            self._drawn[address] = round(1.1 * max(sides), 1)
        return self._drawn[address]

    def origin(self, text_page: Any, index: int) -> tuple[float, float]:  # noqa: ANN401
        """Where a character begins on its baseline."""
        self._raw.FPDFText_GetCharOrigin(text_page, index, self._x, self._y)
        return self._x.value, self._y.value

    def advance(self, text_page: Any, index: int, text_object: int) -> float:  # noqa: ANN401
        """How far a character moves the pen, in ems; 0 where the font does not say."""
        handle = ctypes.cast(self._font_of(text_object) or 0, self._raw.FPDF_FONT)
        letter = self.character(text_page, index)
        return self._width.value if self._raw.FPDFFont_GetGlyphWidth(handle, letter, 1.0, self._width) else 0.0

    def box(self, text_page: Any, index: int) -> tuple[float, float, float, float]:  # noqa: ANN401
        """The character's advance box, with what its drawing has beyond it: left, bottom, right, top."""
        box = self._box
        self._raw.FPDFText_GetLooseCharBox(text_page, index, box)
        return box.left, box.bottom, box.right, box.top

    def _font(self, address: int) -> Font:
        font = self._fonts.get(address)
        if font is None:
            handle = ctypes.cast(address, self._raw.FPDF_FONT)
            buffer = ctypes.create_string_buffer(256)
            self._raw.FPDFFont_GetBaseFontName(handle, buffer, len(buffer))
            flags = self._raw.FPDFFont_GetFlags(handle)
            font = self._fonts[address] = font_of(buffer.value.decode("utf-8", "replace"), max(flags, 0))
        return font


def _giving_address(function: Any, *more: Any) -> Any:  # noqa: ANN401
    """A binding of `function` that gives an address as a number; making a typed pointer takes longer than the call."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, *more)
    return prototype(ctypes.cast(function, ctypes.c_void_p).value or 0)


class _PageBuilder:
    """One walk over a page's characters; a new run starts where font, baseline or direction change.

    pdfium gives an accent that is drawn by itself anywhere in its line. So a first walk collects `letters` and those
    `accents` that no letter follows, and a second one is told what letter stands `over` an index, and which accents to
    pass by.
    """

    def __init__(
        self,
        reader: RunReader,
        text_page: Any,  # noqa: ANN401
        over: Mapping[int, str] = MappingProxyType({}),
        passed: frozenset[int] = frozenset(),
    ) -> None:
        self._reader, self._text_page = reader, text_page
        self._over, self._passed = over, passed
        self.letters: list[Drawn] = []
        self.accents: list[Drawn] = []
        self.runs: list[tuple[Run, int]] = []
        self.unknown = 0
        self._space = self._broken = False
        self._least_gap = 0.0
        self._last, self._last_object, self._in_object = 0, 0, 0
        self._leftward = False
        self._run: Run | None = None
        self._style: tuple[float, Font, int, float, float] = (0.0, Font(""), 0, 0.0, 0.0)

    def build(self, count: int) -> _PageBuilder:
        """Read the first `count` characters."""
        text_page, reader = self._text_page, self._reader
        get_unicode, get_object = reader.character, reader.text_object
        page_address = ctypes.cast(text_page, ctypes.c_void_p)
        last_object: int | None = -1
        for index in range(count):
            code = get_unicode(text_page, index)
            if index in self._passed:
                continue
            if code in _SPACES or code == _LINE_FEED:
                self._broken = self._broken or code == _LINE_FEED
                self._add_space(index, made=code == _LINE_FEED or bool(reader.is_made(text_page, index)))
                continue
            address = get_object(page_address, index)
            if address is None:  # a line's end that pdfium put in
                self._space = True
                continue
            if address != last_object:
                last_object, self._style = address, reader.style(text_page, index, address)
                self._note_hidden_gap(index)
                self._in_object = 0
            letter = letter_of(code)
            if code == _CARRIAGE_RETURN and not _TEX_FONT.match(self._style[1].name):
                self._space = True
                continue
            if not letter:
                self.unknown += 1
                continue
            self._add(self._over.get(index, letter), index)
            self._in_object += 1
            self._space, self._last, self._last_object = False, index, address
        return self

    def _add_space(self, index: int, *, made: bool) -> None:
        """Note a space, which the file holds or pdfium has `made`; where it begins, the letter before it ends.

        An overhanging letter, such as an italic f, reaches over the space: its drawing says nothing about the gap.
        """
        run, size = self._run, self._style[0]
        if run is not None and not self._space:
            self._least_gap = (_WORD_GAP if made else _SPACE_GAP) * size
            start, _ = _along(self._reader.box(self._text_page, index), self._style[2])
            if run.x1 - _OVERHANG * size < start < run.x1:
                run.x1 = start
        self._space = True

    def _note_hidden_gap(self, index: int) -> None:
        """Note a space before an object of text that pdfium misses: words stand close, or an f reaches over the gap."""
        run, size = self._run, self._style[0]
        if run is None or self._space or not self._is_alike(run):
            return
        if self._in_object < 2 and run.text[-1:] not in _OVERHANGING:
            return  # letters that are set one by one stand as far apart
        advance = self._reader.advance(self._text_page, self._last, self._last_object) * size
        if advance > 0 and _WORD_GAP * size < self._origin(index) - self._origin(self._last) - advance < size:
            self._space, self._least_gap = True, _WORD_GAP * size

    def _add(self, letter: str, index: int) -> None:
        """Add a letter to the run that it continues, or begin a new one with it."""
        size, font, direction, origin_x, origin_y = self._style
        x0, x1 = _along(self._reader.box(self._text_page, index), direction)
        y = (origin_y, -origin_x, -origin_y, origin_x)[direction]
        run = self._run
        self._note(Drawn(index, (x0 + x1) / 2, y, size, letter))
        if run is not None and abs(run.y - y) < 0.05 * size and self._continues(run, x0):
            if run.text[-1] in ACCENTS and letter.isalpha() and x0 < run.x1 - 0.1 * size:
                run.text = run.text[:-1] + accented(letter, run.text[-1])
                self.accents.pop()
            else:
                apart = self._space and self._is_apart(run, index, x0)
                run.text = f"{run.text} {letter}" if apart else run.text + letter
            run.x1 = max(run.x1, x1)
            return
        if run is not None and abs(run.y - y) < 0.05 * size and self._continues_leftward(run, letter, x0, x1):
            apart = self._space and run.x0 - x1 > _SPACE_GAP * size
            run.text = _with_lam_first(f"{run.text} {letter}" if apart else run.text + letter, one=x0 == run.x0)
            run.x0, self._leftward = min(run.x0, x0), True
            return
        self._leftward = False
        over = run is not None and x0 < run.x1 - 0.1 * size and abs(run.y - y) < size
        if run is not None and over and letter.isalpha() and run.text[-1] in ACCENTS:
            letter = accented(letter, run.text[-1])
            run.text = run.text[:-1]
            self.accents.pop()
        self._run = Run(letter, x0, x1, y, size, font, self._space, self._broken)
        self._broken = False
        self.runs.append((self._run, direction))

    def _note(self, drawn: Drawn) -> None:
        """Keep what the accents of the page may stand over."""
        if drawn.sign in ACCENTS:
            self.accents.append(drawn)
        elif drawn.sign.isalpha():
            self.letters.append(drawn)

    def _is_apart(self, run: Run, index: int, x0: float) -> bool:
        """Whether a letter whose drawing begins at `x0` is a word's gap away from the run, as both advance."""
        size = self._style[0]
        start = self._origin(index)
        start = start if x0 < start < x0 + _OVERHANG * size else x0
        if start - run.x1 > self._least_gap:
            return True
        advance = self._reader.advance(self._text_page, self._last, self._last_object) * size
        return advance > 0 and start - self._origin(self._last) - advance > self._least_gap

    def _origin(self, index: int) -> float:
        x, y = self._reader.origin(self._text_page, index)
        return _along((x, y, x, y), self._style[2])[0]

    def _continues(self, run: Run, x0: float) -> bool:
        """Whether a letter at `x0` belongs to the run: of one look, on one line, right after it."""
        size = self._style[0]
        return not self._leftward and self._is_alike(run) and -0.6 * size < x0 - run.x1 < 0.6 * size

    def _continues_leftward(self, run: Run, letter: str, x0: float, x1: float) -> bool:
        """Whether a letter belongs to a run that is written from right to left, and is left of it."""
        size = self._style[0]
        if not is_from_right(letter) and (not self._leftward or letter.isalpha()):
            return False
        begun = self._leftward or (len(run.text) == 1 and is_from_right(run.text))
        return begun and self._is_alike(run) and x0 <= run.x0 and -1.0 * size < run.x0 - x1 < 0.6 * size

    def _is_alike(self, run: Run) -> bool:
        """Whether a run has the look of the letters that are read now, and its line goes on."""
        size, font, direction, _, _ = self._style
        return run.font is font and run.size == size and self.runs[-1][1] == direction and not self._broken


def is_from_right(text: str) -> bool:
    """Whether most letters of a text are written from right to left, as Arabic and Hebrew are."""
    if text.isascii():
        return False
    letters = [unicodedata.bidirectional(letter) for letter in text if letter.isalpha()]
    return sum(kind in ("R", "AL") for kind in letters) > 0.5 * len(letters)


def _with_lam_first(text: str, *, one: bool) -> str:
    """A text whose last two letters are `one` drawing, lam with alef: files name its parts in either order."""
    return text[:-2] + text[:-3:-1] if one and text[-2:-1] in _ALEFS and text[-1] == "\u0644" else text


def _along(box: tuple[float, float, float, float], direction: int) -> tuple[float, float]:
    """Where a box begins and ends along its text's direction."""
    left, bottom, right, top = box
    return ((left, right), (bottom, top), (-right, -left), (-top, -bottom))[direction]


def _upright(runs: list[tuple[Run, int]], visible: tuple[float, float, float, float]) -> tuple[list[Run], int, int]:
    """Keep the visible runs of the page's main direction, with x and y from the corner where its reading begins.

    A margin's stamp of another direction is dropped, and so is what stands outside the page that a viewer shows. With
    them comes how many letters have another direction, and the main one in quarter turns counter-clockwise.
    """
    sizes: Counter[int] = Counter()
    for run, direction in runs:
        sizes[direction] += len(run.text)
    main = max(sizes, key=sizes.__getitem__, default=0)
    turns = max(main, 0)
    left, bottom, right, top = visible
    shift_x, shift_y = ((-left, top), (-bottom, -left), (right, -bottom), (top, right))[turns]
    width, height = (right - left, top - bottom) if turns % 2 == 0 else (top - bottom, right - left)
    kept = []
    for run, direction in runs:
        if direction == main and run.text and run.text not in ACCENTS and _is_visible(run):
            if not run.font.name:
                run.text = bitmap_text(run.text)
            run.x0, run.x1, run.y = run.x0 + shift_x, run.x1 + shift_x, shift_y - run.y
            if 0 < (run.x0 + run.x1) / 2 < width and 0 < run.y - 0.3 * run.size < height:
                kept.append(run)
    return kept, sizes.total() - sizes[main], turns


def _is_visible(run: Run) -> bool:
    """Whether a run has a size and a place that somebody could read it at; not so for NaN."""
    return 1 <= run.size <= 2000 and abs(run.x0) < _FARTHEST and abs(run.x1) < _FARTHEST and abs(run.y) < _FARTHEST
