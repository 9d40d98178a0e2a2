"""Vectors of letter trigrams, fitted to the vectors of words."""

from __future__ import annotations

import numpy as np

from engine.documents.text import trigrams
from engine.encoders import WordVectors
from engine.training.cdssm.trainer import fit_letters

WORDS = ("boiler", "boilers", "valve", "valves", "gene", "genes", "oil")


def word_vectors() -> WordVectors:
    vectors = np.random.default_rng(2).normal(size=(len(WORDS), 5)).astype(np.float16)
    counts = np.array([90, 50, 40, 30, 20, 10, 5])
    return WordVectors(WORDS, vectors, counts, 245)


def test_letters_are_the_penalised_least_squares_of_their_words() -> None:
    words = word_vectors()
    letters = sorted({one for word in WORDS[:-1] for one in trigrams(word)})
    counted = np.array([[trigrams(word).count(one) for one in letters] for word in WORDS], np.float64)
    weights = np.diag(np.sqrt(words.counts / words.counts.mean()))
    left = counted.T @ weights @ counted + np.eye(len(letters))
    wanted = np.linalg.solve(left, counted.T @ weights @ words.vectors.astype(np.float64))
    found = fit_letters(words, letters)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, wanted, atol=1e-4)


def test_a_words_letters_come_near_to_its_vector() -> None:
    words = word_vectors()
    letters = sorted({one for word in WORDS for one in trigrams(word)})
    found = dict(zip(letters, fit_letters(words, letters), strict=True))
    for word, vector in zip(WORDS[:3], words.vectors.astype(np.float32), strict=False):
        summed = np.sum([found[one] for one in trigrams(word)], axis=0)
        assert summed @ vector / np.linalg.norm(summed) / np.linalg.norm(vector) > 0.85
