"""CTPE's published figures."""

from __future__ import annotations

import pytest

from engine.research.paper.published import ctpe as published


def test_the_published_figures_agree_with_each_other() -> None:
    sets = set(published.DATASETS.values())
    for method, figures in published.TABLES_2_AND_3.items():
        assert set(figures) == sets
        for row in figures.values():
            harmonic = 2 * row["P@20"] * row["R@20"] / (row["P@20"] + row["R@20"])
            assert row["F1@20"] == pytest.approx(harmonic, abs=2e-4), method
    full = published.TABLES_2_AND_3["CTPE-word2vec(full)"]
    for name in sets:
        meaningful, sampled = published.TABLE_5["meaningful"][name], published.TABLE_6["CTPE"][name]
        assert (full[name]["P@20"], full[name]["R@20"]) == (meaningful.p, meaningful.r) == (sampled.p, sampled.r)
        assert full[name]["F1@20"] == meaningful.f1 == published.TABLE_4["word2vec(full)"][name][2]
        assert published.TABLES_2_AND_3["avg-GloVe"][name]["F1@20"] == published.TABLE_4["GloVe"][name][0]
