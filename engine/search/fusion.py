"""Joins several rankings of the same documents into one."""

from __future__ import annotations

from collections.abc import Sequence

from engine.documents import Hit

DEPTH = 200
"""How many documents of each ranking are fused."""


def relative_scores(rankings: Sequence[Sequence[Hit]], weights: Sequence[float] | None = None) -> list[Hit]:
    """Fuse rankings: score(d) = sum over rankings of weight * (s(d) - s_200) / (s_1 - s_200).

    s_1 is a ranking's first score and s_200 that of its 200th document, or of its last where it is shorter, so that
    rankings of any scale can be added (a convex combination of min-max scores: Bruch, Gai and Ingber 2023, An
    Analysis of Fusion Functions for Hybrid Retrieval, sections 2 and 3). What stands further down counts 0, as does a
    document that a ranking lacks. Where s_1 = s_200 all as high count 1. Ties go to the earlier ranking.
    """
    shares = [1.0] * len(rankings) if weights is None else weights
    scores: dict[str, float] = {}
    for ranking, weight in zip(rankings, shares, strict=True):
        best, lowest = (ranking[0].score, ranking[:DEPTH][-1].score) if ranking else (0.0, 0.0)
        for hit in ranking:
            relative = max(0.0, (hit.score - lowest) / (best - lowest)) if best > lowest else float(hit.score >= lowest)
            scores[hit.id] = scores.get(hit.id, 0.0) + weight * relative
    return [Hit(name, score) for name, score in sorted(scores.items(), key=lambda item: -item[1])]
