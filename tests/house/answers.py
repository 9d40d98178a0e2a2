"""Holds the answers of another checkout against this one's, on one machine, by the command line alone.

    python -m tests.house.answers BEFORE [--shared DIR] [--keep DIR] [--quick] [--only SESSION ...]

Both checkouts run the same commands, each with its own folder as the working directory, so modules may move between
the two. A library that BEFORE imports is opened by both, each with a copy; each imports the same files itself, too.
Outputs of BEFORE are kept under --keep, by its commit and the commands, and taken from there the next time; so are
the library and the excerpts of data that it read. Nothing is written to either checkout.

What must be equal: exit codes, error sentences, JSON trees with the order of their keys, texts and written files by
their lines, runs and scores of each query. Floats may differ by 1e-5. Times and what names a machine or a commit are
left out: the keys in `IGNORED`, and "12 ms" or "in 3.1 s" in texts. Folders are written as {place}, today as {today}.
It prints a line for each command, "equal" or its first ten differences; the exit code is 1 where any differs.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tests.house.sessions import Commands, Data, Session, corpora, sessions

PROJECT = Path(__file__).resolve().parents[2]
TOLERANCE = 1e-5
FIRST = 10
IGNORED = {
    *("seconds", "documents_per_second", "queries_per_second", "peak_memory_mib"),  # how fast, and how large
    *("commit", "hardware", "started", "when"),  # who measured, and at what time
}
"""Keys whose values are not compared, at any depth."""

_TIMES = re.compile(r"\b[\d.,]+ (ms|s)\b")
_CLOCK = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")
_SECONDS_ALLOWED = 3600
_SHOWN = 100

Json = dict[str, Any] | list[Any] | str | float | bool | None
Answer = dict[str, Any]
"""What a command gave: `words`, `code`, `said` (the lines of its errors), `printed`, `files` (texts by their names)."""


@dataclass(frozen=True)
class Checkout:
    """A folder with the project, and its commit, with "+" where tracked files were changed since."""

    folder: Path
    commit: str

    @classmethod
    def of(cls, folder: Path) -> Checkout:
        folder = folder.resolve()
        head = _git(folder, "rev-parse", "HEAD")
        return cls(folder, head + "+" * bool(_git(folder, "status", "--porcelain", "--untracked-files=no")))

    @property
    def is_named(self) -> bool:
        """Whether the commit says all that the folder holds, so that its answers may be kept."""
        return bool(self.commit) and not self.commit.endswith("+")


def _git(folder: Path, *words: str) -> str:
    run = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
    return run.stdout.strip()


@dataclass(frozen=True)
class Work:
    """The folders that commands work in: a library, files that they write, and what they may read."""

    folder: Path
    data: Data

    @property
    def library(self) -> Path:
        return self.folder / "library"

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def places(self, checkout: Checkout) -> dict[str, str]:
        """The folders by the names that stand for them in commands and answers, inner ones first."""
        found = {"out": self.out, "library": self.library, "work": self.folder, "corpora": self.data.corpora}
        found |= {"shared": self.data.shared} if self.data.shared else {}
        return {name: str(path) for name, path in {**found, "checkout": checkout.folder}.items()}

    def begin(self, library: Path | None = None) -> None:
        """Empty the folders, and put a copy of a library there."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.out.mkdir(parents=True)
        if library is not None:
            shutil.copytree(library, self.library)


def run_session(checkout: Checkout, session: Session, work: Work, library: Path) -> list[Answer]:
    """Run the commands of a session in order; `library` is copied for one that opens it."""
    work.begin(library if session.opens else None)
    return [run_command(checkout, words, work) for words in session.commands]


def run_command(checkout: Checkout, words: Sequence[str], work: Work) -> Answer:
    """Run one command of the checkout, with folders filled in; `stored` tells of the library, *.py is a script."""
    if words == ("stored",):
        return {"words": list(words), "code": 0, "said": [], "printed": json.dumps(stored(work.library)), "files": {}}
    places = work.places(checkout)
    filled = [word.format(**places) for word in words]
    program = filled if filled[0].endswith(".py") else ["-m", "engine.cli.main", *filled]
    run = subprocess.run(
        [sys.executable, *program],
        cwd=checkout.folder,
        env=_environment(checkout, work),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_SECONDS_ALLOWED,
        check=False,
    )
    errors = run.stderr.splitlines()
    said = [line for line in errors if line.startswith("priorscope")] if run.returncode in (0, 2) else errors[-20:]
    answer = {
        "words": list(words),
        "code": run.returncode,
        "said": [_unplaced(line, places) for line in said],
        "printed": _unplaced(run.stdout, places),
        "files": {name: _unplaced(text, places) for name, text in _written(work.out)},
    }
    shutil.rmtree(work.out)
    work.out.mkdir()
    return answer


