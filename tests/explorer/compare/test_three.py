"""Three documents on one page: what their cells open without the server, and in how few bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from engine.compare import Carriers, LevelGrid, Together
from engine.documents import Chunk, Document, Section
from explorer.compare import three
from explorer.compare.cells import Opened
from explorer.compare.side_by_side import texts_message
from explorer.state import session
from explorer.state.visit import LEVELS, CellPlace, HeatmapLevel
from tests.explorer.compare.comparisons import PAPER, PATENT, made_comparison
from tests.explorer.shared.made import unpacked

THIRD = Document(
    "c", "paper", "Kites", "A rotor turns in the wind.", (Section("Method", "The generator turns while we reel."),)
)
DOCUMENTS = (PAPER, PATENT, THIRD)


def _together() -> Together:
    compared = {(a, b): made_comparison(DOCUMENTS[a], DOCUMENTS[b]) for a, b in combinations(range(3), 2)}
    alone = tuple(made_comparison(one, one) for one in DOCUMENTS)
    grids = []
    for names in ([one.sections.a for one in alone], [one.chunks.a for one in alone]):
        owners = tuple(owner for owner, held in enumerate(names) for _ in held)
        values = np.full((len(owners), len(owners)), 0.25)
        grids.append(LevelGrid(tuple(name for held in names for name in held), owners, values))
    kept = [np.ones(len(grid.names), bool) for grid in grids]
    return Together(DOCUMENTS, compared, alone, np.eye(3), *grids, grids[1].values, *kept)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Together:
    chosen = session.Visit()
    monkeypatch.setattr(session, "current", lambda: chosen)
    return _together()


def _chosen(monkeypatch: pytest.MonkeyPatch, cell: CellPlace) -> None:
    chosen = session.Visit()
    monkeypatch.setattr(session, "current", lambda: replace(chosen, pair=replace(chosen.pair, cell=cell)))


@pytest.mark.parametrize("level", LEVELS)
def test_every_cell_opens_what_the_server_would_open(
    found: Together, level: HeatmapLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    heat = three._heat(found, level)
    table: dict[str, Any] = Opened({heat.target: three._cells(found, level, heat)}).table()
    grid, count = table["grids"][heat.target], len(heat.values)
    numbers = {name: unpacked(grid[name]).reshape(count, count) for name in ("scores", "ours", "theirs", "matches")}
    carried = 0
    for row, column in np.ndindex(count, count):
        _chosen(monkeypatch, CellPlace(level, row, column))
        wanted = texts_message(three._texts(found))
        cell, (ours, theirs) = wanted["cell"], (grid["a"][row], grid["b"][column])
        assert wanted["pair"] == f"{ours[2]}-{theirs[2]}"
        assert (cell["a"], cell["b"], numbers["matches"][row, column]) == (ours[1], theirs[1], -1)
        if cell["evidence"] is None:
            assert numbers["ours"][row, column] == numbers["theirs"][row, column] == -1
            continue
        carried += 1
        assert cell["evidence"] == {
            "score": numbers["scores"][row, column] / 10 ** table["scoreDigits"],
            "a": grid["sentences"]["a"][numbers["ours"][row, column]],
            "b": grid["sentences"]["b"][numbers["theirs"][row, column]],
        }
    assert 3 < carried < count * count


def test_428_chunks_against_each_other_are_told_in_little(found: Together, monkeypatch: pytest.MonkeyPatch) -> None:
    count, sentences = 428, 2000
    values = np.random.default_rng(0).random((count, count)).round(4)
    grid = LevelGrid(tuple(f"A Section {n}" for n in range(count)), (0,) * count, values)
    chunks = tuple(Chunk("a", 1, "Section", n, n + 900, "word " * 180) for n in range(sentences))
    pairs = np.random.default_rng(1).integers(0, sentences, (count, count, 2))
    carriers = Carriers(chunks, chunks, pairs, values)
    alone = replace(found.alone[0], chunks_a=chunks[:count], section_of_a=np.zeros(count, np.int64))
    flags = np.ones(count, bool)
    long = replace(found, chunks=grid, alone=(alone, *found.alone[1:]), kept_chunks=flags)
    monkeypatch.setattr(Together, "carried", lambda *_: carriers)
    heat = three._heat(long, "chunk")
    assert 200_000 <= three.MOST_TOLD and heat.values.size <= three.MOST_TOLD
    table = Opened({heat.target: three._cells(long, "chunk", heat)}).table()
    assert len(json.dumps(table)) < 2_300_000  # two bytes a number, not a text a cell


def test_a_heatmap_too_large_to_send_says_so(found: Together, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(three, "show", lambda made: said.append(str(made)))
    monkeypatch.setattr(three, "heatmap", lambda *_, **__: None)
    heat = three._heat(found, "chunk")
    three._level(found, "chunk", heat)
    assert "too large" not in " ".join(said)
    monkeypatch.setattr(three, "MOST_TOLD", heat.values.size - 1)
    three._level(found, "chunk", heat)
    assert f"With {heat.values.size:,} cells, this heatmap is too large" in said[-1]
