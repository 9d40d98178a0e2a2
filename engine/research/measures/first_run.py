"""What a newcomer waits for: `python -m engine.research first_run [--save FILE.json]`.

The command clones the project's last commit into an empty folder and calls `make run` there, with an empty library and
without pip's cache, as after `git clone`. That installs the packages, fetches and imports the sample library, and
starts the app; the clock stops when the page loads. The app then reads the library and draws its map in use; after the
app has ended, `first_reading` measures that to its end, from the start if the app has begun it. Uncommitted changes are
not measured. Needs git, make and the package index.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.cli.terminal import Parser
from engine.core import files, provenance
from engine.core.errors import EvaluationError
from engine.research import measurement

PROJECT = Path(__file__).resolve().parents[3]
PATIENCE = 1_800
"""Seconds until a run is given up."""

_INSTALLED = Path(".venv", ".app")  # make writes it when every package is there
_SAMPLES = re.compile(r"imported after ([\d.]+) s: ([\d,]+) documents")
_READ = (".venv/bin/python", "-m", "engine.research", "first_reading")
_MADE = ("vectors", "maps", "passages", "chunks")
"""What the app makes of a library while it reads it."""
_HEALTH = "_stcore/health"
_TO_END = 10.0  # seconds


@dataclass(frozen=True)
class FirstRun:
    """Seconds from `make run` until the packages are installed and until the page loads, and of two steps alone.

    `seconds_to_import` times the import of the samples; `reading` is what `first_reading` measures of them, while the
    app does not run, and nothing where the app is only started.
    """

    seconds_to_install: float
    seconds_to_import: float
    documents: int
    seconds_until_the_page_answers: float
    reading: Mapping[str, Any]


def main(given: Sequence[str] | None = None) -> None:
    """Run it once and print what it took as JSON."""
    arguments = _parser().parse_args(given)
    if arguments.save:
        files.check_writable(arguments.save)
    with tempfile.TemporaryDirectory() as temporary:
        patience, reads = arguments.patience, not arguments.start_only
        run = first_run(arguments.project, Path(temporary), patience=patience, reads=reads)
    report = {
        **asdict(run),
        "command": "python -m engine.research first_run",
        "commit": provenance.commit(),
        "hardware": provenance.hardware(),
    }
    if arguments.save:
        files.write_json(arguments.save, report)
    print(json.dumps(report, indent=2))


def first_run(project: Path, folder: Path, *, patience: float = PATIENCE, reads: bool = True) -> FirstRun:
    """Clone `project` into the empty `folder`, run it there until its page answers, and read the samples if it `reads`.

    Raises EvaluationError if it cannot be cloned, ends before its page answers, did not get the samples, takes
    longer than `patience` seconds, or cannot read the samples.
    """
    clone, log = folder / "project", folder / "run.log"
    _clone(project, clone)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    begun = time.time()
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["make", "run", f"PYTHON={sys.executable}"],
            cwd=clone,
            env=_environment(folder / "library", port),
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            answered = _when_it_answers(process, f"http://127.0.0.1:{port}/{_HEALTH}", log, until=begun + patience)
        finally:
            _end(process)
    told = log.read_text("utf-8", "replace")
    samples = _SAMPLES.search(told)
    if samples is None:
        raise EvaluationError(f"Expected `make run` to get the sample library; it said:\n{told[-2000:]}")
    return FirstRun(
        seconds_to_install=round((clone / _INSTALLED).stat().st_mtime - begun, 1),
        seconds_to_import=float(samples[1]),
        documents=int(samples[2].replace(",", "")),
        seconds_until_the_page_answers=round(answered - begun, 1),
        reading=_read(clone, folder / "library") if reads else {},
    )


def _read(clone: Path, library: Path) -> Mapping[str, Any]:
    """Return what the clone measures of the first reading of its samples."""
    for name in _MADE:
        shutil.rmtree(library / name, ignore_errors=True)
    command = (*_READ, str(library))
    done = subprocess.run(command, cwd=clone, env=_environment(library, 0), capture_output=True, text=True)
    if done.returncode:
        raise EvaluationError(f"Expected `{' '.join(_READ)}` to read the samples; it said:\n{done.stderr[-2000:]}")
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


def _clone(project: Path, to: Path) -> None:
    done = subprocess.run(["git", "clone", "--quiet", "--depth", "1", project.as_uri(), to], capture_output=True)
    if done.returncode:
        raise EvaluationError(f"Expected a git repository in {project}; {done.stderr.decode(errors='replace').strip()}")


def _environment(library: Path, port: int) -> Mapping[str, str]:
    return measurement.newcomers_environment() | {
        "PRIORSCOPE_LIBRARY": str(library),
        "STREAMLIT_SERVER_ADDRESS": "127.0.0.1",
        "STREAMLIT_SERVER_PORT": str(port),
        "STREAMLIT_SERVER_HEADLESS": "true",
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
    }


def _when_it_answers(process: subprocess.Popen[bytes], address: str, log: Path, *, until: float) -> float:
    """Return the time at which the page first answers."""
    while time.time() < until:
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                if answer.status == 200:
                    return time.time()
        except OSError:  # URLError is one
            pass
        try:
            process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            continue
        said = log.read_text("utf-8", "replace")
        raise EvaluationError(f"Expected `make run` to open the app; it ended and said:\n{said[-2000:]}")
    raise EvaluationError(f"Expected a page at {address}; none answered in time. Give more --patience.")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End make with all that it started, and wait until none of it can write into the folder."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()
    until = time.monotonic() + _TO_END
    while time.monotonic() < until and _has_processes(process.pid):
        time.sleep(0.05)


def _has_processes(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="python -m engine.research first_run", description=__doc__)
    parser.add_argument("--project", type=Path, default=PROJECT, metavar="DIR", help="what is cloned (default: this)")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE, metavar="SECONDS", help=f"given up after (default: {PATIENCE})"
    )
    parser.add_argument("--start-only", action="store_true", help="start the app and stop it; do not read the samples")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON")
    return parser
