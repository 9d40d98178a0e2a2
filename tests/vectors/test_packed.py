"""Packed rows lose no more than their precision says, and equal rows stay in the order added."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import StorageError, VectorIndexError
from engine.core.rows import Precision
from engine.vectors.binary import BinaryIndex
from engine.vectors.exact import DenseIndex, EmbeddedIndex
from engine.vectors.packed import PackedRows, nearest_rows, rounding
from engine.vectors.registry import open_index

DIM, SIZE = 512, 2_000


def unit_rows(size: int = SIZE, dim: int = DIM) -> np.ndarray:
    rows = np.random.default_rng(3).normal(size=(size, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("precision", "bytes_a_document"), [("float32", 2048), ("float16", 1024), ("int8", 512 + 4)], ids=lambda v: str(v)
)
def test_a_document_of_512_numbers_takes_so_many_bytes_on_disk_and_in_memory(
    tmp_path: Path, precision: Precision, bytes_a_document: int
) -> None:
    index = open_index(tmp_path / "i", fingerprint="f", dim=DIM, kind="embedded", precision=precision)
    index.add([f"arxiv:{n:010}" for n in range(SIZE)], unit_rows())
    index.flush()
    folder = sum(path.stat().st_size for path in (tmp_path / "i").iterdir())
    assert bytes_a_document <= folder / SIZE < bytes_a_document + 25  # an id of 16 characters, quoted, on its line
    packed = PackedRows.of(unit_rows(), precision)
    assert sum(array.nbytes for array in packed.arrays.values()) == SIZE * bytes_a_document


@pytest.mark.parametrize(("precision", "furthest"), [("float16", 1e-4), ("int8", 1.5e-3)])
def test_products_of_unit_rows_are_hardly_off(precision: Precision, furthest: float) -> None:
    rows = unit_rows()
    packed = PackedRows.of(rows, precision)
    found = packed.products(rows[:50])
    assert np.abs(found - rows[:50] @ rows.T).max() < furthest
    np.testing.assert_allclose(found, rows[:50] @ packed.unpacked().T, atol=1e-6)
    np.testing.assert_array_equal(packed.take(np.array([7, 3])).unpacked(), packed.unpacked()[[7, 3]])


@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_the_ten_nearest_are_nearly_those_of_whole_rows(tmp_path: Path, precision: Precision) -> None:
    rows, found = unit_rows(dim=64), {}
    for name in ("float32", precision):
        index = open_index(tmp_path / name, fingerprint="f", dim=64, kind="embedded", precision=name)
        index.add([str(n) for n in range(SIZE)], rows)
        found[name] = [{hit.id for hit in hits} for hits in index.search(rows[:200], 10)]
    shared = [len(one & other) / 10 for one, other in zip(found["float32"], found[precision], strict=True)]
    assert np.mean(shared) > 0.97


def test_a_row_is_packed_the_same_whatever_stands_beside_it() -> None:
    rows = unit_rows(20)
    together, alone = PackedRows.of(rows, "int8"), PackedRows.of(rows[5:6], "int8")
    np.testing.assert_array_equal(together.take(np.array([5])).unpacked(), alone.unpacked())


@pytest.mark.parametrize("scale", [0.0, 1e-42, 1e30])
def test_tiny_and_huge_rows_stay_finite_as_bytes(scale: float) -> None:
    rows = (unit_rows(3) * scale).astype(np.float32)
    assert np.isfinite(PackedRows.of(rows, "int8").unpacked()).all()


def test_numbers_too_large_for_half_precision_are_refused() -> None:
    with pytest.raises(VectorIndexError, match=r"Expected numbers up to 65,504 for rows kept as float16, got 70,000"):
        PackedRows.of(np.full((1, 3), 7e4, np.float32), "float16")


def test_another_precision_is_refused(tmp_path: Path) -> None:
    open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded").flush()
    with pytest.raises(VectorIndexError, match="Expected rows kept as int8, found rows kept as float32"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded", precision="int8")


def test_a_header_of_before_there_was_a_choice_means_whole_rows(tmp_path: Path) -> None:
    index = open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded")
    index.add(["a"], np.eye(1, 3, dtype=np.float32))
    index.flush()
    header = files.read_json(tmp_path / "i" / "index.json")
    assert header.pop("precision") == "float32"
    files.write_json(tmp_path / "i" / "index.json", header)
    assert list(open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded").ids) == ["a"]


def test_rows_of_another_type_than_the_header_says_are_told(tmp_path: Path) -> None:
    index = open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded", precision="int8")
    index.add(["a"], np.eye(1, 3, dtype=np.float32))
    index.flush()
    header = files.read_json(tmp_path / "i" / "index.json")
    for arrays, message in (
        ({"rows": np.zeros((1, 3), np.int8)}, "Expected the array steps in a dense index; it is missing"),
        (
            {"rows": np.zeros((1, 3), np.float32), "steps": np.ones(1, np.float32)},
            "Expected the array rows of a dense index as int8, found float32",
        ),
    ):
        header["sha256"] = files.write_arrays(tmp_path / "i" / "rows.safetensors", arrays)
        files.write_json(tmp_path / "i" / "index.json", header)
        with pytest.raises(StorageError, match=message):
            open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded", precision="int8")


def test_what_no_index_can_keep_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorIndexError, match="Expected a precision among float32, float16, int8, got 'int4'"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded", precision="int4")  # type: ignore[arg-type]
    with pytest.raises(VectorIndexError, match="Expected sparse rows to be kept as float32, got the precision int8"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="sparse", precision="int8")


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
