"""The points of a map: joined with what the library holds, coloured, and found in another map.

Broad subjects of fine category codes.

Places on a map as tables that other programs read.
"""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from engine.documents import Kind
from engine.exports.maps import points
from engine.exports.maps.points import CLUSTER_COLUMNS, COLUMNS, PLACE_FORMATS, Record, clusters_csv, places, subject
from engine.library import Summaries
from engine.maps import list_clusters
from tests.explorer.map.maps import (
    DOCUMENTS,
    TOPIC_NAMES,
    small_map,
)


@pytest.fixture(scope="module")
def summaries() -> Summaries:
    count = range(DOCUMENTS)
    kinds: list[Kind] = ["patent" if number >= DOCUMENTS // 2 else "paper" for number in count]
    titles = [f"Title {number}" for number in count]
    return Summaries([f"d{number}" for number in count], titles, [2000] * DOCUMENTS, kinds, [""] * DOCUMENTS, titles)


def test_a_document_that_the_other_map_lacks_is_joined_to_none(summaries: Summaries) -> None:
    whole = points.MapPoints.of(small_map(list(summaries.ids), "f"), summaries)
    part = points.MapPoints.of(small_map([*summaries.ids[1:], "gone"], "f"), summaries)

    def linked(one: points.MapPoints, other: points.MapPoints) -> list[int]:
        return np.frombuffer(one.link_to(other)[-4 * len(one.ids) :], dtype="<i4").tolist()

    assert linked(whole, part) == [-1, *range(DOCUMENTS - 1)]
    assert linked(part, whole) == list(range(1, DOCUMENTS))


def test_both_maps_wear_the_cluster_colours_of_the_first(summaries: Summaries) -> None:
    first = small_map(list(summaries.ids), "f")
    turned = small_map(list(summaries.ids)[::-1], "f")
    of_first = points.cluster_colours(first, list(first.ids))
    of_second = points.cluster_colours(first, [*turned.ids, "stranger"])
    assert of_second.codes[:-1].tolist() == of_first.codes.tolist()[::-1]
    assert of_second.entries[of_second.codes[-1]].label == "in no cluster"
    assert [entry.count for entry in of_first.entries] == [16, 16, 16, 16, 0]


def test_a_map_joins_only_what_the_library_still_holds(summaries: Summaries) -> None:
    library_map = small_map([*summaries.ids[:-1], "gone"], "f")
    shown = points.MapPoints.of(library_map, summaries)
    assert (len(shown.ids), shown.missing, shown.row_of("gone")) == (63, 1, None)
    assert shown.nearest_rows(0.0, 0.0, count=3, leave_out=0).isdisjoint({0})


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        ("cs.CL", "Computing"),
        ("cond-mat.mes-hall", "Condensed matter"),
        ("hep-th", "High energy: theory"),
        ("H04L", "Patents H: electricity"),
        ("B60", "Patents B: transport, tools"),
        ("F03B 13/26", "Patents F: engines, heating"),
        ("Annealing", "Annealing"),
        ("D2", "D2"),
        ("", ""),
    ],
)
def test_a_category_falls_under_its_broad_subject(category: str, expected: str) -> None:
    assert subject(category) == expected


FORMULA = "=HYPERLINK('x')"


@pytest.fixture(scope="module")
def placed() -> Summaries:
    ids = [f"d{number}" for number in range(DOCUMENTS)]
    titles = [FORMULA, *(f"Title, {number}\nof two lines" for number in range(1, DOCUMENTS))]
    years = [0, *range(1900, 1900 + DOCUMENTS - 1)]
    return Summaries(ids, titles, years, ["paper"] * DOCUMENTS, ["cs"] * DOCUMENTS, titles)


@pytest.fixture(scope="module")
def records(placed: Summaries) -> list[Record]:
    return places(small_map(placed.ids, "f"), placed)


def test_csv_and_parquet_hold_the_same_documents(records: list[Record]) -> None:
    rows = list(csv.DictReader(io.StringIO(PLACE_FORMATS[".csv"](records).decode())))
    table = pq.read_table(io.BytesIO(PLACE_FORMATS[".parquet"](records)))
    assert tuple(table.column_names) == tuple(rows[0]) == COLUMNS
    assert [row["id"] for row in rows] == table["id"].to_pylist()
    assert np.allclose([float(row["x"]) for row in rows], table["x"].to_numpy())
    assert [row["label"] for row in rows] == table["label"].to_pylist()
    assert set(table["label"].to_pylist()) == set(TOPIC_NAMES)


def test_a_spreadsheet_runs_no_title_and_parquet_keeps_it(records: list[Record]) -> None:
    (first, *_) = csv.DictReader(io.StringIO(PLACE_FORMATS[".csv"](records).decode()))
    assert first["title"] == f"'{FORMULA}"
    table = pq.read_table(io.BytesIO(PLACE_FORMATS[".parquet"](records)))
    assert table["title"][0].as_py() == FORMULA
    assert table["year"].to_pylist()[:2] == [None, 1900]
    assert str(table["cluster"].type) == "int32"


def test_a_selection_is_written_alone(placed: Summaries) -> None:
    found = places(small_map(placed.ids, "f"), placed, within={"d3", "d5", "gone"})
    assert [record["id"] for record in json.loads(PLACE_FORMATS[".json"](found))] == ["d3", "d5"]
    assert pq.read_table(io.BytesIO(PLACE_FORMATS[".parquet"]([]))).num_rows == 0


def test_a_document_that_is_not_on_the_map_has_no_place(placed: Summaries) -> None:
    drawn = small_map([*placed.ids[1:], "elsewhere"], "f")
    assert [record["id"] for record in places(drawn, placed)] == placed.ids[1:]


def test_clusters_are_written_for_a_spreadsheet(placed: Summaries) -> None:
    clusters = list_clusters(small_map(placed.ids, "f").renamed(0, 0, FORMULA), placed)
    rows = list(csv.DictReader(io.StringIO(clusters_csv(clusters).decode())))
    assert tuple(rows[0]) == CLUSTER_COLUMNS
    assert rows[0]["label"] == f"'{FORMULA}"
    assert [row["size"] for row in rows] == ["16"] * 4
    assert len(rows[1]["central_ids"].split("; ")) == 3
    assert clusters_csv([]).decode().strip() == ",".join(CLUSTER_COLUMNS)
