"""The second encoder of a document score, and what it reads."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine.compare.mix import Mix
from engine.compare.second import Second, without
from engine.documents import Chunk, Document, PageStart, Section
from engine.encoders import registry, storage
from engine.errors import FingerprintError, UnknownEncoderError
from tests.compare.texts import KITES, PATENT

SIF = "word2vec-sif"


def test_what_is_gone_is_cut_out_of_every_part() -> None:
    document = Document(
        "US2",
        "patent",
        title="A winch",
        sections=(Section("Field", "One. Two. Three.", pages=(PageStart(0, 1),)), Section("Rest", "Four. Five.")),
        claims=("A winch. It turns.", "A rope."),
    )
    chunks = [
        part.chunk("US2", number, start, start + len(text))
        for number, part in enumerate(document.parts)
        for text in ("One.", "Three.", "Four. ", "It turns.")
        if (start := part.text.find(text)) >= 0
    ]
    left = without(document, reversed(chunks))
    assert [part.text for part in left.parts] == ["A winch", " Two. ", "Five.", "A winch. ", "A rope."]
    assert [part.role for part in left.parts] == [part.role for part in document.parts]
    assert left.id == "US2" and left.sections[0].pages == ()
    assert without(document, []) is document


def test_a_part_that_is_gone_whole_leaves_the_others_in_their_places() -> None:
    title = Chunk("kites", 0, "Title", 0, len(KITES.title), KITES.title)
    left = without(KITES, [title])
    assert left.title == "" and left.abstract == KITES.abstract
    assert [section.title for section in left.sections] == [section.title for section in KITES.sections]


def test_a_row_is_the_shipped_encoders_own() -> None:
    second = Second.shipped(SIF)
    row = second.row(PATENT)
    assert row is not None and row.ndim == 1
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)
    np.testing.assert_array_equal(row, second.row(PATENT))
    assert second.row(Document("none", sections=(Section("Text", "1 2 3."),))) is None


def test_an_encoder_that_has_changed_is_refused() -> None:
    shipped = Second.shipped(SIF)
    sentence = (
        "Expected word2vec-sif as it was when the mix of the document score was fitted, 0123456789abcdef; "
        f"found {shipped.fingerprint}. Fit the mix anew."
    )
    with pytest.raises(FingerprintError, match=re.escape(sentence)):
        Second(SIF, "0123456789abcdef").row(PATENT)
    with pytest.raises(UnknownEncoderError, match="got 'sif'"):
        Second.shipped("sif")


def test_the_shipped_mix_was_fitted_with_the_second_encoder_that_ships() -> None:
    card, facts = storage.read_card(registry.PRETRAINED / "colde")
    mix = Mix.from_facts(facts["facts"])
    assert card.name == "colde" and mix is not None and mix.second is not None
    assert mix.second.open().card.name == mix.second.name == "ctpe"
    assert mix.second_for("patent, patent") == mix.second
