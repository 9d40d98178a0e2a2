"""Joins several rankings of the same documents into one."""

from __future__ import annotations

from collections.abc import Sequence

from engine.documents import Hit

CONSTANT = 60


def reciprocal_rank(rankings: Sequence[Sequence[Hit]], weights: Sequence[float] | None = None) -> list[Hit]:
    """Fuse rankings: score(d) = sum over rankings of weight / (60 + rank of d), ranks from 1.

    Cormack, Clarke and Buettcher 2009, Reciprocal Rank Fusion outperforms Condorcet and individual
    Rank Learning Methods, section 2. A ranking that lacks a document adds nothing; the rankings' own
    scores are not read, so they need no common scale. Ties go to the earlier ranking.
    """
    shares = [1.0] * len(rankings) if weights is None else weights
    scores: dict[str, float] = {}
    for ranking, weight in zip(rankings, shares, strict=True):
        for rank, hit in enumerate(ranking, start=1):
            scores[hit.id] = scores.get(hit.id, 0.0) + weight / (CONSTANT + rank)
    return [Hit(name, score) for name, score in sorted(scores.items(), key=lambda item: -item[1])]
