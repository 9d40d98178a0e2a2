"""Three documents on one scale: every number is that of a comparison of two, or of one with itself."""

from __future__ import annotations

import numpy as np
import pytest

from engine.compare import as_json
from engine.compare.comparing import compare, compare_within
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from engine.compare.together import Together, compare_together
from engine.core.errors import InputError
from tests.compare.texts import GLIDERS, KITES, PATENT, StandIn

READ = (KITES, GLIDERS, PATENT)


@pytest.fixture(scope="module")
def read(words: Words) -> list[ReadDocument]:
    encoder = StandIn()
    return [ReadDocument.read(one, encoder, words) for one in READ]


@pytest.fixture(scope="module")
def found(read: list[ReadDocument]) -> Together:
    return compare_together(read)


def test_blocks_are_those_of_two_and_of_one(found: Together, read: list[ReadDocument]) -> None:
    pair, alone = compare(read[0], read[2]), compare_within(read[1])
    owners = np.array(found.chunks.owners)
    np.testing.assert_array_equal(found.chunks.values[np.ix_(owners == 0, owners == 2)], pair.chunks.across)
    np.testing.assert_array_equal(found.chunks.values[np.ix_(owners == 1, owners == 1)], alone.chunks.across)
    np.testing.assert_allclose(found.attention[np.ix_(owners == 2, owners == 0)], pair.attention_back, atol=1e-4)
    assert found.scores[0, 2] == found.scores[2, 0] == pair.score and found.scores[1, 1] == 1


def test_every_kept_chunk_attends_to_each_document_in_full(found: Together) -> None:
    owners = np.array(found.chunks.owners)
    for owner in range(3):
        sums = found.attention[:, owners == owner].sum(axis=1)
        np.testing.assert_allclose(sums[found.kept_chunks], 1, atol=0.01)


def test_one_scale_covers_all_levels(found: Together) -> None:
    assert found.highest >= max(found.sections.values.max(), found.chunks.values.max())


@pytest.mark.parametrize("level", ["section", "chunk"])
def test_a_cell_opens_sentences_of_its_own_two_documents(found: Together, level: str) -> None:
    grid = found.sections if level == "section" else found.chunks
    opened = 0
    for row in range(len(grid.names)):
        for column in range(len(grid.names)):
            passage = found.carried(level).passage(row, column)
            if passage is not None:
                ids = [found.documents[grid.owners[place]].id for place in (row, column)]
                assert [passage.a.document_id, passage.b.document_id] == ids
                opened += grid.owners[row] != grid.owners[column]
    assert opened


@pytest.mark.parametrize("level", ["section", "chunk"])
def test_what_carries_a_cell_is_what_the_two_documents_say(found: Together, level: str) -> None:
    grid, carried = found.sections if level == "section" else found.chunks, found.carried(level)
    firsts = [grid.owners.index(owner) for owner in range(3)]
    for row, ours in enumerate(grid.owners):
        for column, theirs in enumerate(grid.owners):
            own = row - firsts[ours], column - firsts[theirs]
            if ours > theirs:
                wanted = found.compared[theirs, ours].transposed().carried(level).passage(*own)
            else:
                of = found.alone[ours] if ours == theirs else found.compared[ours, theirs]
                wanted = of.carried(level).passage(*own)
            assert carried.passage(row, column) == wanted


def test_parts_are_those_of_their_documents(found: Together) -> None:
    assert found.chunk(len(found.chunks.names) - 1).document_id == PATENT.id
    assert {chunk.document_id for chunk in found.chunks_of(0)} == {KITES.id}
    assert [name[0] for name in found.sections.names] == ["ABC"[owner] for owner in found.sections.owners]


def test_the_value_names_documents_by_letters(found: Together) -> None:
    value = as_json(found)
    assert [one["letter"] for one in value["documents"]] == ["A", "B", "C"]  # type: ignore[attr-defined]
    assert list(value["readings"]) == list(value["passages"]) == ["A B", "A C", "B C"]  # type: ignore[call-overload]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_another_number_of_documents_is_refused(read: list[ReadDocument], count: int) -> None:
    with pytest.raises(InputError, match=f"Expected two or three documents to compare, got {count}. Leave some out."):
        compare_together((read * 2)[:count])