def _environment(checkout: Checkout, work: Work) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PRIORSCOPE")}
    return kept | {
        "PYTHONPATH": str(checkout.folder),
        "PRIORSCOPE_LIBRARY": str(work.library),
        "PRIORSCOPE_MODELS": str(work.folder / "models"),
        "OMP_NUM_THREADS": "1",  # sums in one order
        "OPENBLAS_NUM_THREADS": "1",
        "COLUMNS": "100",
    }


def _written(folder: Path) -> Iterator[tuple[str, str]]:
    """The files below a folder by their names: texts as they are, of others the digest."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        try:
            yield path.relative_to(folder).as_posix(), data.decode()
        except UnicodeDecodeError:
            yield path.relative_to(folder).as_posix(), f"sha256 {hashlib.sha256(data).hexdigest()}"


def _unplaced(text: str, places: dict[str, str]) -> str:
    """A text with {name} for each folder, {today} for a report's date and {when} for what the clock said."""
    today = date.today()
    for name, place in places.items():
        text = text.replace(place, f"{{{name}}}")
    text = _CLOCK.sub("{when}", text)
    return text.replace(f"{today.day} {today:%B %Y}", "{today}").replace(today.isoformat(), "{today}")


def stored(library: Path) -> dict[str, Any]:
    """The stored form of a library: tables, folders with their fingerprints, and arrays by name, type, shape, digest.

    Files that are named at random come in the order of what they hold.
    """
    found: dict[str, list[Any]] = {}
    for path in sorted(library.rglob("*.safetensors")):
        found.setdefault(path.parent.relative_to(library).as_posix(), []).append(_arrays(path))
    with closing(sqlite3.connect(f"file:{library / 'library.sqlite3'}?mode=ro", uri=True)) as connection:
        tables = sorted(row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    arrays = {folder: sorted(files, key=json.dumps) for folder, files in sorted(found.items())}
    return {"version": version, "tables": tables, "arrays": arrays}


def _arrays(path: Path) -> dict[str, Any]:
    """The arrays of a safetensors file: an 8-byte length, a JSON header, then the bytes."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    return {
        name: [one["dtype"], one["shape"], hashlib.sha256(data[start:][slice(*one["data_offsets"])]).hexdigest()]
        for name, one in sorted(header.items())
        if name != "__metadata__"
    }


def differences(before: Json, after: Json, path: str = "$") -> Iterator[str]:
    """Where two JSON trees differ, each with its path; floats may by 1e-5, keys in `IGNORED` as they like."""
    if type(before) is not type(after):
        yield f"{path}: {_shown(before)} | {_shown(after)}"
    elif isinstance(before, dict):
        yield from _members(before, after, path)
    elif isinstance(before, list):
        if len(before) != len(after):
            yield f"{path}: {len(before)} entries | {len(after)}"
        for place, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from differences(one, other, f"{path}[{place}]")
    elif before != after and not (isinstance(before, float) and _are_near(before, after)):
        start = max(0, _shared(before, after) - _SHOWN // 4) if isinstance(before, str) else 0
        yield f"{path}: {_shown(before, start)} | {_shown(after, start)}"


def _members(before: dict[str, Any], after: dict[str, Any], path: str) -> Iterator[str]:
    keys, others = ([key for key in tree if key not in IGNORED] for tree in (before, after))
    yield from (f"{path}.{key}: {_shown(before[key])} | gone" for key in keys if key not in after)
    yield from (f"{path}.{key}: new | {_shown(after[key])}" for key in others if key not in before)
    if keys != others and set(keys) == set(others):
        yield f"{path}: keys in another order: {', '.join(keys)} | {', '.join(others)}"
    for key in keys:
        if key in after:
            yield from differences(before[key], after[key], f"{path}.{key}")


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _are_near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=0, abs_tol=TOLERANCE) or (math.isnan(one) and math.isnan(other))


def _shown(value: Json, start: int = 0) -> str:
    """The beginning of a value, of a text from `start` on."""
    text = json.dumps(value[start:] if isinstance(value, str) else value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def tree(text: str) -> Json:
    """A text as its JSON value, or as its lines without times."""
    try:
        return json.loads(text)
    except ValueError:
        return [_TIMES.sub(r"N \1", line) for line in text.splitlines()]


def compared(before: Answer, after: Answer) -> list[str]:
    """Where two answers to one command differ; one that broke off differs from any."""
    sides = [{**answer, "printed": tree(answer["printed"])} for answer in (before, after)]
    for answer in sides:
        answer["files"] = {name: tree(text) for name, text in answer["files"].items()}
    broken = [
        f"{name} broke off with exit code {answer['code']}"
        for name, answer in zip(("before", "after"), sides, strict=True)
        if answer["code"] not in (0, 2) and not answer["words"][0].endswith(".py")
    ]
    return broken + list(itertools.islice(differences(*sides), FIRST))


class Kept:
    """The answers of the checkout before, kept by its commit and the commands, and the library that it imported."""

    def __init__(self, before: Checkout, folder: Path) -> None:
        self._before, self._folder = before, folder / before.commit
        self.corpora, self.library = self._folder / "corpora", self._folder / "library"

    def answers(self, session: Session, work: Work) -> list[Answer]:
        """The answers of a session, run now where they are not kept."""
        digest = hashlib.sha256(json.dumps(session.commands).encode()).hexdigest()[:12]
        path = self._folder / f"{session.name}-{digest}.json"
        if path.exists() and self._before.is_named and not (session.imports and not self.library.exists()):
            return json.loads(path.read_text("utf-8"))
        answers = run_session(self._before, session, work, self.library)
        if session.imports:
            shutil.rmtree(self.library, ignore_errors=True)
            shutil.copytree(work.library, self.library)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(answers, ensure_ascii=False), "utf-8")
        return answers


def hold(before: Checkout, after: Checkout, chosen: Sequence[Session], kept: Kept, data: Data) -> tuple[int, int]:
    """Run every session in both checkouts and print a line a command; returns how many were equal, and how many ran."""
    equal = count = 0
    with tempfile.TemporaryDirectory(prefix="answers-") as folder, ThreadPoolExecutor(2) as pool:
        for session in chosen:
            started = time.monotonic()
            first = pool.submit(kept.answers, session, Work(Path(folder, "before"), data))
            second = pool.submit(run_session, after, session, Work(Path(folder, "change"), data), kept.library)
            pairs = list(zip(first.result(), second.result(), strict=True))
            print(f"\n{session.name} ({time.monotonic() - started:.0f} s)")
            equal += sum(say(*pair) for pair in pairs)
            count += len(pairs)
    return equal, count


def say(before: Answer, after: Answer) -> bool:
    """Print a command's line, and where it differs; returns whether it is equal."""
    found = compared(before, after)
    notes = [f"exit {before['code']}"] if before["code"] else []
    if before["words"][0].endswith(".py"):
        notes += [" | ".join(answer["printed"].strip().rsplit("\n", 1)[-1] for answer in (before, after))]
    ending = f" ({'; '.join(notes)})" if notes else ""
    print(f"  {'DIFFERS' if found else 'equal'}{ending}: {' '.join(before['words'])}", flush=True)
    for line in found:
        print(f"      {line}")
    return not found


def main(arguments: Sequence[str] | None = None, commands: Commands | None = None) -> int:
    """Run the comparison; returns 1 where an answer differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.house.answers", description=__doc__.partition("\n")[0])
    parser.add_argument("before", metavar="BEFORE", type=Path, help="a checkout to hold this one against")
    parser.add_argument("--shared", metavar="DIR", type=Path, help="holds formats, field and data")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="keeps what BEFORE answered")
    parser.add_argument("--quick", action="store_true", help="leave out arxiv-subject: three minutes a checkout")
    parser.add_argument("--only", metavar="SESSION", action="append", default=[], help="only this session; repeatable")
    given = parser.parse_args(arguments)
    before, after = Checkout.of(given.before), Checkout.of(PROJECT)
    with tempfile.TemporaryDirectory(prefix="before-") as folder:
        kept = Kept(before, (given.keep or Path(folder)).resolve())
        data = Data(kept.corpora, given.shared.resolve() if given.shared else None)
        corpora(data)
        chosen = (commands or sessions)(data, PROJECT, quick=given.quick)
        if given.only:
            needed = {one.name for one in chosen if one.imports and not kept.library.exists()}
            chosen = [one for one in chosen if one.name in {*given.only, *needed}]
        equal, count = hold(before, after, chosen, kept, data)
    print(f"\n{equal} of {count} equal: {before.commit[:12]} | {after.commit[:12]}")
    return int(equal < count)


if __name__ == "__main__":
    sys.exit(main())
