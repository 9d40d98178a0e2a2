"""The clusters of a map as a list: size, years, and the documents at the heart of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from engine.library import Summaries
from engine.maps.labels import ClusterLabel
from engine.maps.model import LibraryMap
from engine.maps.summary import Years

CENTRAL = 3
Order = Literal["size", "label", "years"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, slots=True)
class Cluster:
    """One group: its label, the years of its documents, and the (id, title) of its most central ones."""

    label: ClusterLabel
    years: Years
    central: tuple[tuple[str, str], ...]


def list_clusters(library_map: LibraryMap, summaries: Summaries) -> list[Cluster]:
    """Every group of the map that its label names, coarse levels first, then the largest.

    A level with the same groups as the one above, as on a small map, is left out. The most central documents are those
    that most others of the group count among their true neighbours by the encoder; of equal ones, the nearest to the
    label's place.
    """
    at = {id_: place for place, id_ in enumerate(summaries.ids)}
    places = np.array([at.get(id_, -1) for id_ in library_map.ids], np.int64)
    found = []
    for level, groups in enumerate(library_map.levels):
        if level and (groups == library_map.levels[level - 1]).all():
            continue
        counted = _inner_degrees(library_map.neighbours, groups)
        for label in sorted(library_map.labels_at(level), key=lambda label: -label.size):
            members = np.flatnonzero((groups == label.cluster) & (places >= 0))
            middle = np.array([label.x, label.y])
            far = np.linalg.norm(library_map.positions[members] - middle, axis=1)
            central = places[members[np.lexsort((far, -counted[members]))[:CENTRAL]]].tolist()
            years = Years.of(summaries.years[place] for place in places[members].tolist())
            pairs = tuple((summaries.ids[place], summaries.titles[place]) for place in central)
            found.append(Cluster(label, years, pairs))
    return found


def in_order(clusters: Iterable[Cluster], order: Order) -> list[Cluster]:
    """Clusters by size, the largest first; by label; or by the middle year, the oldest first, unknown ones last."""
    if order == "label":
        return sorted(clusters, key=lambda one: one.label.name.casefold())
    if order == "years":
        return sorted(clusters, key=lambda one: (not one.years.median, one.years.median, one.years.first))
    return sorted(clusters, key=lambda one: -one.label.size)


def _inner_degrees(neighbours: NDArray[np.int32], groups: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many documents of the same group count each document (n,) among their neighbours (n, k), -1 for none."""
    ends = neighbours.ravel()
    starts = np.repeat(np.arange(len(groups)), neighbours.shape[1])
    inner = (ends >= 0) & (groups[starts] >= 0) & (groups[np.maximum(ends, 0)] == groups[starts]) & (ends != starts)
    return np.bincount(ends[inner], minlength=len(groups))
