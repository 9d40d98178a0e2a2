"""One long document as read, and its vectors at three levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.documents import Chunk
from engine.rows import DenseRows


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


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """One document at three levels, every vector at unit length, zeros where no chunk was kept."""

    document: DenseRows
    """(dim,)"""

    sections: DenseRows
    """(s, dim)"""

    chunks: DenseRows
    """(c, d)"""

    def similarity(self, other: Levels, *, late_share: float) -> float:
        """How near two documents are: the cosine of their vectors, with a share `late_share` for their chunks."""
        cosine = float(self.document @ other.document)
        return cosine if not late_share else (1 - late_share) * cosine + late_share * self.late(other)

    def late(self, other: Levels) -> float:
        """The mean over chunks of the best cosine in the other document, both ways; 0 without chunks."""
        ours, theirs = (side.chunks[side.chunks.any(axis=1)] for side in (self, other))
        if not len(ours) or not len(theirs):
            return 0.0
        cosines = ours @ theirs.T  # (c_a, c_b)
        return float(cosines.max(axis=1).mean() + cosines.max(axis=0).mean()) / 2
