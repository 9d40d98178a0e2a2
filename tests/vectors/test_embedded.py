"""The embedded index keeps the promises of every index, whatever the precision of its rows or the queries' number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.rows import Precision
from engine.vectors import dense
from engine.vectors.dense import DenseIndex, EmbeddedIndex
from tests.contracts.index import IndexContract


class TestContract(IndexContract):
    kind = "embedded"


class TestHalfPrecision(IndexContract):
    kind = "embedded"
    precision = "float16"
    tolerance = 2**-11


class TestBytes(IndexContract):
    kind = "embedded"
    precision = "int8"
    tolerance = 0.5001 / 127


def rows_with_ties() -> np.ndarray:
    """500 rows of whole numbers, so that products are exact: every third is held twice, ten are the same."""
    rows = np.random.default_rng(5).integers(-127, 128, size=(500, 24)).astype(np.float32)
    rows[:, 0] = 127  # the step of a byte is then 1
    rows[1::3] = rows[0:-1:3]
    rows[40:50] = rows[300]
    rows[60:64, 1:] = 0
    return rows


@pytest.mark.parametrize("precision", ["float32", "float16", "int8"])
@pytest.mark.parametrize("k", [1, 9, 128, 129, 500])
@pytest.mark.parametrize("limited", [False, True])
def test_many_queries_are_answered_as_the_reference_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, precision: Precision, k: int, limited: bool
) -> None:
    monkeypatch.setattr(dense, "_NUMBERS_AT_ONCE", 24 * 90)  # six blocks
    rows, found = rows_with_ties(), {}
    names = [f"doc{number}" for number in np.random.default_rng(6).permutation(500)]
    within = names[30:490] if limited else None
    for kind in (DenseIndex, EmbeddedIndex):
        index = kind(tmp_path / kind.__name__, fingerprint="f", dim=24, precision=precision)
        index.add(names, rows)
        found[kind] = index.search(rows[:70], k, within=within)
    assert found[EmbeddedIndex] == found[DenseIndex]


def test_many_queries_of_any_numbers_find_what_the_reference_finds(tmp_path: Path) -> None:
    rows = np.random.default_rng(8).normal(size=(600, 40)).astype(np.float32)
    rows[100:120] = rows[7]
    found = {}
    for kind in (DenseIndex, EmbeddedIndex):
        index = kind(tmp_path / kind.__name__, fingerprint="f", dim=40, precision="int8")
        index.add([str(number) for number in range(600)], rows)
        found[kind] = index.search(rows[:200], 12)
    for ours, reference in zip(found[EmbeddedIndex], found[DenseIndex], strict=True):
        assert [hit.id for hit in ours] == [hit.id for hit in reference]
        np.testing.assert_allclose([hit.score for hit in ours], [hit.score for hit in reference], rtol=1e-5, atol=1e-5)
