"""The DSSM that labels salient sentences."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from engine.training.keyvec.sentence_dssm import dssm_vectors

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
