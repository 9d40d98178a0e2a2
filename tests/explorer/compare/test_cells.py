"""The heatmaps of a comparison, and what each cell opens, in the browser and on the server."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.compare import Carriers
from explorer.compare import cells
from explorer.compare.cells import MOST_SHOWN, around, best_chunks, chunk_heatmap, section_heatmap, window
from explorer.compare.side_by_side import ShownTexts, texts_message
from explorer.shared import heatmap
from explorer.shared.heatmap import HeatmapValues
from explorer.state.visit import LEVELS, HeatmapLevel
from tests.explorer.compare.comparisons import HOSTILE, made_comparison
from tests.explorer.shared.made import unpacked

COMPARISON = replace(made_comparison(gone=[1]), passages=made_comparison(gone=[1]).passages[:1])
HEATS: dict[HeatmapLevel, HeatmapValues] = {
    "section": section_heatmap(COMPARISON),
    "chunk": chunk_heatmap(COMPARISON, "across", None),
}
GRIDS = {heat.target: cells.cells(COMPARISON, level, heat) for level, heat in HEATS.items()}
TABLE = cells.Opened(GRIDS).table()


def _as_the_browser_reads(table: dict[str, Any], level: HeatmapLevel, row: int, column: int) -> dict[str, Any]:
    """What `openedBy` in cells.js makes of a cell."""
    grid = table["grids"][f"{level}-heatmap"]
    i, j = row - grid["first"][0], column - grid["first"][1]
    score, a, b, match = (_numbers(grid, name)[i, j] for name in ("scores", "ours", "theirs", "matches"))
    is_extra = match < 0 <= a
    held = grid["sentences"]
    return {
        "at": [f"{level}-heatmap", row, column],
        "a": grid["a"][i][1],
        "b": grid["b"][j][1],
        "match": len(COMPARISON.passages) if is_extra else None if match < 0 else match,
        "evidence": {"score": score / 10 ** table["scoreDigits"], "a": held["a"][a], "b": held["b"][b]}
        if is_extra
        else None,
    }


def _numbers(grid: dict[str, Any], name: str) -> NDArray[np.integer[Any]]:
    return unpacked(grid[name]).reshape(len(grid["a"]), len(grid["b"]))


@pytest.mark.parametrize("level", LEVELS)
def test_every_cell_of_the_table_opens_what_the_server_would_open(level: HeatmapLevel) -> None:
    grid = COMPARISON.sections if level == "section" else COMPARISON.chunks
    texts = ShownTexts(COMPARISON.a, COMPARISON.b, {"a": "", "b": ""}, COMPARISON.passages)
    kinds = set()
    for row in range(grid.across.shape[0]):
        for column in range(grid.across.shape[1]):
            opened = cells.opened(COMPARISON, level, (row, column))
            told = texts_message(replace(texts, cell=opened))["cell"]
            assert told == _as_the_browser_reads(TABLE, level, row, column)
            kinds.add((told["match"] is None, told["evidence"] is None))
    assert len(kinds) == 3  # a match of the list, evidence of its own, and nothing that carries the cell


def test_the_table_says_each_cell_as_the_line_under_the_heatmap_does() -> None:
    grid = TABLE["grids"]["section-heatmap"]
    words, told = _numbers(grid, "words"), grid["told"]
    ours, theirs, number = grid["a"][0][0], grid["b"][2][0], told[words[0, 2]]
    assert GRIDS["section-heatmap"].said((0, 2)) == TABLE["said"].format(a=ours, b=theirs, number=number)
    assert told[words[1, 0]] == "left out" and len(told) == len(set(told))


def test_a_stretch_of_a_long_grid_tells_where_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.cells.MOST_SHOWN", 2)
    comparison = made_comparison()
    found = cells.cells(comparison, "chunk", chunk_heatmap(comparison, "across", (2, 3)))
    grid = cells.Opened({"chunk-heatmap": found}).table()["grids"]["chunk-heatmap"]
    assert found.said((2, 3)).startswith(grid["a"][1][0])
    assert (grid["first"], len(grid["a"]), len(grid["b"]), _numbers(grid, "scores").size) == ([1, 2], 2, 2, 4)


def test_a_match_that_was_pressed_is_the_one_that_its_cell_shows() -> None:
    opened = cells.opened(COMPARISON, "chunk", (2, 0), picked=0)
    assert (opened.match, opened.evidence) == (0, None)


def test_names_of_uploads_travel_as_text() -> None:
    assert HOSTILE[:10] in json.dumps(TABLE)  # the browser makes text nodes of it
    assert "{a}" in TABLE["said"]


def test_a_cell_of_other_texts_names_them_and_their_matches() -> None:
    part = cells.AxisPart("x", None)
    columns = [cells.AxisPart(name, None, str(n)) for n, name in enumerate("yz")]
    evidence = COMPARISON.passages[0]
    carriers = Carriers((evidence.a,), (evidence.b,), np.zeros((1, 2, 2), np.int64), np.full((1, 2), 0.5))
    words = cells.CellWords(["0.10", "0.90"], np.asarray([[0, 1]]))
    found = cells.HeatmapCells([part], columns, carriers, np.asarray([[-1, 0]]), words)
    texts = ShownTexts(COMPARISON.a, COMPARISON.b, {"a": "", "b": ""}, [evidence], pair=cells.pair_name("", 1))
    table = cells.Opened({"coverage-heatmap": found}, [texts]).table()
    (_, _, owner), pairs = table["grids"]["coverage-heatmap"]["b"][1], table["pairs"]
    assert list(pairs) == [f"-{owner}"] and len(pairs["-1"]["matches"]) == 1
    assert pairs["-1"]["pair"] == "-1" and pairs["-1"]["texts"] == texts_message(texts)["texts"]
    assert found.said((0, 1)) == "x × z: 0.90"


def test_the_numbers_are_those_of_the_comparison(heat: HeatmapValues) -> None:
    comparison = made_comparison()
    assert np.array_equal(heat.values, comparison.sections.across)
    assert np.array_equal(chunk_heatmap(comparison, "attention_back", None).values, comparison.attention_back.T)
    assert np.array_equal(chunk_heatmap(comparison, "attention", None).values, comparison.attention)
    assert heat.said(heat.values[1, 2]) == f"similarity {comparison.sections.across[1, 2]:.2f}"


def test_what_is_left_out_is_blank_and_said_so() -> None:
    heat = section_heatmap(made_comparison(gone=[1]))
    assert np.isnan(heat.values[1]).all()
    assert heat.said(heat.values[1, 0]) == "left out"
    assert best_chunks(made_comparison(gone=[1]), 1, 0) is None


def test_similarities_share_one_scale_and_attention_has_its_own(heat: HeatmapValues) -> None:
    def scale(values: list[list[float]], what: str) -> tuple[float, float]:
        drawn = heatmap.heatmap_figure(replace(heat, values=np.array(values), what=what)).data[0]
        return drawn.zmin, drawn.zmax

    three = [[0.1, 0.2, np.nan]] * 3
    assert scale(three, "similarity") == (0, 0.75)
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
    monkeypatch.setattr("explorer.compare.cells.MOST_SHOWN", 2)
    comparison = made_comparison()
    heat = section_heatmap(comparison, (2, 1))
    assert heat.values.shape == (2, 2) and (heat.rows.first, heat.columns.first) == (1, 1)
    assert np.array_equal(heat.values, comparison.sections.across[1:3, 1:3])
    assert [place for place, _ in heat.rows.labels] == [1, 2] and len(heat.rows.openings) == 2
    assert section_heatmap(comparison).values.shape == (2, 2)


def test_a_stretch_keeps_the_numbers_of_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.compare.cells.MOST_SHOWN", 2)
    comparison = made_comparison()
    heat = chunk_heatmap(comparison, "across", (2, 3))
    assert heat.values.shape == (2, 2)
    assert (heat.rows.first, heat.columns.first) == (1, 2)
    assert np.array_equal(heat.values, comparison.chunks.across[1:3, 2:4])
    drawn = heatmap.heatmap_figure(heat).data[0]
    assert (list(drawn.x), list(drawn.y)) == ([2, 3], [1, 2])
