"""Places on a map as tables that other programs read."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from engine.exports.maps.places import CLUSTER_COLUMNS, COLUMNS, PLACE_FORMATS, Record, clusters_csv, places
from engine.library import Summaries
from engine.maps import list_clusters
from tests.explorer.map.maps import DOCUMENTS, TOPIC_NAMES, small_map

FORMULA = "=HYPERLINK('x')"


@pytest.fixture(scope="module")
def summaries() -> Summaries:
    ids = [f"d{number}" for number in range(DOCUMENTS)]
    titles = [FORMULA, *(f"Title, {number}\nof two lines" for number in range(1, DOCUMENTS))]
    years = [0, *range(1900, 1900 + DOCUMENTS - 1)]
    return Summaries(ids, titles, years, ["paper"] * DOCUMENTS, ["cs"] * DOCUMENTS, titles)


@pytest.fixture(scope="module")
def records(summaries: Summaries) -> list[Record]:
    return places(small_map(summaries.ids, "f"), summaries)


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


def test_a_selection_is_written_alone(summaries: Summaries) -> None:
    found = places(small_map(summaries.ids, "f"), summaries, within={"d3", "d5", "gone"})
    assert [record["id"] for record in json.loads(PLACE_FORMATS[".json"](found))] == ["d3", "d5"]
    assert pq.read_table(io.BytesIO(PLACE_FORMATS[".parquet"]([]))).num_rows == 0


def test_a_document_that_is_not_on_the_map_has_no_place(summaries: Summaries) -> None:
    drawn = small_map([*summaries.ids[1:], "elsewhere"], "f")
    assert [record["id"] for record in places(drawn, summaries)] == summaries.ids[1:]


def test_clusters_are_written_for_a_spreadsheet(summaries: Summaries) -> None:
    clusters = list_clusters(small_map(summaries.ids, "f").renamed(0, 0, FORMULA), summaries)
    rows = list(csv.DictReader(io.StringIO(clusters_csv(clusters).decode())))
    assert tuple(rows[0]) == CLUSTER_COLUMNS
    assert rows[0]["label"] == f"'{FORMULA}"
    assert [row["size"] for row in rows] == ["16"] * 4
    assert len(rows[1]["central_ids"].split("; ")) == 3
    assert clusters_csv([]).decode().strip() == ",".join(CLUSTER_COLUMNS)
