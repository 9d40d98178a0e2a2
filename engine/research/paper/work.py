"""What the papers' tables are made with: the data, the settings, and everything that was measured before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import encoders, evaluation
from engine.core.errors import EvaluationError, NotFittedError, UnknownEncoderError
from engine.core.progress import Report, silent
from engine.evaluation import Benchmark, load_benchmark, systems
from engine.evaluation.benchmarks import CORPUS, Part
from engine.evaluation.measure import rank, score
from engine.evaluation.metrics import CDSSM, METRICS
from engine.research.baselines import word_mover
from engine.research.baselines.rows import LEARNT_BY, MOVED, ROWS
from engine.research.paper.cells import Cells
from engine.research.paper.hours import Hours
from engine.research.paper.settings import PaperSettings
from engine.search import ranking_fingerprint

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
    part: Part = "all"
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
        """A benchmark of the data, read once. Raises EvaluationError if it is not whole."""
        if name not in self._benchmarks:
            self._benchmarks[name] = load_benchmark(self.data / name, part=self.part)
        return self._benchmarks[name]

    def ranked(self, row: str, benchmark: Benchmark) -> dict[str, Any]:
        """A row's metrics on a benchmark, from an earlier run where that read the same; see `facts_of`.

        Raises EngineError if the row is not known, or cannot be loaded here.
        """
        row = self.row_of(row)
        key = {"row": evaluation.name_of(row), "made_by": made_by(row), **named(benchmark)}
        return self.cells.find(
            f"{benchmark.name}-{evaluation.name_of(row)}", key, lambda: self._measure(row, benchmark)
        )

    def row_of(self, name: str) -> str:
        """The row of a name: as it is, or with the folder that was given for it. Raises EvaluationError."""
        if name in self.trained:
            return f"{name}={self.trained[name]}"
        if name not in ROWS.names() and systems.folder_of(name) is None and not ROWS.again(name):
            raise EvaluationError(
                f"Expected a row of `python -m engine.research evaluate`, got {name}. "
                f"Give its folder by --trained {name}=DIR."
            )
        return name

    def _measure(self, row: str, benchmark: Benchmark) -> dict[str, Any]:
        keep = self.cache / benchmark.sha256[CORPUS]
        prepared = ROWS.prepare(row, benchmark.corpus, keep=keep, report=self.report)
        figures, by_query = score(rank(benchmark, prepared), benchmark, metrics={**METRICS, **CDSSM})
        seconds = None if prepared.seconds is None else round(prepared.seconds, 1)
        value = {"figures": rounded(figures), "fingerprint": prepared.fingerprint, "seconds": seconds}
        return {**value, "by_query": by_metric(by_query)}


def there(path: Path) -> Path:
    """The path of a set's file. Raises EvaluationError if the file is missing."""
    if not path.is_file():
        raise EvaluationError(
            f"Expected {path.name} in the set {path.parent.name}; there is none. Name another --data."
        )
    return path


def made_by(row: str) -> str:
    """The fingerprint of the ranker; of an encoder that learns from the corpus, how it learns, or nothing."""
    if systems.is_by_words(row):
        return systems.words_fingerprint_of(row)
    try:
        if fused := evaluation.fused_encoder(row):
            return ranking_fingerprint(encoders.card(fused), mixed=True)
        if moved := (row, MOVED) if row in word_mover.KINDS else ROWS.again(row):
            first = made_by(moved[1])
            return first and word_mover.fingerprint(moved[0], first)
        if systems.folder_of(row) is None and row in encoders.encoder_names():
            return encoders.card(row).fingerprint
        return ROWS.trained_encoder(row).card.fingerprint
    except (NotFittedError, UnknownEncoderError):
        return LEARNT_BY.get(row, "")


def named(benchmark: Benchmark) -> dict[str, Any]:
    """What names a benchmark with the part of its queries that is asked."""
    return {"sha256": dict(benchmark.sha256), "part": benchmark.part}


def about(benchmark: Benchmark) -> dict[str, Any]:
    """What a panel says of its set."""
    return {"queries": len(benchmark.queries), "documents": len(benchmark.corpus), "sha256": dict(benchmark.sha256)}


def by_metric(scores: Mapping[str, Mapping[str, float]]) -> dict[str, list[float]]:
    """Every metric of each query, in the order of the queries' ids."""
    queries = sorted(scores)
    return {name: [round(scores[query][name], _DIGITS) for query in queries] for name in scores[queries[0]]}


def rounded(figures: Mapping[str, float]) -> dict[str, float]:
    """Figures to four decimals."""
    return {name: round(value, _DIGITS) for name, value in figures.items()}
