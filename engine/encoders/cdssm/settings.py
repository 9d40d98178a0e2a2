"""A C-DSSM encoder's name and how it reads a document; imports without torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from engine.core.rows import Precision

NAME = "cdssm"
METHOD = "cdssm/1"
SUMMARY = (
    "A small trained network that reads words by their letters, three words at a time, and gives related documents "
    "near vectors. Choose it for quick small vectors in its own fields (computing, statistics, "
    "biology, patents of today); CTPE finds more."
)

TRIGRAMS, VECTORS = "trigrams", "vectors"
WORDS = (TRIGRAMS, VECTORS)
SHARED, TWO = "shared", "two"
TOWERS = (SHARED, TWO)
ZEROS, NONE = "zeros", "none"
PADDINGS = (ZEROS, NONE)


@dataclass(frozen=True, slots=True)
class CdssmSettings:
    """Sizes of the network, and the first `max_tokens` words of a document that it reads.

    `words` says how a word is read: as its letter "trigrams", up to `trigrams` different ones, or as one of the
    pre-trained "vectors". `towers` is "shared" where one network reads queries and documents, "two" where each has its
    own. A window has `window` words and `channels` filters, and a vector has `dim` numbers.

    `padding` says where windows lie: with "zeros" one surrounds each word, with zeros beyond the ends of the text; with
    "none", as in the paper's example (C-DSSM's tweaks, section II.B), all of a window lies within the text. Its formula
    (section II.C) has a wide convolution, with windows that only touch the text: neither has these. With "none" a text
    shorter than a window is one window, with its words in the middle and zeros beside them.
    """

    words: str = TRIGRAMS
    towers: str = SHARED
    window: int = 3
    channels: int = 200
    dim: int = 128
    max_tokens: int = 200
    trigrams: int = 12_000
    stored: str = "float32"
    padding: str = ZEROS

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        sizes = ("window", "channels", "dim", "max_tokens", "trigrams")
        broken = [f"{name} must be at least 1, got {getattr(self, name)}" for name in sizes if getattr(self, name) < 1]
        if self.window > 0 and self.window % 2 == 0:
            broken.append(f"window must be odd, a word with as many on either side, got {self.window}")
        kinds = {"words": WORDS, "towers": TOWERS, "padding": PADDINGS, "stored": get_args(Precision)}
        for name, known in kinds.items():
            if getattr(self, name) not in known:
                broken.append(f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}")
        if broken:
            raise ValueError("; ".join(broken))
