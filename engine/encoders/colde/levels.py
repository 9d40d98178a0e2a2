"""One long document as read, and its vectors at three levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows, both_ways
from engine.documents import Chunk, Document
from engine.encoders.colde.cutting import sections_of


@dataclass(frozen=True, slots=True, eq=False)
class LongRows:
    """One document as it was read: enough for every comparison without the transformer.

    `sections` are the titles of the s sections with text; `section_of` (c,) gives the section of each of the c
    `chunks`, and `rows` (c, d) are the chunks' vectors from the transformer.
    """

    sections: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    section_of: NDArray[np.int64]
    rows: DenseRows

    @classmethod
    def of(cls, document: Document, chunks: Sequence[Chunk], rows: DenseRows) -> Self:
        """A document's chunks in reading order, and their rows (c, d); its sections follow from the chunks' parts."""
        sections, section_of = sections_of(document, chunks)
        return cls(sections, tuple(chunks), np.array(section_of, np.int64), rows)


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """One document at three levels, every vector at unit length, zeros where no chunk was kept."""

    document: DenseRows
    """(dim,); zeros where an encoder's `late_share` is 1, so that it does not count."""

    sections: DenseRows
    """(s, dim)"""

    chunks: DenseRows
    """(c, d)"""

    def similarity(self, other: Levels, *, late_share: float, late_best: float = 1.0) -> float:
        """How near two documents are: the cosine of their vectors, with a share `late_share` for their chunks."""
        cosine = float(self.document @ other.document)
        return cosine if not late_share else (1 - late_share) * cosine + late_share * self.late(other, best=late_best)

    def late(self, other: Levels, *, best: float = 1.0) -> float:
        """The mean over chunks of the best cosine in the other document, both ways; 0 without chunks.

        Of each document only the share `best` of its chunks counts, rounded up: those that match best.
        """
        return both_ways(*(side.chunks[side.chunks.any(axis=1)] for side in (self, other)), best=best)
