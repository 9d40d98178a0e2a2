"""R@k: the share of the relevant that stands among the first k."""

from __future__ import annotations

from engine.evaluation.metrics.judged import Judged


def recall(judged: Judged, k: int) -> float:
    """Relevant among the first k, divided by all that are relevant."""
    return sum(judged.hits[:k]) / judged.relevant if judged.relevant else 0.0
