"""Equal rows stay in the order added, whatever a matrix product made of their last bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.rows import Precision
from engine.vectors.binary import BinaryIndex
from engine.vectors.dense import DenseIndex, EmbeddedIndex
from engine.vectors.packed import PackedRows, nearest_rows, rounding


def noisy(query: np.ndarray, rows: np.ndarray, *, bits: float) -> np.ndarray:
    """Products as a processor may give them: off by some parts of their rounding, another part for each row."""
    exact = rows @ query
    off = np.random.default_rng(2).uniform(-bits, bits, size=len(rows)) * rounding(query, rows) / 2
    return (exact + off).astype(np.float32)


@pytest.mark.parametrize("k", [1, 4, 12, 40, 200])
def test_rows_that_rounding_parted_are_ranked_as_equal(k: int) -> None:
    rows = np.random.default_rng(1).normal(size=(200, 24)).astype(np.float32)
    rows[90:110] = rows[5]
    query = rows[5] + rows[6] / 4
    packed = PackedRows(rows)
    places, scores = nearest_rows(query, noisy(query, rows, bits=0.9), packed.take, k)
    exact = packed.products_at(query[None], np.arange(200)[None])[0]
    assert places.tolist() == np.lexsort((np.arange(200), -exact))[:k].tolist()
    equal = [score for place, score in zip(places, scores, strict=True) if place == 5 or 90 <= place < 110]
    assert len(equal) == min(k, 21) and len(set(equal)) == 1


def test_no_rows_no_places_and_a_query_of_zeros() -> None:
    rows = PackedRows(np.ones((3, 2), np.float32))
    assert nearest_rows(np.ones(2, np.float32), np.zeros(0, np.float32), rows.take, 3)[0].tolist() == []
    assert nearest_rows(np.ones(2, np.float32), np.ones(3, np.float32), rows.take, 0)[0].tolist() == []
    assert nearest_rows(np.zeros(2, np.float32), np.zeros(3, np.float32), rows.take, 2)[0].tolist() == [0, 1]


@pytest.mark.parametrize("kind", [DenseIndex, EmbeddedIndex, BinaryIndex])
@pytest.mark.parametrize("precision", ["float32", "float16", "int8"])
@pytest.mark.parametrize("queries", [1, 40])
def test_copies_of_a_row_are_found_in_the_order_added(
    tmp_path: Path, kind: type[DenseIndex], precision: Precision, queries: int
) -> None:
    rows = np.random.default_rng(3).normal(size=(700, 100)).astype(np.float32)
    copies = [3, 64, 65, 66, 127, 301, 510, 511, 512, 690, 697, 698, 699]
    rows[copies] = rows[3]
    index = kind(tmp_path, fingerprint="f", dim=100, precision=precision)
    index.add([str(number) for number in range(700)], rows)
    for k in (5, 13, 30):
        for found in index.search(np.repeat(rows[3:4], queries, axis=0), k):
            assert [hit.id for hit in found[:13]] == [str(number) for number in copies[:k]]
            assert len({hit.score for hit in found[:13]}) == 1
