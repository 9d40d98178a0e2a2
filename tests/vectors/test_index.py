"""Stored indexes: what every one does, which kind opens a folder, exact ones, and rows packed in fewer bits."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import get_args

import faiss
import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import FingerprintError, ShapeError, StorageError, VectorIndexError
from engine.core.rows import Precision
from engine.documents import Document, Hit
from engine.encoders import registry
from engine.vectors import exact
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.exact import DenseIndex, EmbeddedIndex
from engine.vectors.index import hits
from engine.vectors.packed import PackedRows, nearest, nearest_rows, rounding
from engine.vectors.registry import BINARY_ABOVE, FEWEST, RECALL_AT_10, IndexKind, chosen_kind, open_index
from engine.vectors.storage import has_codes
from tests.conftest import PROJECT
from tests.contracts.encoder import corpus
from tests.contracts.index import FolderIndexContract


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


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorIndexError, match="among embedded, binary, sparse, got 'fast'"):
        open_index(tmp_path / "i", fingerprint="f", dim=3, kind="fast")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "documents", "kind"),
    [
        ("auto", 0, "embedded"),
        ("auto", BINARY_ABOVE, "embedded"),
        ("auto", BINARY_ABOVE + 1, "binary"),
        ("embedded", 10**7, "embedded"),
        ("binary", FEWEST, "binary"),
        ("binary", FEWEST - 1, "embedded"),
    ],
)
def test_the_number_of_documents_decides_unless_a_person_does(asked: str, documents: int, kind: str) -> None:
    assert chosen_kind(asked, sparse=False, documents=documents) == kind  # type: ignore[arg-type]


def test_sparse_rows_have_their_own_index() -> None:
    assert chosen_kind("auto", sparse=True, documents=10**7) == "sparse"
    assert chosen_kind("embedded", sparse=True, documents=10) == "sparse"
    with pytest.raises(VectorIndexError, match=r"Expected an encoder of dense rows.*got one of sparse rows\. Leave"):
        chosen_kind("binary", sparse=True, documents=10)


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(VectorIndexError, match="Expected an index of auto, embedded, binary, got 'exact'"):
        chosen_kind("exact", sparse=False, documents=10)  # type: ignore[arg-type]


def test_the_figures_are_those_of_the_report() -> None:
    report = json.loads((PROJECT / "engine" / "research" / "reports" / "retrieve.json").read_text("utf-8"))
    assert {size["documents"]: size["recall"] for size in report["sizes"]} == RECALL_AT_10
    assert report["k"] == 10
    exact = {size["documents"]: size["exact_milliseconds"]["p50"] for size in report["sizes"]}
    share = (BINARY_ABOVE - 20_000) / 80_000
    assert 40 < exact[20_000] + share * (exact[100_000] - exact[20_000]) < 60  # half of a tenth of a second


def test_a_folder_without_codes_has_none(tmp_path: Path) -> None:
    assert not has_codes(tmp_path / "none")
    index = open_index(tmp_path / "few", fingerprint="f", dim=4, kind="binary")
    index.flush()
    assert not has_codes(tmp_path / "few")


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


class TestContract(FolderIndexContract):
    kind = "embedded"


class TestSparse(FolderIndexContract):
    kind = "sparse"
    sparse = True


class TestHalfPrecision(FolderIndexContract):
    kind = "embedded"
    precision = "float16"
    tolerance = 2**-11


class TestBytes(FolderIndexContract):
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


def recall_at_10(documents: list[Document], queries: list[Document], folder: Path) -> float:
    """The share of the exact ten nearest that the default index finds too."""
    encoder = registry.load("word2vec-mean")
    found = []
    for kind in (DenseIndex, EmbeddedIndex):
        index = kind(folder / kind.__name__, fingerprint=encoder.card.fingerprint, dim=encoder.card.dim)
        index.add([document.id for document in documents], encoder.encode_documents(documents))
        found.append([{hit.id for hit in hits} for hits in index.search(encoder.encode_queries(queries), 10)])
    return float(np.mean([len(exact & other) / len(exact) for exact, other in zip(*found, strict=True)]))


@pytest.mark.parametrize("benchmark_", ["cranfield", "npl"])
def test_on_real_documents(benchmark_: str, shared: Path, tmp_path: Path) -> None:
    from engine.evaluation import load_benchmark

    real = load_benchmark(shared / "data" / benchmark_)
    assert recall_at_10(list(real.corpus), list(real.queries), tmp_path) >= 0.98


def test_by_binary_codes_on_real_documents(shared: Path, tmp_path: Path) -> None:
    """Our own rows' twin is in test_binary."""
    from engine.evaluation import load_benchmark

    real, encoder = load_benchmark(shared / "data" / "npl"), registry.load("word2vec-mean")
    card, settings = encoder.card, BinarySettings(candidates=3_000, rerank=400, fewest=2_000)
    index = BinaryIndex(tmp_path / "i", fingerprint=card.fingerprint, dim=card.dim, settings=settings)
    rows = encoder.encode_documents(real.corpus)
    index.add([document.id for document in real.corpus], rows)
    queries = np.asarray(encoder.encode_queries(real.queries))
    found = [{hit.id for hit in hits} for hits in index.search(queries, 10)]
    exact = [{real.corpus[place].id for place in np.argsort(-row, kind="stable")[:10]} for row in queries @ rows.T]
    assert np.mean([len(one & other) / 10 for one, other in zip(found, exact, strict=True)]) >= 0.9
    assert max(index.looked_up(queries)) <= 3_000


def test_on_our_own_documents(tmp_path: Path) -> None:
    assert recall_at_10(corpus(), corpus()[:12], tmp_path) >= 0.98


@pytest.mark.parametrize(("system", "most"), [("darwin", 1), ("linux", 3)])
def test_faiss_computes_in_one_thread_on_macos(
    system: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(3)
    monkeypatch.setattr(sys, "platform", system)
    rows, seen, knn = np.eye(8, dtype=np.float32), [], faiss.knn

    def watched(queries: np.ndarray, held: np.ndarray, k: int, metric: int) -> tuple[np.ndarray, np.ndarray]:
        seen.append(faiss.omp_get_max_threads())
        scores, places = knn(queries, held, k, metric=metric)
        return scores, places

    monkeypatch.setattr(faiss, "knn", watched)
    try:
        for precision in get_args(Precision):
            index = EmbeddedIndex(tmp_path / precision, fingerprint="f", dim=8, precision=precision)
            index.add([f"d{number}" for number in range(8)], rows)
            assert [found[0].id for found in index.search(np.repeat(rows, 20, 0), 1)][::20] == [*index.ids]
        assert set(seen) == {most} and faiss.omp_get_max_threads() == 3
    finally:
        faiss.omp_set_num_threads(before)
