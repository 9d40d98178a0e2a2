"""A fitted map and the library's facts, joined row by row; and its places and clusters as tables.

Fine category codes become broad subjects: few enough for ten colours and a legend that can be read.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypedDict

from engine.core.config import filled
from engine.documents import Kind
from engine.exports.maps import packing, palette
from engine.exports.records import csv_text
from engine.library import Summaries
from engine.maps import NEIGHBOURS, Cluster, ClusterLabel, LibraryMap

_ARXIV = {
    "astro-ph": "Astrophysics",
    "cond-mat": "Condensed matter",
    "cs": "Computing",
    "econ": "Economics",
    "eess": "Electrical engineering",
    "gr-qc": "Gravity",
    "hep-ex": "High energy: experiment",
    "hep-lat": "High energy: lattice",
    "hep-ph": "High energy: phenomena",
    "hep-th": "High energy: theory",
    "math": "Mathematics",
    "math-ph": "Mathematical physics",
    "nlin": "Nonlinear science",
    "nucl-ex": "Nuclear: experiment",
    "nucl-th": "Nuclear: theory",
    "physics": "Physics, other",
    "q-bio": "Biology",
    "q-fin": "Finance",
    "quant-ph": "Quantum physics",
    "stat": "Statistics",
}
_PATENT_SECTIONS = {
    "A": "Patents A: human needs",
    "B": "Patents B: transport, tools",
    "C": "Patents C: chemistry",
    "D": "Patents D: textiles, paper",
    "E": "Patents E: building",
    "F": "Patents F: engines, heating",
    "G": "Patents G: instruments",
    "H": "Patents H: electricity",
    "Y": "Patents Y: new technology",
}
_PATENT_CODE = re.compile(r"[A-HY]\d{2}(?:[A-Z]|$)")


def subject(category: str) -> str:
    """Return the broad subject of an arXiv category or a CPC or IPC code; any other category is its own subject."""
    archive = category.partition(".")[0]
    if archive in _ARXIV:
        return _ARXIV[archive]
    if _PATENT_CODE.match(category):
        return _PATENT_SECTIONS[category[0]]
    return category


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

    @classmethod
    def of(cls, library_map: LibraryMap, summaries: Summaries, *, groups: LibraryMap | None = None) -> MapPoints:
        """Join the map's places with titles, years, kinds and categories; documents off the map are left out.

        With `groups`, another map of the same library, documents have the colours of its clusters.
        """
        at = {id_: position for position, id_ in enumerate(summaries.ids)}
        shown = [row for row, id_ in enumerate(library_map.ids) if id_ in at]
        order = [at[library_map.ids[row]] for row in shown]
        positions = np.asarray(library_map.positions, dtype=np.float32)[shown]
        titles = [summaries.titles[place] for place in order]
        years = [summaries.years[place] for place in order]
        kinds = [summaries.kinds[place] for place in order]
        categories = [summaries.categories[place] for place in order]
        colourings = {
            "kind": palette.by_kind(kinds),
            "year": palette.by_year(years),
            "category": palette.by_category([subject(category) for category in categories]),
            "cluster": cluster_colours(groups or library_map, [library_map.ids[row] for row in shown]),
        }
        labels = map_labels(library_map.labels)
        points = packing.Points(positions, titles, years, categories, colourings, labels)
        ids = tuple(library_map.ids[row] for row in shown)
        return cls(
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

    def row_of(self, id_: str) -> int | None:
        """Return the row of a document, or None where it is not on the map."""
        return self.rows.get(id_)

    def from_middle(self, ids: Sequence[str]) -> list[str]:
        """Return those of some documents that are on the map, the nearest to the middle of them first."""
        rows = [row for row in map(self.rows.get, ids) if row is not None]
        places = self.positions[rows]
        if not rows:
            return []
        away = np.hypot(*(places - places.mean(axis=0)).T)
        return [self.ids[rows[place]] for place in np.argsort(away, kind="stable")]

    def link_to(self, other: MapPoints) -> bytes:
        """Return which row of another map is the same document as each row of this one, as the page reads it."""
        return packing.pack_link(self.packed, other.packed, [other.rows.get(id_, -1) for id_ in self.ids])

    def nearest_rows(self, x: float, y: float, *, count: int, leave_out: int | None = None) -> set[int]:
        """Return the rows nearest to a place on the picture."""
        distances = np.hypot(self.positions[:, 0] - x, self.positions[:, 1] - y)
        if leave_out is not None:
            distances[leave_out] = np.inf
        count = min(count, len(distances))
        return {int(row) for row in np.argpartition(distances, count - 1)[:count]}


def map_labels(labels: Sequence[ClusterLabel]) -> list[packing.Label]:
    """Return the clusters' names at their places."""
    return [packing.Label(label.level, label.name, label.x, label.y, label.size) for label in labels]


