"""Rows kept small: how many bytes they take, how far they are off, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core import files
from engine.core.errors import StorageError, VectorIndexError
from engine.core.rows import Precision
from engine.vectors.packed import PackedRows
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
