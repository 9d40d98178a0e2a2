"""A CTPE encoder's name and how it reads a document; imports without torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from engine.core.rows import Precision
from engine.encoders.ctpe.pairs import MEANINGFUL, Position

COUPLED = "coupled"
WHOLE = "whole"
SIMILARITIES = (COUPLED, WHOLE)

NAME = "ctpe"
METHOD = "ctpe/1"
SUMMARY = (
    "A trained network that reads a document as two halves, such as title and abstract, and ranks by how well one "
    "document's halves go with the other's. Choose it to find work on the same subject in other words, and to see "
    "which half met which."
)


@dataclass(frozen=True, slots=True)
class CtpeSettings:
    """How a document becomes two halves, and how an index keeps them.

    `position` is the text of a Position. At most the first `max_tokens` known tokens of a half are read (l_max). A
    document of fewer than `whole_below_tokens` tokens is used whole as both halves; 0 cuts every document. A half of
    more than `part_tokens` tokens is read in even parts whose vectors at unit length are summed; 0 reads it at once.
    `stored` is a Precision.

    `similarity` is "coupled", the paper's equation 2, or "whole", the cosine of the sums of two documents' halves:
    (f + b) . (f' + b') adds the straight similarities f . f' + b . b' to the coupled ones, f . b' + b . f'.
    """

    position: str = MEANINGFUL
    max_tokens: int = 200
    whole_below_tokens: int = 0
    stored: str = "float32"
    similarity: str = COUPLED
    part_tokens: int = 0

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        Position.parse(self.position)
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, got {self.max_tokens}")
        if self.whole_below_tokens < 0:
            raise ValueError(f"whole_below_tokens must be 0 or more, got {self.whole_below_tokens}")
        if self.part_tokens < 0:
            raise ValueError(f"part_tokens must be 0 or more, got {self.part_tokens}")
        if self.stored not in get_args(Precision):
            raise ValueError(f"stored must be one of {', '.join(get_args(Precision))}, got {self.stored!r}")
        if self.similarity not in SIMILARITIES:
            raise ValueError(f"similarity must be one of {', '.join(SIMILARITIES)}, got {self.similarity!r}")
