"""Three documents at three levels: the numbers are the comparison's own."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from engine.compare import ReadDocument, Words, compare
from engine.encoders.colde import ColdeEncoder
from engine.research.paper.level_grids import LevelGrids, key_words_of, level_grids
from engine.search import Vocabulary
from engine.training.long_corpus import body_of
from tests.research.paper.three_papers import documents, tiny_encoder

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
