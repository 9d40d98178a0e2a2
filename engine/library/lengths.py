"""Puts the BM25 scores of long and of short documents on one scale, for libraries that hold both.

BM25 adds up terms, and a whole paper holds more of a long question's terms than an abstract on the same subject does:
where one paper in ten is whole, 85 % of the first ten were (`python -m engine.research full_texts`). So each group's
scores are read as how rare they are within the group. The largest scores exceed a threshold u as an exponential
distribution does (peaks over threshold: Pickands 1975, "Statistical inference using extreme order statistics"):

    P(score > s) = tau * exp(-(s - u) / beta),   s > u,

with tau the share of the group above u, and beta the mean of what exceeds u; up to u, quantiles tell. Scores of the
smaller group become those that are as rare in the larger one, whose own scores stay. A score far beyond all others
stays far beyond them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.documents import Document
from engine.documents.text import first_tokens

LONG = 1_000
"""From this many tokens on, a document is long: abstracts have at most a few hundred, whole papers several thousand."""
_MANY = 0.01
_FEWEST = 20
"""A group of fewer says too little of how rare a score is."""
_TAU = 0.1
_SAMPLE = 20_000
"""Of a larger group, scores at even steps are enough."""
_PRIOR = 10
"""As many scores as this say how steep the tail is, by the spread of all scores, beside those above u."""
_LEVELS = np.linspace(0, 1 - _TAU, 10)
_STEP = 1e-6
"""Scores that the larger group lacks differ by this share of what they were."""

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tail:
    """The largest scores of a group: a share `tau` of it is above `u`, by `beta` in the mean; `spread` is of all."""

    u: float
    tau: float
    beta: float
    spread: float

    @classmethod
    def of(cls, scores: Scores, larger: Tail | None = None) -> Self:
        """Fit to the scores (n,) of a group, n > 0; the `larger` group tells how steepness goes with spread."""
        count = max(1, int(_TAU * len(scores)))
        u = float(np.partition(scores, len(scores) - count)[len(scores) - count])
        above = scores[scores > u] - u
        spread = float(scores.std())
        total, weight = float(above.sum()), len(above)
        if larger is not None and larger.spread > 0:
            total, weight = total + _PRIOR * spread * larger.beta / larger.spread, weight + _PRIOR
        return cls(u, len(above) / len(scores), total / max(weight, 1), spread)


def are_many(long: int, documents: int) -> bool:
    """Whether enough of the documents are long that passages are worth reading for all: one in a hundred."""
    return long > 0 and long >= _MANY * documents


def is_long(document: Document) -> bool:
    """Whether a document is long, as the keyword index counts it."""
    return len(first_tokens(document.text, LONG)) >= LONG


def lengths_fingerprint() -> str:
    """Names every choice made here."""
    return f"long={LONG} apart={_FEWEST}/{_TAU}/{_PRIOR}"


def on_one_scale(scores: NDArray[np.float32], long: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The scores (n,) of documents for one question, those of the smaller group as rare ones of the larger group's.

    `long` (n,) says which documents are long. Zeros stay, and so does the order within each group. Where a group has
    fewer than 20 documents, or next to no scores, all stay as they are.
    """
    few, many = (long, ~long) if 2 * int(long.sum()) <= len(long) else (~long, long)
    count = int(few.sum())
    if count < _FEWEST:
        return scores
    own = scores[few]
    some, others = _some(own), _some(scores[many])
    larger = Tail.of(others)
    smaller = Tail.of(some, larger)
    if min(larger.beta, smaller.beta, larger.tau, smaller.tau) <= 0:
        return scores
    at_u = larger.u + larger.beta * np.log(larger.tau / smaller.tau)  # as rare as the smaller group's u
    above = at_u + larger.beta * (own - smaller.u) / smaller.beta
    below = np.interp(own, np.quantile(some, _LEVELS), np.quantile(others, _LEVELS))
    found = scores.copy()
    found[few] = np.maximum(np.where(own > smaller.u, above, np.minimum(below, max(at_u, 0.0))), 0) + _STEP * own
    return found


def _some(scores: NDArray[np.float32]) -> Scores:
    """Scores of a group at even steps, about 20,000 at most."""
    return scores[:: max(1, len(scores) // _SAMPLE)].astype(np.float64)
