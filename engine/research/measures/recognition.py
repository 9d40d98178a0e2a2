"""How well scans are read: `python -m engine.research recognition --data DIR`.

DIR of --data holds pmc-long, from whose papers pages are drawn as pictures of 300 dots an inch: clean in one and two
columns, then turned by three degrees with specks and grey noise. The pages of a kind are one PDF that `read` opens.
Told are the words that come out right and in order, and the seconds a page by the clock and by the processor, the
loading of models among them: of each engine that is installed, and of what Tesseract gives by itself.
"""

from __future__ import annotations

import argparse
import difflib
import io
import os
import re
import subprocess
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib import font_manager
from PIL import Image, ImageDraw, ImageFont

from engine.cli.terminal import Parser, bar
from engine.core.errors import EvaluationError
from engine.core.progress import Meter
from engine.documents import Document
from engine.evaluation.benchmarks import CORPUS
from engine.reading import LIMITS, iter_documents, read_bytes
from engine.reading.pdf.recognition import ENGINE_VARIABLE, ENGINES
from engine.reading.pdf.tesseract import Tesseract
from engine.research import measurement

SET = "pmc-long"
_DOTS, _POINTS = 300, 72
_WIDTH, _HEIGHT = 2480, 3508  # A4
_MARGIN, _GUTTER = 250, 80
_SIZE, _LEADING = 10, 12.5
_DEGREES, _NOISE, _SPECKS = 3.0, 18.0, 0.001
_SLOW_SECONDS = 600


@dataclass(frozen=True)
class Scan:
    """A page's picture, and the words on it in reading order."""

    picture: Image.Image
    words: list[str]


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pages, read them, print and save the table."""
    given = measurement.read_options(_parser(), arguments)
    texts = list(_texts(given.data / SET, given.pages))
    readers: dict[str, Callable[[Sequence[Scan]], str]] = {
        f"priorscope, {name}": partial(read_here, name) for name, engine in ENGINES.items() if engine.is_installed()
    }
    if Tesseract.is_installed():
        readers["tesseract by itself"] = read_by_tesseract
    pages = {
        "clean, one column": [drawn(text, columns=1) for text in texts],
        "clean, two columns": [drawn(text, columns=2) for text in texts],
    }
    pages |= {name.replace("clean", "skewed and noisy"): [worn(page) for page in of] for name, of in pages.items()}
    meter = Meter("recognise", len(readers) * sum(map(len, pages.values())), bar())
    figures = {
        name: {reader: _measured(of, read, meter) for reader, read in readers.items()} for name, of in pages.items()
    }
    circumstances = measurement.circumstances("recognition", _words(given)) | {"load": _load()}
    report = {"circumstances": circumstances, "figures": figures}
    lines = _as_markdown(figures) + measurement.as_list(circumstances)
    print("\n".join(lines))
    measurement.save(given.save, report, "# How well scans are read\n\n" + "\n".join(lines) + "\n")


def right_words(expected: Sequence[str], read: Sequence[str]) -> float:
    """Return the share of the expected words that were read, in their order."""
    matcher = difflib.SequenceMatcher(None, expected, read, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / max(1, len(expected))


def read_here(engine: str, pages: Sequence[Scan]) -> str:
    """Return the pages' text as `priorscope read` gives it with an engine, of a file that holds them all."""
    file = io.BytesIO()
    first, *others = (page.picture for page in pages)
    first.save(file, "PDF", resolution=_DOTS, save_all=True, append_images=others)
    with _environment(ENGINE_VARIABLE, engine):
        document = read_bytes(file.getvalue(), "scan.pdf", replace(LIMITS, max_seconds=_SLOW_SECONDS)).document
    return " ".join([document.title, document.abstract, *(f"{one.title} {one.text}" for one in document.sections)])


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """Give the environment with one variable set, which the process that reads takes over."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def read_by_tesseract(pages: Sequence[Scan]) -> str:
    """Return the pages' text as Tesseract gives it, which finds the columns by itself, quickest in one thread."""
    return "\n".join(map(_by_tesseract, pages))


def _by_tesseract(page: Scan) -> str:
    file = io.BytesIO()
    page.picture.save(file, "PNG", dpi=(_DOTS, _DOTS))
    command = ["tesseract", "-", "-", "-l", "eng"]
    alone = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    return subprocess.run(command, input=file.getvalue(), capture_output=True, check=True, env=alone).stdout.decode()


