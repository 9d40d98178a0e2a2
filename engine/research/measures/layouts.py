"""How well papers of six layouts are taken apart: `python -m engine.research layouts --data DIR`.

DIR of --data holds pmc-long, whose papers are set again: as many in each of four LaTeX classes (pdflatex) and two
styles of DOCX (LibreOffice), no paper twice. Titles, abstracts, sections and headings are the papers'; authors, notes,
floats, formulas, lower headings and references are made up. Told are the words that `read` gives in the right order in
its abstract and sections (`Marks` says exactly what counts), title, abstract, headings and authors; and the
words in order in all the text that other programs give, as far as they are installed: pdftotext, pypdf, pdfminer.six,
docling-parse. Two of the layouts were drawn by seed and held out: the reader was not fitted to them, and the report's
figures are their first.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import io
import logging
import random
import re
import shutil
import subprocess
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from engine.cli.terminal import Parser, bar
from engine.core.errors import EvaluationError
from engine.core.progress import Meter
from engine.documents import Document
from engine.evaluation.benchmarks import CORPUS
from engine.reading import iter_documents, read_bytes
from engine.research import measurement
from engine.research.typesetting.known_papers import KnownPaper, known_papers
from engine.research.typesetting.latex_classes import CLASSES, set_by_latex
from engine.research.typesetting.word_styles import STYLES, set_by_libreoffice

_ABSTRACT_RIGHT = 0.9


@dataclass(frozen=True, slots=True)
class Marks:
    """How much of one paper was read right, each from 0 to 1.

    `words` is the share of the words of abstract and paragraphs that are read in their order: the longest common
    subsequence of both. `purity` is the share of what was read that those words make up; captions, tables, notes and
    subheadings are in the paper, too, so that 1 is out of reach. `title` says whether all its letters and digits are
    right, `abstract` whether its words are: F1 of words in order of at least 0.9. `headings` is F1 of the sections'
    titles, `authors` whether all names are right and in order.
    """

    words: float
    purity: float
    title: float
    abstract: float
    headings: float
    authors: float


def words_of(text: str) -> list[str]:
    """Return words in small letters, without signs: what is compared."""
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())


def in_order(expected: Sequence[str], read: Sequence[str]) -> int:
    """Return how many of the expected words are read in their order.

    The longest common subsequence by rows of bits (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"): n
    steps on numbers of m bits.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(expected):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(expected)) - 1
    row = every
    for word in read:
        here = row & places.get(word, 0)
        row = (row + here | row - here) & every
    return len(expected) - row.bit_count()


def recall(expected: str, read: str) -> float:
    """Return the share of the expected words that are read in their order."""
    words = words_of(expected)
    return in_order(words, words_of(read)) / max(1, len(words))


def marks_of(paper: KnownPaper, document: Document) -> Marks:
    """Return what a reader made of the paper."""
    sections = [one for one in document.sections if one.role != "references"]
    expected, read = words_of(paper.body), words_of("\n".join([document.abstract, *(one.text for one in sections)]))
    common = in_order(expected, read)
    headings = [one.heading for one in paper.sections]
    return Marks(
        words=common / max(1, len(expected)),
        purity=common / max(1, len(read)),
        title=float(_plain(paper.title) == _plain(document.title)),
        abstract=float(_likeness(words_of(paper.abstract), words_of(document.abstract)) >= _ABSTRACT_RIGHT),
        headings=headings_f1(headings, [one.title for one in sections]),
        authors=float([_plain(one.name) for one in paper.authors] == [_plain(name) for name in document.authors]),
    )


def headings_f1(expected: Sequence[str], read: Sequence[str]) -> float:
    """Return F1 of headings by their letters and digits, each counted as often as it stands."""
    known, found = Counter(map(_plain, expected)), Counter(_plain(one) for one in read if _plain(one))
    return 2 * (known & found).total() / max(1, known.total() + found.total())


def _likeness(expected: Sequence[str], read: Sequence[str]) -> float:
    return 2 * in_order(expected, read) / max(1, len(expected) + len(read))


