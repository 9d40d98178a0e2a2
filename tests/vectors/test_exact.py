"""Rows as an exact index takes, keeps and searches them, one by one and many at once; sparse ones, too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.rows import Precision
from engine.documents import Hit
from engine.vectors import exact
from engine.vectors.exact import DenseIndex, EmbeddedIndex
from tests.contracts.index import IndexContract

ROWS = np.array([[2.54, 1.0], [0.0, 0.0], [-1.27, 0.5]], np.float32)


def filled(folder: Path, precision: Precision = "float32") -> DenseIndex:
    index = DenseIndex(folder / "i", fingerprint="f", dim=2, precision=precision)
    index.add(["a", "zero", "b"], ROWS)
    return index


@pytest.mark.parametrize(
    ("precision", "kept"),
    [
        ("float32", [[2.54, 1.0], [0, 0], [-1.27, 0.5]]),
        ("float16", [[2.5390625, 1.0], [0, 0], [-1.26953125, 0.5]]),
        ("int8", [[127 * 0.02, 50 * 0.02], [0, 0], [-127 * 0.01, 50 * 0.01]]),
    ],
)
def test_rows_are_kept_in_their_precision_and_searched_so(
    precision: Precision, kept: list[list[float]], tmp_path: Path
) -> None:
    index = filled(tmp_path, precision)
    np.testing.assert_allclose(index.rows(["a", "zero", "b"]), kept, rtol=1e-6)
    (found,) = index.search(np.array([[1, 3]], np.float32), 3)
    scores = {"a": kept[0][0] + 3 * kept[0][1], "b": kept[2][0] + 3 * kept[2][1], "zero": 0}
    assert [hit.id for hit in found] == ["a", "b", "zero"]
    np.testing.assert_allclose([hit.score for hit in found], [scores[hit.id] for hit in found], rtol=1e-6)
    index.flush()
    assert DenseIndex(tmp_path / "i", fingerprint="f", dim=2, precision=precision).rows(["b"]).tolist() == (
        index.rows(["b"]).tolist()
    )


def test_the_rows_that_were_given_may_change_afterwards(tmp_path: Path) -> None:
    index, rows = DenseIndex(tmp_path / "i", fingerprint="f", dim=2), ROWS.copy()
    index.add(["a", "zero", "b"], rows)
    rows[:] = 9
    np.testing.assert_array_equal(index.rows(["a", "zero", "b"]), ROWS)


@pytest.mark.parametrize("given", [ROWS.astype(np.float64), np.asfortranarray(ROWS), np.repeat(ROWS, 2, axis=0)[::2]])
def test_rows_of_another_type_or_layout_are_the_same_rows(given: np.ndarray, tmp_path: Path) -> None:
    index = DenseIndex(tmp_path / "i", fingerprint="f", dim=2)
    index.add(["a", "zero", "b"], given)
    found = index.rows(["a", "zero", "b"])
    np.testing.assert_array_equal(found, ROWS)
    assert found.dtype == np.float32
    assert index.search(given, 2) == filled(tmp_path / "plain").search(ROWS, 2)


def test_more_queries_than_are_scored_at_once_answer_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "_SCORED_AT_ONCE", 2)
    queries = np.array([[1, 0], [-1, 0], [0, 1], [1, 0], [-1, 0]], np.float32)
    found = filled(tmp_path).search(queries, 1)
    assert [hits[0].id for hits in found] == ["a", "b", "a", "a", "b"]
    assert found[2] == [Hit("a", 1.0)]


class TestContract(IndexContract):
    kind = "embedded"


class TestSparse(IndexContract):
    kind = "sparse"
    sparse = True


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
    monkeypatch.setattr(exact, "_NUMBERS_AT_ONCE", 24 * 90)  # six blocks
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
