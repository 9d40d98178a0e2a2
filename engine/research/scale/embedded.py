"""`python -m engine.research scale embedded`: a library on this machine's disk of any number of documents and passages.

It begins with real documents (`--data`, `--real` of them) and goes on with made ones. Each stage runs in a process of
its own: real (reads these), build, open, search, pages, coverage, map, import (searches while others import). A stopped
run goes on where it was: what was imported and what was measured stays, in `--work` and in `--save`. For a larger
library name the same `--work` with more documents, once the smaller one is measured.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine import encoders
from engine.cli.terminal import bar
from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import processor
from engine.research import measurement
from engine.research.bench.searching import load, threads
from engine.research.scale import measuring
from engine.research.scale.building import BLOCK, build, imported
from engine.research.scale.made import Maker
from engine.research.scale.measuring import Figures
from engine.research.scale.real import open_real, read_real

STAGES = ("real", "build", "open", "search", "pages", "coverage", "map", "import")
_OF_ABSTRACT, _OF_WHOLE = 1.25, 40.0
"""Passages of an abstract and of a whole document, about; how many are whole follows."""
_WHILE = 2 * BLOCK
_SIZES = ("documents", "passages", "real")
REAL, _LIBRARY = "real", "library"
"""The folders of real documents and of the library in `--work`."""


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser(
        "embedded",
        help="import, search, pages, coverage and map of a library on this machine",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="holds one folder a set of real texts")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="where the library is kept")
    parser.add_argument("--documents", type=int, required=True, metavar="N", help="of the library")
    parser.add_argument("--passages", type=int, default=0, metavar="M", help="about; 0 for abstracts alone (default)")
    parser.add_argument("--real", type=int, default=10_000, metavar="N", help="real documents (default: 10000)")
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=STAGES, help=f"default: {' '.join(STAGES)}")
    parser.add_argument("--again", action="store_true", help="measure stages again that the report has")
    parser.add_argument("--save", type=Path, required=True, metavar="FILE", help="the report, as JSON and as .md")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Run each stage that is left, and write the report after each."""
    measurement.check_save(arguments)
    for stage in arguments.stages:
        report = files.read_json(arguments.save) if arguments.save.is_file() else {"stages": {}}
        if stage in report["stages"] and not arguments.again:
            continue
        if len(arguments.stages) > 1:
            subprocess.run([sys.executable, *_command(arguments, [stage])], check=True)
            continue
        measuring.watch_memory()
        busy, found = load(), _STAGES[stage](arguments)
        report |= {
            **measurement.circumstances("scale", _words(arguments)),
            "documents": arguments.documents,
            "passages": sum(
                one.passages for one in imported(arguments.work / _LIBRARY) if one.last <= arguments.documents
            ),
            "threads": threads(),
            "precision": processor.reading_precision(),
        }
        report["stages"][stage] = {**found, "load": busy}
        measurement.save(arguments.save, report, as_text(report))
    print(as_text(files.read_json(arguments.save)))


def as_text(report: Mapping[str, Any]) -> str:
    """Return the report as tables, one a stage."""
    facts = ("command", "commit", "hardware", "threads", "precision", "documents", "passages")
    lines = [*measurement.as_list({name: report[name] for name in facts}), ""]
    for stage, figures in report["stages"].items():
        lines += [f"## {stage}", ""]
        times = {name: one for name, one in figures.items() if isinstance(one, dict)}
        rows = [[name, *(f"{one[part]:,.1f}" for part in ("p50", "p95", "max"))] for name, one in times.items()]
        others = [[name, f"{one:,.3f}"] for name, one in figures.items() if name not in times]
        lines += [
            *(measurement.table(["", "p50", "p95", "max"], rows) if rows else []),
            *measurement.table(["", "value"], others),
        ]
    return "\n".join(lines)


def _whole_share(arguments: argparse.Namespace) -> float:
    """Return the share of whole documents. Raises EvaluationError for a number of passages that none can have."""
    if not arguments.passages:
        return 0.0
    share: float = (arguments.passages / arguments.documents - _OF_ABSTRACT) / (_OF_WHOLE - _OF_ABSTRACT)
    if not 0 < share <= 1:
        raise EvaluationError(
            f"Expected from {_OF_ABSTRACT} to {_OF_WHOLE:.0f} passages a document, got {arguments.passages:,} for "
            f"{arguments.documents:,}. Ask for others."
        )
    return round(share, 3)


def _read(arguments: argparse.Namespace) -> Figures:
    folder, share = arguments.work / REAL, _whole_share(arguments)
    return {"real documents": read_real(arguments.data, folder, arguments.real, share, report=bar())}


def _build(arguments: argparse.Namespace) -> Figures:
    maker = Maker(open_real(arguments.work / REAL))
    begun = measuring.memory()["memory GB"]  # with the real documents that others are made of
    build(arguments.work / _LIBRARY, maker, encoders.find(encoders.DEFAULT).card, arguments.documents, report=bar())
    most = {"memory at most, making documents aside, GB": measuring.memory()["memory at most GB"] - begun}
    ready = {"made ready for searches s": measuring.making_ready(arguments.work / _LIBRARY)}
    return measuring.import_figures(arguments.work / _LIBRARY, arguments.documents) | ready | most


def _import(arguments: argparse.Namespace) -> Figures:
    """Search while two blocks more are imported, which the next larger library then holds."""
    more = argparse.Namespace(**{**vars(arguments), "documents": arguments.documents + _WHILE, "again": True})
    more.save = arguments.work / "while-importing.json"
    return measuring.while_importing(arguments.work / _LIBRARY, _asking(arguments), _command(more, ["build"]))


def _asking(arguments: argparse.Namespace) -> list[Document]:
    return open_real(arguments.work / REAL).asking()


def _words(arguments: argparse.Namespace) -> list[str]:
    """Return the options that give the figures again, without this machine's folders."""
    return ["embedded", *_options({**vars(arguments), "data": "DIR", "work": "DIR"}, "data", "work", *_SIZES)]


def _command(arguments: argparse.Namespace, stages: list[str]) -> list[str]:
    """Return the command that runs some stages in another process."""
    options = _options(vars(arguments), "data", "work", *_SIZES, "save")
    again = ["--again"] if arguments.again else []
    return ["-m", "engine.research", "scale", "embedded", *options, *again, "--stages", *stages]


def _options(values: Mapping[str, object], *names: str) -> list[str]:
    return [word for name in names for word in (f"--{name}", str(values[name]))]


_STAGES: Mapping[str, Callable[[argparse.Namespace], Figures]] = {
    "real": _read,
    "build": _build,
    "open": lambda given: measuring.opening(given.work / _LIBRARY),
    "search": lambda given: measuring.searching(given.work / _LIBRARY, _asking(given)),
    "pages": lambda given: measuring.pages(given.work / _LIBRARY),
    "coverage": lambda given: measuring.coverage(given.work / _LIBRARY),
    "map": lambda given: measuring.drawing(given.work / _LIBRARY),
    "import": _import,
}