def _plain(text: str) -> str:
    return "".join(words_of(text))


_BROKEN = re.compile(r"(?<=[a-z])-[ \t]*\n\s*(?=[a-z])")
"""A word that a line's end cuts; none of the others joins all of those."""


class OtherReader(NamedTuple):
    """A reader of PDFs: how it reads, and what must be installed for it."""

    read: Callable[[bytes], str]
    program: str = ""
    module: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether this machine has it."""
        return bool(shutil.which(self.program)) if self.program else importlib.util.find_spec(self.module) is not None

    def text(self, data: bytes) -> str:
        """Return the text of all pages, with words that a line's end cuts made whole."""
        return _BROKEN.sub("", self.read(data))


def _pdftotext(data: bytes, *options: str) -> str:
    command = ["pdftotext", "-enc", "UTF-8", *options, "-", "-"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def _pypdf(data: bytes) -> str:
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    reader = importlib.import_module("pypdf").PdfReader(io.BytesIO(data))
    return "\n".join(page.extract_text() for page in reader.pages)


def _pdfminer(data: bytes) -> str:
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    text: str = importlib.import_module("pdfminer.high_level").extract_text(io.BytesIO(data))
    return text


def _docling_parse(data: bytes) -> str:
    """Return the lines of text that docling-parse gives, in its order (version 2, whose dependencies ours allow)."""
    parser = importlib.import_module("docling_parse.docling_parse").pdf_parser_v2("fatal")
    parser.load_document_from_bytesio("paper", io.BytesIO(data))
    lines: list[str] = []
    for number in range(parser.number_of_pages("paper")):
        for page in parser.parse_pdf_from_key_on_page("paper", number)["pages"]:
            cells = page["sanitized"]["cells"]
            text = cells["header"].index("text")
            lines += (cell[text] for cell in cells["data"])
    return "\n".join(lines)


OTHER_READERS: Mapping[str, OtherReader] = {
    "pdftotext": OtherReader(_pdftotext, program="pdftotext"),
    "pdftotext -layout": OtherReader(lambda data: _pdftotext(data, "-layout"), program="pdftotext"),
    "pypdf": OtherReader(_pypdf, module="pypdf"),
    "pdfminer.six": OtherReader(_pdfminer, module="pdfminer"),
    "docling-parse": OtherReader(_docling_parse, module="docling_parse"),
}
"""The readers that ours is compared with, by their names."""


SET = "pmc-long"
LAYOUTS = (*CLASSES, *STYLES)
SEED = 31
HELD_OUT = tuple(random.Random(SEED).sample(sorted(LAYOUTS), 2))
"""The layouts that the reader was not fitted to."""

Figures = dict[str, dict[str, float]]
"""A layout's figures by reader: ours with all marks, others with words only."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Set the papers, read them, print and save the table."""
    given = measurement.read_options(_parser(), arguments)
    names = given.layouts.split(",")
    _check(names)
    others = {name: other for name, other in OTHER_READERS.items() if other.is_installed}
    missing = [name for name in OTHER_READERS if name not in others]
    papers = list(_papers(given.data / SET, given.papers))
    each = len(papers) // len(LAYOUTS)
    meter = Meter("read", each * len(names), bar())
    figures = {
        name: _measured(papers[LAYOUTS.index(name) :: len(LAYOUTS)][:each], name, others, given.keep, meter)
        for name in names
    }
    circumstances = measurement.circumstances("layouts", _words(given))
    report = {"circumstances": circumstances, "held out": HELD_OUT, "missing": missing, "figures": figures}
    lines = as_markdown(figures) + _told(missing, each) + measurement.as_list(circumstances)
    print("\n".join(lines))
    measurement.save(given.save, report, "# How well papers are taken apart\n\n" + "\n".join(lines) + "\n")


def _check(names: Sequence[str]) -> None:
    strange = [name for name in names if name not in LAYOUTS]
    if strange:
        raise EvaluationError(f"Expected layouts among {', '.join(LAYOUTS)}; got {', '.join(strange)}.")
    needed = {"pdflatex": "texlive-publishers"} if set(names) & set(CLASSES) else {}
    needed |= {"soffice": "libreoffice-writer-nogui"} if set(names) & set(STYLES) else {}
    for program, package in needed.items():
        if not shutil.which(program):
            raise EvaluationError(f"Expected {program} to set the papers, found none. Install {package}.")


def _papers(folder: Path, count: int) -> Iterator[KnownPaper]:
    if not (folder / CORPUS).is_file():
        raise EvaluationError(
            f"Expected {CORPUS} in {folder}, found none. Give the folder of the benchmarks as --data."
        )
    return islice(known_papers(iter_documents(folder / CORPUS), SEED), count)


def set_papers(papers: Sequence[KnownPaper], layout: str, folder: Path) -> list[Path]:
    """Return the papers as PDFs in one layout."""
    if layout in CLASSES:
        return set_by_latex(papers, CLASSES[layout], folder)
    return set_by_libreoffice(papers, STYLES[layout], folder)


def _measured(
    papers: Sequence[KnownPaper], layout: str, others: Mapping[str, OtherReader], keep: Path | None, meter: Meter
) -> Figures:
    """Return the mean marks of a layout's papers: of ours, and the words in order of the others."""
    ours: list[dict[str, float]] = []
    theirs: dict[str, list[float]] = {name: [] for name in others}
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep / layout if keep else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for paper, path in zip(papers, set_papers(papers, layout, folder), strict=True):
            data = path.read_bytes()
            ours.append(asdict(marks_of(paper, read_bytes(data, path.name).document)))
            for name, other in others.items():
                theirs[name].append(recall(paper.body, other.text(data)))
            meter.add(1)
    means = {mark: fmean(one[mark] for one in ours) for mark in ours[0]}
    worst = min(one["words"] for one in ours)
    return {"priorscope": {**means, "worst": worst}} | {name: {"words": fmean(of)} for name, of in theirs.items()}


def as_markdown(figures: Mapping[str, Figures]) -> list[str]:
    """Return two tables: our marks by layout, and words in order beside the others'."""
    marks = ("words", "worst", "purity", "title", "abstract", "headings", "authors")
    ours = [[_name(name), *(f"{of['priorscope'][mark]:.3f}" for mark in marks)] for name, of in figures.items()]
    mean = [fmean(of["priorscope"][mark] for of in figures.values()) for mark in marks]
    readers = list(next(iter(figures.values())))
    beside = [[_name(name), *(f"{of[reader]['words']:.3f}" for reader in readers)] for name, of in figures.items()]
    means = [fmean(of[reader]["words"] for of in figures.values()) for reader in readers]
    return [
        *measurement.table(
            ("layout", "words in order", "worst paper", *marks[2:]), [*ours, ["mean", *(f"{one:.3f}" for one in mean)]]
        ),
        "Words in order, beside other programs (all their text):",
        "",
        *measurement.table(("layout", *readers), [*beside, ["mean", *(f"{one:.3f}" for one in means)]]),
    ]


def _name(layout: str) -> str:
    return f"{layout} (held out)" if layout in HELD_OUT else layout


def _told(missing: Sequence[str], each: int) -> list[str]:
    told = [f"* papers: {each} of each layout, no paper twice"]
    return [*told, f"* left out, as they are not installed: {', '.join(missing)}"] if missing else told


def _words(given: argparse.Namespace) -> list[str]:
    return ["--data", "DIR", "--papers", str(given.papers), "--layouts", given.layouts]


def _parser() -> Parser:
    parser = measurement.make_parser("layouts", __doc__)
    parser.add_argument("--papers", metavar="N", type=int, default=60, help="papers in all six layouts together (60)")
    parser.add_argument("--layouts", metavar="NAMES", default=",".join(LAYOUTS), help=f"some of {', '.join(LAYOUTS)}")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="leave the PDFs there, a folder a layout")
    return parser