def drawn(text: str, *, columns: int) -> Scan:
    """Return as much of a text as fits on a page, in one column or two."""
    font = ImageFont.truetype(font_manager.findfont("DejaVu Serif"), round(_SIZE * _DOTS / _POINTS))
    picture = Image.new("L", (_WIDTH, _HEIGHT), 255)
    pen = ImageDraw.Draw(picture)
    leading = _LEADING * _DOTS / _POINTS
    wide = (_WIDTH - 2 * _MARGIN - (columns - 1) * _GUTTER) / columns
    deep = int((_HEIGHT - 2 * _MARGIN) / leading)
    lines = textwrap.wrap(text, int(wide / font.getlength("n") * 1.05), break_long_words=True)[: columns * deep]
    for number, line in enumerate(lines):
        left = _MARGIN + number // deep * (wide + _GUTTER)
        pen.text((left, _MARGIN + number % deep * leading), line, font=font, fill=20)
    return Scan(picture, _tokens(" ".join(lines)))


def worn(page: Scan) -> Scan:
    """Return a page as a bad scanner gives it: turned, grey, with specks."""
    drawn_numbers = np.random.default_rng(len(page.words))
    turned = page.picture.rotate(_DEGREES, resample=Image.Resampling.BICUBIC, fillcolor=255)
    grey = np.asarray(turned, dtype=np.float64) + drawn_numbers.normal(0, _NOISE, (_HEIGHT, _WIDTH))
    grey[drawn_numbers.random(grey.shape) < _SPECKS] = 0
    return Scan(Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)), page.words)


def _measured(pages: Sequence[Scan], read: Callable[[Sequence[Scan]], str], meter: Meter) -> dict[str, float]:
    begun, used = time.perf_counter(), _processor_seconds()
    text = read(pages)
    seconds, used = time.perf_counter() - begun, _processor_seconds() - used
    meter.add(len(pages))
    expected = [word for page in pages for word in page.words]
    return {
        "words right": right_words(expected, _tokens(text)),
        "seconds a page": seconds / len(pages),
        "processor seconds a page": used / len(pages),
    }


def _load() -> str:
    """Return how busy the machine was: beside other work the clock's seconds say little, the processor's more."""
    return f"{os.getloadavg()[1]:.1f} processes at a time in the last five minutes, others' among them"


def _processor_seconds() -> float:
    """Return what this process and those that it ended have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _tokens(text: str) -> list[str]:
    """Return words in lower case, without marks, which a line's end may have parted."""
    return re.findall(r"[^\W_]+", text.casefold())


def _texts(folder: Path, count: int) -> Iterator[str]:
    """Give texts of papers, each more than a page's."""
    if not (folder / CORPUS).is_file():
        raise EvaluationError(
            f"Expected {CORPUS} in {folder}, found none. Give the folder of the benchmarks as --data."
        )
    found = 0
    for document in iter_documents(folder / CORPUS):
        text = _plain(document)
        if len(text) > 2 * _WIDTH:
            yield text
            found += 1
        if found == count:
            return


def _plain(document: Document) -> str:
    """Return a paper's text in letters that the font has."""
    text = " ".join([document.title, document.abstract, *(f"{one.title} {one.text}" for one in document.sections)])
    return " ".join("".join(sign if sign.isascii() and sign.isprintable() else " " for sign in text).split())


def _as_markdown(figures: dict[str, dict[str, dict[str, float]]]) -> list[str]:
    heads = ("pages", "reader", "words right", "seconds a page", "processor seconds a page")
    rows = [
        (
            name,
            reader,
            f"{one['words right']:.3f}",
            f"{one['seconds a page']:.1f}",
            f"{one['processor seconds a page']:.1f}",
        )
        for name, readers in figures.items()
        for reader, one in readers.items()
    ]
    return measurement.table(heads, rows)


def _words(given: argparse.Namespace) -> list[str]:
    return ["--data", "DIR", "--pages", str(given.pages)]


def _parser() -> Parser:
    parser = measurement.make_parser("recognition", __doc__)
    parser.add_argument("--pages", metavar="N", type=int, default=5, help="pages of each kind (5)")
    return parser
