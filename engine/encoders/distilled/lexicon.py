"""Numbers every token of a text: by its word where that is known, else by its pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.errors import EncoderError
from engine.text import first_tokens

if TYPE_CHECKING:
    from tokenizers.models import WordPiece

Numbers = NDArray[np.int32]

_UNKNOWN = "[UNK]"
_LONGEST_WORD = 100  # characters; BERT's limit, beyond which a word has no pieces
_REMEMBERED = 200_000  # words whose pieces are kept


class Lexicon:
    """Known words, and the pieces (WordPiece, Wu et al. 2016, section 4.1) that any other word is made of.

    The words are numbered first, then the pieces; "##ing" is a piece that stands inside a word.
    """

    def __init__(self, words: Sequence[str], pieces: Sequence[str]) -> None:
        """Take both in the order of their vectors. Raises EncoderError where one stands there twice."""
        self.words, self.pieces = tuple(words), tuple(pieces)
        for kind, entries in (("word", self.words), ("piece", self.pieces)):
            if len(set(entries)) < len(entries):
                raise EncoderError(f"Expected every {kind} once, got {len(entries) - len(set(entries))} repeated.")
        self._known = {word: (number,) for number, word in enumerate(self.words)}
        self._pieces = _word_pieces(self.pieces)
        self._first_piece = {piece: len(self.words) + place for place, piece in enumerate(self.pieces)}
        self._remembered: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self.words) + len(self.pieces)

    def numbers(self, text: str, max_tokens: int) -> Numbers:
        """The numbers of a text's first `max_tokens` tokens, (t,); a word of several pieces gives several."""
        found = (self._known.get(word) or self._of_pieces(word) for word in first_tokens(text, max_tokens))
        return np.fromiter(chain.from_iterable(found), np.int32)

    def _of_pieces(self, word: str) -> tuple[int, ...]:
        """The numbers of a word's pieces; none where it cannot be made of them."""
        held = self._remembered.get(word)
        if held is None:
            made = self._pieces.tokenize(word) if self.pieces else []
            held = tuple(self._first_piece[token.value] for token in made if token.value in self._first_piece)
            if len(self._remembered) < _REMEMBERED:
                self._remembered[word] = held
        return held


def _word_pieces(pieces: Sequence[str]) -> WordPiece:
    from tokenizers.models import WordPiece

    entries = {piece: place for place, piece in enumerate(pieces)}
    entries.setdefault(_UNKNOWN, len(entries))
    return WordPiece(entries, unk_token=_UNKNOWN, max_input_chars_per_word=_LONGEST_WORD)
