"""Scores an encoder on the valid queries of benchmarks during training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.core.errors import EvaluationError
from engine.core.rows import Rows
from engine.documents import Document, Hit
from engine.encoders import Encoder
from engine.evaluation.benchmarks import Benchmark, load_benchmark
from engine.evaluation.measure import rank, score
from engine.evaluation.metrics import METRICS
from engine.evaluation.systems import Prepared

_DOCUMENTS_AT_ONCE = 2_000


class Validated(Protocol):
    """The data of a recipe whose epochs are scored."""

    @property
    def valid(self) -> tuple[str, ...]:
        """Names of benchmarks."""

    @property
    def metric(self) -> str:
        """The metric that epochs are compared by."""


@dataclass(frozen=True, slots=True)
class Validation:
    """Benchmarks with their valid queries, and the metric that compares epochs."""

    benchmarks: Sequence[Benchmark]
    metric: str

    @classmethod
    def load(cls, names: Sequence[str], data: Path, *, metric: str) -> Validation:
        """Read the benchmarks of these names below a folder. Raises EvaluationError where one is incomplete."""
        if metric not in METRICS:
            raise EvaluationError(f"Expected a metric among {', '.join(METRICS)}, got {metric!r}.")
        return cls([load_benchmark(data / name, part="valid") for name in names], metric)

    @classmethod
    def of(cls, settings: Validated, data: Path) -> Validation | None:
        """What a recipe's data settings ask for; None where they name no benchmark. Raises EvaluationError."""
        return cls.load(settings.valid, data, metric=settings.metric) if settings.valid else None

    def __call__(self, encoder: Encoder) -> dict[str, float]:
        """The metric of each benchmark, by its name; without an index, holding one block of rows at a time."""
        scores = {}
        for benchmark in self.benchmarks:
            system = Blockwise(encoder, benchmark.corpus)
            run = rank(benchmark, Prepared(encoder.card.name, system, encoder.card.fingerprint, None))
            scores[benchmark.name] = score(run, benchmark)[0][self.metric]
        return scores


class Encodes(Protocol):
    """The part of an encoder that a ranking needs."""

    def encode_queries(self, documents: Sequence[Document]) -> Rows:
        """Encode documents as queries: (n, dim)."""

    def encode_documents(self, documents: Sequence[Document]) -> Rows:
        """Encode documents: (n, dim)."""


@dataclass(frozen=True, slots=True)
class Blockwise:
    """Ranks a corpus without an index, holding one block of its rows at a time."""

    encoder: Encodes
    corpus: Sequence[Document]

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        """The k best documents of each query, best first, by the products of all rows."""
        asked = np.asarray(self.encoder.encode_queries(queries))
        similarities = np.empty((len(queries), len(self.corpus)), dtype=np.float32)
        for first in range(0, len(self.corpus), _DOCUMENTS_AT_ONCE):
            block = self.corpus[first : first + _DOCUMENTS_AT_ONCE]
            similarities[:, first : first + len(block)] = asked @ np.asarray(self.encoder.encode_documents(block)).T
        best = np.argsort(-similarities, axis=1, kind="stable")[:, :k]
        return [
            [Hit(self.corpus[place].id, float(row[place])) for place in places]
            for row, places in zip(similarities, best, strict=True)
        ]
