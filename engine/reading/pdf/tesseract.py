"""Lines of a scan by Tesseract, a program of its own that a person installs beside ours.

The page's picture goes in by standard input and a table of words comes back, so that no file is left. Skewed pages read
worse, so we draw those again, straight; a page that lies on its side or stands on its head Tesseract finds by itself.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
import psutil
from numpy.typing import NDArray

from engine.reading.limits import Limits, processor_seconds
from engine.reading.pdf.scan_lines import (
    CAPITALS,
    DESCENT,
    SURE,
    X_HEIGHT,
    Draw,
    Scan,
    ScanLine,
    ScanPage,
    Step,
    find_ink,
    stroke_of,
    weighted_median,
)

_LANGUAGES = ("eng", "deu", "fra", "spa", "ita", "por")
"""The languages that are read where they are installed; each makes a page slower by a tenth."""
_MOST_LANGUAGES = 4
_ORIENTATION = "osd"
_HEAD = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
_WORD = "5"
_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_TO_START = 10
_MOST_SAID = 160
_REACHING = frozenset("bdfhijklt'\"!?()[]{}/|\\&%$#@")
"""Small letters and signs that reach as high as capitals."""
_HANGING = frozenset("gjpqyQ,;()[]{}/|\\@$\u00e7\u00df")
_SKEWS = np.radians(np.arange(-8.0, 8.01, 0.5))
_FINER = np.radians(np.arange(-0.5, 0.51, 0.1))
_STRAIGHT = math.radians(0.15)
_SKEW_SIDE = 1_200


class RecognitionFault(Exception):
    """Tesseract did not do what it is for; its text says how."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a line with its edges in pixels, and the place of its line."""

    line: tuple[str, ...]
    left: float
    top: float
    right: float
    bottom: float
    confidence: float
    text: str

    @property
    def centre(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class Tesseract:
    """Reads pages with Tesseract, one process a page."""

    name = "Tesseract"

    def __init__(self, limits: Limits) -> None:
        """Take the limits: a page may take `max_recognition_seconds` of a processor, and half of the memory."""
        self._max_seconds = limits.max_recognition_seconds
        self._max_bytes = limits.max_recognition_bytes // 2

    @staticmethod
    def is_installed() -> bool:
        """Tell whether the program is on PATH."""
        return bool(_program())

    def read(self, draw: Draw, dots: float, goes_on: Step) -> ScanPage:
        """Return the lines of a page; `dots` of the picture are an inch. Raises RecognitionFault."""
        picture = draw(0.0)
        goes_on()
        angle = skew(picture)
        askew = 0.0
        if abs(angle) > _STRAIGHT:
            askew = -angle
            picture = draw(askew)
        height, width = picture.shape
        table = self._table(picture, dots, goes_on)
        if table is None:
            return ScanPage([], width, height, whole=False)
        lines = [list(words) for _, words in groupby(_words(table), key=lambda word: word.line)]
        return replace(_page(picture, lines), askew=askew)

    @cached_property
    def _options(self) -> list[str]:
        """What is read: the installed languages, and pages in every direction where Tesseract can tell it."""
        command = [_program(), "--list-langs"]
        try:
            told = subprocess.run(command, capture_output=True, timeout=_SECONDS_TO_START, env=_surroundings())
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RecognitionFault(f"it does not start: {_short(str(error))}") from None
        there = told.stdout.decode("utf-8", "replace").split()
        languages = [one for one in _LANGUAGES if one in there][:_MOST_LANGUAGES]
        if not languages:
            raise RecognitionFault(f"it has none of the languages {', '.join(_LANGUAGES)}")
        return ["-l", "+".join(languages), "--psm", "1" if _ORIENTATION in there else "3"]

    def _table(self, picture: Scan, dots: float, goes_on: Step) -> str | None:
        """Return the table of a picture's words, None if they take too long. Raises RecognitionFault."""
        settings = [*self._options, "--dpi", str(round(dots)), "-c", "tessedit_create_tsv=1"]
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(
                [_program(), "-", "-", *settings], stdin=pipe, stdout=pipe, stderr=pipe, env=_surroundings()
            )
        except OSError as error:
            raise RecognitionFault(f"it does not start: {_short(str(error))}") from None
        with process:
            answer = self._answer(process, b"P5 %d %d 255\n" % picture.shape[::-1] + picture.tobytes(), goes_on)
        if answer is None:
            return None
        table, said = (part.decode("utf-8", "replace") for part in answer)
        if process.returncode:
            raise RecognitionFault(f"it ended with {process.returncode} and said: {_short(said) or 'nothing'}")
        if not table.startswith(_HEAD):
            raise RecognitionFault(f"it gave no table of words, but: {_short(table) or 'nothing'}")
        return table

    def _answer(self, process: subprocess.Popen[bytes], asked: bytes, goes_on: Step) -> tuple[bytes, bytes] | None:
        """Return what the process prints and what it complains of; None, and its end, once it has worked too long.

        Raises RecognitionFault where it takes too much memory.
        """
        last = processor_seconds(0) + self._max_seconds
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(process.communicate, asked)
            try:
                while processor_seconds((spent := _spent(process.pid)).seconds) < last:
                    if spent.memory > self._max_bytes:
                        raise RecognitionFault(f"it took more than {self._max_bytes >> 20:,} MiB of memory")
                    goes_on()
                    with suppress(TimeoutError):
                        return answer.result(_SECONDS_BETWEEN_LOOKS)
                return None
            finally:
                process.kill()


def skew(picture: Scan) -> float:
    """Return the angle in radians by which a page's lines fall to the right, or would if it lay upright.

    Of the angles tried that one is right at which the lower ends of letters, added up along it, lie on the fewest rows.
    """
    step = max(1, max(picture.shape) // _SKEW_SIDE)
    dark = find_ink(picture[::step, ::step])
    found = [_sharpest(*np.nonzero(upright[:-1] & ~upright[1:])) for upright in (dark, dark.T)]
    (sharp, angle), (sharp_across, across) = found
    return angle if sharp >= sharp_across else -across


def _sharpest(ys: NDArray[np.int64], xs: NDArray[np.int64]) -> tuple[float, float]:
    """Return how much sharper than usual points fall into rows at the angle where they do so best, and that angle."""
    if not len(ys):
        return 0.0, 0.0
    sharp = [_sharpness(ys, xs, angle) for angle in _SKEWS]
    best = float(_SKEWS[int(np.argmax(sharp))])
    finer = [_sharpness(ys, xs, best + by) for by in _FINER]
    return max(finer) / (float(np.median(sharp)) or 1.0), best + float(_FINER[int(np.argmax(finer))])


def _sharpness(ys: NDArray[np.int64], xs: NDArray[np.int64], angle: float) -> float:
    rows = np.round(ys - xs * math.tan(angle)).astype(np.int64)
    return float((np.bincount(rows - rows.min()).astype(np.float64) ** 2).sum())


def _words(table: str) -> Iterator[_Word]:
    """Yield the words of a table; rows of another form are left out."""
    for row in table.splitlines()[1:]:
        level, *cells = row.split("\t")
        if level != _WORD or len(cells) != _HEAD.count("\t") or not cells[-1].strip():
            continue
        try:
            left, top, width, height, sure = map(float, cells[5:10])
        except ValueError:
            continue
        if min(width, height) > 0 <= sure and all(map(math.isfinite, (left, top, width, height, sure))):
            yield _Word(
                tuple(cells[:4]), left, top, left + width, top + height, min(sure / 100, 1.0), cells[10].strip()
            )


def _page(picture: Scan, lines: Sequence[Sequence[_Word]]) -> ScanPage:
    """Return the page, set upright by the direction in which most of its words follow each other."""
    directions = [_direction(line) for line in lines]
    spans = np.zeros(4)
    for line, direction in zip(lines, directions, strict=True):
        if direction is not None:
            spans[direction] += len(line)
    turns = int(np.argmax(spans))
    height, width = picture.shape
    upright = np.ascontiguousarray(np.rot90(picture, turns))
    page: list[ScanLine] = []
    turned = 0
    for line, direction in zip(lines, directions, strict=True):
        if direction not in (None, turns):
            turned += sum(len(word.text) for word in line)
        elif found := _line(upright, [_turn(word, turns, width, height) for word in line]):
            page.append(found)
    return ScanPage(page, upright.shape[1], upright.shape[0], turned=turned, quarters=turns)


def _direction(line: Sequence[_Word]) -> int | None:
    """Return how many quarters a line must be turned counter-clockwise to run right; None for a single word."""
    (x0, y0), (x1, y1) = line[0].centre, line[-1].centre
    if (x0, y0) == (x1, y1):
        return None
    return round(math.atan2(y1 - y0, x1 - x0) / (math.pi / 2)) % 4


def _turn(word: _Word, turns: int, width: int, height: int) -> _Word:
    """Return a word on a picture that is turned counter-clockwise by quarters."""
    left, top, right, bottom = word.left, word.top, word.right, word.bottom
    for _ in range(turns):
        left, top, right, bottom = top, width - right, bottom, width - left
        width, height = height, width
    return _Word(word.line, left, top, right, bottom, word.confidence, word.text)


def _line(picture: Scan, words: Sequence[_Word]) -> ScanLine | None:
    """Return a line of words on an upright picture, if it is sure enough."""
    weights = np.array([len(word.text) for word in words], dtype=np.float64)
    confidence = float(np.average([word.confidence for word in words], weights=weights))
    if confidence < SURE:
        return None
    left, right = min(word.left for word in words), max(word.right for word in words)
    top, bottom = min(word.top for word in words), max(word.bottom for word in words)
    size = weighted_median(np.array([_size(word) for word in words]), weights)
    hangs = [DESCENT * size if _HANGING & set(word.text) else 0.0 for word in words]
    base = weighted_median(np.array([word.bottom - hang for word, hang in zip(words, hangs, strict=True)]), weights)
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    crop = picture[max(0, int(top)) : math.ceil(bottom), max(0, int(left)) : math.ceil(right)]
    stroke = stroke_of(crop) if crop.size else 0.0
    return ScanLine(corners, " ".join(word.text for word in words), confidence, size, bottom - base, stroke)


def _size(word: _Word) -> float:
    """Return the size of a word's font in pixels, by how far its letters reach up and down."""
    tall = any(sign in _REACHING or not sign.islower() for sign in word.text)
    hanging = bool(_HANGING & set(word.text))
    return (word.bottom - word.top) / ((CAPITALS if tall else X_HEIGHT) + DESCENT * hanging)


def _program() -> str:
    """Return where the program lies, empty if it is not on PATH."""
    return shutil.which("tesseract") or ""


class _Spent(NamedTuple):
    """Seconds of work and bytes of memory."""

    seconds: float
    memory: int


def _spent(process: int) -> _Spent:
    """Return what a process has spent so far."""
    try:
        asked = psutil.Process(process)
        used, held = asked.cpu_times(), asked.memory_info().rss
    except psutil.Error:  # it has ended
        return _Spent(0.0, 0)
    return _Spent(used.user + used.system, held)


def _surroundings() -> dict[str, str]:
    """Return the environment for one thread: more of them wait for each other."""
    return {**os.environ, "OMP_THREAD_LIMIT": "1"}


def _short(said: str) -> str:
    """Return the last line of what a program says."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:_MOST_SAID] if lines else ""
