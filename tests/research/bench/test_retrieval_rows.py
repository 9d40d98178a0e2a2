"""The rows of the retrieval benchmark: real ones first, then made ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.encoders import registry
from engine.research.bench.retrieval_rows import Source, encode_kept, read_sets
from engine.vectors import VectorIndex
from tests.research.bench.many_texts import ENCODER


def test_real_rows_come_first_and_made_ones_lie_between_two_of_them(real: VectorIndex) -> None:
    source = Source(real, real.ids[:50])
    batches = list(source.batches(40, 170))
    names = [name for names, _ in batches for name in names]
    rows = np.concatenate([rows for _, rows in batches])
    assert names == [*real.ids[40:50], *(f"made:{number}" for number in range(50, 170))]
    np.testing.assert_array_equal(rows[:10], real.rows(names[:10]))
    held = np.asarray(real.rows(source.ids))
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)
    assert (rows[10:] @ held.T).max() < 1 - 1e-4
    parents = held[np.arange(50, 170) % 50]
    assert ((rows[10:] * parents).sum(axis=1) > (rows[10:] @ held.T).mean(axis=1)).all()
    again = np.concatenate([rows for _, rows in source.batches(40, 170)])
    np.testing.assert_array_equal(again, rows)


def test_rows_are_kept_and_only_missing_documents_are_encoded(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, encoded = registry.load(ENCODER), []
    whole = encoder.encode_documents
    monkeypatch.setattr(encoder, "encode_documents", lambda some: encoded.append(len(some)) or whole(some))
    for names, held in ((["one"], 60), (["one", "two"], 120), (["two"], 120)):
        assert len(encode_kept(encoder, read_sets(data, names), tmp_path / "kept")) == held
    assert encoded == [60, 60]
