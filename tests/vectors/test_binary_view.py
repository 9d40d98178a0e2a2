"""What one search of a binary index looks up, and what it compares."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.codes import CodedRows
from tests.vectors.grouped import SMALL, exactly, filled, share_found


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
