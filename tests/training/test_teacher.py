"""A teacher's places of texts: made once, then read from where they are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.documents import Document
from engine.encoders import TransformerMeanEncoder
from engine.training import teacher
from engine.training.teacher import read_teacher_rows
from tests.encoders.tiny_transformer import write_tiny_transformer


def test_the_teacher_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "teacher"), max_tokens=64)
    texts = [f"boiler {word}" for word in ("valve", "gene", "graph", "loss", "tree")]
    monkeypatch.setattr(teacher, "_SHARD", 2)
    rows = read_teacher_rows(texts, encoder, cache=tmp_path / "cache")
    direct = encoder.encode_documents([Document("a", title=one) for one in texts])
    np.testing.assert_allclose(rows, direct, atol=1e-2)
    monkeypatch.setattr(TransformerMeanEncoder, "encode_documents", None)
    np.testing.assert_array_equal(read_teacher_rows(texts, encoder, cache=tmp_path / "cache"), rows)
    assert read_teacher_rows([], encoder, cache=tmp_path / "cache").shape == (0, encoder.card.dim)
