"""Reads a PDF page's characters through pdfium as runs: stretches of text of one font on one baseline.

The codes that fonts give become letters: ligatures, hyphens, TeX's own codes. Accents that a file draws alone, as
TeX does, are put onto the letters that they stand over.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.reading.pdf.page import FAR, Font, PdfPage, TextRun, is_from_right

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


def letter_of(code: int) -> str:
    """Return a character's text: ligatures spelt out, every kind of hyphen as one; nothing for what has no letter."""
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
    """Return text of a bitmap font without a name, made readable.

    TeX's bitmap fonts call the glyph of code 101 "a101". That is also a dingbat's name, and some
    programs write the dingbat into the file as what the glyph means.
    """
    return text.translate(_BITMAP_LETTERS) if not text.isascii() else text


class Drawn(NamedTuple):
    """A letter or an accent: its place among a page's characters, its middle along the line, its baseline, its size."""

    place: int
    middle: float
    y: float
    size: float
    sign: str


def put_accent(letter: str, accent: str) -> str:
    """Return a letter with an accent over it, as one character where Unicode has it."""
    return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + ACCENTS[accent])


def place_accents(accents: Iterable[Drawn], letters: Iterable[Drawn]) -> tuple[dict[int, str], frozenset[int]]:
    """Return the letters that have an accent over them, by their places, and the places of those accents."""
    lines: dict[int, list[Drawn]] = defaultdict(list)
    for one in sorted(letters, key=lambda one: one.middle):
        lines[int(one.y // _CELL)].append(one)
    found: dict[int, str] = {}
    used: set[int] = set()
    for accent in accents:
        near = [
            letter for step in (-1, 0, 1) for letter in _nearest(lines.get(int(accent.y // _CELL) + step, []), accent)
        ]
        fits = [one for one in near if one.place not in found and len(put_accent(one.sign, accent.sign)) == 1]
        if fits:
            best = min(fits, key=lambda one: abs(one.middle - accent.middle))
            found[best.place] = put_accent(best.sign, accent.sign)
            used.add(accent.place)
    return found, frozenset(used)


def _nearest(line: list[Drawn], accent: Drawn) -> list[Drawn]:
    """Return the letters beside an accent's place whose middle is as good as there."""
    place = bisect_left(line, accent.middle, key=lambda one: one.middle)
    return [
        one
        for one in line[max(place - 2, 0) : place + 2]
        if abs(one.middle - accent.middle) < _OFF_CENTRE * accent.size
        and abs(one.y - accent.y) < _OFF_LINE * accent.size
    ]


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
        self.text_object = _address_of(raw.FPDFText_GetTextObject, ctypes.c_int)
        self._font_of = _address_of(raw.FPDFTextObj_GetFont)

    def read(self, page: Any, number: int, max_characters: int) -> PdfPage:  # noqa: ANN401
        """Read the first `max_characters` characters of a loaded page."""
        raw = self._raw
        self._drawn.clear()
        self._fonts.clear()  # pdfium may free a closed page's fonts and use their addresses again
        text_page = raw.FPDFText_LoadPage(page)
        width, height = raw.FPDF_GetPageWidthF(page), raw.FPDF_GetPageHeightF(page)
        visible = self._visible_box(page, width, height)
        if not text_page:
            return PdfPage(number, width, height, [])
        try:
            count = raw.FPDFText_CountChars(text_page)
            result = _PageBuilder(self, text_page).build(min(count, max_characters))
            over, accents = place_accents(result.accents, result.letters) if result.accents else ({}, frozenset())
            if over:
                result = _PageBuilder(self, text_page, over, accents).build(min(count, max_characters))
        finally:
            raw.FPDFText_ClosePage(text_page)
        runs, turned, direction = _keep_upright(result.runs, visible)
        read, cut = min(count, max_characters), count > max_characters
        quarters = (raw.FPDFPage_GetRotation(page) - direction) % 4
        return PdfPage(number, width, height, runs, read, result.unknown, cut=cut, turned=turned, quarters=quarters)

    def _visible_box(self, page: Any, width: float, height: float) -> tuple[float, float, float, float]:  # noqa: ANN401
        """Return what a viewer shows of a page, in the page's own coordinates: left, bottom, right, top."""
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
        """Return the height of a font's letters where its stated size means nothing, as in some bitmap fonts."""
        if address not in self._drawn:
            boxes = [self.box(text_page, place) for place in range(index, index + 40)]
            sides = [min(abs(right - left), abs(top - bottom)) for left, bottom, right, top in boxes]
            self._drawn[address] = round(1.1 * max(sides), 1)
        return self._drawn[address]

    def origin(self, text_page: Any, index: int) -> tuple[float, float]:  # noqa: ANN401
        """Return where a character begins on its baseline."""
        self._raw.FPDFText_GetCharOrigin(text_page, index, self._x, self._y)
        return self._x.value, self._y.value

    def advance(self, text_page: Any, index: int, text_object: int) -> float:  # noqa: ANN401
        """Return how far a character moves the pen, in ems; 0 where the font does not say."""
        handle = ctypes.cast(self._font_of(text_object) or 0, self._raw.FPDF_FONT)
        letter = self.character(text_page, index)
        return self._width.value if self._raw.FPDFFont_GetGlyphWidth(handle, letter, 1.0, self._width) else 0.0

    def box(self, text_page: Any, index: int) -> tuple[float, float, float, float]:  # noqa: ANN401
        """Return the character's advance box, with what its drawing has beyond it: left, bottom, right, top."""
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


def _address_of(function: Any, *more: Any) -> Any:  # noqa: ANN401
    """Bind `function` to give an address as a number; making a typed pointer takes longer than the call."""
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
        self.runs: list[tuple[TextRun, int]] = []
        self.unknown = 0
        self._space = self._broken = False
        self._least_gap = 0.0
        self._last, self._last_object, self._in_object = 0, 0, 0
        self._leftward = False
        self._run: TextRun | None = None
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
                run.text = run.text[:-1] + put_accent(letter, run.text[-1])
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
            letter = put_accent(letter, run.text[-1])
            run.text = run.text[:-1]
            self.accents.pop()
        self._run = TextRun(letter, x0, x1, y, size, font, self._space, self._broken)
        self._broken = False
        self.runs.append((self._run, direction))

    def _note(self, drawn: Drawn) -> None:
        """Keep what the accents of the page may stand over."""
        if drawn.sign in ACCENTS:
            self.accents.append(drawn)
        elif drawn.sign.isalpha():
            self.letters.append(drawn)

    def _is_apart(self, run: TextRun, index: int, x0: float) -> bool:
        """Tell whether a letter whose drawing begins at `x0` is a word's gap away from the run, as both advance."""
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

    def _continues(self, run: TextRun, x0: float) -> bool:
        """Tell whether a letter at `x0` belongs to the run: of one look, on one line, right after it."""
        size = self._style[0]
        return not self._leftward and self._is_alike(run) and -0.6 * size < x0 - run.x1 < 0.6 * size

    def _continues_leftward(self, run: TextRun, letter: str, x0: float, x1: float) -> bool:
        """Tell whether a letter belongs to a run that is written from right to left, and is left of it."""
        size = self._style[0]
        if not is_from_right(letter) and (not self._leftward or letter.isalpha()):
            return False
        begun = self._leftward or (len(run.text) == 1 and is_from_right(run.text))
        return begun and self._is_alike(run) and x0 <= run.x0 and -1.0 * size < run.x0 - x1 < 0.6 * size

    def _is_alike(self, run: TextRun) -> bool:
        """Tell whether a run has the look of the letters that are read now, and its line goes on."""
        size, font, direction, _, _ = self._style
        return run.font is font and run.size == size and self.runs[-1][1] == direction and not self._broken


def _with_lam_first(text: str, *, one: bool) -> str:
    """Return a text whose last two letters are `one` drawing, lam with alef: files name its parts in either order."""
    return text[:-2] + text[:-3:-1] if one and text[-2:-1] in _ALEFS and text[-1] == "\u0644" else text


def _along(box: tuple[float, float, float, float], direction: int) -> tuple[float, float]:
    """Return where a box begins and ends along its text's direction."""
    left, bottom, right, top = box
    return ((left, right), (bottom, top), (-right, -left), (-top, -bottom))[direction]


def _keep_upright(
    runs: list[tuple[TextRun, int]], visible: tuple[float, float, float, float]
) -> tuple[list[TextRun], int, int]:
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


def _is_visible(run: TextRun) -> bool:
    """Tell whether a run has a size and a place that somebody could read it at; not so for NaN."""
    return 1 <= run.size <= 2000 and all(abs(place) < FAR for place in (run.x0, run.x1, run.y))
