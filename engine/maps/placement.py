"""New documents on a map that stays still."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import MapError
from engine.core.progress import Meter, Report, silent
from engine.documents import Hit
from engine.encoders import Encoder
from engine.maps.model import NEIGHBOURS, LibraryMap, sized
from engine.maps.neighbours import Neighbours, find_among
from engine.vectors import VectorIndex

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
_BLOCK = 4_096

Coordinates = NDArray[np.float64]


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
    numbers = np.array([[number for number, _ in found]], np.int32)
    places, kept = _places(library_map, Neighbours(numbers, np.array([[score for _, score in found]], np.float32)))
    x, y = places[0].tolist()
    return Placement(x, y, tuple(library_map.ids[number] for number in numbers[0]), float(kept[0]))


def membership(similarities: Coordinates) -> Coordinates:
    """Return how much each of k neighbours counts (..., k), from UMAP's smooth nearest-neighbour distances.

    exp(-(s_max - s) / sigma), with sigma such that the sum is log2(k): McInnes, Healy and Melville (2018),
    section 3.1, with similarities s in place of negative distances.
    """
    count = similarities.shape[-1]
    behind = similarities.max(axis=-1, keepdims=True) - similarities  # (..., k)
    most = behind.max(axis=-1, keepdims=True)
    low, high = np.zeros_like(most), np.where(most > 0, most * count, 1.0)
    for _ in range(_BISECTIONS):
        sigma = (low + high) / 2
        above = np.exp(-behind / sigma).sum(axis=-1, keepdims=True) > np.log2(count)
        low, high = np.where(above, low, sigma), np.where(above, sigma, high)
    weights: Coordinates = np.where(most > 0, np.exp(-behind / high), 1.0)
    return weights


def densest(points: Coordinates, weights: Coordinates, *, reach: float) -> Coordinates:
    """Return the peak (..., 2) of the weighted Cauchy density of points (..., k, 2), by mean shift from the densest."""
    squares = np.square(points[..., :, None, :] - points[..., None, :, :]).sum(axis=-1)  # (..., k, k)
    density = (weights[..., None, :] / (1 + squares / reach**2)).sum(axis=-1)  # (..., k)
    at = np.take_along_axis(points, density.argmax(axis=-1)[..., None, None], axis=-2)  # (..., 1, 2)
    for _ in range(_STEPS):
        pull = weights / np.square(1 + np.square(points - at).sum(axis=-1) / reach**2)  # (..., k)
        at = (pull[..., None, :] @ points) / pull.sum(axis=-1)[..., None, None]
    peak: Coordinates = at[..., 0, :]
    return peak


def extend(
    library_map: LibraryMap, index: VectorIndex, new_ids: Sequence[str], *, encoder: Encoder, report: Report = silent
) -> LibraryMap:
    """Return the map with more documents of the index placed on it; old points stay in place.

    They are placed among the fitted documents, take the groups of the nearest point, and are marked as placed. Ids that
    are already on the map are skipped; a document in which the encoder knows no word stands below the map.
    """
    new = library_map.missing(dict.fromkeys(new_ids))
    if not new:
        return library_map
    fitted = np.flatnonzero(~library_map.placed)
    meter = Meter("Placing documents", len(new), report)
    meter.begin()
    near = find_among(
        index, [library_map.ids[number] for number in fitted], new, encoder=encoder, k=NEIGHBOURS, meter=meter
    )
    known = near.similarities.any(axis=1)  # (m,)
    numbers = fitted[near.numbers].astype(np.int32)  # (m, k)
    positions = np.empty((len(new), 2), np.float32)
    kept = np.zeros(len(new), np.float32)
    positions[~known] = _below(library_map)
    positions[known], kept[known] = _places(library_map, Neighbours(numbers[known], near.similarities[known]))
    levels = np.concatenate([library_map.levels, library_map.levels[:, _nearest(library_map, positions, 1)[:, 0]]], 1)
    table = np.full((len(new), library_map.neighbours.shape[1]), -1, np.int32)
    table[known, : numbers.shape[1]] = numbers[known]
    meter.finish()
    return dataclasses.replace(
        library_map,
        ids=(*library_map.ids, *new),
        positions=np.concatenate([library_map.positions, positions]),
        levels=levels,
        labels=sized(library_map.labels, levels),
        neighbours=np.concatenate([library_map.neighbours, table]),
        kept_per_point=np.concatenate([library_map.kept_per_point, kept]),
        placed=np.append(library_map.placed, np.ones(len(new), dtype=bool)),
    )


def _places(library_map: LibraryMap, near: Neighbours) -> tuple[Coordinates, Coordinates]:
    """Place m documents by their nearest (m, k): where (m, 2), and the share (m,) of these that are near them there."""
    places, kept = np.empty((len(near.numbers), 2)), np.empty(len(near.numbers))
    for first in range(0, len(places), _BLOCK):
        some = slice(first, first + _BLOCK)
        numbers = near.numbers[some]
        weights = membership(near.similarities[some].astype(np.float64))
        points = library_map.positions[numbers].astype(np.float64)
        places[some] = densest(points, weights, reach=REACH * (library_map.spacing or 1.0))
        drawn = _nearest(library_map, places[some], numbers.shape[1])
        kept[some] = (numbers[:, :, None] == drawn[:, None, :]).any(axis=2).mean(axis=1)
    return places, kept


def _below(library_map: LibraryMap) -> tuple[float, float]:
    """Return a place below the map's left corner, for documents that are like no other."""
    low, high = library_map.positions.min(axis=0), library_map.positions.max(axis=0)
    return float(low[0]), float(low[1] - 0.05 * (high[1] - low[1]))


def _nearest(library_map: LibraryMap, places: NDArray[Any], k: int) -> NDArray[np.int64]:
    """Return the numbers (m, k) of the points of the map that are nearest to places (m, 2), nearest first."""
    found: NDArray[np.int64] = library_map.picture.query(places, k)[1]
    return found.reshape(len(places), k)
