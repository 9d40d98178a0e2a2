"""The heatmaps of a comparison: which numbers they show, on which scale, in which stretch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.compare import NEAR
from explorer.compare.heat import MOST_SHOWN, around, best_chunks, chunk_heat, section_heat, window
from explorer.shared import heatmap
from explorer.shared.heatmap import Heat
from tests.explorer.compare.comparisons import made_comparison


def test_the_numbers_are_those_of_the_comparison(heat: Heat) -> None:
    comparison = made_comparison()
    assert np.array_equal(heat.values, comparison.sections.across)
    assert np.array_equal(chunk_heat(comparison, "attention_back", None).values, comparison.attention_back.T)
    assert np.array_equal(chunk_heat(comparison, "attention", None).values, comparison.attention)
    assert heat.said(heat.values[1, 2]) == f"similarity {comparison.sections.across[1, 2]:.2f}"


def test_what_is_left_out_is_blank_and_said_so() -> None:
    heat = section_heat(made_comparison(gone=[1]))
    assert np.isnan(heat.values[1]).all()
    assert heat.said(heat.values[1, 0]) == "left out"
    assert best_chunks(made_comparison(gone=[1]), 1, 0) is None


def test_similarities_share_one_scale_and_attention_has_its_own(heat: Heat) -> None:
    def scale(values: list[list[float]], what: str) -> tuple[float, float]:
        drawn = heatmap.figure(replace(heat, values=np.array(values), what=what)).data[0]
        return drawn.zmin, drawn.zmax

    three = [[0.1, 0.2, np.nan]] * 3
    assert scale(three, "similarity") == (0, NEAR)
    assert scale([[0.1, 0.2, 0.95]] * 3, "similarity") == (0, 0.95)
    assert scale(three, "attention") == (0.1, 0.2)
    assert scale([[0.2] * 3] * 3, "attention") == pytest.approx((0.2, 0.21))


def test_a_long_document_is_shown_in_stretches() -> None:
    assert window(MOST_SHOWN, 3) == range(MOST_SHOWN)
    for chosen in range(300):
        shown = window(300, chosen)
        assert chosen in shown
        assert len(shown) == MOST_SHOWN


def test_a_grid_stays_where_it_is_while_it_shows_the_chosen_cell() -> None:
    before = (0, 200)
    assert around((300, 300), (MOST_SHOWN - 1, 200), before) == before
    assert around((300, 300), (MOST_SHOWN, 200), before) == (MOST_SHOWN, 200)
    assert around((300, 300), (0, 0), before) == (0, 0)


def test_many_sections_are_shown_in_stretches_and_bound_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.heat.MOST_SHOWN", 2)
    comparison = made_comparison()
    heat = section_heat(comparison, (2, 1))
    assert heat.values.shape == (2, 2) and (heat.rows.first, heat.columns.first) == (1, 1)
    assert np.array_equal(heat.values, comparison.sections.across[1:3, 1:3])
    assert [place for place, _ in heat.rows.labels] == [1, 2] and len(heat.rows.openings) == 2
    assert section_heat(comparison).values.shape == (2, 2)


def test_a_stretch_keeps_the_numbers_of_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.heat.MOST_SHOWN", 2)
    comparison = made_comparison()
    heat = chunk_heat(comparison, "across", (2, 3))
    assert heat.values.shape == (2, 2)
    assert (heat.rows.first, heat.columns.first) == (1, 2)
    assert np.array_equal(heat.values, comparison.chunks.across[1:3, 2:4])
    drawn = heatmap.figure(heat).data[0]
    assert (list(drawn.x), list(drawn.y)) == ([2, 3], [1, 2])
