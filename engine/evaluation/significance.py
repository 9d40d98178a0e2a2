"""How certain a figure over queries is: a bootstrap interval, a paired randomisation test, Holm's correction.

The interval is scipy's. The test is ours: `scipy.stats.permutation_test` gives the same p within chance, but takes 5 to
11 times as long and cannot swap the precision and the recall of a query together, as the test of F1 does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EvaluationError

Scores = Sequence[float] | NDArray[np.float64]

MOST_EXACT = 12
"""If two systems differ on at most this many queries, every one of the 2^n swaps is counted (4,096)."""

_NUMBERS_AT_ONCE = 1 << 21
_LEAST_P = 0.0001
_SAME = 1e-12
"""Sums of the same differences may differ this much by the order of their terms."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over queries, and the bounds it would lie between for other queries of the same kind."""

    mean: float
    low: float
    high: float


def interval(scores: Scores, *, seed: int = 0, draws: int = 2_000, level: float = 0.95) -> Interval:
    """The percentile bootstrap of a mean over queries (Efron and Tibshirani, 1993, section 13.3).

    Raises EvaluationError without scores or draws, and for a level outside 0 to 1.
    """
    from scipy.stats import bootstrap  # takes a second

    held = _checked(scores, draws)
    if not 0 < level < 1:
        raise EvaluationError(f"Expected a level between 0 and 1, got {level}. Ask for .95.")
    mean = float(held.mean())
    if len(held) == 1:
        return Interval(mean, mean, mean)
    most = max(1, _NUMBERS_AT_ONCE // len(held))
    found = bootstrap(
        (held,), np.mean, n_resamples=draws, batch=most, confidence_level=level, method="percentile", rng=seed
    ).confidence_interval
    return Interval(mean, float(found.low), float(found.high))


def randomisation_p(ours: Scores, theirs: Scores, *, seed: int = 0, draws: int = 10_000) -> float:
    """The two-sided p of Fisher's paired randomisation test: how often swapped systems differ as much in their means.

    Smucker, Allan and Carterette, CIKM 2007, section 3.1. Queries with equal scores change nothing and are left out. If
    at most MOST_EXACT are left, every swap is counted; else p is (count + 1) / (draws + 1). Raises EvaluationError
    where the two are not scores of the same queries.
    """
    one, other = _checked(ours, draws), _checked(theirs, draws)
    if len(one) != len(other):
        raise EvaluationError(
            f"Expected two systems' scores of the same queries, got {len(one)} and {len(other)}. Score both alike."
        )
    differences = one - other
    differences = differences[np.abs(differences) > _SAME]
    if not len(differences):
        return 1.0
    if len(differences) <= MOST_EXACT:
        every = 1 << len(differences)
        return _reached(differences, (np.arange(every)[:, None] >> np.arange(len(differences))) & 1) / every
    generator = np.random.default_rng(seed)
    count = sum(
        _reached(differences, generator.integers(0, 2, (n, len(differences)), dtype=np.int8))
        for n in _blocks(draws, len(differences))
    )
    return (count + 1) / (draws + 1)


def randomisation_p_of_f1(
    ours: tuple[Scores, Scores], theirs: tuple[Scores, Scores], *, seed: int = 0, draws: int = 10_000
) -> float:
    """The same test of F1 of the mean precision and the mean recall: each query's two scores (q,), (q,) swap together.

    Raises EvaluationError where the two are not scores of the same queries.
    """
    one, other = (np.stack([_checked(part, draws) for part in parts], axis=1) for parts in (ours, theirs))  # (q, 2)
    if len(one) != len(other):
        raise EvaluationError(
            f"Expected two systems' scores of the same queries, got {len(one)} and {len(other)}. Score both alike."
        )
    generator, change = np.random.default_rng(seed), other - one
    seen = abs(_f1(one.sum(axis=0)) - _f1(other.sum(axis=0)))
    count = 0
    for n in _blocks(draws, len(one)):
        moved = generator.integers(0, 2, (n, len(one)), dtype=np.int8) @ change  # (n, 2)
        differences = _f1(one.sum(axis=0) + moved) - _f1(other.sum(axis=0) - moved)
        count += int((np.abs(differences) >= seen - _SAME * len(one)).sum())
    return (count + 1) / (draws + 1)


def _f1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """2ab / (a + b) of the last axis's numbers, 0 where both are 0; q times F1 for sums over q queries."""
    total = sums.sum(axis=-1)
    return np.asarray(2 * sums.prod(axis=-1) / np.where(total > 0, total, 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p corrected for their number (Holm, 1979), in the order given."""
    order = np.argsort(p_values, kind="stable").tolist()
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


def p_in_words(p: float) -> str:
    """A p to two digits; one that four decimals round to nothing is said to be below the last of them."""
    return f"{p:.2g}" if p >= _LEAST_P else f"< {_LEAST_P}"


def _reached(differences: NDArray[np.float64], swapped: NDArray[np.integer]) -> int:
    """How many rows of swaps, 0 or 1 a query (n, q), give at least the observed difference."""
    sums = np.abs((1.0 - 2.0 * swapped) @ differences)  # (n,)
    return int((sums >= abs(differences.sum()) - _SAME * len(differences)).sum())


def _checked(scores: Scores, draws: int) -> NDArray[np.float64]:
    held = np.asarray(scores, dtype=np.float64)
    if held.ndim != 1 or not len(held) or not np.isfinite(held).all() or draws < 1:
        raise EvaluationError(
            f"Expected a finite score for each of at least 1 query, and at least 1 draw; got scores of the shape "
            f"{held.shape} and {draws} draws."
        )
    return held


def _blocks(draws: int, queries: int) -> list[int]:
    """The sizes of blocks of draws that sum to the number asked for."""
    most = max(1, _NUMBERS_AT_ONCE // queries)
    return [min(most, draws - first) for first in range(0, draws, most)]
