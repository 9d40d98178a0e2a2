"""Grids too large for numbers."""

from __future__ import annotations

from engine.exports.comparison.outline import MAX_NUMBERED
from tests.compare.made import comparison, document
from tests.exports.comparison.reports import page


def test_a_grid_too_large_for_numbers_is_drawn_as_squares() -> None:
    one = comparison(document("A", 2, MAX_NUMBERED // 2 + 1), document("B", 2, 3))
    shown = page(one)
    titles = [square.text for square in shown.all("title", within="chunks")]
    assert len(titles) == one.chunks.across.size
    assert titles[7] == f"{one.chunks.across[1, 1]:.2f}: Chunk 1 (A) with Chunk 1 (B)"
    assert shown.id("at-c-3-5").classes == {"chosen"}
    assert "no numbers" in shown.id("making").text
    assert "no room for numbers" in shown.id("chunks").text
