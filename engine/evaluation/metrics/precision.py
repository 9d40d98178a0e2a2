"""P@k: the share of the first k that is relevant, of k or of those that were retrieved."""

from __future__ import annotations

from engine.evaluation.metrics.judged import Judged


def precision(judged: Judged, k: int) -> float:
    """Relevant among the first k, divided by k even where fewer were retrieved (as trec_eval)."""
    return sum(judged.hits[:k]) / k


def set_precision(judged: Judged, k: int) -> float:
    """Relevant among the first k, divided by as many as were retrieved of them (trec_eval's set_P with -M k)."""
    hits = judged.hits[:k]
    return sum(hits) / len(hits) if hits else 0.0
