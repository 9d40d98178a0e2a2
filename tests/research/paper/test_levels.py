"""Which three documents are shown: only those with both sections, by ids, and the median.

Three documents at three levels: the numbers are the comparison's own.

The pictures of three documents: the same bytes for the same numbers, with all names in them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.compare import LevelGrid, ReadDocument, Words, compare
from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.encoders.colde import ColdeEncoder
from engine.research.paper.levels import (
    Cell,
    LevelGrids,
    candidates,
    draw_levels,
    draw_words,
    key_words_of,
    level_grids,
    middle,
    nearest_cells,
    section_of,
)
from engine.search import Vocabulary
from engine.training.long_corpus import body_of
from tests.research.paper.three_papers import ROWS, documents, papers_set, tiny_encoder


def named(folder: Path, rows: tuple[str, ...] = ROWS) -> tuple[list[str], int]:
    pairs = papers_set(folder, rows)
    found = candidates(pairs)
    return ["".join(pairs.documents[place].id for place in one) for one in found.triples], found.asked


def test_a_query_comes_with_its_first_related_and_unrelated_document(tmp_path: Path) -> None:
    assert named(tmp_path) == (["abc", "dec"], 3)  # "f" has no related work


def test_a_pair_of_any_split_that_relates_the_other_two_rules_them_out(tmp_path: Path) -> None:
    rows = (*ROWS, "b\tc\t1\ttrain", "a\tg\t0\ttest")
    assert named(tmp_path, rows)[0] == ["abg", "dec"]


def test_a_set_without_such_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"sections abstract, claims; got none of 3\. Name other sections"):
        candidates(papers_set(tmp_path), ("abstract", "claims"))


def test_a_heading_is_found_behind_its_number_and_only_with_text() -> None:
    sections = [Section("Introduction", " "), Section("1. INTRODUCTION", "x"), Section("IV Related works", "y")]
    document = Document("a", sections=tuple(sections))
    assert (section_of(document, "introduction"), section_of(document, "Related Work")) == (1, 2)
    assert section_of(document, "method") is None


def test_the_median_is_the_lower_of_two_and_the_first_of_equals() -> None:
    assert middle([0.4, 0.1, 0.3]) == 2
    assert middle([0.4, 0.1, 0.3, 0.2]) == 3
    assert middle([0.2, 0.2, 0.2]) == 1


PARTS = {"I": 0, "RW": 1}


@cache
def words() -> Words:
    return Words.shipped()


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> ColdeEncoder:
    return tiny_encoder(tmp_path_factory.mktemp("grids"))


@pytest.fixture(scope="module")
def grids(encoder: ColdeEncoder) -> LevelGrids:
    return level_grids([body_of(one) for one in documents()[:3]], encoder, words(), parts=[PARTS] * 3)


def test_every_level_has_the_numbers_of_the_comparison(grids: LevelGrids, encoder: ColdeEncoder) -> None:
    a, c = (ReadDocument.read(body_of(documents()[place]), encoder, words()) for place in (0, 2))
    found = compare(a, c)
    assert grids.documents.names == ("D1", "D2", "D3")
    assert grids.documents.values[0, 2] == grids.shown.values[2, 0] == found.score
    assert grids.sections.names == ("I1", "RW1", "I2", "RW2", "I3", "RW3")
    np.testing.assert_array_equal(grids.sections.values[:2, 4:], found.sections.across[:2, :2])
    np.testing.assert_array_equal(grids.sections.values[:2, :2], found.sections.within_a[:2, :2])
    np.testing.assert_array_equal(grids.chunks.values, grids.chunks.values.T)
    shown = [[place for place, chunk in enumerate(one.long.chunks) if chunk.part < 2] for one in (a, c)]
    owners = np.array(grids.chunks.owners)
    block = grids.chunks.values[np.ix_(owners == 0, owners == 2)]
    np.testing.assert_array_equal(block, found.chunks.across[np.ix_(*shown)])
    assert grids.chunks.names[:2] == ("I1.1", "I1.2")


def test_cells_are_of_two_documents_and_name_what_both_say(grids: LevelGrids) -> None:
    owners, names = grids.chunks.owners, grids.chunks.names
    assert len(grids.key_words) == len(names)
    assert all(owners[one.row] < owners[one.column] for one in grids.cells)
    counts = [owners.count(number) for number in range(3)]
    assert len(grids.cells) == counts[0] * counts[1] + counts[0] * counts[2] + counts[1] * counts[2]
    steam = [one for one in grids.cells if owners[one.column] == 1]
    assert any(set(one.shared) & {"boiler", "piston", "steam", "valve", "crank", "cylinder"} for one in steam)
    value = grids.as_json()
    assert value["cells"][0].keys() == {"a", "b", "similarity", "shared"}
    assert value["key words"].keys() == set(names)


def test_key_words_are_frequent_in_the_text_and_rare_elsewhere_but_known() -> None:
    vocabulary = Vocabulary({"boiler": 100, "crank": 10, "water": 10_000, "lagus": 1}, 50_000)
    text = "The boiler and boilers. A crank, the water, water and water, said Lagus."
    assert key_words_of(text, vocabulary) == ("boiler", "crank", "water")
    assert key_words_of(text, vocabulary, most=1) == ("boiler",)


OWNERS = (0, 0, 1, 1, 1, 2)
NAMES = ("I1.1", "RW1.1", "I2.1", "I2.2", "RW2.1", "I3.1")


def drawn_grids() -> LevelGrids:
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
    picture = draw_levels(drawn_grids(), ["D1: one & two", "D2: other"]).decode()
    assert picture == draw_levels(drawn_grids(), ["D1: one & two", "D2: other"]).decode()
    assert all(f">{name}<" in picture for name in ("D3", "RW2", *NAMES))
    assert "D1: one &amp; two" in picture and ">0.50<" in picture


def test_figure_5_names_what_chunks_speak_of() -> None:
    picture = draw_words(drawn_grids(), ["D1: one"]).decode()
    assert picture == draw_words(drawn_grids(), ["D1: one"]).decode()
    assert all(f">{name}: word{place}, valve<" in picture for place, name in enumerate(NAMES))


def test_a_chunk_of_the_first_document_meets_the_nearest_of_each_other() -> None:
    found = nearest_cells(drawn_grids())
    assert [(one.row, OWNERS[one.column]) for one in found] == [(0, 1), (0, 1), (0, 2), (1, 1), (1, 1), (1, 2)]
    values = drawn_grids().chunks.values
    assert {one.column for one in found[:2]} == set((np.argsort(-values[0, 2:5])[:2] + 2).tolist())
