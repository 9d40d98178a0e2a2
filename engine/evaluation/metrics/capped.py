"""Recall@k and F1@k as the C-DSSM paper counts them: no more than k documents are asked of the first k."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation.metrics.f1 import harmonic_mean
from engine.evaluation.metrics.judged import Judged
from engine.evaluation.metrics.precision import precision


def capped_recall(judged: Judged, k: int) -> float:
    """Relevant among the first k, divided by the smaller of k and the number of relevant documents.

    Tweaked C-DSSM, section III: "when k is less than the number of relevant documents, we take k as the number of
    relevant documents". That this means the divisor, not a ranking read further than k, is seen from tables 2 to 5,
    where recall@1 is precision@1.
    """
    return sum(judged.hits[:k]) / min(k, judged.relevant) if judged.relevant else 0.0


def capped_f1_of_means(queries: Sequence[Judged], k: int) -> float:
    """F1 of the mean precision and the mean capped recall over queries.

    Table 5 of the paper holds this: .378 and .370 at 5 give its .374.
    """
    count = len(queries)
    means = (sum(score(one, k) for one in queries) / count for score in (precision, capped_recall))
    return harmonic_mean(*means)


def capped_f1(judged: Judged, k: int) -> float:
    """F1 of one query."""
    return harmonic_mean(precision(judged, k), capped_recall(judged, k))
