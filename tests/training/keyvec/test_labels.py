"""The labels that KeyVec learns from: salient sentences, also by its DSSM, and key words."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from engine.training.keyvec.labels import dssm_vectors, frequent, idf, salient, strongest, tfidf_cosines, weighted


def counts(*rows: Sequence[float]) -> csr_array:
    return csr_array(np.array(rows, np.float32))


def test_salient_sentences_are_the_nearest_to_a_sentence_of_the_abstract() -> None:
    abstract = counts([1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0])
    body = counts([1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 3, 0], [0, 0, 2, 1], [0, 0, 0, 0])
    weights = np.array([1.0, 1.0, 1.0, 2.0])

    def found(threshold: float, top: int) -> list[bool]:
        return salient(tfidf_cosines(abstract, body, weights), threshold=threshold, top=top).tolist()

    assert found(0.1, 1) == [True, False, False, False, True, False]
    assert found(0.1, 2) == [True, False, True, False, True, False]
    assert found(0.6, 3) == [True, False, True, False, True, False]  # cosines 1, .5, .71; .71
    assert found(0.8, 3) == [True, False, False, False, False, False]


def test_words_weigh_more_the_rarer_they_are() -> None:
    rows = counts([1, 2, 0], [3, 0, 0])
    np.testing.assert_allclose(idf(rows), [1, math.log(3 / 2) + 1, math.log(3) + 1])
    np.testing.assert_allclose(weighted(rows, idf(rows)).toarray()[0], [1, 2 * (math.log(1.5) + 1), 0], rtol=1e-6)


def test_key_words_are_the_strongest_of_each_row() -> None:
    columns, starts = strongest(counts([0, 3, 1, 2], [0, 0, 0, 0], [1, 1, 0, 1], [0, 0, 0, 4]), 2)
    assert columns.tolist() == [1, 3, 0, 1, 3]
    assert starts.tolist() == [0, 2, 2, 4, 5]


def test_frequent_words_come_first_and_unseen_ones_never() -> None:
    assert frequent(counts([0, 1, 5, 0], [0, 1, 0, 2]), 9).tolist() == [2, 1, 3]
    assert frequent(counts([0, 1, 5, 0]), 1).tolist() == [2]


WORDS = ["steam", "boiler", "valve", "gene", "protein", "enzyme"]
DOCUMENTS = 8


def test_a_sentence_is_nearer_to_its_own_abstract_than_to_others() -> None:
    rows, bounds = [], []
    for number in range(DOCUMENTS):  # the abstract says two words of a subject, a body sentence the third one
        first, subject = len(rows), 3 * (number % 2)
        rows += [np.eye(6)[subject] + np.eye(6)[subject + 1], np.eye(6)[subject + 2]]
        bounds.append((first, first + 1, first + 2))
    given = csr_array(np.array(rows, np.float32))
    vectors = dssm_vectors(given, WORDS, bounds, np.arange(DOCUMENTS) < 6, 1)
    assert vectors.shape == (2 * DOCUMENTS, 64) and vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    cosines = vectors[[13, 15]] @ vectors[[12, 14]].T  # of documents that were not learned from
    assert cosines[0, 0] > cosines[0, 1] + 0.5 and cosines[1, 1] > cosines[1, 0] + 0.5
    again = dssm_vectors(given, WORDS, bounds, np.arange(DOCUMENTS) < 6, 1)
    np.testing.assert_array_equal(again, vectors)
