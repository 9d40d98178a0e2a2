"""An index of binary codes: nearly the answers of comparing all rows, whatever was added or removed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.vectors import binary
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.codes import CodedRows, CodeSettings
from engine.vectors.exact import DenseIndex, EmbeddedIndex
from engine.vectors.index import VectorIndex
from engine.vectors.storage import has_codes
from tests.contracts.index import DIM, IndexContract
from tests.vectors.grouped import SMALL, exactly, filled, grouped_rows, opened, share_found


class TestFewRows(IndexContract):
    kind = "binary"


class TestBytes(IndexContract):
    kind = "binary"
    precision = "int8"
    tolerance = 0.5001 / 127


EAGER = BinarySettings(candidates=2_000, rerank=150, fewest=3, codes=CodeSettings(code_bits=64, tables=3))
"""Codes from three rows on; of 200 rows of noise, whose neighbours share little, all are looked up, 150 compared."""


class TestCoded(IndexContract):
    kind = "binary"
    precision = "int8"
    tolerance = 0.5001 / 127

    def opened(self, folder: Path, **changed: object) -> VectorIndex:
        given = {"fingerprint": "f" * 16, "dim": DIM, "precision": self.precision, "settings": EAGER, **changed}
        return BinaryIndex(folder / "index", **given)  # type: ignore[arg-type]


def test_most_of_the_nearest_are_found_among_a_bounded_number_of_rows(index: BinaryIndex, rows: np.ndarray) -> None:
    queries = rows[6_000:]
    assert share_found(index, queries, exactly(rows[:6_000], queries, 10)) >= 0.95
    looked_up = index.looked_up(queries)
    assert 300 < min(looked_up) <= max(looked_up) <= SMALL.candidates
    assert index.code_bytes == 16
    assert 4 * 4 < index.table_bytes <= 4 * 4 + 4 * 4  # a place in each of four tables, and where buckets start


def test_scores_are_the_inner_products(index: BinaryIndex, rows: np.ndarray) -> None:
    (found,) = index.search(rows[6_000:6_001], 20)
    kept = np.asarray(index.rows([hit.id for hit in found]))
    np.testing.assert_allclose([hit.score for hit in found], kept @ rows[6_000], rtol=1e-5)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_what_came_and_went_since_the_codes_were_made_counts(index: BinaryIndex, rows: np.ndarray) -> None:
    query = rows[6_000:6_001]
    first, second, third = (hit.id for hit in index.search(query, 3)[0])
    index.remove([first])
    index.add([second, "new"], np.concatenate([-query, query]))
    assert index._current().coded is not None
    found = [hit.id for hit in index.search(query, 5)[0]]
    assert found[:2] == ["new", third]
    assert not {first, second} & set(found)
    np.testing.assert_allclose(index.rows(["new", third])[:1], query, atol=0.02)
    before = [[hit.id for hit in hits] for hits in index.search(rows[6_000:], 10)]
    index.flush()
    assert share_found(index, rows[6_000:], before) >= 0.95
    assert len(index) == 6_000


def test_many_new_rows_get_codes_at_the_next_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "_MOST_RECENT", 100)
    rows = grouped_rows(3_000)
    index = filled(tmp_path / "i", rows[:1_500])
    index.search(rows[:1], 1)
    for last, coded in ((1_580, 1_500), (1_650, 1_650)):
        index.add([f"late{number}" for number in range(1_500, last)], rows[1_500:last])
        index.search(rows[:1], 1)
        assert index._current().coded is not None
        assert index._current().coded.size == coded  # type: ignore[union-attr]


def test_an_index_that_shrinks_answers_without_codes(index: BinaryIndex, rows: np.ndarray, tmp_path: Path) -> None:
    index.remove([f"doc{number}" for number in range(500, 6_000)])
    assert [hit.id for hit in index.search(rows[:1], 3)[0]] == exactly(rows[:500], rows[:1], 3)[0]
    index.flush()
    assert not (tmp_path / "index" / "codes.safetensors").exists()
    assert index.code_bytes == index.table_bytes == 0
    assert index.looked_up(rows[:1]) == [500]


def test_dense_indexes_and_this_one_share_a_folder_and_its_rows(index: BinaryIndex, rows: np.ndarray) -> None:
    folder = index._folder
    for kind in (DenseIndex, EmbeddedIndex):
        dense = kind(folder, fingerprint="f", dim=40, precision="int8")
        assert dense.is_exact and not index.is_exact
        assert dense.ids == index.ids
        found = [[hit.id for hit in hits] for hits in dense.search(rows[6_000:6_004], 10)]
        assert found == exactly(rows[:6_000], rows[6_000:6_004], 10)
    dense.add(["new"], rows[6_000:6_001])
    dense.remove(["doc0"])
    dense.flush()
    assert not has_codes(folder)
    again = opened(folder)
    assert len(again) == 6_000
    assert share_found(again, rows[6_000:], [[hit.id for hit in hits] for hits in dense.search(rows[6_000:], 10)]) > 0.9
    again.flush()
    assert has_codes(folder)
    assert again.search(rows[6_000:6_001], 1)[0][0].id == "new"


def test_a_longer_answer_compares_more_rows(tmp_path: Path, rows: np.ndarray) -> None:
    settings = BinarySettings(candidates=3_000, rerank=100, fewest=1_000, codes=SMALL.codes)
    index = filled(tmp_path / "i", rows[:6_000], settings)
    queries = rows[6_000:]
    assert share_found(index, queries, exactly(rows[:6_000], queries, 100), k=100) >= 0.95


def test_more_recent_rows_than_are_compared_exactly_are_chosen_from(tmp_path: Path, rows: np.ndarray) -> None:
    index = filled(tmp_path / "i", rows[:4_000])
    index.search(rows[:1], 1)
    index.add([f"doc{number}" for number in range(4_000, 5_000)], rows[4_000:5_000])
    queries = rows[6_000:]
    assert share_found(index, queries, exactly(rows[:5_000], queries, 10)) >= 0.95
    assert index._current().recent.shape[0] == 1_000


def test_ties_go_to_the_id_added_first_among_coded_and_recent_rows(tmp_path: Path, rows: np.ndarray) -> None:
    same = rows[:3_000].copy()
    same[500:2_500:100] = same[7]
    index = filled(tmp_path / "i", same)
    index.search(same[:1], 1)
    index.add(["doc600", "late"], same[[7, 7]])
    expected = ["doc7", *(f"doc{number}" for number in range(500, 2_500, 100)), "late"]
    assert [hit.id for hit in index.search(same[7:8], 22)[0]] == expected


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_rows_that_are_all_the_same_are_answered_in_the_order_added(tmp_path: Path, value: float) -> None:
    index = filled(tmp_path / "i", np.full((3_000, 8), value, np.float32))
    assert index._current().coded is not None
    (found,) = index.search(np.ones((1, 8), np.float32), 5)
    assert [hit.id for hit in found] == [f"doc{number}" for number in range(5)]
    assert [hit.score for hit in found] == pytest.approx([8 * value] * 5)


def test_within_many_and_few_ids(index: BinaryIndex, rows: np.ndarray) -> None:
    queries, chance = rows[6_000:], np.random.default_rng(2)
    for count, least in ((4_000, 0.95), (300, 1.0)):
        within = [f"doc{number}" for number in chance.choice(6_000, count, replace=False)]
        found = [{hit.id for hit in hits} for hits in index.search(queries, 10, within=[*within, "nobody"])]
        assert all(len(ids) == 10 and ids <= set(within) for ids in found)
        true = exactly(rows[:6_000], queries, 10, within)
        assert np.mean([len(ids & set(best)) / 10 for ids, best in zip(found, true, strict=True)]) >= least


def test_long_answers_are_exact(index: BinaryIndex, rows: np.ndarray) -> None:
    found = index.search(rows[6_000:6_004], 100)
    assert [[hit.id for hit in hits] for hits in found] == exactly(rows[:6_000], rows[6_000:6_004], 100)


def test_too_few_candidates_lead_to_comparing_all(
    index: BinaryIndex, rows: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CodedRows, "candidates", lambda *_: np.arange(39, dtype=np.int32))
    found = [[hit.id for hit in hits] for hits in index.search(rows[6_000:6_004], 10)]
    assert found == exactly(rows[:6_000], rows[6_000:6_004], 10)
