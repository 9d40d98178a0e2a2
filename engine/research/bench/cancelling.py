"""How soon each stage of long work ends once it is cancelled: importing files, reading a library, drawing its map."""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from engine import encoders
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.core.progress import Report
from engine.research import measurement
from engine.research.bench.searching import load
from engine.workspace import Job, JobWork, Workspace

_INTO = 0.5
"""Seconds that a stage has run when it is cancelled, unless it ends before."""
_BETWEEN_LOOKS = 0.01


@dataclass(frozen=True, slots=True)
class CancelReport:
    """Seconds from the press on "Cancel" until the work is over, by the stage that ran; each was cancelled once."""

    hardware: str
    load: float
    commit: str
    documents: int
    seconds: Mapping[str, Mapping[str, float]]

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("cancel", help="how soon importing, reading and drawing end once cancelled")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what is imported, alone, into no library")
    help_ = "a library that was imported and not read yet; a copy is read"
    parser.add_argument("--library", required=True, type=Path, metavar="DIR", help=help_)
    parser.add_argument("--encoder", default=encoders.DEFAULT, metavar="NAME", help="default: the app's")
    help_ = "how long another stage is waited for, before work that goes on is ended (default: 300)"
    parser.add_argument("--patience", type=float, default=300, metavar="SECONDS", help=help_)
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print the report."""
    measurement.check_save(arguments)
    report = measure_cancelling(arguments.files, arguments.library, arguments.encoder, patience=arguments.patience)
    measurement.give(report.as_json(), as_text(report), arguments)


def measure_cancelling(given: Sequence[Path], library: Path, encoder: str, *, patience: float) -> CancelReport:
    """Import the files into an empty library, read a copy of the other one, and cancel in each stage once.

    Work in which no other stage begins for `patience` seconds is ended.
    Raises EvaluationError where the work ends with an error, and LibraryError for a folder without a library.
    """
    busy = load()
    with tempfile.TemporaryDirectory() as folder:
        with Workspace(Path(folder, "empty"), create=True) as empty:

            def import_(report: Report) -> str:
                return empty.import_paths(given, encoder=None, report=report).sentence

            seconds = {"import": dict(_cancelled(empty, import_, patience))}
        copy = Path(shutil.copytree(library, Path(folder, "library")))
        with Workspace(copy) as held:
            steps: dict[str, Callable[[Report], None]] = {
                "encode": lambda report: held.prepare(encoder, report=report),
                "map": lambda report: held.draw_map(encoder, report=report),
                "passages": lambda report: held.read_passages(report=report),
            }
            for name, step in steps.items():
                seconds[name] = dict(_cancelled(held, partial(_silently, step), patience))
            documents = len(held.library)
    return CancelReport(provenance.hardware(), busy, provenance.commit(), documents, seconds)


def as_text(report: CancelReport) -> str:
    """Return the report as a table, a row a stage."""
    lines = [f"{report.hardware}, load {report.load}; {report.documents:,} documents", f"{'stage':<50}{'seconds':>9}"]
    lines += [
        f"{f'{name}: {stage}':<50}{one:>9.2f}" for name, each in report.seconds.items() for stage, one in each.items()
    ]
    return "\n".join(lines)


def _silently(step: Callable[[Report], None], report: Report) -> str:
    step(report)
    return ""


def _cancelled(workspace: Workspace, work: JobWork, patience: float) -> Iterator[tuple[str, float]]:
    """Yield each stage that was cancelled with the seconds that it took to end; the work is begun again after each."""
    seen = set[str]()
    while True:
        job = workspace.jobs.start("Measuring", work)
        reached = _reached(job, seen, patience)
        if reached is None:
            workspace.jobs.cancel(job.number)
            job.finished.wait()
            if job.problem:
                raise EvaluationError(f"Expected work that can be cancelled and goes on; {job.problem}")
            return
        seen.add(reached)
        if job.finished.wait(_INTO):
            continue
        stage, pressed = list(job.stages)[-1], time.perf_counter()
        workspace.jobs.cancel(job.number)
        job.finished.wait()
        yield stage, round(time.perf_counter() - pressed, 2)
        seen |= {*job.stages}


def _reached(job: Job, seen: set[str], patience: float) -> str | None:
    """Wait until a stage runs that was not seen before; return it, or None where none does in time or the work ends."""
    until = time.monotonic() + patience
    while not job.finished.wait(_BETWEEN_LOOKS) and time.monotonic() < until:
        if (now := list(job.stages)[-1:]) and now[0] not in seen:
            return now[0]
    return None
