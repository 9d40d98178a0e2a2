"""Vectors of letter trigrams whose sums come near to the vectors of words: where a network of letters may begin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from engine.encoders.cdssm.lexicon import Lexicon
from engine.encoders.cdssm.settings import TRIGRAMS
from engine.encoders.word_vectors import WordVectors

_PENALTY = 1.0  # on squares: trigrams of few words stay near zero
_ITERATIONS = 30


def fit_letters(words: WordVectors, letters: Sequence[str]) -> NDArray[np.float32]:
    """Vectors (T, d) of trigrams: the least squares of (sum of a word's trigrams - its vector), a little penalised.

    A word counts by the root of its count, so that frequent ones come nearest.
    """
    wanted = words.vectors.astype(np.float32)  # (V, d)
    bags = Lexicon(TRIGRAMS, letters).bags(words.words)
    ones = np.ones(len(bags.numbers), np.float32)
    counted = csr_array((ones, bags.numbers, bags.starts), shape=(len(bags), len(letters)))  # (V, T)
    weights = np.sqrt(words.counts / words.counts.mean()).astype(np.float32)  # (V,)
    turned = csr_array(counted.T @ diags_array(weights))  # (T, V)
    return _conjugate_gradients(counted, turned, turned @ wanted)


def _conjugate_gradients(counted: csr_array, turned: csr_array, right: NDArray[np.float32]) -> NDArray[np.float32]:
    """Solve (turned counted + penalty) x = right for every column of `right` (T, d) at once: (T, d)."""
    solved, rest = np.zeros_like(right), right.copy()
    direction, squares = rest.copy(), np.einsum("td,td->d", rest, rest)  # (T, d), (d,)
    for _ in range(_ITERATIONS):
        moved = turned @ (counted @ direction) + _PENALTY * direction  # (T, d)
        step = squares / np.maximum(np.einsum("td,td->d", direction, moved), 1e-30)
        solved += step * direction
        rest -= step * moved
        left = np.einsum("td,td->d", rest, rest)
        direction = rest + left / np.maximum(squares, 1e-30) * direction
        squares = left
    found: NDArray[np.float32] = solved
    return found
