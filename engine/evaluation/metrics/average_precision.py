"""MAP@k as CTPE defines it: average precision divided by k."""

from __future__ import annotations

from engine.evaluation.metrics.judged import Judged


def average_precision(judged: Judged, k: int) -> float:
    """The precision at each relevant rank up to k, summed and divided by k (CTPE, section 4.3).

    trec_eval divides by the number of relevant documents; with more than k of them the two agree
    on the order of systems, with fewer this one stays below 1 even for a perfect ranking.
    """
    found = 0
    total = 0.0
    for rank, hit in enumerate(judged.hits[:k], start=1):
        if hit:
            found += 1
            total += found / rank
    return total / k
