"""The reciprocal rank: how far one must read to the first relevant document."""

from __future__ import annotations

from engine.evaluation.metrics.judged import Judged


def reciprocal_rank(judged: Judged) -> float:
    """1 / the rank of the first relevant document, 0 where none was retrieved (trec_eval's recip_rank)."""
    return next((1 / rank for rank, hit in enumerate(judged.hits, start=1) if hit), 0.0)
