"""How well papers of six layouts are taken apart: `python -m engine.research layouts --data DIR`.

DIR of --data holds pmc-long, whose papers are set again: as many in each of four LaTeX classes (pdflatex) and two
styles of DOCX (LibreOffice), no paper twice. Titles, abstracts, sections and headings are the papers'; authors, notes,
floats, formulas, lower headings and references are made up. Told are the words that `read` gives in the right order in
its abstract and sections (`typesetting.marks` says exactly what counts), title, abstract, headings and authors; and the
words in order in all the text that other programs give, as far as they are installed: pdftotext, pypdf, pdfminer.six,
docling-parse. Two of the layouts were drawn by seed and held out: the reader was not fitted to them, and the report's
figures are their first.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from statistics import fmean

from engine.cli.terminal import Parser, bar
from engine.core.errors import EvaluationError
from engine.core.progress import Meter
from engine.evaluation.benchmarks import CORPUS
from engine.reading import iter_documents, read_bytes
from engine.research import measurement
from engine.research.typesetting.known_papers import KnownPaper, known_papers
from engine.research.typesetting.latex_classes import CLASSES, set_by_latex
from engine.research.typesetting.marks import marks_of, recall
from engine.research.typesetting.other_readers import OTHER_READERS, OtherReader
from engine.research.typesetting.word_styles import STYLES, set_by_libreoffice

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
    """The papers as PDFs in one layout."""
    if layout in CLASSES:
        return set_by_latex(papers, CLASSES[layout], folder)
    return set_by_libreoffice(papers, STYLES[layout], folder)


def _measured(
    papers: Sequence[KnownPaper], layout: str, others: Mapping[str, OtherReader], keep: Path | None, meter: Meter
) -> Figures:
    """The mean marks of a layout's papers: of ours, and the words in order of the others."""
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
    """Two tables: our marks by layout, and words in order beside the others'."""
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
