"""A new document on a map that stays still."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.documents import Hit
from engine.encoders.base import Encoder
from engine.errors import MapError
from engine.index.base import VectorIndex
from engine.maps.model import NEIGHBOURS, LibraryMap, sized

REACH = 3.0
"""How far a neighbour's pull goes, in `LibraryMap.spacing`.

Measured on LSA vectors of 26,033 papers and patents: the share of true neighbours kept by 1,000 documents left out of
the fit, and how far 1,500 fitted documents land from their place, in spacings (median, mean):

| rule | kept | distance |
|---|---|---|
| weighted mean | .077 | 2.45, 5.05 |
| the nearest neighbour's place | .165 | 1.19, 3.82 |
| weighted geometric median | .174 | .78, 1.65 |
| densest place, reach 1, 2, 3, 4, 8 | .194, .197, .190, .184, .161 | 1.05, .89, .83, .78, .73 (mean 3.01 to 1.66) |

The points of the fit themselves keep .173. Three spacings keep nearly the most and land nearly the closest.
"""

_STEPS = 30
_BISECTIONS = 40
_BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a document stands among the points of a map, and how well that fits.

    `neighbours` are the ids of its nearest by the encoder, nearest first; `kept` is the share of them
    that are also among its nearest in the picture.
    """

    x: float
    y: float
    neighbours: tuple[str, ...]
    kept: float


def place(library_map: LibraryMap, hits: Sequence[Hit], *, k: int = NEIGHBOURS) -> Placement:
    """Put a document where its true neighbours lie densest; nothing on the map moves.

    `hits` are the nearest documents by the encoder, nearest first; hits that are not on the map are skipped, and at
    most k are used. Each neighbour weighs as in UMAP's own graph, and pulls with a Cauchy kernel three times as wide as
    the points' spacing; the document stands at the peak, not at the mean, which falls into the void when neighbours lie
    in two places.

    Raises MapError where no hit is on the map, or where none is like the document at all.
    """
    found = [(number, hit.score) for hit in hits if (number := library_map.numbers.get(hit.id)) is not None][:k]
    if not found:
        raise MapError(
            f"Expected at least one hit that is on the map, got {len(hits)} hits and none is. Map the library "
            "that was searched, or fit the map again (priorscope map --refit)."
        )
    if not any(score for _, score in found):
        raise MapError(
            f"Expected a document with words that {library_map.encoder} knows, got one that it sees as empty: it is "
            "like no other, so it has no place on the map. Give more text, or choose another encoder."
        )
    numbers = np.array([number for number, _ in found])
    weights = membership(np.array([score for _, score in found], np.float64))
    x, y = densest(
        library_map.positions[numbers].astype(np.float64), weights, reach=REACH * (library_map.spacing or 1.0)
    )
    drawn = _nearest(library_map.positions, x, y, len(numbers))
    kept = float(np.isin(numbers, drawn).mean())
    return Placement(x, y, tuple(library_map.ids[number] for number in numbers), kept)


def membership(similarities: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much each of k neighbours counts (k,), from UMAP's smooth nearest-neighbour distances.

    exp(-(s_1 - s_j) / sigma) with sigma chosen so that the sum is log2(k): McInnes, Healy and Melville (2018),
    section 3.1, with similarities s in place of negative distances.
    """
    behind = similarities.max() - similarities  # (k,)
    if behind.max() <= 0:
        return np.ones_like(behind)
    low, high = 0.0, float(behind.max()) * len(behind)
    for _ in range(_BISECTIONS):
        sigma = (low + high) / 2
        if np.exp(-behind / sigma).sum() > np.log2(len(behind)):
            high = sigma
        else:
            low = sigma
    weights: NDArray[np.float64] = np.exp(-behind / high)
    return weights


def densest(points: NDArray[np.float64], weights: NDArray[np.float64], *, reach: float) -> tuple[float, float]:
    """The peak of the weighted Cauchy density of points (k, 2), found by mean shift from its densest point."""
    squares = np.square(points[:, None, :] - points[None, :, :]).sum(axis=2)  # (k, k)
    at = points[np.argmax((weights / (1 + squares / reach**2)).sum(axis=1))]  # (2,)
    for _ in range(_STEPS):
        pull = weights / np.square(1 + np.square(points - at).sum(axis=1) / reach**2)  # (k,)
        at = pull @ points / pull.sum()
    return float(at[0]), float(at[1])


def extend(library_map: LibraryMap, index: VectorIndex, new_ids: Sequence[str], *, encoder: Encoder) -> LibraryMap:
    """The map with more documents of the index placed on it; old points stay in place.

    They are placed among the fitted documents, take the groups of the nearest point, and are marked as placed. Ids that
    are already on the map are skipped; a document in which the encoder knows no word stands below the map.
    """
    new = library_map.missing(dict.fromkeys(new_ids))
    if not new:
        return library_map
    fitted = [identity for identity, placed in zip(library_map.ids, library_map.placed, strict=True) if not placed]
    placements = []
    for first in range(0, len(new), _BLOCK):
        queries = encoder.as_queries(index.rows(new[first : first + _BLOCK]))
        placements += [_placed(library_map, hits) for hits in index.search(queries, NEIGHBOURS, within=fitted)]
    positions = np.array([(placement.x, placement.y) for placement in placements], np.float32)  # (m, 2)
    beside = [int(_nearest(library_map.positions, x, y, 1)[0]) for x, y in positions.tolist()]
    levels = np.concatenate([library_map.levels, library_map.levels[:, beside]], axis=1)
    return dataclasses.replace(
        library_map,
        ids=(*library_map.ids, *new),
        positions=np.concatenate([library_map.positions, positions]),
        levels=levels,
        labels=sized(library_map.labels, levels),
        neighbours=np.concatenate([library_map.neighbours, _numbered(library_map, placements)]),
        kept_per_point=np.append(library_map.kept_per_point, [placement.kept for placement in placements]).astype(
            np.float32
        ),
        placed=np.append(library_map.placed, np.ones(len(new), dtype=bool)),
    )


def _placed(library_map: LibraryMap, hits: Sequence[Hit]) -> Placement:
    """Where a document of the library goes; below the map's left corner if nothing is like it."""
    if any(hit.score for hit in hits):
        return place(library_map, hits)
    low, high = library_map.positions.min(axis=0), library_map.positions.max(axis=0)
    return Placement(float(low[0]), float(low[1] - 0.05 * (high[1] - low[1])), (), 0.0)


def _numbered(library_map: LibraryMap, placements: Sequence[Placement]) -> NDArray[np.int32]:
    """The placements' neighbours as numbers (m, k), -1 where there are fewer than the map's k."""
    width = library_map.neighbours.shape[1]
    table = np.full((len(placements), width), -1, np.int32)
    for row, placement in zip(table, placements, strict=True):
        numbers = [library_map.numbers[identity] for identity in placement.neighbours[:width]]
        row[: len(numbers)] = numbers
    return table


def _nearest(positions: NDArray[np.float32], x: float, y: float, k: int) -> NDArray[np.int64]:
    """The numbers (k,) of the points (n, 2) nearest to a place, in no order."""
    squares = np.square(positions - np.array([x, y], np.float32)).sum(axis=1)
    nearest: NDArray[np.int64] = np.argpartition(squares, k - 1)[:k]
    return nearest
