"""Passages are read by the shipped small transformer, further than documents are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.encoders import registry
from engine.passages import cut
from engine.passages.encoder import MAX_TOKENS, NAME, PassageEncoder, is_there, passages_fingerprint
from tests.encoders.student.tiny import tiny
from tests.passages.made import paper


@pytest.fixture
def encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PassageEncoder:
    tiny().save(tmp_path / "student")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    monkeypatch.setattr("engine.passages.encoder.MAX_TOKENS", 16)
    return PassageEncoder()


def test_rows_are_of_unit_length_and_do_not_depend_on_the_batch(encoder: PassageEncoder) -> None:
    one, other = paper("a"), paper("b", body=120)
    both = encoder.encode([(one, cut(one)), (other, cut(other))])
    np.testing.assert_allclose(np.linalg.norm(both, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(both[: len(cut(one))], encoder.encode([(one, cut(one))]), atol=1e-2)
    assert both.shape == (len(cut(one)) + len(cut(other)), encoder.dim)


def test_the_fingerprint_is_known_without_the_weights(encoder: PassageEncoder) -> None:
    assert encoder.fingerprint == passages_fingerprint()


def test_without_the_weights_nothing_reads_passages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_there() == (NAME in registry.names())
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert not is_there()


def test_two_hundred_words_are_read_whole() -> None:
    assert MAX_TOKENS >= 256
