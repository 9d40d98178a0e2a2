"""A KeyVec encoder's name, how it reads a document, and the salient sentences and key words that it gives.

Costs nothing to import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.documents import Chunk

CHOSEN = "Weighed by KeyVec, by what a sentence shares with the others, and by its place; boilerplate is left out."
MEANING = "how likely it is to carry what an abstract would say, from 0 to 1"
NAME = "keyvec"
METHOD = "keyvec/1"
SUMMARY = (
    "A small network that reads a document sentence by sentence, and knows which of them carry it. "
    "Choose it to see what to read first in a long text, with its key words; to find documents, CTPE is better."
)
FEWEST_WORDS = 5
_MARKED_SHARE, _FEWEST_MARKED, _SHORT_SHARE = 10, 5, 3


def explained(p: float) -> str:
    """Return a sentence's p, and what it means."""
    return f"p {p:.2f}: {MEANING}"


@dataclass(frozen=True, slots=True)
class KeyvecSettings:
    """How much of a document is read, and how wide the network is (KeyVec, sections 3.1 and 3.2).

    The first `max_words` known words of a sentence are read, by `channels` filters of each of `widths`: a sentence's
    vector is as long as all filters together. `hidden` is the length of an LSTM state in each direction, `dim` the
    length of a document's vector.
    """

    max_sentences: int = 3_000
    max_words: int = 100
    widths: tuple[int, ...] = (3, 4, 5)
    channels: int = 50
    hidden: int = 100
    dim: int = 100

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        for name in ("max_sentences", "max_words", "channels", "hidden", "dim"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not self.widths or min(self.widths) < 1:
            raise ValueError(f"widths must be one or more numbers from 1 on, got {self.widths}")


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
        import numpy as np

        from engine.core.rows import largest
        from engine.documents.text import tokens

        whole = np.array([len(tokens(one.text)) >= FEWEST_WORDS for one in self.sentences], bool)
        places = np.sort(largest(self.p + whole, count)) if count > 0 else ()
        return tuple((self.sentences[place], float(self.p[place])) for place in places)

    def strongest(self) -> tuple[tuple[Chunk, float], ...]:
        """Return the sentences to mark in a text: a tenth, at least five; a third of a short text."""
        size = len(self.sentences)
        few = min(_FEWEST_MARKED, -(-size // _SHORT_SHARE))
        return self.first(max(-(-size // _MARKED_SHARE), few))
