"""One document against itself: the numbers are those of a comparison, and no sentence matches itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.compare import as_json, comparing
from engine.compare.comparing import compare
from engine.compare.model import Exclusions
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from engine.documents import Section
from tests.compare.texts import GLIDERS, KITES, StandIn

SAID_AGAIN = KITES.sections[1].text.partition(". ")[0] + "."
REPEATING = replace(KITES, id="repeating", sections=(*KITES.sections, Section("Summary", f"We close. {SAID_AGAIN}")))


def read(words: Words) -> ReadDocument:
    return ReadDocument.read(REPEATING, StandIn(), words)


def test_levels_and_attention_are_those_of_the_document_in_a_comparison(words: Words) -> None:
    one, other = read(words), ReadDocument.read(GLIDERS, StandIn(), words)
    alone, beside = comparing.compare_within(one), compare(one, other)
    np.testing.assert_array_equal(alone.sections.across, beside.sections.within_a)
    np.testing.assert_array_equal(alone.chunks.across, beside.chunks.within_a)
    assert alone.is_within and not beside.is_within
    np.testing.assert_allclose(alone.attention[alone.kept_a].sum(axis=1), 1, atol=0.01)
    np.testing.assert_array_equal(alone.attention, alone.attention_back)


def test_no_sentence_matches_itself_and_no_pair_is_told_twice(words: Words) -> None:
    alone = comparing.compare_within(read(words))
    places = [((one.a.part, one.a.start), (one.b.part, one.b.start)) for one in alone.passages]
    assert places and all(ours != theirs for ours, theirs in places)
    assert not {(theirs, ours) for ours, theirs in places} & set(places)
    assert alone.passages[0].score == 1 and SAID_AGAIN in alone.passages[0].a.text


def test_a_cell_opens_the_same_two_sentences_from_either_side(words: Words) -> None:
    alone = comparing.compare_within(read(words))
    count = len(alone.chunks_a)
    assert count > 2
    for row in range(count):
        for column in range(count):
            ours, theirs = alone.carriers.passage(row, column), alone.carriers.passage(column, row)
            if row != column:
                assert (ours and ours.transposed()) == theirs
            if ours is not None:
                assert (ours.a.part, ours.a.start) != (ours.b.part, ours.b.start)


def test_the_value_holds_each_matrix_once_with_attention(words: Words) -> None:
    value = as_json(comparing.compare_within(read(words)))
    assert list(value) == ["sections", "chunks", "passages"]
    chunks = value["chunks"]
    assert list(chunks) == ["names", "places", "within", "attention"]  # type: ignore[call-overload]
    count = len(chunks["names"])  # type: ignore[index]
    assert [len(row) for row in chunks["attention"]] == [count] * count  # type: ignore[index]


def test_short_matches_are_left_out_as_in_a_comparison(words: Words) -> None:
    one = read(words)
    least = len(SAID_AGAIN.split()) + 1
    assert len(comparing.compare_within(one, exclusions=Exclusions(min_words=least)).passages) < len(
        comparing.compare_within(one).passages
    )


def test_two_documents_of_one_text_are_two(words: Words) -> None:
    one = read(words)
    assert not compare(one, one).is_within
