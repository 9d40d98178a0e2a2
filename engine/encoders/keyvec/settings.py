"""A KeyVec encoder's name, how it reads a document, and what a sentence's p means; costs nothing to import."""

from __future__ import annotations

from dataclasses import dataclass

CHOSEN = "Weighed by KeyVec, by what a sentence shares with the others, and by its place; boilerplate is left out."
MEANING = "how likely it is to carry what an abstract would say, from 0 to 1"
NAME = "keyvec"
METHOD = "keyvec/1"
SUMMARY = (
    "A small network that reads a document sentence by sentence, and knows which of them carry it. "
    "Choose it to see what to read first in a long text, with its key words; to find documents, CTPE is better."
)


def explained(p: float) -> str:
    """A sentence's p, and what it means."""
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
