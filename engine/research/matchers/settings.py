"""A matcher's kind, its sizes, and how much of a document it reads: all that can be told without torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["dssm", "arc-i", "han", "smith", "s-long"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_VERSION = 1
_WORDLESS: Kind = "dssm"

_WHAT: dict[Kind, str] = {
    "dssm": "Counts of letter trigrams through three layers (DSSM)",
    "arc-i": "Three layers of convolutions over word vectors (ARC-I)",
    "han": "Recurrent networks with attention over words, then over sentences (HAN)",
    "smith": "A small transformer over blocks of sentences, then over the blocks (after SMITH)",
    "s-long": "A small transformer with attention in windows and one global token (after Longformer)",
}


def name_of(kind: Kind) -> str:
    """How an encoder of a kind is called."""
    return f"matcher-{kind}"


def method_of(kind: Kind) -> str:
    """What card.json of an encoder of a kind says that it is."""
    return f"{name_of(kind)}/{_VERSION}"


def summary_of(kind: Kind) -> str:
    """What an encoder of a kind is, and when to choose it."""
    return f"{_WHAT[kind]}, trained on pairs of long documents. Choose it to compare with the literature."


KIND_OF: dict[str, Kind] = {method_of(kind): kind for kind in KINDS}
"""Each kind by its method."""


def reads_words(kind: Kind) -> bool:
    """Whether a kind reads word vectors; DSSM reads letters."""
    return kind != _WORDLESS


@dataclass(frozen=True, slots=True)
class MatcherSettings:
    """Sizes of a network, and the first `max_words` words of a document that it reads.

    `width` is the number of units of a layer: DSSM's, ARC-I's channels, HAN's in each direction, the transformers'
    hidden size. `dim` is the length of a row. `row_words` is the most words of a sentence (HAN) or of a block of
    sentences (SMITH). `layers` and `heads` are the transformers', SMITH has as many layers over blocks as over words.
    `window` is how many words to either side a word attends to (S-LONG), `trigrams` how many letter trigrams are
    told apart (DSSM).
    """

    max_words: int = 1_000
    width: int = 64
    dim: int = 128
    row_words: int = 40
    layers: int = 2
    heads: int = 4
    window: int = 64
    trigrams: int = 10_000

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        names = ("max_words", "width", "dim", "row_words", "layers", "heads", "window", "trigrams")
        broken = [f"{name} must be at least 1, got {getattr(self, name)}" for name in names if getattr(self, name) < 1]
        if not broken and self.width % (2 * self.heads):
            broken.append(f"width must be a multiple of 2 heads = {2 * self.heads}, got {self.width}")
        if broken:
            raise ValueError("; ".join(broken))
