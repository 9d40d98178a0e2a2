"""What every stored index does: rows checked on the way in, kept in a folder, and refused where they are damaged."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import FingerprintError, ShapeError, StorageError, VectorIndexError
from engine.documents import Hit
from engine.vectors.exact import DenseIndex
from engine.vectors.index import hits
from engine.vectors.packed import nearest
from engine.vectors.registry import IndexKind, open_index


@pytest.mark.parametrize("kind", get_args(IndexKind))
def test_only_the_binary_index_may_miss_a_near_row(kind: IndexKind, tmp_path: Path) -> None:
    assert open_index(tmp_path, fingerprint="f", dim=3, kind=kind).is_exact == (kind != "binary")


def opened(folder: Path) -> DenseIndex:
    return DenseIndex(folder / "i", fingerprint="f", dim=3)


def test_the_ids_say_how_many_are_held_and_which(tmp_path: Path) -> None:
    index = opened(tmp_path)
    assert (len(index), "a" in index, bool(index)) == (0, False, False)
    index.add(["a", "b"], np.zeros((2, 3), np.float32))
    index.remove(["a"])
    assert (len(index), "a" in index, "b" in index, 3 in index) == (1, False, True, False)


def test_the_largest_scores_win_and_the_first_of_equal_ones() -> None:
    scores = np.array([1, 3, 2, 3, 3], np.float32)
    places, best = nearest(scores, 3)
    assert (places.tolist(), best.tolist()) == ([1, 3, 4], [3, 3, 3])
    places, best = nearest(scores, 9)
    assert (places.tolist(), best.tolist()) == ([1, 3, 4, 2, 0], [3, 3, 3, 2, 1])
    assert hits("abcde", nearest(scores, 2)) == [Hit("b", 3.0), Hit("d", 3.0)]


def test_any_course_of_changes_ends_as_a_dict_would(tmp_path: Path) -> None:
    """Ids keep the place where they first came in, a removed one starts at the end."""
    generator = np.random.default_rng(8)
    index, model = opened(tmp_path), dict[str, np.ndarray]()
    for step in range(200):
        names = [f"d{number}" for number in generator.integers(0, 30, 4)]
        if step % 3:
            rows = generator.normal(size=(4, 3)).astype(np.float32)
            index.add(names, rows)
            model.update(zip(names, rows, strict=True))
        else:
            index.remove(names)
            for name in names:
                model.pop(name, None)
        if step % 17 == 0:
            index.flush()
            index = opened(tmp_path)
        assert list(index.ids) == list(model)
        assert len(index) == len(model) and all(
            (f"d{number}" in index) == (f"d{number}" in model) for number in range(30)
        )
        if step % 5 == 0 and model:
            np.testing.assert_array_equal(index.rows(list(model)[::-1]), list(model.values())[::-1])
            query = generator.normal(size=3).astype(np.float32)
            best = max(model, key=lambda name: float(model[name] @ query))
            assert index.search(query[None], 1)[0][0].id == best


def test_adding_in_small_batches_joins_rows_only_when_they_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined: list[int] = []
    stack = DenseIndex._stack
    monkeypatch.setattr(DenseIndex, "_stack", lambda self, blocks: joined.append(len(blocks)) or stack(self, blocks))
    index = opened(tmp_path)
    for number in range(50):
        index.add([str(number)], np.ones((1, 3), np.float32))
    assert (len(index), joined) == (50, [])
    for _ in range(2):
        index.search(np.ones((1, 3), np.float32), 2)
    assert joined == [50]


def test_what_does_not_fit_changes_nothing(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.add(["a"], np.eye(1, 3, dtype=np.float32))
    with pytest.raises(ShapeError, match="Expected one row an id, got 2 ids and 1 rows"):
        index.add(["a", "b"], np.ones((1, 3), np.float32))
    with pytest.raises(
        ShapeError, match=r"Expected rows of shape \(n, 3\), got \(3,\)\. Encode with the index's encoder"
    ):
        index.add(["a"], np.ones(3, np.float32))
    with pytest.raises(VectorIndexError, match=r"got rows with NaN or infinity\. Check the encoder"):
        index.add(["a"], np.full((1, 3), np.nan, np.float32))
    with pytest.raises(VectorIndexError, match=r"got 2 others, the first 'x'\. Index these documents first"):
        index.rows(["a", "x", "y"])
    assert (list(index.ids), index.rows(["a"]).tolist()) == (["a"], [[1, 0, 0]])


@pytest.mark.parametrize(
    ("changed", "error", "told"),
    [
        ({"format": 2}, StorageError, r"Expected an index of format 1 in .*, found another\. Remove the folder"),
        ({"ids": None}, StorageError, r"Expected an index of format 1 in .*, found another\."),
        (
            {"fingerprint": "g"},
            FingerprintError,
            r"of the encoder f, found those of g in .*\. Open it with the encoder",
        ),
        ({"dim": 4}, ShapeError, r"Expected rows of width 3, found width 4 in "),
        (
            {"layout": "sparse"},
            VectorIndexError,
            r"Expected dense rows, found sparse rows in .*\. Open it with the kind",
        ),
        ({"precision": "int8"}, VectorIndexError, r"Expected rows kept as float32, found rows kept as int8 in "),
        ({"ids": ["a", "b"]}, StorageError, r"Expected 2 rows of width 3 in .*, found \(1, 3\)\. Remove the folder"),
    ],
)
def test_a_header_that_says_something_else_is_told(
    changed: dict[str, object], error: type[Exception], told: str, tmp_path: Path
) -> None:
    folder = _headed(tmp_path, **changed)
    with pytest.raises(error, match=told):
        opened(folder)


def test_a_header_of_before_precisions_is_one_of_whole_rows(tmp_path: Path) -> None:
    assert opened(_headed(tmp_path, precision=None)).rows(["a"]).tolist() == [[1, 1, 1]]


def test_a_dense_folder_is_refused_by_the_sparse_index(tmp_path: Path) -> None:
    open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded").flush()
    with pytest.raises(VectorIndexError, match="Expected sparse rows, found dense rows"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="sparse")


@pytest.mark.parametrize(("kind", "array"), [("embedded", "rows"), ("sparse", "data")])
def test_a_missing_array_is_told(tmp_path: Path, kind: str, array: str) -> None:
    _rewrite(tmp_path / "i", kind, {"other": np.zeros(1)})
    with pytest.raises(StorageError, match=f"Expected the array {array}"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind=kind)  # type: ignore[arg-type]


def test_more_rows_than_ids_is_told(tmp_path: Path) -> None:
    _rewrite(tmp_path / "i", "embedded", {"rows": np.zeros((2, 3), np.float32)})
    with pytest.raises(StorageError, match=r"Expected 1 rows of width 3 in .*, found \(2, 3\)"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="embedded")


def _rewrite(folder: Path, kind: str, arrays: dict[str, np.ndarray]) -> None:
    """An index of one row whose rows are then replaced on disk, checksum included."""
    index = open_index(folder, fingerprint="f", dim=3, kind=kind)  # type: ignore[arg-type]
    index.add(["a"], csr_array(np.ones((1, 3))) if kind == "sparse" else np.ones((1, 3), np.float32))
    index.flush()
    header = files.read_json(folder / "index.json")
    header["sha256"] = files.write_arrays(folder / "rows.safetensors", arrays)
    files.write_json(folder / "index.json", header)


def _headed(folder: Path, **changed: object) -> Path:
    """An index of one row whose header is then changed; None takes an entry away."""
    index = opened(folder)
    index.add(["a"], np.ones((1, 3), np.float32))
    index.flush()
    header = {**files.read_json(folder / "i" / "index.json"), **changed}
    files.write_json(folder / "i" / "index.json", {key: value for key, value in header.items() if value is not None})
    return folder
