"""What every vector index promises; an index's own test inherits this and supplies `kind`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.core.errors import FingerprintError, ShapeError, StorageError, VectorIndexError
from engine.core.rows import Precision, Rows
from engine.core.stores import Stores
from engine.vectors import IndexKind, VectorIndex, open_index
from engine.vectors.storage import IndexForm

DIM = 16
NAMES = [f"doc{number}" for number in range(200)]


class IndexContract:
    kind: ClassVar[IndexKind]
    sparse: ClassVar[bool] = False
    precision: ClassVar[Precision] = "float32"
    tolerance: ClassVar[float] = 1e-6
    """How far a number of a row may be off, as a share of the row's largest."""

    stores: Stores = Stores()
    """Where the rows lie: in the folder, or on a server, whose test sets it."""

    is_elsewhere: ClassVar[bool] = False
    """Whether what is flushed is searched where it lies: then it is flushed before it is searched."""

    def filled(self, folder: Path, ids: Sequence[str], rows: np.ndarray) -> VectorIndex:
        """An index of these rows."""
        index = self.opened(folder)
        index.add(ids, self.made(rows))
        if self.is_elsewhere:
            index.flush()
        return index

    def made(self, rows: np.ndarray) -> Rows:
        """Rows as this index takes them."""
        return csr_array(rows.astype(np.float32)) if self.sparse else rows.astype(np.float32)

    def array(self, rows: Rows) -> np.ndarray:
        return rows.toarray() if isinstance(rows, csr_array) else rows

    def opened(self, folder: Path, **changed: object) -> VectorIndex:
        given: dict[str, object] = {
            "fingerprint": "f" * 16,
            "dim": DIM,
            "kind": self.kind,
            "precision": self.precision,
            "stores": self.stores,
        }
        given |= changed
        return open_index(folder / "index", **given)  # type: ignore[arg-type]

    def assert_kept(self, rows: Rows, expected: np.ndarray) -> None:
        """Rows are those that were added, as far as the precision promises."""
        largest = np.abs(expected).max(axis=1, keepdims=True)
        assert (np.abs(self.array(rows) - expected) <= self.tolerance * largest).all()

    @pytest.fixture
    def vectors(self) -> np.ndarray:
        rows = np.random.default_rng(7).normal(size=(200, DIM)).astype(np.float32)
        rows[np.abs(rows) < 0.7] = 0
        return rows

    @pytest.fixture
    def index(self, tmp_path: Path, vectors: np.ndarray) -> VectorIndex:
        index = self.filled(tmp_path, NAMES[:120], vectors[:120])
        index.add(NAMES[120:], self.made(vectors[120:]))
        return index

    def test_the_nearest_come_first_with_the_inner_product_as_score(
        self, index: VectorIndex, vectors: np.ndarray
    ) -> None:
        found = index.search(self.made(vectors[:5]), 7)
        scores = vectors[:5] @ self.array(index.rows(NAMES)).T
        for number, hits in enumerate(found):
            order = np.argsort(-scores[number], kind="stable")[:7]
            assert [hit.id for hit in hits] == [NAMES[place] for place in order]
            np.testing.assert_allclose([hit.score for hit in hits], scores[number][order], rtol=1e-5)
            np.testing.assert_allclose(scores[number], vectors[number] @ vectors.T, atol=40 * self.tolerance)

    def test_many_queries_at_once_answer_as_one_by_one(self, index: VectorIndex, vectors: np.ndarray) -> None:
        many = index.search(self.made(vectors), 5)
        alone = [index.search(self.made(vectors[number : number + 1]), 5)[0] for number in range(len(vectors))]
        assert [[hit.id for hit in hits] for hits in many] == [[hit.id for hit in hits] for hits in alone]

    def test_an_answer_is_shorter_than_k_when_fewer_are_held(self, index: VectorIndex, vectors: np.ndarray) -> None:
        (hits,) = index.search(self.made(vectors[:1]), 1000)
        assert len(hits) == 200
        assert {hit.id for hit in hits} == set(NAMES)

    def test_within_limits_the_answer_and_ignores_unknown_ids(self, index: VectorIndex, vectors: np.ndarray) -> None:
        allowed = {"doc3", "doc150", "doc7", "nobody"}
        (hits,) = index.search(self.made(vectors[:1]), 10, within=allowed)
        assert {hit.id for hit in hits} == allowed - {"nobody"}
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert index.search(self.made(vectors[:2]), 10, within=["nobody"]) == [[], []]
        assert index.search(self.made(vectors[:1]), 10, within=[]) == [[]]

    def test_ties_go_to_the_id_that_was_added_first(self, tmp_path: Path) -> None:
        index = self.filled(tmp_path, ["c", "a", "b", "z"], np.eye(4, DIM)[[0, 0, 0, 1]])
        index.add(["c"], self.made(np.eye(4, DIM)[[0]]))
        assert [hit.id for hit in index.search(self.made(np.eye(1, DIM)), 2)[0]] == ["c", "a"]
        assert [hit.id for hit in index.search(self.made(np.eye(1, DIM)), 4)[0]] == ["c", "a", "b", "z"]

    def test_an_id_added_again_gets_the_new_row(self, index: VectorIndex, vectors: np.ndarray) -> None:
        index.add(["doc5"], self.made(vectors[9:10] * 3))
        assert len(index) == 200
        assert list(index.ids) == NAMES
        self.assert_kept(index.rows(["doc5"]), vectors[9:10] * 3)
        assert index.search(self.made(vectors[9:10]), 1)[0][0].id == "doc5"

    def test_the_last_of_two_rows_under_one_id_in_one_call_counts(self, tmp_path: Path) -> None:
        index = self.filled(tmp_path, ["a", "a"], np.eye(2, DIM))
        assert len(index) == 1
        np.testing.assert_allclose(self.array(index.rows(["a"])), np.eye(2, DIM)[1:])

    def test_a_removed_id_is_gone_and_an_unknown_one_is_no_error(self, index: VectorIndex, vectors: np.ndarray) -> None:
        index.remove(["doc0", "nobody"])
        assert len(index) == 199
        assert "doc0" not in {hit.id for hit in index.search(self.made(vectors[:1]), 500)[0]}
        with pytest.raises(VectorIndexError, match="got 1 others, the first 'doc0'"):
            index.rows(["doc1", "doc0"])

    def test_a_removed_id_can_be_added_again(self, index: VectorIndex, vectors: np.ndarray) -> None:
        index.remove(["doc0"])
        index.add(["doc0"], self.made(vectors[:1]))
        assert list(index.ids)[-1] == "doc0"
        self.assert_kept(index.rows(["doc0"]), vectors[:1])

    def test_rows_come_back_in_the_order_asked(self, index: VectorIndex, vectors: np.ndarray) -> None:
        self.assert_kept(index.rows(["doc9", "doc2"]), vectors[[9, 2]])
        assert index.rows([]).shape == (0, DIM)

    def test_what_was_flushed_is_there_after_reopening(
        self, index: VectorIndex, vectors: np.ndarray, tmp_path: Path
    ) -> None:
        index.remove(["doc1"])
        index.flush()
        again = self.opened(tmp_path)
        assert list(again.ids) == [name for name in NAMES if name != "doc1"]
        assert again.search(self.made(vectors[:3]), 9) == index.search(self.made(vectors[:3]), 9)
        again.add(["new"], self.made(vectors[:1] * 5))
        assert again.search(self.made(vectors[:1]), 1)[0][0].id == "new"

    def test_what_was_not_flushed_is_not_on_disk(self, index: VectorIndex, vectors: np.ndarray, tmp_path: Path) -> None:
        index.flush()
        index.add(["late"], self.made(vectors[:1]))
        assert len(self.opened(tmp_path)) == 200

    def test_an_empty_index_answers_nothing_and_reopens(self, tmp_path: Path, vectors: np.ndarray) -> None:
        index = self.opened(tmp_path)
        assert index.search(self.made(vectors[:2]), 3) == [[], []]
        index.flush()
        again = self.opened(tmp_path)
        assert len(again) == 0
        assert again.search(self.made(vectors[:1]), 3) == [[]]
        assert again.search(self.made(vectors[:0]), 3) == []

    def test_a_row_of_zeros_is_held_and_scores_zero(self, tmp_path: Path) -> None:
        index = self.filled(tmp_path, ["empty", "a"], np.stack([np.zeros(DIM), np.ones(DIM)]))
        assert [(hit.id, hit.score) for hit in index.search(self.made(np.ones((1, DIM))), 5)[0]] == [
            ("a", pytest.approx(DIM, rel=1e-6)),
            ("empty", 0),
        ]

    def test_another_fingerprint_is_refused(self, index: VectorIndex, tmp_path: Path) -> None:
        index.flush()
        with pytest.raises(FingerprintError, match="Expected vectors of the encoder another, found those of ffff"):
            self.opened(tmp_path, fingerprint="another")

    def test_another_width_is_refused(self, index: VectorIndex, tmp_path: Path) -> None:
        with pytest.raises(ShapeError, match=r"Expected rows of shape \(n, 16\), got \(2, 9\)"):
            index.add(["a", "b"], self.made(np.ones((2, 9))))
        with pytest.raises(ShapeError, match=r"Expected rows of shape \(n, 16\), got \(1, 9\)"):
            index.search(self.made(np.ones((1, 9))), 3)
        index.flush()
        with pytest.raises(ShapeError, match="Expected rows of width 9, found width 16"):
            self.opened(tmp_path, dim=9)

    def test_ids_and_rows_must_be_as_many(self, index: VectorIndex) -> None:
        with pytest.raises(ShapeError, match="got 2 ids and 3 rows"):
            index.add(["a", "b"], self.made(np.ones((3, DIM))))

    @pytest.mark.parametrize("wrong", [np.nan, np.inf])
    def test_rows_that_are_no_numbers_are_refused(self, index: VectorIndex, wrong: float) -> None:
        row = np.ones((1, DIM))
        row[0, 3] = wrong
        with pytest.raises(VectorIndexError, match="rows with NaN or infinity"):
            index.add(["a"], self.made(row))
        with pytest.raises(VectorIndexError, match="rows with NaN or infinity"):
            index.search(self.made(row), 1)
        assert len(index) == 200

    def test_k_below_one_is_refused(self, index: VectorIndex, vectors: np.ndarray) -> None:
        with pytest.raises(VectorIndexError, match="Expected k of at least 1, got 0"):
            index.search(self.made(vectors[:1]), 0)


