"""A fitted map and the library's facts, joined row by row for drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.documents import Kind
from engine.exports.maps import packing, palette
from engine.exports.maps.subjects import subject
from engine.library import Summaries
from engine.maps import NEIGHBOURS, ClusterLabel, LibraryMap


@dataclass(frozen=True, slots=True)
class MapPoints:
    """What a page needs from a map besides the points' bytes; a row is a position in `ids`.

    The page shows `neighbours` true neighbours of a query; the map's figures count `counted` ones, fewer on a small
    map, which would keep them all. These figures cover `fitted` documents; `missing` documents of the library are not
    on the map.
    """

    packed: packing.Packed
    ids: tuple[str, ...]
    titles: tuple[str, ...]
    kinds: tuple[Kind, ...]
    positions: NDArray[np.float32]
    labels: tuple[packing.Label, ...]
    rows: Mapping[str, int]
    neighbours: int
    counted: int
    fitted: int
    missing: int

    def row_of(self, id_: str) -> int | None:
        """The row of a document, or None where it is not on the map."""
        return self.rows.get(id_)

    def rows_in(self, other: MapPoints) -> list[int]:
        """For each row the other map's row of the same document, -1 where it lacks it."""
        return [other.rows.get(id_, -1) for id_ in self.ids]

    def nearest_rows(self, x: float, y: float, *, count: int, leave_out: int | None = None) -> set[int]:
        """The rows nearest to a place on the picture."""
        distances = np.hypot(self.positions[:, 0] - x, self.positions[:, 1] - y)
        if leave_out is not None:
            distances[leave_out] = np.inf
        count = min(count, len(distances))
        return {int(row) for row in np.argpartition(distances, count - 1)[:count]}


def join(library_map: LibraryMap, summaries: Summaries, *, groups: LibraryMap | None = None) -> MapPoints:
    """Join the map's places with titles, years, kinds and categories; documents off the map are left out.

    With `groups`, another map of the same library, documents have the colours of its clusters.
    """
    at = {id_: position for position, id_ in enumerate(summaries.ids)}
    held = [row for row, id_ in enumerate(library_map.ids) if id_ in at]
    order = [at[library_map.ids[row]] for row in held]
    positions = np.asarray(library_map.positions, dtype=np.float32)[held]
    titles = [summaries.titles[place] for place in order]
    years = [summaries.years[place] for place in order]
    kinds = [summaries.kinds[place] for place in order]
    categories = [summaries.categories[place] for place in order]
    colourings = {
        "kind": palette.by_kind(kinds),
        "year": palette.by_year(years),
        "category": palette.by_category([subject(category) for category in categories]),
        "cluster": cluster_colours(groups or library_map, [library_map.ids[row] for row in held]),
    }
    labels = map_labels(library_map.labels)
    points = packing.Points(positions, titles, years, categories, colourings, labels)
    ids = tuple(library_map.ids[row] for row in held)
    return MapPoints(
        packed=packing.pack(points),
        ids=ids,
        titles=tuple(titles),
        kinds=tuple(kinds),
        positions=positions,
        labels=tuple(labels),
        rows={id_: row for row, id_ in enumerate(ids)},
        neighbours=max(1, min(NEIGHBOURS, len(ids) - 1)),
        counted=library_map.counted,
        fitted=library_map.fitted_count,
        missing=len(summaries.ids) - len(ids),
    )


def map_labels(labels: Sequence[ClusterLabel]) -> list[packing.Label]:
    """The clusters' names at their places."""
    return [packing.Label(label.level, label.name, label.x, label.y, label.size) for label in labels]


def cluster_colours(library_map: LibraryMap, ids: Sequence[str]) -> palette.Colouring:
    """Documents by their cluster on a map, in their colours there; a document that is not on it has none."""
    labels = [label for label in library_map.labels if label.level == library_map.coarsest]
    places = {label.cluster: (label.x, label.y) for label in labels}
    whole = palette.by_cluster(library_map.clusters, {label.cluster: label.name for label in labels}, places)
    outside = len(whole.entries) - 1
    numbers = [library_map.numbers.get(id_) for id_ in ids]
    codes = np.asarray([outside if number is None else whole.codes[number] for number in numbers], dtype=np.uint16)
    counts = np.bincount(codes, minlength=len(whole.entries)).tolist()
    entries = tuple(replace(entry, count=count) for entry, count in zip(whole.entries, counts, strict=True))
    return replace(whole, codes=codes, entries=entries)
