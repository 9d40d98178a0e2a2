"""How many telling words of each of two documents the other has: BM25 both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.compare.base import Flags
from engine.library import K1, K3, QUESTION_TERMS, B

_LEAST_WEIGHT = 1e-6  # of a term, as in FTS5: one that every document holds still says a little

Weigh = Callable[[str], float]
"""How much a term weighs: its idf."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """How often a document has its terms: `columns` gives each of t terms a place in `counts` (t,)."""

    columns: Mapping[str, int]
    counts: NDArray[np.float64]

    @property
    def length(self) -> float:
        """The number of terms, including repetitions."""
        return float(self.counts.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
    """The terms of s stretches of a document: `columns` gives each of t terms a place in `counts` (s, t)."""

    columns: Mapping[str, int]
    counts: csr_array

    @classmethod
    def of(cls, stretches: Sequence[Sequence[str]], terms_of: Callable[[str], Iterable[str]]) -> Self:
        """Count the terms of the tokens of stretches."""
        columns: dict[str, int] = {}
        numbers: dict[str, list[int]] = {}  # of a token's terms
        places: list[int] = []
        starts = [0]
        for tokens in stretches:
            for token in tokens:
                if token not in numbers:
                    numbers[token] = [columns.setdefault(term, len(columns)) for term in terms_of(token)]
                places += numbers[token]
            starts.append(len(places))
        counts = csr_array((np.ones(len(places)), places, starts), shape=(len(stretches), len(columns)))
        counts.sum_duplicates()
        return cls(columns, counts)

    def said(self, keep: Flags) -> Said:
        """The terms of the stretches to `keep` (s,) together."""
        return Said(self.columns, np.asarray(keep.astype(np.float64) @ self.counts, np.float64))


def shared_words(a: Said, b: Said, weigh: Weigh, *, mean_length: float) -> float | None:
    """The mean of the shares of a's telling terms in b and of b's in a, from 0 to 1; 1 for a document and itself.

    share of a question in an answer = sum over its terms of q * w(answer) / sum of q * w(question), at most 1,
    q = weight * n * (k3 + 1) / (n + k3), w = f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length)),

    where the question has a term n times and the answer f times: BM25 (Robertson and Walker, TREC-3) with the
    constants of the keyword index, for the terms with the largest q, divided by the question's score against itself.
    None where a document has no term.
    """
    if not a.counts.any() or not b.counts.any():
        return None
    return (_share(a, b, weigh, mean_length) + _share(b, a, weigh, mean_length)) / 2


def _share(question: Said, answer: Said, weigh: Weigh, mean_length: float) -> float:
    places = np.flatnonzero(question.counts)
    terms = list(question.columns)  # in the order of their places
    counts = question.counts[places]
    weights = np.array([max(_LEAST_WEIGHT, weigh(terms[place])) for place in places.tolist()])
    asked = weights * counts * (K3 + 1) / (counts + K3)
    telling = np.argsort(-asked, kind="stable")[:QUESTION_TERMS]
    found = [answer.columns.get(terms[place], -1) for place in places[telling].tolist()]
    held = np.array([answer.counts[place] if place >= 0 else 0.0 for place in found])
    own = asked[telling] @ _saturated(counts[telling], question.length / mean_length)
    return min(1.0, float(asked[telling] @ _saturated(held, answer.length / mean_length) / own))


def _saturated(counts: NDArray[np.float64], relative_length: float) -> NDArray[np.float64]:
    """BM25's share of terms that occur `counts` times, (t,), in a document of `relative_length` mean lengths."""
    return counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative_length))
