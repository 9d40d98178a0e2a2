"""Rows as bytes."""

from __future__ import annotations

import numpy as np

from engine.encoders import registry
from engine.encoders.module_weights import from_bytes, to_bytes
from engine.encoders.word_vectors import WordVectors


def test_a_number_is_off_by_half_a_step_at_most() -> None:
    rows = np.random.default_rng(1).normal(size=(50, 20)).astype(np.float32)
    numbers, scales = to_bytes(rows)
    assert (numbers.dtype, scales.dtype) == (np.int8, np.float32)
    assert (np.abs(numbers).max(axis=1) == 127).all()
    assert (np.abs(from_bytes(numbers, scales) - rows) <= 0.5001 * scales[:, None]).all()


def test_a_row_of_zeros_stays_so() -> None:
    rows = np.zeros((2, 3), np.float32)
    np.testing.assert_array_equal(from_bytes(*to_bytes(rows)), rows)


def test_rows_can_be_written_into_an_array() -> None:
    numbers, scales = to_bytes(np.random.default_rng(3).normal(size=(4, 5)).astype(np.float32))
    into = np.empty((4, 5), np.float32)
    assert from_bytes(numbers, scales, into=into) is into
    assert np.array_equal(into, from_bytes(numbers, scales))


def test_the_words_we_ship_keep_their_directions() -> None:
    rows = WordVectors.load(registry.PRETRAINED / "word2vec").vectors.astype(np.float32)
    restored = from_bytes(*to_bytes(rows))
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(restored, axis=1)
    cosines = np.einsum("vd,vd->v", rows, restored)[lengths > 0] / lengths[lengths > 0]
    assert cosines.min() > 0.9998
    assert cosines.mean() > 0.99995
