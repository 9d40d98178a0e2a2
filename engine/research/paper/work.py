"""What the papers' tables are made with: the data, the settings, and everything that was measured before.

Each figure is kept under a key that names its inputs, so that a stopped suite can go on, and so is how long it took.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock

from engine import encoders, evaluation
from engine.core import files, provenance
from engine.core.errors import EvaluationError, NotFittedError, UnknownEncoderError
from engine.core.progress import Report, silent
from engine.evaluation import Benchmark, Validation, load_benchmark, systems
from engine.evaluation.benchmarks import CORPUS, QueryPart
from engine.evaluation.measure import rank, score
from engine.evaluation.metrics import CDSSM, METRICS
from engine.evaluation.systems import name_of
from engine.research.baselines import word_mover
from engine.research.baselines.rows import LEARNT_BY, MOVED, ROWS
from engine.research.paper.settings import PaperSettings
from engine.research.train import RECIPES
from engine.search import ranking_fingerprint
from engine.training import Folders, corpora
from engine.training.settings import Recipe

_FORMAT = 2


@dataclass(frozen=True, slots=True)
class Cells:
    """A folder with one JSON file a cell, named by its key."""

    folder: Path

    def find(self, name: str, key: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """Return what was kept under a key, or what `make` gives now, then kept with the commit and the machine.

        `name` is for a reader of the folder; the key must name everything that the figures depend on. Where another
        process makes the same cell, this one waits for it.
        """
        text = json.dumps({"format": _FORMAT, **key}, sort_keys=True, ensure_ascii=False)
        path = self.folder / f"{_file_name(name)}-{files.fingerprint(name, text)}.json"
        with self._held(path):
            if path.exists():
                return dict(files.read_json(path)["value"])
            value = dict(make())
            about = {"key": json.loads(text), "commit": provenance.commit(), "hardware": provenance.hardware()}
            files.write_json(path, {**about, "value": value})
        return value

    def _held(self, path: Path) -> FileLock:
        """Return a lock on a cell, in a folder beside the cells; the system lets go of it where a process ends."""
        locks = self.folder.with_name(f"{self.folder.name}-locks")
        locks.mkdir(parents=True, exist_ok=True)
        return FileLock(locks / f"{path.stem}.lock")


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "._" else "-" for letter in name)


_SECONDS_AN_HOUR = 3600


@dataclass(frozen=True, slots=True)
class Hours:
    """A file of JSON lines, one for each stretch of work on a table, or on a part made beside other parts."""

    path: Path

    @contextmanager
    def of(self, table: str) -> Iterator[None]:
        """Add the time of the block, even if it is interrupted."""
        with self._timed({"table": table}):
            yield

    @contextmanager
    def of_part(self, table: str, data: str) -> Iterator[None]:
        """Note the time of a table's panel that is made beside others; the block around them counts in the total."""
        with self._timed({"part": f"{table} {data}".strip()}):
            yield

    @contextmanager
    def _timed(self, what: Mapping[str, str]) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            seconds = round(time.perf_counter() - started, 1)
            line = {**what, "seconds": seconds, "hardware": provenance.hardware()}
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def total(self) -> float:
        """Return the hours of every table's line, to a tenth; cached figures take almost no time."""
        return round(sum(float(line["seconds"]) for line in self._lines() if "table" in line) / _SECONDS_AN_HOUR, 1)

    def parts(self) -> dict[str, float]:
        """Return the seconds of each part, longest first; empty if nothing was made side by side.

        A process that was killed left no line for its part, so the parts of a resumed run can add up to less than
        `total`, which counts that time.
        """
        found: Counter[str] = Counter()
        for line in self._lines():
            if "part" in line:
                found[line["part"]] += line["seconds"]
        return {name: round(seconds, 1) for name, seconds in found.most_common()}

    def _lines(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        return [json.loads(line) for line in self.path.read_text("utf-8").splitlines()]


_PAPER = "paper"
_DIGITS = 4


@dataclass
class Work:
    """One run of the suite.

    `data` holds one folder a set. `cache` holds the rows of encoders, where `priorscope evaluate --cache` and
    `python -m engine.research match --cache` keep them too; its folder `paper` holds what was trained and measured.
    `trained` names folders of encoders that are at hand, by their rows.
    """

    data: Path
    cache: Path
    settings: PaperSettings = field(default_factory=PaperSettings)
    part: QueryPart = "all"
    trained: Mapping[str, Path] = field(default_factory=dict)
    report: Report = silent
    _benchmarks: dict[str, Benchmark] = field(default_factory=dict, init=False)

    @property
    def cells(self) -> Cells:
        """What was measured."""
        return Cells(self.cache / _PAPER / "cells")

    @property
    def encoders(self) -> Path:
        """The folder of encoders that are trained for the tables."""
        return self.cache / _PAPER / "encoders"

    @property
    def runs(self) -> Path:
        """The folder of the small models of CTPE's own form, by set."""
        return self.cache / _PAPER / "runs"

    @property
    def hours(self) -> Hours:
        """How long all of it took."""
        return Hours(self.cache / _PAPER / "hours.jsonl")

    def benchmark(self, name: str) -> Benchmark:
        """Return a benchmark of the data, read once. Raises EvaluationError if it is not whole."""
        if name not in self._benchmarks:
            self._benchmarks[name] = load_benchmark(self.data / name, part=self.part)
        return self._benchmarks[name]

    def ranked(self, row: str, benchmark: Benchmark) -> dict[str, Any]:
        """Return a row's metrics on a benchmark, from an earlier run where that read the same; see `facts_of`.

        Raises EngineError if the row is not known, or cannot be loaded here.
        """
        row = self.row_of(row)
        key = {"row": name_of(row), "made_by": made_by(row), **named(benchmark)}
        return self.cells.find(f"{benchmark.name}-{name_of(row)}", key, lambda: self._measure(row, benchmark))

    def row_of(self, name: str) -> str:
        """Return the row of a name: as it is, or with the folder that was given for it. Raises EvaluationError."""
        if name in self.trained:
            return f"{name}={self.trained[name]}"
        if name not in ROWS.names() and systems.folder_of(name) is None and not ROWS.again(name):
            raise EvaluationError(
                f"Expected a row of `python -m engine.research evaluate`, got {name}. "
                f"Give its folder by --trained {name}=DIR."
            )
        return name

    def train(self, name: str, recipe: str, settings: Sequence[str] = ()) -> Path:
        """Return the folder of an encoder: the one given for its name, else one trained by a recipe, with settings.

        A training that was stopped goes on. Raises EngineError if the data are not there.
        """
        if name in self.trained:
            return self.trained[name]
        made = RECIPES.load(recipe, [f"seed={self.settings.seed}", *settings])
        folder = self._folder(name, made)
        if not folder.exists():
            run = folder.with_name(f"{folder.name}-run")
            score = Validation.of(made.data, self.data) if RECIPES.epochs_of(made) == "scored" else None
            folders = Folders(self.data, run, self.cache)
            encoder = RECIPES.train(made, folders, resume=run.exists(), score=score, report=self.report)
            if encoder is not None:  # else another process writes
                encoder.save(folder)
        return folder

    def train_words(self, name: str, settings: Sequence[str] = ()) -> Path:
        """Return the folder of word vectors: the one given for their name, else those of that recipe, with settings.

        Several tables need them: a process waits for another one that trains them. Raises EngineError if the data are
        not there.
        """
        if name in self.trained:
            return self.trained[name]
        recipe = RECIPES.load(name, [f"seed={self.settings.seed}", *settings])
        return RECIPES.keep_words(recipe, self.data, self.encoders / name, report=self.report)

    def _folder(self, name: str, recipe: Recipe) -> Path:
        """Return the folder of what a recipe makes of its corpora."""
        digests, values = corpora.digests(recipe.data.corpora, self.data), dataclasses.asdict(recipe)
        if values.get("head", {}).get("late_best") == 1:
            del values["head"]["late_best"]  # what is not used makes no other encoder
        place = files.fingerprint(json.dumps([values, digests], sort_keys=True, default=str))
        return self.encoders / f"{name}-{place}"

    def _measure(self, row: str, benchmark: Benchmark) -> dict[str, Any]:
        keep = self.cache / benchmark.sha256[CORPUS]
        prepared = ROWS.prepare(row, benchmark.corpus, keep=keep, report=self.report)
        figures, by_query = score(rank(benchmark, prepared), benchmark, metrics={**METRICS, **CDSSM})
        seconds = None if prepared.seconds is None else round(prepared.seconds, 1)
        value = {"figures": rounded(figures), "fingerprint": prepared.fingerprint, "seconds": seconds}
        return {**value, "by_query": by_metric(by_query)}


def there(path: Path) -> Path:
    """Return the path of a set's file. Raises EvaluationError if the file is missing."""
    if not path.is_file():
        raise EvaluationError(
            f"Expected {path.name} in the set {path.parent.name}; there is none. Name another --data."
        )
    return path


def made_by(row: str) -> str:
    """Return the fingerprint of the ranker; of an encoder that learns from the corpus, how it learns, or nothing."""
    if systems.is_by_words(row):
        return systems.words_fingerprint_of(row)
    try:
        if fused := evaluation.fused_encoder(row):
            return ranking_fingerprint(encoders.find(fused).card, mixed=True)
        if moved := (row, MOVED) if row in word_mover.KINDS else ROWS.again(row):
            first = made_by(moved[1])
            return first and word_mover.fingerprint(moved[0], first)
        if systems.folder_of(row) is None and row in encoders.encoder_names():
            return encoders.find(row).card.fingerprint
        return ROWS.trained_encoder(row).card.fingerprint
    except (NotFittedError, UnknownEncoderError):
        return LEARNT_BY.get(row, "")


def named(benchmark: Benchmark) -> dict[str, Any]:
    """Return what names a benchmark with the part of its queries that is asked."""
    return {"sha256": dict(benchmark.sha256), "part": benchmark.part}


def about(benchmark: Benchmark) -> dict[str, Any]:
    """Return what a panel says of its set."""
    return {"queries": len(benchmark.queries), "documents": len(benchmark.corpus), "sha256": dict(benchmark.sha256)}


def by_metric(scores: Mapping[str, Mapping[str, float]]) -> dict[str, list[float]]:
    """Return every metric of each query, in the order of the queries' ids."""
    queries = sorted(scores)
    return {name: [round(scores[query][name], _DIGITS) for query in queries] for name in scores[queries[0]]}


def rounded(figures: Mapping[str, float]) -> dict[str, float]:
    """Return figures to four decimals."""
    return {name: round(value, _DIGITS) for name, value in figures.items()}
