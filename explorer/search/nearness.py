"""What a similarity means in a library: how near random pairs of its documents are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.encoders.base import Encoder
    from engine.index.base import VectorIndex
    from engine.library import Summaries

_SMALL_LIBRARY, _SAMPLED = 200, 600
_SHARES = (0.9, 0.99, 0.999)


def random_levels(
    encoder: Encoder, index: VectorIndex, summaries: Summaries, kinds: tuple[str, str]
) -> tuple[float, ...]:
    """The similarities that 90, 99 and 99.9 % of random pairs of two kinds stay below; empty for a small library."""
    held = set(index.ids)
    ours, theirs = (_sample(summaries, held, kind) for kind in kinds)
    if not ours or not theirs:
        return ()
    products = encoder.as_queries(index.rows(ours)) @ index.rows(theirs).T
    pairs = products if isinstance(products, np.ndarray) else products.toarray()
    if kinds[0] == kinds[1]:
        pairs = pairs[np.asarray(ours)[:, None] != np.asarray(theirs)]
    return tuple(float(level) for level in np.quantile(pairs, _SHARES))


def _sample(summaries: Summaries, held: set[str], kind: str) -> Sequence[str]:
    """Some documents of one kind, always the same; none where there are few."""
    ids = [id_ for id_, other in zip(summaries.ids, summaries.kinds, strict=True) if other == kind and id_ in held]
    if len(ids) < _SMALL_LIBRARY:
        return ()
    places = np.random.default_rng(len(ids)).permutation(len(ids))[:_SAMPLED]
    return [ids[int(place)] for place in places]
