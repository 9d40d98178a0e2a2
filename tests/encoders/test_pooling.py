"""Ways of pooling, each against plain loops; what stands in the padding never counts."""

from __future__ import annotations

import numpy as np
import pytest

from engine.encoders.transformer_mean import POOLS, sums

VECTORS = np.random.default_rng(6).standard_normal((3, 4, 2)).astype(np.float32)
LENGTHS = np.array([4, 1, 2])
PLAIN = {
    "cls_token": lambda rows: rows[0],
    "max_tokens": lambda rows: rows.max(axis=0),
    "mean_tokens": lambda rows: rows.mean(axis=0),
    "mean_sqrt_len_tokens": lambda rows: rows.sum(axis=0) / len(rows) ** 0.5,
    "weightedmean_tokens": lambda rows: np.average(rows, axis=0, weights=np.arange(1, len(rows) + 1)),
    "lasttoken": lambda rows: rows[-1],
}


@pytest.mark.parametrize("name", POOLS)
def test_a_pool_reads_the_text_alone(name: str) -> None:
    found = POOLS[name](VECTORS, LENGTHS)
    expected = [PLAIN[name](rows[:length]) for rows, length in zip(VECTORS, LENGTHS, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert found.dtype == np.float32
    dirty = VECTORS.copy()
    dirty[1, 1:], dirty[2, 2:] = 1e6, -1e6
    np.testing.assert_array_equal(POOLS[name](dirty, LENGTHS), found)


def test_sums_are_means_before_they_are_divided() -> None:
    np.testing.assert_allclose(sums(VECTORS, LENGTHS)[1], VECTORS[1, 0])