class FolderIndexContract(IndexContract):
    """What an index promises whose rows lie in a folder."""

    def test_damage_is_told(self, index: VectorIndex, tmp_path: Path) -> None:
        index.flush()
        file = tmp_path / "index" / "rows.safetensors"
        data = bytearray(file.read_bytes())
        data[-1] ^= 1
        file.write_bytes(data)
        with pytest.raises(StorageError, match="it is damaged"):
            self.opened(tmp_path)
        file.unlink()
        with pytest.raises(StorageError, match=r"Expected the file rows\.safetensors"):
            self.opened(tmp_path)
        (tmp_path / "index" / "index.json").write_text("{}")
        with pytest.raises(StorageError, match="Expected an index of format 1"):
            self.opened(tmp_path)

    def test_a_folder_that_is_written_while_it_is_read_is_read_again(
        self, index: VectorIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        index.remove(NAMES[150:])
        index.flush()
        check, other = IndexForm.check, self.opened(tmp_path)
        other.remove(NAMES[100:])
        written: list[bool] = []

        def late(form: IndexForm, header: dict[str, Any], folder: Path) -> None:
            if not written:
                written.append(True)
                other.flush()
            check(form, header, folder)

        monkeypatch.setattr(IndexForm, "check", late)
        assert list(self.opened(tmp_path).ids) == NAMES[:100]
