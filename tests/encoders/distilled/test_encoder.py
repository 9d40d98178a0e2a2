"""Distilled word vectors as an encoder: the contract, its sums by hand, other fields, storage."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine import files, text
from engine.documents import Document
from engine.encoders import registry, storage
from engine.encoders.base import Encoder
from engine.encoders.distilled.encoder import DistilledEncoder
from engine.encoders.distilled.lexicon import Lexicon
from engine.encoders.distilled.settings import DistilledSettings
from engine.errors import EncoderError, StorageError
from tests.contracts.encoder import EMPTY, EncoderContract
from tests.encoders.test_word_vectors import by_subject

PIECES = ("tele", "##graph", "##y", "w", "##ö", "##r", "##t", "##e")


def tiny(settings: DistilledSettings | None = None) -> DistilledEncoder:
    """The contract's words, those of one subject near each other, and a few pieces."""
    known = by_subject()
    rows = known.vectors.astype(np.float32)
    pieces = np.random.default_rng(4).normal(size=(len(PIECES), rows.shape[1])).astype(np.float32)
    return DistilledEncoder.of(Lexicon(known.words, PIECES), np.concatenate([rows, pieces]), settings)


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny()


def test_a_row_is_the_sum_of_the_vectors_at_unit_length() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0]], np.float32)
    encoder = DistilledEncoder.of(Lexicon(("steam", "valve"), ("##s",)), rows)
    found = encoder.encode_documents([Document("a", title="Steam valve", abstract="A valve."), EMPTY])
    np.testing.assert_allclose(found, [[1 / 17**0.5, 4 / 17**0.5], [0, 0]], atol=1e-2)


def test_a_word_of_another_field_is_read_by_its_pieces() -> None:
    encoder = tiny()
    seen, unseen = encoder.encode_documents([Document("a", title="telegraphy"), Document("b", title="zzz")])
    assert np.linalg.norm(seen) == pytest.approx(1)
    assert not unseen.any()


def test_no_more_words_are_read_than_the_settings_say() -> None:
    one = tiny(DistilledSettings(max_tokens=1))
    assert one.card.max_tokens == 1
    longer, shorter = one.encode_documents([Document("a", title="boiler gene"), Document("b", title="boiler")])
    np.testing.assert_array_equal(longer, shorter)
    assert one.operations([Document("a", title="boiler gene")]) == 2 * one.card.dim


def test_what_is_loaded_gives_the_same_rows_to_the_last_bit(tmp_path: Path) -> None:
    encoder = tiny()
    encoder.save(tmp_path / "distilled")
    again = registry.load_folder(tmp_path / "distilled")
    assert isinstance(again, DistilledEncoder)
    assert again.card == encoder.card
    documents = [Document("a", title="boiler telegraph"), EMPTY]
    np.testing.assert_array_equal(again.encode_queries(documents), encoder.encode_queries(documents))


def test_wrong_shapes_and_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"Expected one finite vector for each of 2 words and pieces, got shape \(3"):
        DistilledEncoder.of(Lexicon(("a",), ("##b",)), np.ones((3, 2), np.float32))
    with pytest.raises(EncoderError, match="one finite vector"):
        DistilledEncoder.of(Lexicon(("a",), ("##b",)), np.array([[1, np.nan], [1, 1]], np.float32))
    with pytest.raises(ValueError, match="max_tokens must be at least 1, got 0"):
        DistilledSettings(max_tokens=0)
    with pytest.raises(ValueError, match="stored must be one of"):
        DistilledSettings(stored="int3")
    folder = tmp_path / "distilled"
    encoder = tiny()
    encoder.save(folder)
    card = json.loads((folder / storage.CARD).read_text())
    card["facts"][storage.SETTINGS]["max_tokens"] = 0
    entries = [*encoder.lexicon.words, *encoder.lexicon.pieces]
    stored = storage._read_weights(folder, card["weights_sha256"])
    settings = card["facts"][storage.SETTINGS]
    card["card"]["fingerprint"] = storage.fingerprint_of("distilled/1", stored, entries, settings=settings)
    files.write_json(folder / storage.CARD, card)
    with pytest.raises(StorageError, match=r"Expected word vectors in .*max_tokens must be at least 1, got 0"):
        DistilledEncoder.load(folder)


def test_the_letters_of_a_text_alone_decide_its_row() -> None:
    encoder = tiny()
    one, other = encoder.encode_documents(
        [Document("a", title="Boiler, pressure!"), Document("b", title="boiler", abstract="PRESSURE")]
    )
    np.testing.assert_array_equal(one, other)
    assert text.tokens("Boiler, pressure!") == ["boiler", "pressure"]
