"""A document as it is read to be compared: sentences, chunks, and what is left out."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.compare import read_document
from engine.compare.comparing import compare
from engine.compare.model import Exclusions
from engine.compare.read_document import ReadDocument
from engine.compare.stretches import Words
from engine.core.errors import EmptyInputError, InputTooLargeError
from engine.documents import Chunk, Document, Section
from tests.compare.everything import EVERYTHING, as_text, document_of
from tests.compare.texts import KITES, StandIn


def test_references_and_boilerplate_are_left_out_where_asked(kites: ReadDocument, gliders: ReadDocument) -> None:
    all_, usual = compare(kites, gliders, exclusions=EVERYTHING), compare(kites, gliders)
    assert all_.left_out == {"references": (0, 0), "recurring": (0, 0), "short": (0, 0)}
    assert usual.left_out["references"][0] >= 2
    assert usual.left_out["recurring"] == (1, 0)  # "Figure 2 shows the winch."
    shown = [chunk.text for passage in compare(kites, kites).passages for chunk in (passage.a, passage.b)]
    assert not any("Proceedings" in text or "Figure 2" in text for text in shown)
    shown = [passage.a.text for passage in compare(kites, kites, exclusions=EVERYTHING).passages]
    assert any("Proceedings" in text for text in shown) and any("Figure 2" in text for text in shown)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("MOST_SENTENCES", "at most 9 sentences to compare, 'A book' has more. Give the chapters that matter, or one"),
        ("MOST_CHARACTERS", "at most 9 characters to compare, 'A book' has more"),
        ("MOST_SECTIONS", "at most 9 sections to compare, 'A book' has more"),
    ],
)
def test_a_document_that_is_too_long_is_refused_before_it_is_read(
    limit: str, said: str, encoder: StandIn, words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder, "read", None, raising=False)
    monkeypatch.setattr(read_document, limit, 9)
    sections = tuple(Section(f"Part {number}", "The winch turns the drum.") for number in range(10))
    with pytest.raises(InputTooLargeError, match=f"Expected {said}"):
        ReadDocument.read(Document("b", title="A book", sections=sections), encoder, words)


def test_sentences_of_a_text_of_many_are_counted_only_until_they_are_too_many(
    encoder: StandIn, words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[Section] = []
    whole = read_document.stretches.sentences
    monkeypatch.setattr(read_document.stretches, "sentences", lambda part: (cut.append(part), whole(part))[1])
    sections = tuple(Section(f"Part {number}", "The winch turns. " * 2_000) for number in range(50))
    with pytest.raises(InputTooLargeError, match="Expected at most 15,000 sentences"):
        ReadDocument.read(Document("b", title="A book", sections=sections), encoder, words)
    assert len(cut) < 12


@pytest.mark.parametrize(
    "text",
    [
        "One sentence only, about a kite.",
        "x",
        "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.",
        "风筝在高空飞行。绞盘收回缆绳发电机给电池充电。" * 60,
        "Воздушный змей летит высоко. Лебёдка тянет трос.",
        "الطائرة الورقية تحلق عاليا. الرافعة تسحب الحبل.",
        "1 2 3 4 5. 6 7 8 9 10. = + - %",
        "word " * 3_000,
        "a" * 5_000,
    ],
)
def test_odd_documents_compare(text: str, encoder: StandIn, words: Words, kites: ReadDocument) -> None:
    odd = ReadDocument.read(document_of(text), encoder, words)
    for found in (compare(odd, kites), compare(odd, odd), compare(odd, kites, exclusions=Exclusions(min_words=5))):
        assert "NaN" not in as_text(found)
        assert 0 <= found.score <= 1 and found.chunks.across.min() >= 0
    itself = compare(odd, odd, exclusions=EVERYTHING)
    assert np.array_equal(np.diag(itself.chunks.across), itself.chunks.across.max(axis=1))


def test_a_document_without_text_is_refused(encoder: StandIn, words: Words) -> None:
    with pytest.raises(
        EmptyInputError, match=r"Expected text to compare in 'Untitled paper none'; found no word outside"
    ):
        ReadDocument.read(Document("none"), encoder, words)


def test_fifty_thousand_words_compare(encoder: StandIn, words: Words, kites: ReadDocument) -> None:
    drawn = random.Random(1)
    known = "".join(KITES.text.lower().split(".")).split()
    long = " ".join(" ".join(drawn.choices(known, k=20)).capitalize() + "." for _ in range(2_500))
    side = ReadDocument.read(document_of(long, "long"), encoder, words)
    found = compare(side, kites)
    assert len(side.sentences) > 2_000 and found.chunks.across.shape == (len(side.long.chunks), len(kites.long.chunks))


def test_chunks_hold_their_sentences(kites: ReadDocument) -> None:
    for sentence, number in zip(kites.sentences.chunks, kites.chunk_of.tolist(), strict=True):
        if number < 0:
            assert sentence.section == "References"
        else:
            chunk: Chunk = kites.long.chunks[number]
            assert chunk.part == sentence.part and chunk.start <= sentence.start and sentence.stop <= chunk.stop
