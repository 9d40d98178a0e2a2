"""A map as one file: its points, their colours and bytes, and that no title can become markup or script."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import itertools
import json
import re

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from engine.documents import Kind
from engine.exports.maps import packing, palette, points
from engine.exports.maps.interactive import Caption, map_page
from engine.exports.maps.packing import Settings
from engine.exports.maps.palette import (
    CATEGORICAL,
    NAMED,
    OTHER,
    SEQUENTIAL,
    by_category,
    by_cluster,
    by_kind,
    by_year,
    spread_colours,
)
from engine.exports.maps.points import (
    CLUSTER_COLUMNS,
    COLUMNS,
    PLACE_FORMATS,
    MapPlaceJson,
    MapPoints,
    clusters_csv,
    places,
    subject,
)
from engine.library import Summaries
from engine.maps import list_clusters
from tests.explorer.maps import (
    DOCUMENTS,
    TOPIC_NAMES,
    small_map,
)

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def shown() -> MapPoints:
    titles = [HOSTILE, *(f"Title {number}" for number in range(1, DOCUMENTS))]
    ids = [f"d{number}" for number in range(DOCUMENTS)]
    hostile = [HOSTILE] * DOCUMENTS
    summaries = Summaries(ids, titles, [2001] * DOCUMENTS, ["paper"] * DOCUMENTS, hostile, hostile)
    return MapPoints.of(small_map(ids, "f").renamed(0, 0, HOSTILE[:60]), summaries)


@pytest.fixture(scope="module")
def page(shown: MapPoints) -> str:
    return map_page(shown, Caption(HOSTILE, 0.41, 0.93), settings=Settings("cluster", description=HOSTILE))


def part(page: str, id_: str) -> str:
    found = re.search(rf'id="{id_}">(.*?)</script>', page, re.DOTALL)
    assert found
    return found[1]


def test_no_text_of_a_document_leaves_its_place(page: str) -> None:
    assert "<img" not in page
    assert page.count("<script") == page.count("</script>") == 3
    assert "alert(1)&lt;/script&gt;" in page  # the encoder's name, as text
    assert json.loads(part(page, "settings"))["description"] == HOSTILE


def test_the_points_are_in_it_whole(page: str, shown: MapPoints) -> None:
    assert gzip.decompress(base64.b64decode(part(page, "points"))) == shown.packed.data
    assert json.loads(part(page, "settings"))["points"] == shown.packed.key


def test_its_policy_lets_in_one_script_and_no_request(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src &#39;none&#39;" in policy[1]
    assert policy[1].count("script-src") == 1
    assert "unsafe" not in policy[1] and "http" not in policy[1]


def test_the_same_map_gives_the_same_file(page: str, shown: MapPoints) -> None:
    again = map_page(shown, Caption(HOSTILE, 0.41, 0.93), settings=Settings("cluster", description=HOSTILE))
    assert again == page


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
    some = shown.ids[0], shown.ids[17], shown.ids[18]  # one of a corner, two of another
    assert shown.from_middle(["gone", *some])[2:] == [some[0]] and shown.from_middle(["gone"]) == []


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
def records(placed: Summaries) -> list[MapPlaceJson]:
    return places(small_map(placed.ids, "f"), placed)


def test_csv_and_parquet_hold_the_same_documents(records: list[MapPlaceJson]) -> None:
    rows = list(csv.DictReader(io.StringIO(PLACE_FORMATS[".csv"](records).decode())))
    table = pq.read_table(io.BytesIO(PLACE_FORMATS[".parquet"](records)))
    assert tuple(table.column_names) == tuple(rows[0]) == COLUMNS
    assert [row["id"] for row in rows] == table["id"].to_pylist()
    assert np.allclose([float(row["x"]) for row in rows], table["x"].to_numpy())
    assert [row["label"] for row in rows] == table["label"].to_pylist()
    assert set(table["label"].to_pylist()) == set(TOPIC_NAMES)


def test_a_spreadsheet_runs_no_title_and_parquet_keeps_it(records: list[MapPlaceJson]) -> None:
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


def channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    red, green, blue = (channel(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# Machado, Oliveira and Fernandes (2009): severity 1.0 on linear RGB
SIGHT = {
    "full": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}


TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, sight: str) -> np.ndarray:
    linear = np.array([channel(int(colour[at : at + 2], 16)) for at in (1, 3, 5)])
    xyz = TO_XYZ @ np.clip(SIGHT[sight] @ linear, 0, 1) / np.array([0.9505, 1.0, 1.089])
    cube = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * cube[1] - 16, 500 * (cube[0] - cube[1]), 200 * (cube[1] - cube[2])])


@pytest.mark.parametrize("sight", list(SIGHT))
@pytest.mark.parametrize("side", [0, 1])
def test_category_colours_stay_apart_for_colour_blind_eyes(sight: str, side: int) -> None:
    colours = [pair[side] for pair in (*CATEGORICAL, OTHER)]
    distances = [float(np.linalg.norm(lab(a, sight) - lab(b, sight))) for a, b in itertools.combinations(colours, 2)]
    assert min(distances) >= 15


def test_every_category_colour_stands_out_from_its_ground() -> None:
    assert min(contrast(light, "#fdfdfc") for light, _ in CATEGORICAL) > 2
    assert min(contrast(dark, "#12181a") for _, dark in CATEGORICAL) > 3


def test_the_year_scale_runs_in_one_direction_of_lightness() -> None:
    light, dark = ([luminance(pair[side]) for pair in SEQUENTIAL] for side in (0, 1))
    assert light == sorted(light, reverse=True)
    assert dark == sorted(dark)


def test_kinds_keep_their_colour_whatever_the_library_holds() -> None:
    both, alone = by_kind(["paper", "patent", "paper"]), by_kind(["patent"])
    assert [entry.count for entry in both.entries] == [2, 1, 0]
    assert both.entries[both.codes[1]].light == alone.entries[alone.codes[0]].light


def test_the_ten_most_frequent_categories_are_named_and_the_rest_is_grey() -> None:
    categories = [f"c{number}" for number in range(14) for _ in range(20 - number)] + [""]
    colouring = by_category(categories)
    assert [entry.label for entry in colouring.entries[:NAMED]] == [f"c{number}" for number in range(10)]
    assert colouring.entries[NAMED].label == "4 others"
    assert (colouring.entries[colouring.codes[-1]].label, colouring.entries[colouring.codes[-1]].light) == (
        "no subject given",
        OTHER[0],
    )
    assert sum(entry.count for entry in colouring.entries) == len(categories)


def test_years_fall_into_steps_of_about_equal_number_and_unknown_ones_are_apart() -> None:
    years = [1880] * 50 + list(range(1990, 2022)) * 10 + [0, 0, 0]
    colouring = by_year(years)
    assert colouring.entries[0].label == "1880"
    assert colouring.entries[-1].count == 3
    assert colouring.entries[colouring.codes[-1]].label == "year unknown"
    assert len(colouring.entries) <= len(SEQUENTIAL) + 1
    assert sum(entry.count for entry in colouring.entries) == len(years)


def test_years_that_are_all_unknown_still_have_a_colour() -> None:
    colouring = by_year([0, 0])
    assert colouring.codes.tolist() == [0, 0]
    assert colouring.entries[0].label == "year unknown"


def test_all_clusters_are_named_by_size() -> None:
    clusters = np.repeat(np.arange(12, dtype=np.int32), np.arange(12, 0, -1))
    clusters = np.append(clusters, [-1, -1]).astype(np.int32)
    colouring = by_cluster(clusters, {number: f"cluster {number}" for number in range(12)})
    assert [entry.label for entry in colouring.entries[:12]] == [f"cluster {number}" for number in range(12)]
    assert colouring.entries[colouring.codes[-1]].label == "in no cluster"


@pytest.mark.parametrize("modern", [1, 40, 5_000])
def test_two_ages_of_documents_both_show_colours_whichever_is_larger(modern: int) -> None:
    old = list(range(1877, 1899)) * 5
    colouring = by_year([*old, *[2020] * modern])
    steps = colouring.entries[:-1]
    assert len({entry.light for entry in steps}) == len(steps) <= len(SEQUENTIAL)
    assert [entry.gap for entry in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[-1].label == "2020"
    assert steps[-1].count == modern
    assert len(steps) >= 4
    assert max(entry.count for entry in steps[:-1]) < len(old) / 2


def test_a_year_that_holds_most_documents_leaves_colours_for_the_others() -> None:
    colouring = by_year([*range(1990, 2020), *[2020] * 9_000])
    assert len(colouring.entries) == len(SEQUENTIAL) + 1
    assert not any(entry.gap for entry in colouring.entries)


def test_more_ages_than_colours_still_have_a_scale() -> None:
    colouring = by_year(list(range(1500, 2000, 25)) * 2)
    assert len(colouring.entries) <= len(SEQUENTIAL) + 1
    assert sum(entry.count for entry in colouring.entries) == 40


def test_near_clusters_have_colours_that_are_easier_to_tell_than_by_size_alone() -> None:
    def nearest(colours: list[int]) -> float:
        """The smallest difference of colour between neighbours along a line."""
        pairs = itertools.pairwise(colours)
        return min(
            min(
                float(np.linalg.norm(lab(CATEGORICAL[a][side], "full") - lab(CATEGORICAL[b][side], "full")))
                for side in (0, 1)
            )
            for a, b in pairs
        )

    line = [(float(number), 0.0) for number in range(NAMED)]
    chosen = spread_colours(line)
    assert sorted(chosen) == list(range(NAMED))
    assert nearest(chosen) > nearest(list(range(NAMED)))


def test_clusters_beyond_the_colours_do_not_share_one_with_a_neighbour() -> None:
    grid = [(float(x), float(y)) for x in range(6) for y in range(6)]
    chosen = spread_colours(grid)
    for one, other in itertools.combinations(range(36), 2):
        if np.hypot(grid[one][0] - grid[other][0], grid[one][1] - grid[other][1]) < 1.5:
            assert chosen[one] != chosen[other]


@pytest.mark.parametrize("seed", range(20))
def test_clusters_with_none_between_them_never_share_a_colour(seed: int) -> None:
    places = np.random.default_rng(seed).normal(size=(60, 2))
    chosen = spread_colours([(float(x), float(y)) for x, y in places])
    for one, other in itertools.combinations(range(60), 2):
        middle = (places[one] + places[other]) / 2
        nearest = np.delete(np.linalg.norm(places - middle, axis=1), [one, other]).min()
        if nearest > np.linalg.norm(places[one] - middle):
            assert chosen[one] != chosen[other]


def made_points(titles: list[str], **changes: object) -> packing.Points:
    count = len(titles)
    given: dict[str, object] = {
        "positions": np.arange(2 * count, dtype=np.float32).reshape(count, 2),
        "titles": titles,
        "years": [2001] * count,
        "categories": ["cs.IR"] * count,
        "colourings": {"kind": palette.by_kind(["paper"] * count)},
        "labels": [packing.Label(0, "small", 0.0, 0.0, 1), packing.Label(0, "large", 1.0, 1.0, 9)],
    }
    return packing.Points(**(given | changes))  # type: ignore[arg-type]


def unpacked(data: bytes) -> tuple[dict[str, object], bytes]:
    length = int.from_bytes(data[:4], "little")
    return json.loads(data[4 : 4 + length]), data[4 + length :]


def test_packed_points_come_back_as_they_were() -> None:
    given = made_points(["One", "Two", "Drei ünd vier"])
    header, body = unpacked(packing.pack(given).data)
    spans = header["arrays"]
    assert isinstance(spans, dict)
    positions = np.frombuffer(body[spans["positions"]["start"] : spans["positions"]["stop"]], dtype="<f4")
    assert positions.reshape(-1, 2).tolist() == given.positions.tolist()
    assert all(span["start"] % 4 == 0 for span in spans.values())
    start, stop = header["titles"]  # type: ignore[misc]
    assert body[start:stop].decode().split("\n") == ["One", "Two", "Drei ünd vier"]


def test_labels_are_sent_largest_first_because_the_first_gets_the_room() -> None:
    header, _ = unpacked(packing.pack(made_points(["One"])).data)
    assert [label["text"] for label in header["labels"]] == ["large", "small"]  # type: ignore[attr-defined]


def test_a_title_is_one_short_line_whatever_stands_in_it() -> None:
    header, body = unpacked(packing.pack(made_points(["<b>bold</b>\n\nand\tmore", "x" * 500])).data)
    start, stop = header["titles"]  # type: ignore[misc]
    first, second = body[start:stop].decode().split("\n")
    assert first == "<b>bold</b> and more"
    assert len(second) == packing.TITLE_CHARACTERS
    assert second.endswith("…")


def test_the_name_of_packed_points_changes_with_any_of_them() -> None:
    keys = {
        packing.pack(made_points(["One", "Two"])).key,
        packing.pack(made_points(["One", "2"])).key,
        packing.pack(made_points(["One", "Two"], years=[2001, 2002])).key,
        packing.pack(made_points(["One", "Two"], labels=[])).key,
    }
    assert len(keys) == 4
    assert packing.pack(made_points(["One", "Two"])).key in keys


def test_a_map_of_the_size_of_the_samples_stays_small() -> None:
    count = 26_033
    kinds = palette.by_kind(["paper"] * count)
    packed = packing.pack(made_points(["T" * 75] * count, colourings={"kind": kinds, "year": kinds}))
    assert len(packed.data) < 2_600_000


def inside(box: dict[str, float], positions: NDArray[np.float32]) -> float:
    """The share of positions in a box."""
    x, y = positions.T
    held = (x >= box["left"]) & (x <= box["right"]) & (y >= box["bottom"]) & (y <= box["top"])
    return float(held.mean())


@pytest.mark.parametrize("far", [(1e3, 0.0), (0.0, -1e3), (1e3, 1e3)])
def test_the_first_view_holds_nearly_all_points_and_no_stray_shrinks_it(far: tuple[float, float]) -> None:
    near = np.random.default_rng(1).normal(size=(10_000, 2))
    strays = np.asarray(far) * np.linspace(0.5, 1, 40)[:, None]  # in one direction, as isolated groups drift
    positions = np.concatenate([near, strays]).astype(np.float32)
    box = packing.first_view(positions)
    assert 0.99 <= inside(box, positions) < 1
    assert box["right"] - box["left"] < 8
    assert box["top"] - box["bottom"] < 8


def test_without_strays_the_first_view_holds_all() -> None:
    positions = np.random.default_rng(1).uniform(size=(5_000, 2)).astype(np.float32)
    box = packing.first_view(positions)
    assert inside(box, positions) == 1
    assert box["left"] == positions[:, 0].min()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_few_points_have_a_first_view(count: int) -> None:
    positions = np.arange(2 * count, dtype=np.float32).reshape(count, 2)
    assert list(packing.first_view(positions)) == ["left", "bottom", "right", "top"]
    assert not count or inside(packing.first_view(positions), positions) == 1
