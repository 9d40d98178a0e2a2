"""How well the works that a document cites are found in a library: `python -m engine.research cited --data DIR`.

DIR of --data holds acm-citation and pmc-long. Papers of pmc-long are set with reference lists drawn from acm-citation,
each in one of seven styles and one of six formats, with misspelt, shortened and recapitalised titles and wrong years.
--papers names a folder of real papers, a .bib of the works that each cites beside it; articles in JATS need none, as
their entries are marked up, and are measured by their printed text alone, too. The library holds half of what each
cites, of others a near miss by the same authors (a second part, an improved one, another last word, the same first
words, another year), and thousands of other works. Entries are matched as `priorscope search` does.

The rules were made on `--half tune --seed 17`; the report is on the other half of another draw.
"""

from __future__ import annotations

import argparse
import html
import random
import re
import shutil
import subprocess
import tempfile
import textwrap
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from engine.cli.terminal import Parser
from engine.core.errors import EvaluationError
from engine.documents import Document, Reference
from engine.documents.text import normalised_title
from engine.evaluation.benchmarks import CORPUS
from engine.library import Library
from engine.reading import iter_documents, read_bytes, read_text
from engine.research import measurement
from engine.research.typesetting.known_papers import KnownPaper, known_papers
from engine.research.typesetting.latex_classes import lecture_notes
from engine.research.typesetting.misprints import NUMBERED, STYLES, Mistakes, misprinted
from engine.research.typesetting.word_styles import two_columns
from engine.search import references_of
from engine.search.citations.cited import find_citations

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_SECONDS = 120
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%(title)s</title><style>
@page { size: A4; margin: 20mm 17mm } body { font: 10pt/1.25 "Liberation Serif", "DejaVu Serif", serif; hyphens: auto }
h1 { font-size: 17pt; text-align: center } h2 { font-size: 11.5pt } .by { text-align: center }
.body { columns: %(columns)s; column-gap: 7mm; text-align: justify } p { margin: 0 0 1mm; text-indent: 4mm }
.list p { text-indent: -5mm; padding-left: 5mm }
</style></head><body><h1>%(title)s</h1><p class="by">%(authors)s</p><div class="body">
<h2>Abstract</h2><p>%(abstract)s</p>%(sections)s<h2>References</h2>
%(references)s</div></body></html>"""


def web_page(paper: KnownPaper, *, numbered: bool, columns: int = 1) -> str:
    """Return a paper as one page of HTML, its references numbered [1], [2] ... or as they are."""
    listed = [f"[{place}] {entry}" if numbered else entry for place, entry in enumerate(paper.references, start=1)]
    sections = "".join(
        f"<h2>{html.escape(one.heading)}</h2>"
        + "".join(f"<p>{html.escape(piece.text)}</p>" for piece in one.pieces if piece.kind == "paragraph")
        for one in paper.sections
    )
    return _PAGE % {
        "title": html.escape(paper.title),
        "authors": html.escape(", ".join(one.name for one in paper.authors)),
        "abstract": html.escape(paper.abstract),
        "columns": columns,
        "sections": sections,
        "references": '<div class="list">' + "".join(f"<p>{html.escape(entry)}</p>\n" for entry in listed) + "</div>",
    }


def printed(pages: Sequence[str], folder: Path) -> list[Path]:
    """Print web pages as PDFs into a folder. Raises EvaluationError where Chromium is missing or fails."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        raise EvaluationError("Expected Chromium to print papers, found none. Install Debian's package chromium.")
    made = []
    for number, page in enumerate(pages):
        source = folder / f"page-{number}.html"
        source.write_text(page, "utf-8")
        made.append(source.with_suffix(".pdf"))
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder}/u")
        command = [program, *flags, f"--print-to-pdf={made[-1]}", source.as_uri()]
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        if not made[-1].is_file():
            said = done.stderr.decode("utf-8", "replace").strip()[-200:] or "nothing"
            raise EvaluationError(f"Expected Chromium to print {source.name}, it said: {said}. Try a newer one.")
    return made


CITED, PAPERS = "acm-citation", "pmc-long"
FORMATS = ("PDF, one column", "PDF, two columns", "Word", "LaTeX", "HTML", "text")
_LISTED = 30
_MISSES = 0.5
"""For this share of the works that the library does not hold it holds a near miss."""
_TELLING = 12
"""Characters that a title has at least, and an author it has, of works that are cited."""


@dataclass(frozen=True, slots=True)
class Citing:
    """A document that was read, and the works that it truly cites, by their ids in a library that held all."""

    name: str
    kind: str
    document: Document
    works: tuple[Document, ...]


