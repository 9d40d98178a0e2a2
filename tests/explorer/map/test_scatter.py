from __future__ import annotations

import json

import numpy as np
import pytest

from explorer.map import scatter
from explorer.shared import palette


def points(titles: list[str], **changes: object) -> scatter.Points:
    count = len(titles)
    given: dict[str, object] = {
        "positions": np.arange(2 * count, dtype=np.float32).reshape(count, 2),
        "titles": titles,
        "years": [2001] * count,
        "categories": ["cs.IR"] * count,
        "colourings": {"kind": palette.by_kind(["paper"] * count)},
        "labels": [scatter.Label(0, "small", 0.0, 0.0, 1), scatter.Label(0, "large", 1.0, 1.0, 9)],
    }
    return scatter.Points(**(given | changes))  # type: ignore[arg-type]


def unpacked(data: bytes) -> tuple[dict[str, object], bytes]:
    length = int.from_bytes(data[:4], "little")
    return json.loads(data[4 : 4 + length]), data[4 + length :]


def test_packed_points_come_back_as_they_were() -> None:
    given = points(["One", "Two", "Drei ünd vier"])
    header, body = unpacked(scatter.pack(given).data)
    spans = header["arrays"]
    assert isinstance(spans, dict)
    positions = np.frombuffer(body[spans["positions"]["start"] : spans["positions"]["stop"]], dtype="<f4")
    assert positions.reshape(-1, 2).tolist() == given.positions.tolist()
    assert all(span["start"] % 4 == 0 for span in spans.values())
    start, stop = header["titles"]  # type: ignore[misc]
    assert body[start:stop].decode().split("\n") == ["One", "Two", "Drei ünd vier"]


def test_labels_are_sent_largest_first_because_the_first_gets_the_room() -> None:
    header, _ = unpacked(scatter.pack(points(["One"])).data)
    assert [label["text"] for label in header["labels"]] == ["large", "small"]  # type: ignore[attr-defined]


def test_a_title_is_one_short_line_whatever_stands_in_it() -> None:
    header, body = unpacked(scatter.pack(points(["<b>bold</b>\n\nand\tmore", "x" * 500])).data)
    start, stop = header["titles"]  # type: ignore[misc]
    first, second = body[start:stop].decode().split("\n")
    assert first == "<b>bold</b> and more"
    assert len(second) == scatter.TITLE_CHARACTERS
    assert second.endswith("…")


def test_the_name_of_packed_points_changes_with_any_of_them() -> None:
    keys = {
        scatter.pack(points(["One", "Two"])).key,
        scatter.pack(points(["One", "2"])).key,
        scatter.pack(points(["One", "Two"], years=[2001, 2002])).key,
        scatter.pack(points(["One", "Two"], labels=[])).key,
    }
    assert len(keys) == 4
    assert scatter.pack(points(["One", "Two"])).key in keys


def test_a_map_of_the_size_of_the_samples_stays_small() -> None:
    count = 26_033
    kinds = palette.by_kind(["paper"] * count)
    packed = scatter.pack(points(["T" * 75] * count, colourings={"kind": kinds, "year": kinds}))
    assert len(packed.data) < 2_600_000


@pytest.mark.parametrize("sent", [None, "1", {"0": 1}, [-1, 5, 2.5, True, "3", None]])
def test_rows_that_are_not_rows_are_left_out(sent: object) -> None:
    assert scatter._rows(sent, 5) == ()


def test_rows_from_the_browser_are_taken_once_each() -> None:
    assert scatter._rows([4, 0, 4, 9], 5) == (4, 0)
