"""Matches a question's passages with those of a library's documents, both ways.

Each passage of a question finds its best match in a document, and each of the document's its best match in the
question: CoLDE's idea (Jha et al. 2023, section 3.2: similarities of chunks, the largest of each row and column) at the
size of a library, with vectors that are made once. A long document has more passages to match by chance, so a score is
read beside those of other documents of its length, which are drawn from the library once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.documents import Chunk, Document
from engine.passages.cutting import cut
from engine.passages.encoder import PassageReader
from engine.passages.view import Numbers, PassageView, Place
from engine.rows import DenseRows

_SAMPLE = 512
"""How many documents say what a score is by chance."""
_LEAST_SPREAD = 0.3
"""The spread at no length is below this share of the mean spread."""

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class AskedPassages:
    """A question's passages, and their rows (q, dim)."""

    passages: Sequence[Chunk]
    rows: DenseRows


@dataclass(frozen=True, slots=True)
class Match:
    """A passage of the question and one of a document, by place, with the cosine of their rows."""

    query: Chunk
    document: Place
    score: float


@dataclass(frozen=True)
class PassageMatcher:
    """The passages of a library, ready to be asked."""

    view: PassageView
    reader: PassageReader

    def ask(self, document: Document) -> AskedPassages | None:
        """A document as a question; None where it has no words."""
        passages = cut(document)
        return AskedPassages(passages, self.reader.encode([(document, passages)])) if passages else None

    def nearest(self, asked: AskedPassages, k: int, among: NDArray[np.bool_] | None = None) -> list[str]:
        """The ids of documents that hold one of the `k` nearest passages of a passage of the question, nearest first.

        `among` (documents,) limits the answer.
        """
        passages, scores = self.view.search(asked.rows, k, among=among)
        found = passages >= 0
        owners = self.view.owner[passages[found]]
        order = np.argsort(-scores[found], kind="stable")
        return [self.view.names[owner] for owner in dict.fromkeys(owners[order].tolist())]

    def scores(self, asked: AskedPassages, ids: Collection[str]) -> dict[str, float]:
        """How near each held document is both ways, in standard deviations above documents of its length."""
        names = [name for name in ids if name in self.view.number_of]
        if not names:
            return {}
        numbers = np.array([self.view.number_of[name] for name in names], np.int64)
        passages, starts = self.view.of_documents(numbers)
        both = _both_ways(asked.rows @ self.view.rows(passages).T, starts)
        line = self._by_chance(asked)
        return dict(zip(names, line.above(both, self.view.counts[numbers]).tolist(), strict=True))

    def matches(self, asked: AskedPassages, name: str, k: int) -> list[Match]:
        """The k best pairs of a question's passage and one of a document's, each passage once, the best first."""
        number = self.view.number_of.get(name)
        if number is None:
            return []
        passages, _ = self.view.of_documents(np.array([number]))
        scores = asked.rows @ self.view.rows(passages).T  # (q, n)
        found: list[Match] = []
        while len(found) < min(k, *scores.shape):
            row, column = np.unravel_index(int(scores.argmax()), scores.shape)
            place = self.view.place(int(passages[column]))
            found.append(Match(asked.passages[int(row)], place, float(scores[row, column])))
            scores[row], scores[:, column] = -np.inf, -np.inf
        return found

    def _by_chance(self, asked: AskedPassages) -> ByLength:
        """What the question's score is by chance, by a document's number of passages."""
        counts, rows, starts = self._sample
        return ByLength.of(_both_ways(asked.rows @ rows.T, starts), counts)

    @cached_property
    def _sample(self) -> tuple[Numbers, DenseRows, Numbers]:
        """Documents at even steps: their numbers of passages, all their rows, and where each one's begin."""
        held = np.flatnonzero(self.view.held)
        some = held[np.linspace(0, len(held) - 1, min(len(held), _SAMPLE)).astype(np.int64)]
        passages, starts = self.view.of_documents(some)
        return self.view.counts[some], self.view.rows(passages), starts


@dataclass(frozen=True, slots=True)
class ByLength:
    """Lines in the log of a document's number of passages: the mean score by chance, and its standard deviation."""

    mean: tuple[float, float]
    spread: tuple[float, float]
    least: float

    @classmethod
    def of(cls, scores: Scores, counts: Numbers) -> ByLength:
        """Fit to the scores (m,) of documents, by their numbers of passages (m,)."""
        logs = np.log(counts)
        mean = _line(logs, scores)
        off = np.abs(scores - _at(mean, logs))
        found = cls(mean, _line(logs, off), max(_LEAST_SPREAD * float(off.mean()), 1e-6))
        unit = float(found.above(scores, counts).std()) or 1.0
        return cls(mean, (found.spread[0] * unit, found.spread[1] * unit), found.least * unit)

    def above(self, scores: Scores, counts: Numbers) -> Scores:
        """How many standard deviations each score (m,) is above the mean at its length."""
        logs = np.log(counts)
        return np.asarray((scores - _at(self.mean, logs)) / np.maximum(_at(self.spread, logs), self.least), np.float32)


def _both_ways(scores: DenseRows, starts: Numbers) -> Scores:
    """The mean best match of the question's passages, plus that of each document's: (q, n) to (m,).

    The second counts 1 - 1/q: a question of one passage, such as a quote, does not cover a document. Documents'
    passages stand end to end, and begin at `starts` (m,).
    """
    asked = len(scores)
    forward = np.maximum.reduceat(scores, starts, axis=1).mean(axis=0)
    counts = np.diff(np.append(starts, scores.shape[1]))
    backward = np.add.reduceat(scores.max(axis=0), starts) / counts
    return np.asarray(forward + (1 - 1 / asked) * backward, np.float32)


def _line(x: NDArray[np.float64], y: Scores) -> tuple[float, float]:
    """Intercept and slope of the least squares; a level line where x does not vary."""
    spread = float(((x - x.mean()) ** 2).sum())
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread if spread > 0 else 0.0
    return float(y.mean()) - slope * float(x.mean()), slope


def _at(line: tuple[float, float], x: NDArray[np.float64]) -> NDArray[np.float64]:
    return line[0] + line[1] * x
