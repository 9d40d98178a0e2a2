"""The lexicon of distilled word vectors: known words, pieces of others, and words of no piece."""

from __future__ import annotations

import pytest

from engine.encoders.distilled.lexicon import Lexicon
from engine.errors import EncoderError

WORDS = ("steam", "valve")
PIECES = ("tele", "##graph", "##y", "steam")


def test_a_known_word_is_one_number_and_another_is_its_longest_pieces() -> None:
    lexicon = Lexicon(WORDS, PIECES)
    assert len(lexicon) == 6
    assert lexicon.numbers("Steam telegraphy, valve", 10).tolist() == [0, 2, 3, 4, 1]
    assert lexicon.numbers("steamgraph", 10).tolist() == [5, 3]


def test_a_word_that_no_pieces_make_gives_nothing() -> None:
    lexicon = Lexicon(WORDS, PIECES)
    assert lexicon.numbers("telephone ñandú 42 valve", 10).tolist() == [1]
    assert lexicon.numbers("telephone", 10).tolist() == []
    assert Lexicon(WORDS, ()).numbers("telegraph steam", 10).tolist() == [0]


def test_reading_stops_at_so_many_words() -> None:
    assert Lexicon(WORDS, PIECES).numbers("valve telegraph steam valve", 2).tolist() == [1, 2, 3]


@pytest.mark.parametrize("words, pieces, kind", [(("a", "a"), (), "word"), ((), ("##b", "##b"), "piece")])
def test_a_repeated_entry_is_refused(words: tuple[str, ...], pieces: tuple[str, ...], kind: str) -> None:
    with pytest.raises(EncoderError, match=f"Expected every {kind} once, got 1 repeated"):
        Lexicon(words, pieces)
