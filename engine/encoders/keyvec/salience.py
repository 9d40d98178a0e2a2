"""What KeyVec gives for a document besides its vector: its salient sentences and key words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import largest
from engine.documents import Chunk
from engine.documents.text import tokens

FEWEST_WORDS = 5
_MARKED_SHARE, _FEWEST_MARKED, _SHORT_SHARE = 10, 5, 3


@dataclass(frozen=True, slots=True)
class Salience:
    """A document's m sentences in reading order, the probability that each is salient (m,), and its key words.

    `keywords` are words with their probabilities, the likeliest first. A document without a known word has neither
    sentences nor key words.
    """

    sentences: tuple[Chunk, ...]
    p: NDArray[np.float32]
    keywords: tuple[tuple[str, float], ...]

    def first(self, count: int) -> tuple[tuple[Chunk, float], ...]:
        """Return the `count` likeliest sentences in reading order, each with its probability; ties go to the earlier.

        Headings, labels and lines of code look like short sentences, and nobody would read them first: sentences of
        fewer than five words are used only when the others run out.
        """
        whole = np.array([len(tokens(one.text)) >= FEWEST_WORDS for one in self.sentences], bool)
        places = np.sort(largest(self.p + whole, count)) if count > 0 else ()
        return tuple((self.sentences[place], float(self.p[place])) for place in places)

    def strongest(self) -> tuple[tuple[Chunk, float], ...]:
        """Return the sentences to mark in a text: a tenth, at least five; a third of a short text."""
        size = len(self.sentences)
        few = min(_FEWEST_MARKED, -(-size // _SHORT_SHARE))
        return self.first(max(-(-size // _MARKED_SHARE), few))
