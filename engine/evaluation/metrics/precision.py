"""P@k: the share of the first k that is relevant."""

from __future__ import annotations

from engine.evaluation.metrics.judged import Judged


def precision(judged: Judged, k: int) -> float:
    """Relevant among the first k, divided by k even where fewer were retrieved (as trec_eval)."""
    return sum(judged.hits[:k]) / k
