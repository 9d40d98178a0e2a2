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


def test_table_4_has_fourteen_rows_of_every_set() -> None:
    assert len(published.TABLE_4) == 14
    assert all(set(sets) == set(published.DATASETS.values()) for sets in published.TABLE_4.values())
    skip_thoughts = published.TABLES_2_AND_3["avg-Skip-thoughts"]
    assert {name: figures[0] for name, figures in published.TABLE_4["Skip-thoughts"].items()} == {
        name: row["F1@20"] for name, row in skip_thoughts.items()
    }


def test_the_last_column_of_table_5_is_the_mean_of_its_row() -> None:
    assert published.TABLE_5_MEANS.keys() == published.TABLE_5.keys()
    for place, mean in published.TABLE_5_MEANS.items():
        figures = [figure for row in published.TABLE_5[place].values() for figure in (row.p, row.r, row.f1)]
        assert mean == pytest.approx(sum(figures) / 9, abs=6e-5), place


def test_precision_and_recall_fit_the_labels_of_table_1() -> None:
    for name, columns in published.TABLE_1.items():
        assert set(columns[published.CANDIDATE]) == set(published.SIZES[:5])
        assert set(columns[published.TEST]) == set(published.SIZES)
        fewest, most = (columns[published.TEST][f"{end} labels"] for end in ("fewest", "most"))
        row = published.TABLES_2_AND_3["CTPE-word2vec(full)"][name]
        assert fewest <= 20 * row["P@20"] / row["R@20"] <= most
