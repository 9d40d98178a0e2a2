"""Exact search with numpy: the reference that every other index is measured against."""

from __future__ import annotations

from engine.vectors.dense import DenseIndex


class ExactIndex(DenseIndex):
    """Every inner product, then the largest."""
