"""C-DSSM's published figures."""

from __future__ import annotations

import pytest

from engine.evaluation.metrics import harmonic_mean
from engine.research.paper.published import cdssm as published


def test_the_published_order_is_the_published_order() -> None:
    figures = published.FIGURES
    for metric in ("f1@1-cdssm", "f1@5-cdssm", "f1@10-cdssm"):
        values = [figures[row][metric] for row in published.ROWS]
        assert values == sorted(values)
    for row in figures.values():
        for k in (1, 5, 10, 20, 30, 40, 50):
            wanted = harmonic_mean(row[f"precision@{k}-cdssm"], row[f"recall@{k}-cdssm"])
            assert row[f"f1@{k}-cdssm"] == pytest.approx(wanted, abs=1.6e-3)
