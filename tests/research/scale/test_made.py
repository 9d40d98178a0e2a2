"""Made documents: the same each time, spread as real ones, with passages that stand where they say."""

from __future__ import annotations

import numpy as np
import pytest

from engine.research.scale.made import Maker, spell
from engine.research.scale.real import RealTexts
from engine.research.scale.spread import measure_spread
from tests.research.scale.texts import CARD, texts

__all__ = ["texts"]


@pytest.fixture
def maker(texts: RealTexts) -> Maker:
    return Maker(texts)


def test_the_real_ones_come_first_and_then_made_ones_the_same_each_time(maker: Maker, texts: RealTexts) -> None:
    batches = list(maker.batches(0, 60, 20))
    assert [len(one.documents) for one in batches] == [20, 4, 16, 20] and len(maker) == 24
    ids = [document.id for one in batches for document in one.documents]
    assert ids[:24] == list(texts.ids) and ids[24:] == [f"made:{number}" for number in range(24, 60)]
    (again,) = maker.batches(40, 60, 20)
    assert again.documents == batches[-1].documents and np.array_equal(again.rows, batches[-1].rows)


def test_a_made_document_is_built_as_its_first_real_one(maker: Maker, texts: RealTexts) -> None:
    (made,) = maker.batches(24, 48, 24)
    like = texts.library.get(texts.ids)
    for document, first in zip(made.documents, like, strict=True):
        assert [part.role for part in document.parts] == [part.role for part in first.parts]
        assert [len(part.text.split()) for part in document.parts] == [len(part.text.split()) for part in first.parts]
        assert document.kind == first.kind and document.year == first.year and document.text != first.text
    assert made.rows.shape == (24, CARD.dim) and np.allclose(np.linalg.norm(made.rows, axis=1), 1, atol=1e-3)


def test_made_passages_stand_in_their_text_and_have_rows_of_their_own(maker: Maker, texts: RealTexts) -> None:
    (made,) = maker.batches(24, 48, 24)
    view = texts.passages
    assert view is not None
    for document, read, first in zip(made.documents, made.passages, texts.ids, strict=True):
        assert read.id == document.id and len(read.passages) == view.counts[view.number_of[first]]
        assert read.rows.shape == (len(read.passages), view.dim)
        assert np.allclose(np.linalg.norm(read.rows, axis=1), 1, atol=1e-5)
        for passage in read.passages:
            held = document.parts[passage.part].text
            assert 0 <= passage.start < passage.stop <= len(held)
            assert held[passage.start : passage.stop] == held[passage.start : passage.stop].strip()


def test_words_that_no_text_has_are_spelt_by_their_number() -> None:
    assert [spell(number) for number in (0, 1, 27)] == ["qx", "qbx", "qbbx"]


def test_the_spread_of_real_and_made_documents_is_told_side_by_side(maker: Maker) -> None:
    found = measure_spread(maker, 24)
    assert list(found) == ["real", "made", "joined"]
    assert found["real"]["passages"] == found["made"]["passages"] == found["joined"]["passages"] / 2
    assert found["made"]["words of a document, 50 %"] > 50
    for figures in found.values():
        assert -1 <= figures["product of a row with its nearest, 50 %"] <= 1
        assert figures["variance of rows in 10 directions"] <= 1.001