@dataclass(slots=True)
class Found:
    """Citations of one document: told and true, told and false, true and not told."""

    name: str
    kind: str
    right: int = 0
    wrong: int = 0
    missed: int = 0
    seconds: float = 0.0
    mistakes: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> None:
    """Set the papers, fill the library, match, print and save the table."""
    given = measurement.read_options(_parser(), arguments)
    with tempfile.TemporaryDirectory() as temporary:
        drawn, others = _drawn(given, Path(temporary))
        citing = [*drawn, *_real(given.papers)] if given.papers is not None else drawn
        chosen = [one for place, one in enumerate(citing) if (place % 2 == 1) == (given.half == "report")]
        with Library.open(Path(temporary) / "library", create=True) as library:
            held = _fill(library, chosen, others, given.seed)
            found = [_matched(one, held, library) for one in chosen]
    circumstances = measurement.circumstances("cited", _words(given))
    lines = as_markdown(found) + measurement.as_list(circumstances)
    print("\n".join(lines))
    for one in found if given.mistakes else ():
        print(f"\n{one.name} ({one.kind})", *one.mistakes, sep="\n  ")
    rows = [
        {name: getattr(one, name) for name in ("name", "kind", "right", "wrong", "missed", "seconds")} for one in found
    ]
    report = {"circumstances": circumstances, "figures": _figures(found), "documents": rows}
    measurement.save(given.save, report, "# Which cited works a library holds\n\n" + "\n".join(lines) + "\n")


# The documents that cite -----------------------------------------------------------------------


