"""Codes learned from rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import VectorIndexError
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.codes import CodeSettings
from tests.vectors.grouped import filled, grouped_rows, opened


def test_with_the_settings_that_ship_a_document_takes_64_bytes_at_most(tmp_path: Path) -> None:
    index = filled(tmp_path / "i", grouped_rows(1_250, 16), BinarySettings(fewest=1_250))
    assert index.code_bytes == 40
    assert index.code_bytes + index.table_bytes <= 64


def test_the_same_rows_give_the_same_codes_and_answers(index: BinaryIndex, rows: np.ndarray, tmp_path: Path) -> None:
    other = filled(tmp_path / "other", rows[:6_000])
    answers = other.search(rows[6_000:], 10)
    assert answers == index.search(rows[6_000:], 10) == opened(tmp_path / "index").search(rows[6_000:], 10)
    other.flush()
    name = "codes.safetensors"
    assert (tmp_path / "other" / name).read_bytes() == (tmp_path / "index" / name).read_bytes()


def test_a_rotation_is_learned_anew_from_four_times_as_many_rows(tmp_path: Path, rows: np.ndarray) -> None:
    settings = BinarySettings(candidates=500, rerank=100, fewest=400, codes=CodeSettings(code_bits=64, tables=2))
    index = filled(tmp_path / "i", rows[:500], settings)
    learned = []
    for first, last in ((0, 500), (500, 1_900), (1_900, 2_100)):
        index.add([f"doc{number}" for number in range(first, last)], rows[first:last])
        index.flush()
        learned.append(int(index._rotation.learned_from[0]))  # type: ignore[union-attr]
    assert learned == [500, 500, 2_100]


def test_settings_that_ask_for_nothing_are_refused() -> None:
    with pytest.raises(VectorIndexError, match="Expected code_bits as a multiple of 64 up to 512, got 576"):
        CodeSettings(code_bits=576)
    with pytest.raises(VectorIndexError, match="Expected at least 1 table and 1 row to learn from, got 0 and 9"):
        CodeSettings(tables=0, learn_rows=9)
    with pytest.raises(VectorIndexError, match="Expected 1 <= rerank <= candidates and fewest of at least 1, got 9, 8"):
        BinarySettings(candidates=8, rerank=9)
