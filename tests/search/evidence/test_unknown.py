"""Telling words that a library lacks, and texts made of nothing but unknown letters."""

from __future__ import annotations

from engine.search.evidence.vocabulary import Vocabulary
from engine.search.nearness import is_gibberish, telling_words, unknown_terms

LIBRARY = Vocabulary({"kite": 4, "winds": 2, "the": 9}, 9)


def test_telling_words_are_neither_grammar_nor_genre() -> None:
    assert telling_words("The kite's method, and results of GPT-4 kites") == {"kite": 1, "gpt": 1, "kites": 1}


def test_unknown_terms_are_those_that_no_document_holds_in_any_number() -> None:
    lacking, telling = unknown_terms("Kites in wind: zeppelin, crispr, zeppelin", LIBRARY)
    assert lacking == ["zeppelin", "crispr"] and telling == 4


def test_only_a_text_of_no_words_is_gibberish() -> None:
    assert is_gibberish("asdfgh qwerty", LIBRARY)
    assert not is_gibberish("asdfgh kite", LIBRARY)  # the library holds one
    assert not is_gibberish("automobile", LIBRARY)  # a word, though this library lacks it
    assert not is_gibberish("of the", LIBRARY) and not is_gibberish("", LIBRARY)
