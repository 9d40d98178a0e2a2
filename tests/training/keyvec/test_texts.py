"""What KeyVec learns from: which documents, which of their text, and what each epoch draws."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from engine.training.keyvec.texts import UNKNOWN, ReadTexts, Texts, WordCounts


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def texts() -> Texts:
    return Texts.of([[ids(1, 2), ids(3)], [], [ids(2), ids(4, 4, 4), ids(1)]], np.array([0, 1, 1, 0, -1], np.int8))


def listed(found: Texts) -> list[list[list[int]]]:
    return [[one.tolist() for one in found.sentences(place)] for place in range(len(found))]


def test_sentences_come_back_by_document() -> None:
    assert listed(texts()) == [[[1, 2], [3]], [], [[2], [4, 4, 4], [1]]]
    assert Texts.of([[ids(1)]]).salient.tolist() == [UNKNOWN]
    assert listed(Texts.of([])) == []


def test_documents_are_chosen_in_any_order() -> None:
    chosen = texts().chosen(np.array([2, 0]))
    assert listed(chosen) == [[[2], [4, 4, 4], [1]], [[1, 2], [3]]]
    assert chosen.salient.tolist() == [1, 0, -1, 0, 1]


def test_some_words_are_kept_and_sentences_without_one_dropped() -> None:
    kept = texts().kept(np.array([True, False, False, True, False, True, True, False]))
    assert listed(kept) == [[[1]], [], [[2], [4, 4]]]
    assert kept.salient.tolist() == [0, 1, 0]


def test_unknown_words_are_dropped_and_sentences_of_them_with_their_labels() -> None:
    known = texts().renumbered(ids(-1, 0, 7, -1, 1))
    assert listed(known) == [[[0, 7]], [], [[7], [1, 1, 1], [0]]]
    assert known.salient.tolist() == [0, 1, 0, -1]


def test_two_readings_are_joined_by_their_words() -> None:
    def reading(names: list[str], counts: list[list[int]], words: list[str]) -> ReadTexts:
        made = Texts.of([[ids(1)] for _ in names])
        rows = csr_array(np.array(counts, np.float32))
        return ReadTexts(names, made, rows, words, np.zeros(len(names), bool), {names[0]: 1})

    both = reading(["a"], [[1, 2]], ["x", "y"]).joined(reading(["b", "c"], [[3, 0], [0, 4]], ["y", "z"]))
    assert both.names == ["a", "b", "c"] and both.words == ["x", "y", "z"]
    assert both.counts.toarray().tolist() == [[1, 2, 0], [0, 3, 0], [0, 0, 4]]
    assert both.left_out == {"a": 1, "b": 1}
    assert both.chosen(np.array([2, 0])).counts.toarray().tolist() == [[0, 0, 4], [1, 2, 0]]


def test_words_are_counted_a_text_a_row() -> None:
    counted = WordCounts()
    for words in (["a", "b", "a"], [], ["b"]):
        counted.add(words)
    assert counted.rows().toarray().tolist() == [[2, 1], [0, 0], [0, 1]]
    assert WordCounts().rows().shape == (0, 0)
