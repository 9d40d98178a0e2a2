"""Matches a question's passages with those of a library's documents, both ways.

Each passage of a question finds its best match in a document, and each of the document's its best match in the
question: CoLDE's idea (Jha et al. 2023, section 3.2: similarities of chunks, the largest of each row and column) at the
size of a library, with vectors that are made once. A long document has more passages for one of the question's to
match by chance, and more that match none of them: both ways together favour neither long ones nor short ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows
from engine.documents import Chunk, Document
from engine.search.passages.encoder import PassageReader
from engine.vectors import PassagePlace, PassageView

_SAMPLE = 512
"""How many documents say what a score is by chance."""
_LEAST_SPREAD = 1e-6

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
    document: PassagePlace
    score: float


@dataclass(frozen=True)
class PassageMatcher:
    """The passages of a library, ready to be asked; documents can be ranked by them once those of all are read."""

    view: PassageView
    reader: PassageReader
    is_whole: bool = True

    def ask(self, document: Document) -> AskedPassages | None:
        """A document as a question; None where it has no words."""
        passages = self.reader.cut(document)
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
        """How near each held document with words is both ways, in standard deviations above the mean document."""
        known = {name: number for name in ids if (number := self.view.number_of.get(name)) is not None}
        numbers = {name: number for name, number in known.items() if self.view.counts[number]}
        if not numbers:
            return {}
        passages, starts = self.view.of_documents(np.array(list(numbers.values()), np.int64))
        both = _both_ways(asked.rows @ self.view.rows(passages).T, starts)
        rows, sampled = self._sample
        chance = _both_ways(asked.rows @ rows.T, sampled)
        above = (both - chance.mean()) / max(float(chance.std()), _LEAST_SPREAD)
        return dict(zip(numbers, above.tolist(), strict=True))

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

    @cached_property
    def _sample(self) -> tuple[DenseRows, NDArray[np.int64]]:
        """The rows of documents at even steps, and where each one's begin."""
        held = np.flatnonzero(self.view.held & (self.view.counts > 0))
        some = held[np.linspace(0, len(held) - 1, min(len(held), _SAMPLE)).astype(np.int64)]
        passages, starts = self.view.of_documents(some)
        return self.view.rows(passages), starts


def _both_ways(scores: DenseRows, starts: NDArray[np.int64]) -> Scores:
    """The mean best match of the question's passages, plus that of each document's: (q, n) to (m,).

    The second counts 1 - 1/q: a question of one passage, such as a quote, does not cover a document. Documents'
    passages stand end to end, and begin at `starts` (m,).
    """
    asked = len(scores)
    forward = np.maximum.reduceat(scores, starts, axis=1).mean(axis=0)
    counts = np.diff(np.append(starts, scores.shape[1]))
    backward = np.add.reduceat(scores.max(axis=0), starts) / counts
    return np.asarray(forward + (1 - 1 / asked) * backward, np.float32)
