"""Average precision: divided by k, as CTPE has it, or by the number of relevant documents."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation.metrics.judged import Judged


def average_precision(judged: Judged, k: int) -> float:
    """The precision at each relevant rank up to k, summed and divided by k (CTPE, section 4.3).

    trec_eval divides by the number of relevant documents; with more than k of them the two agree
    on the order of systems, with fewer this one stays below 1 even for a perfect ranking.
    """
    return _precisions(judged.hits[:k]) / k


def average_precision_of_all(judged: Judged) -> float:
    """The precision at each relevant rank, summed and divided by the number of relevant documents (trec_eval's map)."""
    return _precisions(judged.hits) / judged.relevant if judged.relevant else 0.0


def _precisions(hits: Sequence[bool]) -> float:
    """The sum of the precisions at the relevant ranks."""
    found = 0
    total = 0.0
    for rank, hit in enumerate(hits, start=1):
        if hit:
            found += 1
            total += found / rank
    return total
