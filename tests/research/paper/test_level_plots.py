"""The pictures of three documents: the same bytes for the same numbers, with all names in them."""

from __future__ import annotations

import numpy as np

from engine.compare import LevelGrid
from engine.research.paper.level_grids import Cell, LevelGrids
from engine.research.paper.level_plots import draw_levels, draw_words, nearest_cells

OWNERS = (0, 0, 1, 1, 1, 2)
NAMES = ("I1.1", "RW1.1", "I2.1", "I2.2", "RW2.1", "I3.1")


def grids() -> LevelGrids:
    values = np.random.default_rng(2).random((6, 6)).round(4)
    values = (values + values.T) / 2
    documents = LevelGrid(("D1", "D2", "D3"), (0, 1, 2), np.eye(3))
    sections = LevelGrid(("I1", "RW1", "I2", "RW2", "I3"), (0, 0, 1, 1, 2), np.full((5, 5), 0.5))
    cells = [
        Cell(row, column, float(values[row, column]), ("valve",))
        for row in range(6)
        for column in range(row + 1, 6)
        if OWNERS[row] != OWNERS[column]
    ]
    words = tuple((f"word{place}", "valve") for place in range(6))
    return LevelGrids(documents, documents, sections, LevelGrid(NAMES, OWNERS, values), words, tuple(cells))


def test_figure_4_has_every_part_and_its_legend() -> None:
    picture = draw_levels(grids(), ["D1: one & two", "D2: other"]).decode()
    assert picture == draw_levels(grids(), ["D1: one & two", "D2: other"]).decode()
    assert all(f">{name}<" in picture for name in ("D3", "RW2", *NAMES))
    assert "D1: one &amp; two" in picture and ">0.50<" in picture


def test_figure_5_names_what_chunks_speak_of() -> None:
    picture = draw_words(grids(), ["D1: one"]).decode()
    assert picture == draw_words(grids(), ["D1: one"]).decode()
    assert all(f">{name}: word{place}, valve<" in picture for place, name in enumerate(NAMES))


def test_a_chunk_of_the_first_document_meets_the_nearest_of_each_other() -> None:
    found = nearest_cells(grids())
    assert [(one.row, OWNERS[one.column]) for one in found] == [(0, 1), (0, 1), (0, 2), (1, 1), (1, 1), (1, 2)]
    values = grids().chunks.values
    assert {one.column for one in found[:2]} == set((np.argsort(-values[0, 2:5])[:2] + 2).tolist())