def cluster_colours(library_map: LibraryMap, ids: Sequence[str]) -> palette.Colouring:
    """Return documents by their cluster on a map, in their colours there; one that is not on it has none."""
    labels = [label for label in library_map.labels if label.level == library_map.coarsest]
    places = {label.cluster: (label.x, label.y) for label in labels}
    whole = palette.by_cluster(library_map.clusters, {label.cluster: label.name for label in labels}, places)
    outside = len(whole.entries) - 1
    numbers = [library_map.numbers.get(id_) for id_ in ids]
    codes = np.asarray([outside if number is None else whole.codes[number] for number in numbers], dtype=np.uint16)
    counts = np.bincount(codes, minlength=len(whole.entries)).tolist()
    entries = tuple(replace(entry, count=count) for entry, count in zip(whole.entries, counts, strict=True))
    return replace(whole, codes=codes, entries=entries)


class MapPlaceJson(TypedDict):
    """A document's place; `cluster` is the number of its coarsest group, -1 for none, and `label` that group's name.

    `kept` is the share of its true neighbours that are near it in the picture, and `placed` says whether it came after
    the fit.
    """

    id: str
    kind: Kind
    title: str
    year: int | None
    category: str
    x: float
    y: float
    cluster: int
    label: str
    kept: float
    placed: bool


class ClusterJson(TypedDict):
    """A group of the map: its name, documents, years where any has one, and its most central documents."""

    level: int
    cluster: int
    label: str
    size: int
    year_first: int | None
    year_median: int | None
    year_last: int | None
    central_ids: list[str]
    central_titles: list[str]


COLUMNS, CLUSTER_COLUMNS = tuple(MapPlaceJson.__annotations__), tuple(ClusterJson.__annotations__)
MapRecords = Sequence[Mapping[str, object]]


def places(
    library_map: LibraryMap, summaries: Summaries, *, within: Collection[str] | None = None
) -> list[MapPlaceJson]:
    """Return one record a document of the library that is on the map, or of those with ids `within`."""
    names = {label.cluster: label.name for label in library_map.labels_at(library_map.coarsest)}
    columns = (summaries.ids, summaries.kinds, summaries.titles, summaries.years, summaries.categories)
    records: list[MapPlaceJson] = []
    for id_, kind, title, year, category in zip(*columns, strict=True):
        number = library_map.numbers.get(id_)
        if number is not None and (within is None or id_ in within):
            x, y = (round(float(value), 4) for value in library_map.positions[number])
            group = int(library_map.clusters[number])
            records.append(
                {
                    "id": id_,
                    "kind": kind,
                    "title": title,
                    "year": year or None,
                    "category": category,
                    "x": x,
                    "y": y,
                    "cluster": group,
                    "label": names.get(group, ""),
                    "kept": round(float(library_map.kept_per_point[number]), 4),
                    "placed": bool(library_map.placed[number]),
                }
            )
    return records


def to_csv(records: MapRecords, columns: Sequence[str] = COLUMNS) -> bytes:
    """Return one line a record; a cell that a spreadsheet would run as a formula gets a leading apostrophe."""
    return csv_text([columns, *([record[column] for column in columns] for record in records)]).encode()


def to_json(records: MapRecords) -> bytes:
    """Return one list of objects."""
    return (json.dumps(records, ensure_ascii=False, indent=1) + "\n").encode()


def to_parquet(records: MapRecords) -> bytes:
    """Return one row a document, with typed columns: whole numbers for year and cluster, none for an unknown year."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types: dict[str, Any] = {"year": pa.int32(), "cluster": pa.int32(), "placed": pa.bool_()}
    types |= {name: pa.float64() for name in ("x", "y", "kept")}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in COLUMNS])
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(records, schema=schema), stream)
    return stream.getvalue()


def cluster_records(clusters: Iterable[Cluster]) -> list[ClusterJson]:
    """Return one record a cluster."""
    return [
        filled(
            ClusterJson,
            one.label,
            label=one.label.name,
            **{f"year_{name}": getattr(one.years, name) or None for name in ("first", "median", "last")},
            central_ids=[id_ for id_, _ in one.central],
            central_titles=[title for _, title in one.central],
        )
        for one in clusters
    ]


def clusters_csv(clusters: Iterable[Cluster]) -> bytes:
    """Return one line a cluster; its central documents are joined by "; "."""
    return to_csv(cluster_records(clusters), CLUSTER_COLUMNS)


PLACE_FORMATS: dict[str, Callable[[MapRecords], bytes]] = {".csv": to_csv, ".json": to_json, ".parquet": to_parquet}
"""What writes a file, by the end of its name."""
