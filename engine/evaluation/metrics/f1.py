"""F1@k: the harmonic mean of precision and recall."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation.metrics.judged import Judged
from engine.evaluation.metrics.precision import precision, set_precision
from engine.evaluation.metrics.recall import recall


def f1(judged: Judged, k: int) -> float:
    """F1 of one query."""
    return harmonic_mean(precision(judged, k), recall(judged, k))


def set_f1(judged: Judged, k: int) -> float:
    """F1 of the first k as a set, its precision that of what was retrieved (trec_eval's set_F with -M k)."""
    return harmonic_mean(set_precision(judged, k), recall(judged, k))


def f1_of_means(queries: Sequence[Judged], k: int) -> float:
    """F1 of the mean precision and the mean recall over queries.

    This is what CTPE's table 2 holds (.1532 and .0571 give its .0831); the mean of each query's F1 is smaller.
    """
    count = len(queries)
    return harmonic_mean(
        sum(precision(one, k) for one in queries) / count, sum(recall(one, k) for one in queries) / count
    )


def harmonic_mean(one: float, other: float) -> float:
    """2ab / (a + b), 0 where both are 0."""
    return 2 * one * other / (one + other) if one + other else 0.0
