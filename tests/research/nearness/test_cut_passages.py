"""Passages of whole documents for the fit."""

from __future__ import annotations

from engine.documents import Document, Section
from engine.research.nearness.cut_passages import passages_of


def test_passages_are_whole_sentences_of_a_body() -> None:
    sentence = "The kite turns in the wind and lifts a load of stones over the hill today."  # 16 words
    references = Section("References", sentence * 40, "references")
    found = passages_of(
        Document("d", title="Kites", sections=(Section("Flight", " ".join([sentence] * 30)), references))
    )
    assert [len(one.split()) for one in found] == [192, 192] and all(one.endswith("today.") for one in found)
    assert passages_of(Document("d", title="Kites", abstract=sentence * 40)) == []
