"""What KeyVec says of a document besides its vector: its salient sentences, its key words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.documents import Chunk
from engine.rows import largest
from engine.text import tokens

FEWEST_WORDS = 5
_MARKED_SHARE, _FEWEST_MARKED, _SHORT_SHARE = 10, 5, 3


@dataclass(frozen=True, slots=True)
class Salience:
    """A document's m sentences in reading order, the probability of each to be salient (m,), and its key words.

    `keywords` are words with their probabilities, the likeliest first. A document without a known word has neither
    sentences nor key words.
    """

    sentences: tuple[Chunk, ...]
    p: NDArray[np.float32]
    keywords: tuple[tuple[str, float], ...]

    def first(self, count: int) -> tuple[tuple[Chunk, float], ...]:
        """The `count` likeliest sentences in reading order, each with its probability; of equals the earlier.

        Headings, labels and lines of code stand in texts as short sentences, which nobody would read first: those of
        fewer than five words come in only where there are no others left.
        """
        whole = np.array([len(tokens(one.text)) >= FEWEST_WORDS for one in self.sentences], bool)
        places = np.sort(largest(self.p + whole, count)) if count > 0 else ()
        return tuple((self.sentences[place], float(self.p[place])) for place in places)

    def strongest(self) -> tuple[tuple[Chunk, float], ...]:
        """The sentences that are marked in a text: a tenth, at least five; of a short text a third."""
        size = len(self.sentences)
        few = min(_FEWEST_MARKED, -(-size // _SHORT_SHARE))
        return self.first(max(-(-size // _MARKED_SHARE), few))
