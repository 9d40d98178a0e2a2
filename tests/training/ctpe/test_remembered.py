"""Word embeddings that read each text once."""

from __future__ import annotations

import pytest

from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.training.ctpe.remembered import RememberingWords
from tests.encoders.test_word_vectors import vectors_of

VECTORS = {"boiler": [1.0, 0.0], "valve": [0.0, 1.0], "steam": [0.5, 0.5]}


def test_a_text_is_read_once_for_each_length(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []
    read = WordEmbeddings.ids

    def counted(words: WordEmbeddings, text: str, max_tokens: int) -> object:
        asked.append((text, max_tokens))
        return read(words, text, max_tokens)

    monkeypatch.setattr(WordEmbeddings, "ids", counted)
    words = RememberingWords.like(WordEmbeddings.of(vectors_of(VECTORS)), {})
    for _ in range(2):
        assert words.ids("a valve of the boiler", 9).tolist() == [1, 0]
        assert words.ids("a valve of the boiler", 1).tolist() == [1]
    assert asked == [("a valve of the boiler", 9), ("a valve of the boiler", 1)]


def test_what_was_read_is_shared_with_those_that_come_after() -> None:
    plain, read = WordEmbeddings.of(vectors_of(VECTORS)), {}
    first = RememberingWords.like(plain, read)
    assert first.ids("steam", 9).tolist() == plain.ids("steam", 9).tolist() == [2]
    after = RememberingWords.like(plain, read)
    assert after.read is first.read and after.ids("steam", 9) is first.ids("steam", 9)
    assert after.as_stored() is after
