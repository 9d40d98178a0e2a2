"""CoLDE's published figures."""

from __future__ import annotations

from engine.research.paper.published import colde as published


def test_the_published_table_is_whole() -> None:
    assert {name for row in published.TABLE_2.values() for name in row} == set(published.DATASETS.values())
    best = {
        name: max(published.TABLE_2, key=lambda row: published.TABLE_2[row][name]["accuracy"])
        for name in ("AAN", "PAT", "WIKI")
    }
    assert set(best.values()) == {"CoLDE"}
