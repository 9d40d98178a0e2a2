"""Points as bytes: what the scripts that draw the map read."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.exports.maps import packing, palette


def points(titles: list[str], **changes: object) -> packing.Points:
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
    given = points(["One", "Two", "Drei ünd vier"])
    header, body = unpacked(packing.pack(given).data)
    spans = header["arrays"]
    assert isinstance(spans, dict)
    positions = np.frombuffer(body[spans["positions"]["start"] : spans["positions"]["stop"]], dtype="<f4")
    assert positions.reshape(-1, 2).tolist() == given.positions.tolist()
    assert all(span["start"] % 4 == 0 for span in spans.values())
    start, stop = header["titles"]  # type: ignore[misc]
    assert body[start:stop].decode().split("\n") == ["One", "Two", "Drei ünd vier"]


def test_labels_are_sent_largest_first_because_the_first_gets_the_room() -> None:
    header, _ = unpacked(packing.pack(points(["One"])).data)
    assert [label["text"] for label in header["labels"]] == ["large", "small"]  # type: ignore[attr-defined]


def test_a_title_is_one_short_line_whatever_stands_in_it() -> None:
    header, body = unpacked(packing.pack(points(["<b>bold</b>\n\nand\tmore", "x" * 500])).data)
    start, stop = header["titles"]  # type: ignore[misc]
    first, second = body[start:stop].decode().split("\n")
    assert first == "<b>bold</b> and more"
    assert len(second) == packing.TITLE_CHARACTERS
    assert second.endswith("…")


def test_the_name_of_packed_points_changes_with_any_of_them() -> None:
    keys = {
        packing.pack(points(["One", "Two"])).key,
        packing.pack(points(["One", "2"])).key,
        packing.pack(points(["One", "Two"], years=[2001, 2002])).key,
        packing.pack(points(["One", "Two"], labels=[])).key,
    }
    assert len(keys) == 4
    assert packing.pack(points(["One", "Two"])).key in keys


def test_a_map_of_the_size_of_the_samples_stays_small() -> None:
    count = 26_033
    kinds = palette.by_kind(["paper"] * count)
    packed = packing.pack(points(["T" * 75] * count, colourings={"kind": kinds, "year": kinds}))
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
