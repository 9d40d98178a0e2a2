"""nDCG@k: discounted gain against the best ranking that the judgements allow, or against k relevant ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.evaluation.metrics.judged import Judged


def ndcg(judged: Judged, k: int) -> float:
    """The gain of the first k against the best possible k (trec_eval's ndcg_cut: gain = grade, log2 discount)."""
    best = _gain(judged.ideal[:k])
    return _gain(judged.ranking[:k]) / best if best else 0.0


def ndcg_of_ones(judged: Judged, k: int) -> float:
    """The gain of the first k, relevant or not, against a ranking of k relevant ones (CTPE, section 4.3).

    A query with fewer than k relevant documents cannot reach 1.
    """
    return _gain(judged.hits[:k]) / _gain([1] * k)


def _gain(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
