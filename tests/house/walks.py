"""Counts the modules and functions of the engine that one call enters: `python -m tests.house.walks [--modules]`.

Each call is a command line that runs in this process: once so that everything is imported and loaded, then once
counted, in all threads. A function is a code object, so lambdas and generator expressions count, too; bodies of modules
do not. What a process beside this one does is not counted, such as reading a PDF's pages. Runs on any commit: with its
checkout first on PYTHONPATH, as the working directory, and this file run by its path.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

PAPER = Path("/usr/lib/R/site-library/zoo/doc/zoo.pdf")
"""What Debian's r-cran-zoo installs."""

EXAMPLES = "assets/examples"
PAIR = ("assets/pairs/manuscript-alignment.md", f"{EXAMPLES}/sentence-graph-duplicates.md")
_WORDS = "A feeding pump finds a blockage by the current of its motor, which rises before the flow falls."
TEXTS = {
    "plain.txt": f"Pumps that feel\n\nAbstract\n{_WORDS}\n\n1 Introduction\n{_WORDS}\n",
    "page.html": f"<html><head><title>Pumps on the web</title></head><body><h1>Pumps on the web</h1><p>{_WORDS}</p>"
    f"<h2>Method</h2><p>{_WORDS}</p></body></html>",
    "paper.tex": "\\documentclass{article}\\title{Pumps in type}\\author{Ada Rask}\\begin{document}\\maketitle"
    f"\\begin{{abstract}}{_WORDS}\\end{{abstract}}\\section{{Method}}{_WORDS}\\end{{document}}",
    "article.xml": "<article><front><article-meta><title-group><article-title>Pumps marked up</article-title>"
    f"</title-group><abstract><p>{_WORDS}</p></abstract></article-meta></front><body><sec><title>Method</title><p>{_WORDS}</p></sec>"
    "</body></article>",
    "list.bib": f"@article{{rask, title={{Pumps cited}}, author={{Rask, Ada}}, year={{2020}}, abstract={{{_WORDS}}}}}",
    "list.ris": f"TY  - JOUR\nTI  - Pumps referred to\nAU  - Rask, Ada\nPY  - 2020\nAB  - {_WORDS}\nER  - \n",
    "table.csv": f"title,abstract,year\nPumps in a table,{_WORDS.replace(',', '')},2020\n",
    "lines.jsonl": f'{{"id": "own:1", "title": "Pumps in lines", "abstract": "{_WORDS}", "year": 2020}}\n',
}
"""Small texts of our own, a format each."""


@dataclass
class Walk:
    """The code below `root` that ran while the profile was set."""

    root: str
    entered: set[CodeType] = field(default_factory=set)

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self.entered.add(frame.f_code)

    @property
    def functions(self) -> set[CodeType]:
        """Functions, lambdas and generators of the engine."""
        return {code for code in self.entered if code.co_filename.startswith(self.root) and code.co_name != "<module>"}

    @property
    def modules(self) -> list[str]:
        """The files of these functions, from `root` on."""
        return sorted({code.co_filename.removeprefix(self.root) for code in self.functions})


def walk(call: Callable[[], object], root: str) -> Walk:
    """Run a call and note each function that is entered meanwhile, in this thread and in those that it starts."""
    noted = Walk(root)
    threading.setprofile(noted)
    sys.setprofile(noted)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return noted


@dataclass(frozen=True)
class Command:
    """One command line; `prepare` is run before it each time and is not counted."""

    name: str
    words: tuple[str, ...]
    prepare: Callable[[], object] = lambda: None


def commands(folder: Path, paper: Path) -> Iterator[Command]:
    """The three walks, on libraries that are made in `folder`."""
    files = _ten_files(folder / "files", paper)
    library, turns = str(folder / "library"), itertools.count()
    run(("import", *map(str, files), "--library", library))
    yield Command("search a PDF with evidence", ("search", str(paper), "--library", library, "--json"))
    new = folder / "new"
    words = ("import", *map(str, files), "--library", str(new), "--json")
    yield Command("import ten files", words, lambda: new.exists() and new.rename(folder / f"old-{next(turns)}"))
    yield Command("compare two documents", ("compare", *PAIR, "--json"))


def _ten_files(folder: Path, paper: Path) -> list[Path]:
    """A paper as PDF, an example, and eight small texts, each another format."""
    folder.mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
    return [paper, Path(PAIR[1]), *(folder / name for name in TEXTS)]


def run(words: Sequence[str]) -> None:
    """Run a command line in this process without its output. Raises RuntimeError where it fails."""
    from engine.cli.main import main as command_line

    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        code = command_line(list(words))
    if code:
        raise RuntimeError(f"Expected exit code 0 of {' '.join(words)}, got {code}: {said.getvalue()[-300:]}")


def warm_walk(command: Command, root: str) -> Walk:
    """Run a command once, then once more noted."""
    command.prepare()
    run(command.words)
    command.prepare()
    return walk(lambda: run(command.words), root)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table: each walk with its modules and functions."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--modules", action="store_true", help="list the modules of each walk, too")
    parser.add_argument("--pdf", metavar="FILE", type=Path, default=PAPER, help=f"what asks (default: {PAPER})")
    given = parser.parse_args(arguments)
    if not given.pdf.is_file():
        parser.error(f"expected a PDF in {given.pdf}: install Debian's r-cran-zoo or give --pdf FILE")
    import engine

    root = str(Path(engine.__file__).resolve().parent) + os.sep
    print(f"{root}  {given.pdf}\n\n| walk | modules | functions |\n|---|---:|---:|")
    noted: dict[str, Walk] = {}
    with tempfile.TemporaryDirectory(prefix="walks-") as folder:
        for command in commands(Path(folder), given.pdf):
            found = noted[command.name] = warm_walk(command, root)
            print(f"| {command.name} | {len(found.modules)} | {len(found.functions):,} |", flush=True)
    for name, found in noted.items() if given.modules else ():
        print(f"\n{name}:", *found.modules, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
