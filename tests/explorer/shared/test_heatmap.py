"""The heatmap: what the chart and the script over it get, what it says, and which cells can be chosen."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from explorer.compare.cells import section_heatmap
from explorer.shared import heatmap
from explorer.shared.heatmap import Axis, HeatmapValues, Walk, packed
from explorer.shared.markup import shortened
from tests.explorer.compare.comparisons import HOSTILE, made_comparison
from tests.explorer.shared.made import unpacked


def test_the_chart_draws_colours_alone_and_answers_no_pointer(heat: HeatmapValues) -> None:
    figure = heatmap.heatmap_figure(heat)
    assert [trace.type for trace in figure.data] == ["heatmap"]
    assert (figure.layout.hovermode, figure.layout.clickmode) == (False, "none")
    assert "<img" not in str(figure.layout.yaxis.ticktext)


def test_the_script_is_told_each_number_and_how_both_parts_start(heat: HeatmapValues) -> None:
    told = heatmap._numbers(replace(heat, values=np.where(np.eye(3), np.nan, heat.values)))
    numbers = unpacked(told["numbers"]).reshape(told["shape"])
    assert [numbers[n, n] for n in range(3)] == [told["leftOut"]] * 3
    assert numbers[1, 2] / 100 == round(float(heat.values[1, 2]), 2)
    rows, columns = told["openings"]
    assert rows[0] == "Abstract: A rotor turns in the tide. Its blades follow the current."
    assert columns[0].startswith("Abstract: A wheel")
    assert any(HOSTILE in opening for opening in rows)  # the browser makes text nodes of it
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_many_cells_are_told_in_little() -> None:
    axis = Axis("one", ["word " * 200] * 150, [])
    told = json.dumps(heatmap._numbers(HeatmapValues("x", np.full((150, 150), 0.123456), axis, axis)))
    assert len(told) < 70_000


def test_a_heatmap_says_its_size_and_its_highest_cell(heat: HeatmapValues) -> None:
    words = heatmap.describe_heatmap(heat)
    assert "3 rows of first document, 3 columns of second document" in words
    assert f"Highest: {heat.values.max():.2f}" in words
    empty = replace(heat, values=np.full_like(heat.values, np.nan))
    assert "Everything is left out" in heatmap.describe_heatmap(empty)
    assert heatmap.heatmap_figure(replace(empty, what="attention")).data[0].zmax == 1


def test_only_a_cell_of_the_grid_can_be_chosen() -> None:
    walk = Walk(3, 4, (0, 0), (1, 1))
    assert heatmap._is_cell([2, 3], walk)
    for place in ([3, 0], [0, 4], [-1, 0], [0], "00", [0, True], [0.0, 1], None):
        assert not heatmap._is_cell(place, walk)


def test_a_title_in_a_label_is_cut_to_one_line() -> None:
    assert shortened("a  long\ntitle of a section", 12) == "a long titl…"
    assert HOSTILE in str(section_heatmap(made_comparison()).rows.labels)


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [([], "i1"), ([-128, 127], "i1"), ([[128, 0], [-1, 5]], "i2"), ([-32_769], "i4"), ([2**31 - 1], "i4")],
)
def test_numbers_come_back_from_the_smallest_kind_that_holds_them(numbers: list[int], kind: str) -> None:
    told = packed(np.asarray(numbers, np.int64))
    assert told["kind"] == kind
    assert unpacked(told).tolist() == np.ravel(numbers).tolist()


def test_a_number_that_no_kind_holds_is_refused() -> None:
    with pytest.raises(StopIteration):
        packed(np.asarray([2**31]))
