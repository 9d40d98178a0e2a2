"""A folder is opened by the kind of index that can read it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine import files
from engine.errors import StorageError, VectorIndexError
from engine.index import open_index


def test_exact_and_embedded_open_the_same_folder(tmp_path: Path) -> None:
    first = open_index(tmp_path / "i", fingerprint="f", dim=3, kind="exact")
    first.add(["a", "b"], np.eye(2, 3, dtype=np.float32))
    first.flush()
    second = open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded")
    assert list(second.ids) == ["a", "b"]


def test_a_dense_folder_is_refused_by_the_sparse_index(tmp_path: Path) -> None:
    open_index(tmp_path / "i", fingerprint="f", dim=3, kind="exact").flush()
    with pytest.raises(VectorIndexError, match="Expected sparse rows, found dense rows"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="sparse")


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorIndexError, match="among exact, embedded, binary, sparse, got 'fast'"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="fast")  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "array"), [("exact", "rows"), ("sparse", "data")])
def test_a_missing_array_is_told(tmp_path: Path, kind: str, array: str) -> None:
    _rewrite(tmp_path / "i", kind, {"other": np.zeros(1)})
    with pytest.raises(StorageError, match=f"Expected the array {array}"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind=kind)  # type: ignore[arg-type]


def test_more_rows_than_ids_is_told(tmp_path: Path) -> None:
    _rewrite(tmp_path / "i", "exact", {"rows": np.zeros((2, 3), np.float32)})
    with pytest.raises(StorageError, match=r"Expected 1 rows of width 3 in .*, found \(2, 3\)"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="exact")


def _rewrite(folder: Path, kind: str, arrays: dict[str, np.ndarray]) -> None:
    """An index of one row whose rows are then replaced on disk, checksum included."""
    index = open_index(folder, fingerprint="f", dim=3, kind=kind)  # type: ignore[arg-type]
    index.add(["a"], csr_array(np.ones((1, 3))) if kind == "sparse" else np.ones((1, 3), np.float32))
    index.flush()
    header = files.read_json(folder / "index.json")
    header["sha256"] = files.write_arrays(folder / "rows.safetensors", arrays)
    files.write_json(folder / "index.json", header)
