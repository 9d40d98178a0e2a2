"""The heatmap: what it sends, what it says, and which cell it marks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from explorer.compare.heat import section_heat
from explorer.shared import heatmap
from explorer.shared.heatmap import Axis, Heat
from tests.explorer.compare.comparisons import HOSTILE, made_comparison


def test_a_square_lies_over_every_cell_and_only_the_chosen_one_is_seen(heat: Heat) -> None:
    figure = heatmap.figure(heat, (1, 2))
    map_, squares = figure.data
    assert (map_.type, squares.type, squares.marker.symbol) == ("heatmap", "scatter", "square")
    assert len(squares.x) == len(squares.y) == heat.values.size
    assert squares.selectedpoints == (5,)
    assert (squares.x[5], squares.y[5]) == (2, 1)
    assert (squares.marker.opacity, squares.selected.marker.opacity) == (0, 1)


def test_hover_shows_both_openings_and_no_tag_of_a_document(heat: Heat) -> None:
    texts = heatmap.hover_texts(heat)
    assert "Abstract: A rotor turns in the tide." in texts[0].replace("<br>", " ")
    assert "× 1 · Abstract: A wheel" in texts[0]
    assert not any("<img" in text for text in texts)
    assert any("&lt;img" in text for text in texts)
    assert "<img" not in str(heatmap.figure(heat, None).layout.yaxis.ticktext)


def test_many_cells_have_short_hover_texts() -> None:
    axis = Axis("one", ["word " * 200] * 80, [])
    texts = heatmap.hover_texts(Heat("x", np.zeros((80, 80)), axis, axis))
    assert sum(map(len, texts)) < 1_000_000


def test_a_heatmap_says_its_size_and_its_highest_cell(heat: Heat) -> None:
    words = heatmap.described(heat)
    assert "3 rows of first document, 3 columns of second document" in words
    assert f"Highest: {heat.values.max():.2f}" in words
    empty = replace(heat, values=np.full_like(heat.values, np.nan))
    assert "Everything is left out" in heatmap.described(empty)
    assert heatmap.figure(replace(empty, what="attention"), None).data[0].zmax == 1


@pytest.mark.parametrize(
    ("point", "cell"),
    [
        ({"x": 2, "y": 1}, (1, 2)),
        ({"x": 9, "y": 1}, None),
        ({"x": "two", "y": 1}, None),
        ({}, None),
    ],
)
def test_only_a_cell_of_the_heatmap_can_be_clicked(heat: Heat, point: dict[str, object], cell: object) -> None:
    assert heatmap._clicked_cell({"selection": {"points": [point]}}, heat) == cell
    assert heatmap._clicked_cell({"selection": {"points": []}}, heat) is None


def test_a_click_draws_nothing_anew_and_another_choice_does(heat: Heat, monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", state)
    assert heatmap._drawing(heat, (0, 0), 400) == ((0, 0), 1)
    state["heatmap_clicked"]["section"] = (1, 1)  # type: ignore[index]
    assert heatmap._drawing(heat, (1, 1), 400) == ((0, 0), 1)
    assert heatmap._drawing(heat, (0, 0), 400) == ((0, 0), 2)  # the browser still shows the click
    assert heatmap._drawing(heat, None, 400) == (None, 3)


def test_a_title_in_a_label_is_cut_to_one_line() -> None:
    assert heatmap.shortened("a  long\ntitle of a section", 12) == "a long titl…"
    assert HOSTILE in str(section_heat(made_comparison()).rows.labels)
