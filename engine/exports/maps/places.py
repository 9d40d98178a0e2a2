"""Every document's place on a map, and its clusters, as tables: CSV, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from engine.exports.records import csv_cell
from engine.library import Summaries
from engine.maps import Cluster, LibraryMap

COLUMNS = ("id", "kind", "title", "year", "category", "x", "y", "cluster", "label", "kept", "placed")
CLUSTER_COLUMNS = (
    *("level", "cluster", "label", "size", "year_first", "year_median", "year_last"),
    *("central_ids", "central_titles"),
)
Record = dict[str, object]


def places(library_map: LibraryMap, summaries: Summaries, *, within: Collection[str] | None = None) -> list[Record]:
    """One record a document of the library that is on the map, or of those with ids `within`.

    `cluster` is the number of its coarsest group, -1 for none, and `label` that group's name; `kept` is the share of
    its true neighbours that are near it in the picture, and `placed` says whether it came after the fit.
    """
    names = {label.cluster: label.name for label in library_map.labels_at(library_map.coarsest)}
    columns = (summaries.ids, summaries.kinds, summaries.titles, summaries.years, summaries.categories)
    records: list[Record] = []
    for id_, kind, title, year, category in zip(*columns, strict=True):
        number = library_map.numbers.get(id_)
        if number is not None and (within is None or id_ in within):
            x, y = (round(float(value), 4) for value in library_map.positions[number])
            group = int(library_map.clusters[number])
            facts = (id_, kind, title, year or None, category, x, y, group, names.get(group, ""))
            kept = round(float(library_map.kept_per_point[number]), 4)
            records.append(dict(zip(COLUMNS, (*facts, kept, bool(library_map.placed[number])), strict=True)))
    return records


def to_csv(records: list[Record], columns: Sequence[str] = COLUMNS) -> bytes:
    """One line a record; a cell that a spreadsheet would run as a formula gets a leading apostrophe."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns)
    writer.writeheader()
    writer.writerows({column: csv_cell(value) for column, value in record.items()} for record in records)
    return stream.getvalue().encode()


def to_json(records: list[Record]) -> bytes:
    """One list of objects."""
    return (json.dumps(records, ensure_ascii=False, indent=1) + "\n").encode()


def to_parquet(records: list[Record]) -> bytes:
    """One row a document, with typed columns: whole numbers for year and cluster, no year where it is unknown."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types: dict[str, Any] = {"year": pa.int32(), "cluster": pa.int32(), "placed": pa.bool_()}
    types |= {name: pa.float64() for name in ("x", "y", "kept")}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in COLUMNS])
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(records, schema=schema), stream)
    return stream.getvalue()


def cluster_records(clusters: Iterable[Cluster]) -> list[Record]:
    """One record a cluster, with the columns `CLUSTER_COLUMNS`: years are None where no document has one."""
    records: list[Record] = []
    for one in clusters:
        label, years = one.label, one.years
        facts = (label.level, label.cluster, label.name, label.size)
        known = (years.first or None, years.median or None, years.last or None)
        central = ([id_ for id_, _ in one.central], [title for _, title in one.central])
        records.append(dict(zip(CLUSTER_COLUMNS, (*facts, *known, *central), strict=True)))
    return records


def clusters_csv(clusters: Iterable[Cluster]) -> bytes:
    """One line a cluster; its central documents are joined by "; "."""
    return to_csv(cluster_records(clusters), CLUSTER_COLUMNS)


PLACE_FORMATS: dict[str, Callable[[list[Record]], bytes]] = {".csv": to_csv, ".json": to_json, ".parquet": to_parquet}
"""What writes a file, by the end of its name."""
