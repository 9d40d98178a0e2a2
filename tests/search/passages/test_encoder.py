"""Passages are read by a transformer of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.encoders import registry, storage
from engine.encoders.student import StudentSettings
from engine.search.passages import (
    PASSAGE_ENCODER,
    WORDS,
    PassageEncoder,
    cut_passages,
    has_passage_encoder,
    passages_fingerprint,
)
from tests.encoders.student.tiny import tiny
from tests.search.passages.made import paper


@pytest.fixture
def encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PassageEncoder:
    tiny(StudentSettings(max_tokens=16, reads="passages")).save(tmp_path / PASSAGE_ENCODER)
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    return PassageEncoder()


def test_rows_are_of_unit_length_and_do_not_depend_on_the_batch(encoder: PassageEncoder) -> None:
    one, other = paper("a"), paper("b", body=120)
    both = encoder.encode([(one, cut_passages(one)), (other, cut_passages(other))])
    np.testing.assert_allclose(np.linalg.norm(both, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(both[: len(cut_passages(one))], encoder.encode([(one, cut_passages(one))]), atol=1e-2)
    assert both.shape == (len(cut_passages(one)) + len(cut_passages(other)), encoder.dim)


def test_the_fingerprint_is_known_without_the_weights(encoder: PassageEncoder) -> None:
    assert encoder.fingerprint == passages_fingerprint()


def test_without_the_weights_nothing_reads_passages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_passage_encoder()
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert not has_passage_encoder()


def test_what_is_shipped_reads_a_passage_to_its_end() -> None:
    card, facts = storage.read_card(registry.PRETRAINED / PASSAGE_ENCODER)
    assert card.name == PASSAGE_ENCODER and card.max_tokens >= 1.5 * WORDS  # of English with formulas and names
    assert facts["facts"]["settings"]["reads"] == "passages"