def _drawn(given: argparse.Namespace, folder: Path) -> tuple[list[Citing], list[Document]]:
    """Return papers set with drawn reference lists, and the works that no list holds."""
    draw = random.Random(given.seed)
    for name in (CITED, PAPERS):
        if not (given.data / name / CORPUS).is_file():
            raise EvaluationError(f"Expected {CORPUS} in {given.data / name}, found none. Give the benchmarks' folder.")
    corpus = [one for one in iter_documents(given.data / CITED / CORPUS) if _can_be_cited(one)]
    draw.shuffle(corpus)
    papers = list(islice(known_papers(iter_documents(given.data / PAPERS / CORPUS), given.seed), given.drawn))
    made = []
    for place, paper in enumerate(papers):
        works = [corpus.pop() for _ in range(_LISTED)]
        style = list(STYLES)[place // 2 % len(STYLES)]
        kind = FORMATS[place // 2 % len(FORMATS)]
        entries = [STYLES[style](misprinted(work, Mistakes(), draw), draw) for work in works]
        document = _read(replace(paper, references=tuple(entries)), kind, folder, numbered=style in NUMBERED)
        made.append(Citing(f"drawn {place + 1}", f"{kind}, {style}", document, tuple(works)))
    cited = {normalised_title(work.title) for one in made for work in one.works}
    rest = [one for one in corpus if normalised_title(one.title) not in cited]
    return made, [replace(one, abstract="", sections=()) for one in rest[: given.others]]


def _can_be_cited(work: Document) -> bool:
    return len(work.title) >= _TELLING and bool(work.authors) and work.year is not None and work.title.isascii()


def _read(paper: KnownPaper, kind: str, folder: Path, *, numbered: bool) -> Document:
    """Return a paper as our readers read it in one format."""
    if kind.startswith("PDF"):
        page = web_page(paper, numbered=numbered, columns=2 if "two" in kind else 1)
        (path,) = printed([page], folder)
        return read_bytes(path.read_bytes(), "paper.pdf").document
    if kind == "Word":
        return read_bytes(two_columns(paper), "paper.docx").document
    if kind == "LaTeX":
        return read_bytes(lecture_notes(paper).encode(), "paper.tex").document
    if kind == "HTML":
        return read_bytes(web_page(paper, numbered=numbered).encode(), "paper.html").document
    listed = [f"[{at}] {entry}" if numbered else entry for at, entry in enumerate(paper.references, start=1)]
    wrapped = "\n".join(textwrap.fill(entry, 80) + ("" if numbered else "\n") for entry in listed)
    body = "\n\n".join(f"{one.heading}\n\n{one.pieces[0].text}" for one in paper.sections if one.pieces)
    return read_text(f"{paper.title}\n\nAbstract\n\n{paper.abstract}\n\n{body}\n\nReferences\n\n{wrapped}").document


def _real(folder: Path) -> Iterator[Citing]:
    """Give real papers: articles in JATS with their marked entries, and any other with a .bib of what it cites."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".xml":
            document = read_bytes(path.read_bytes(), path.name).document
            works = tuple(_as_work(path.stem, place, one) for place, one in enumerate(document.references) if one.title)
            yield Citing(path.name, "JATS, marked", document, works)
            yield Citing(path.name, "JATS, printed text", replace(document, references=()), works)
        elif path.suffix != ".bib" and (listed := path.with_suffix(".bib")).is_file():
            works = tuple(
                replace(work, id=f"{path.stem}-{place}", url="", identifiers=())
                for place, work in enumerate(iter_documents(listed))
            )
            yield Citing(path.name, path.suffix[1:].upper(), read_bytes(path.read_bytes(), path.name).document, works)


def _as_work(name: str, place: int, entry: Reference) -> Document:
    """Return the work of a marked entry, known by its title alone: with its number it would be found too easily."""
    return Document(f"{name}-{place}", title=entry.title, year=entry.year, authors=entry.authors)


# The library -----------------------------------------------------------------------------------


def _fill(library: Library, citing: Sequence[Citing], others: Sequence[Document], seed: int) -> dict[str, set[str]]:
    """Half of what each document cites, near misses of the rest, and other works; the ids that are held, by title."""
    draw = random.Random(seed + 1)
    held: dict[str, set[str]] = {}
    added: list[Document] = []
    for one in citing:
        for work in one.works:
            key = _key(work)
            if key in held or draw.random() < 0.5:  # half
                held.setdefault(key, set()).add(work.id)
                added.append(replace(work, abstract="", sections=()))
            elif draw.random() < _MISSES:
                added.append(near_miss(work, draw))
    titles = {_key(work) for work in added}
    library.add_file("works", "works", [*added, *(one for one in others if _key(one) not in titles)])
    return held


def near_miss(work: Document, draw: random.Random) -> Document:
    """Return another work that could be taken for one: its second part, one that begins alike, or its authors' next."""
    words = work.title.split()
    half = " ".join(words[: max(2, len(words) // 2)])
    title, year = draw.choice(
        (
            (f"{work.title.rstrip('.?')}, part II", work.year),
            (f"Improved {work.title}", (work.year or 2000) + 1),
            (" ".join([*words[:-1], "Hierarchies"]), work.year),
            (f"{half} with latent structure and partial feedback", work.year),
            (f"{half} revisited: lessons from a decade of practice", (work.year or 2000) + draw.randint(2, 6)),
            (work.title, (work.year or 2000) + draw.choice((-1, 1)) * draw.randint(5, 9)),
        )
    )
    return Document(f"miss-{work.id}", title=title, year=year, authors=work.authors, venue=work.venue)


def _key(work: Document) -> str:
    return f"{normalised_title(work.title)} {work.year}"


# Matching --------------------------------------------------------------------------------------


def _matched(one: Citing, held: dict[str, set[str]], library: Library) -> Found:
    found = Found(one.name, one.kind)
    true = {id_ for work in one.works for id_ in held.get(_key(work), ())}
    true = {document.id for document in library.get(sorted(true))}  # a version may be folded into another
    started = time.perf_counter()
    told = find_citations(one.document, library)
    found.seconds = round(time.perf_counter() - started, 3)
    found.right, found.wrong, found.missed = (
        len(told.held.keys() & true),
        len(told.held.keys() - true),
        len(true - told.held.keys()),
    )
    for id_ in sorted(told.held.keys() - true):
        (document,) = library.get([id_])
        found.mistakes.append(f"wrong: {document.title} ({document.year}) <- {told.held[id_].text[:200]}")
    entries = references_of(one.document)
    for document in library.get(sorted(true - told.held.keys())):
        likely = max(entries, key=lambda entry: _common(entry.text, document.title), default=Reference(""))
        found.mistakes.append(
            f"missed: {document.title} ({document.year}) <- [{likely.title}; {likely.year}] {likely.text[:200]}"
        )
    return found


def _common(one: str, other: str) -> int:
    return len(set(re.findall(r"\w+", one.lower())) & set(re.findall(r"\w+", other.lower())))


def _figures(found: Sequence[Found]) -> dict[str, float]:
    right, wrong, missed = (sum(getattr(one, name) for one in found) for name in ("right", "wrong", "missed"))
    return {
        "documents": len(found),
        "precision": round(right / max(1, right + wrong), 4),
        "recall": round(right / max(1, right + missed), 4),
        "cited and held": right + missed,
        "told": right + wrong,
    }


def as_markdown(found: Sequence[Found]) -> list[str]:
    """Return the figures of all documents, then those of each."""
    figures = _figures(found)
    rows = [
        [
            one.name,
            one.kind,
            str(one.right + one.missed),
            str(one.right),
            str(one.wrong),
            str(one.missed),
            f"{one.seconds:.2f}",
        ]
        for one in found
    ]
    heads = ("document", "format and style", "cited and held", "found", "wrong", "missed", "seconds")
    said = (
        f"Precision {figures['precision']:.3f}, recall {figures['recall']:.3f} over {figures['cited and held']} "
        f"citations of works that the library holds, by {figures['documents']} documents."
    )
    return [said, "", *measurement.table(heads, rows)]


def _words(given: argparse.Namespace) -> list[str]:
    words = ["--data", given.data.name, "--half", given.half, "--drawn", str(given.drawn)]
    words += ["--others", str(given.others), "--seed", str(given.seed)]
    return words + (["--papers", given.papers.name] if given.papers is not None else [])


def _parser() -> Parser:
    parser = measurement.make_parser("cited", __doc__)
    parser.add_argument("--papers", metavar="DIR", type=Path, help="real papers: JATS, or PDFs with a .bib beside each")
    parser.add_argument("--half", choices=("tune", "report"), default="report", help="which half (default: report)")
    parser.add_argument("--drawn", metavar="N", type=int, default=28, help="papers with drawn lists, both halves (28)")
    parser.add_argument("--others", metavar="N", type=int, default=8_000, help="other works in the library (8,000)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="draws the papers and works (default: 1)")
    parser.add_argument("--mistakes", action="store_true", help="print each wrong and each missed citation")
    return parser
