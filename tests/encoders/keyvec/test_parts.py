"""The parts of a KeyVec encoder, kept in a folder and checked when they are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.core import files
from engine.core.errors import EncoderError, StorageError
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.encoders.keyvec.encoder import KeyvecEncoder
from tests.encoders.keyvec import tiny


def test_parts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(EncoderError, match="Expected a network for words of 3 numbers, got one for 12"):
        KeyvecEncoder(WordEmbeddings(["a"], np.ones((1, 3), np.float32)), tiny.network(), tiny.KEYWORDS)
    with pytest.raises(EncoderError, match="Expected 20 different key words, one a row of U, got 2 with 1"):
        KeyvecEncoder(tiny.words(), tiny.network(), ("a", "a"))
    rows = np.full((1, 12), np.nan, np.float32)
    with pytest.raises(EncoderError, match="Expected word vectors of finite numbers"):
        KeyvecEncoder(WordEmbeddings(["a"], rows), tiny.network(), tiny.KEYWORDS)
    broken = tiny.network()
    with torch.no_grad():
        broken.out.bias[0] = torch.nan
    with pytest.raises(EncoderError, match=r"found others in out\.bias"):
        KeyvecEncoder(tiny.words(), broken, tiny.KEYWORDS)


def test_a_folder_of_other_shapes_is_refused(keyvec: KeyvecEncoder, tmp_path: Path) -> None:
    def changed(**settings: object) -> None:
        keyvec.save(tmp_path / "saved")
        card = files.read_json(tmp_path / "saved" / "card.json")
        card["facts"]["settings"] |= settings
        files.write_json(tmp_path / "saved" / "card.json", card)

    changed(keywords=0)
    with pytest.raises(StorageError, match="word_dim and keywords must be at least 1, got 12 and 0"):
        KeyvecEncoder.load(tmp_path / "saved")
    changed(unknown=1)
    with pytest.raises(StorageError, match="unknown"):
        KeyvecEncoder.load(tmp_path / "saved")
    changed(word_dim=13)
    with pytest.raises(StorageError, match="found other weights"):
        KeyvecEncoder.load(tmp_path / "saved")


def test_arrays_that_the_settings_do_not_fit_are_refused(keyvec: KeyvecEncoder) -> None:
    parts = keyvec._parts
    with pytest.raises(EncoderError, match=r"Expected 21 key words and words of 12 numbers .* got 20 key words"):
        type(parts).build(replace(parts.shape, keywords=21), parts.arrays, parts.lines)


def test_facts_come_back_and_words_are_kept_as_bytes(tmp_path: Path) -> None:
    made = KeyvecEncoder(tiny.words(), tiny.network(), ("novel", *tiny.KEYWORDS[1:]), facts={"seed": 1})
    made.save(tmp_path / "saved")
    again = KeyvecEncoder.load(tmp_path / "saved")
    assert again.facts == {"seed": 1}
    assert again.settings == made.settings
    assert "novel" in dict(again.salience([tiny.paper()], keywords=20)[0].keywords)
    assert (tmp_path / "saved" / "vocabulary.txt").read_text().splitlines()[-1] == "novel"
