"""What a similarity means in words: how it compares with pairs of a library's documents drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from engine.rows import Rows

SCALE = "0: no nearer than the library's average document; 1: the same as your document"
LEVELS = {"Related": "nine in ten", "Near": "99 in 100", "Very near": "999 in 1,000"}
"""What the words say: nearer than this share of the pairs of such documents drawn at random."""

_SHARES = (0.9, 0.99, 0.999)
_SMALL_LIBRARY, _SAMPLED = 200, 600


@dataclass(frozen=True, slots=True)
class Nearness:
    """What a similarity means in a library, measured on random pairs of its documents.

    `thresholds` are the similarities from which a word holds, the highest first; none for a small library.
    """

    thresholds: tuple[tuple[float, str], ...] = ()

    @classmethod
    def of_levels(cls, levels: Sequence[float]) -> Self:
        """The words for what `random_levels` measured."""
        return cls(tuple(zip(reversed(levels), reversed(LEVELS), strict=True)) if levels else ())

    def words(self, similarity: float) -> str:
        """The word for a similarity, or nothing if it is ordinary or the library too small to tell."""
        return next((word for threshold, word in self.thresholds if similarity >= threshold), "")


def sampled(ids: Sequence[str]) -> Sequence[str]:
    """Some of the documents that random pairs are drawn from, always the same; none if there are few."""
    import numpy as np

    if len(ids) < _SMALL_LIBRARY:
        return ()
    places = np.random.default_rng(len(ids)).permutation(len(ids))[:_SAMPLED]
    return [ids[int(place)] for place in places]


def random_levels(queries: Rows, rows: Rows, ours: Sequence[str], theirs: Sequence[str]) -> tuple[float, ...]:
    """The similarities that 90, 99 and 99.9 % of pairs stay below.

    A pair joins a document of `ours`, by the row it asks with (n, dim), to one of `theirs`, by its row (m, dim). A
    document is not paired with itself.
    """
    import numpy as np

    products = queries @ rows.T
    pairs = products if isinstance(products, np.ndarray) else products.toarray()
    pairs = pairs[np.asarray(ours)[:, None] != np.asarray(theirs)]
    return tuple(float(level) for level in np.quantile(pairs, _SHARES))
