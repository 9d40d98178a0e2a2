"""Word embeddings that read each text once, for an encoder that is scored after every epoch."""

from __future__ import annotations

from typing import Self

from engine import files
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.training.examples import Ids


class RememberingWords(WordEmbeddings):
    """The vectors of other word embeddings, with the ids of every text kept in `read`."""

    read: dict[str, Ids]

    @classmethod
    def like(cls, other: WordEmbeddings, read: dict[str, Ids]) -> Self:
        """The vectors of `other` as they will be stored; `read` is shared with those that come after."""
        made = cls.build(other.arrays, other.words, other.config)
        made.read = read
        return made

    def as_stored(self) -> Self:
        """Itself: it has the stored vectors, and nothing trains it."""
        return self

    def ids(self, text: str, max_tokens: int) -> Ids:
        """The numbers of a text's first `max_tokens` tokens that have a vector."""
        key = files.fingerprint(text, str(max_tokens))
        if key not in self.read:
            self.read[key] = super().ids(text, max_tokens)
        return self.read[key]
