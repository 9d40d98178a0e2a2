"""A map of many documents as bytes and settings: what the scripts in canvas/ draw, on the page and in a file.

The scripts are plain, without a library. Points are packed once; changed settings send some hundred bytes.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from engine.core.files import fingerprint
from engine.exports.maps.palette import EMPTY_YEARS, Colouring

PackedPlace = Literal["", "first", "second"]
"""Which of two linked maps this is; empty for a single one."""

TITLE_CHARACTERS = 300
CANVAS = Path(__file__).resolve().parent / "canvas"
SCRIPTS = (
    "points.js",
    "links.js",
    "paint.js",
    "compare.js",
    "ink.js",
    "input.js",
    "place.js",
    "camera.js",
    "parts.js",
    "tip.js",
    "find.js",
    "years.js",
    "picture.js",
    "view.js",
)
"""The scripts in the order that they need; what starts them comes last."""
_ALIGNMENT = 4
_IN_VIEW = 0.995
"""The share of the points that the first view holds by each axis: at least 99 % by both."""
_MARGIN = 0.05
_ALMOST_ALL = 0.8


@dataclass(frozen=True, slots=True)
class Label:
    """A cluster's name on the map; level 0 is the coarsest."""

    level: int
    text: str
    x: float
    y: float
    size: int


@dataclass(frozen=True, slots=True)
class Points:
    """Everything that the browser keeps of a map; lists and arrays have length n.

    `positions` is (n, 2) float32, year 0 is unknown, `colourings` by the name that settings use.
    """

    positions: NDArray[np.float32]
    titles: Sequence[str]
    years: Sequence[int]
    categories: Sequence[str]
    colourings: Mapping[str, Colouring]
    labels: Sequence[Label]


@dataclass(frozen=True, slots=True)
class Query:
    """The query at its place, and the rows of its true neighbours, nearest first.

    `apart` are those that the other map's encoder does not find: their lines are dashed.
    """

    x: float
    y: float
    label: str
    neighbours: tuple[int, ...]
    apart: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The rows that the library's keywords find for words, as bits (see `row_bits`), and how many there are."""

    words: str
    rows: str
    count: int


@dataclass(frozen=True, slots=True)
class Settings:
    """How the points are shown; changing these sends some hundred bytes, not the points.

    `level` is "auto" (follows the zoom), "none", or a rank counted from the coarsest. `kinds` are
    codes of the colouring "kind", None shows all. `passing` are bits (see `row_bits`) of the rows that pass what the
    browser cannot check itself, None lets all through. `focus` is a row to point at. `selected` are bits of the rows
    that the page holds as selected, None for none. `linked` says that another map stands beside this one, and which
    of the two it is. `pairs` says that two documents can be compared from here. `found` lights up what keywords
    found, as long as the visitor's words are the same.
    """

    colour: str = "kind"
    level: str | int = "auto"
    years: tuple[int, int] | None = None
    kinds: tuple[int, ...] | None = None
    passing: str | None = None
    query: Query | None = None
    focus: int | None = None
    description: str = "Map of documents"
    selected: str | None = None
    linked: PackedPlace = ""
    found: Found | None = None
    pairs: bool = False


@dataclass(frozen=True, slots=True)
class Packed:
    """Points as bytes, named by their content."""

    key: str
    data: bytes
    count: int


def pack(points: Points) -> Packed:
    """Return points in the form that canvas/points.js reads: length, JSON header, arrays, titles."""
    count = len(points.titles)
    names = sorted(set(points.categories) - {""})
    place = {name: number for number, name in enumerate(["", *names])}
    arrays: dict[str, NDArray[Any]] = {
        "positions": np.asarray(points.positions, dtype="<f4"),
        "years": np.asarray(points.years, dtype="<u2"),
        "categories": np.asarray([place[category] for category in points.categories], dtype="<u2"),
    }
    arrays |= {name: colouring.codes.astype("<u2") for name, colouring in points.colourings.items()}
    body, spans = _concatenated(arrays)
    titles = "\n".join(_one_line(title) for title in points.titles).encode()
    header = {
        "count": count,
        "arrays": spans,
        "yearGap": EMPTY_YEARS,
        "view": first_view(points.positions),
        "titles": [len(body), len(body) + len(titles)],
        "names": {"kinds": ["Paper", "Patent", "Question"], "categories": ["", *names]},
        "labels": [asdict(label) for label in sorted(points.labels, key=lambda label: -label.size)],
        "legends": {
            name: {"title": one.title, "entries": [asdict(entry) for entry in one.entries]}
            for name, one in points.colourings.items()
        },
    }
    key = fingerprint(json.dumps(header), body, titles)
    return Packed(key, _message(header | {"key": key}, body + titles), count)


def first_view(positions: NDArray[np.float32]) -> dict[str, float]:
    """Return the box of the plane that is shown first: at least 99 % of the points (n, 2), wherever the others lie.

    The shortest stretch of each axis between two percentiles .995 apart, with a margin; where that saves less than a
    fifth of both axes, the box holds every point.
    """
    if not len(positions):
        return {"left": 0.0, "bottom": 0.0, "right": 0.0, "top": 0.0}
    ordered = np.sort(np.asarray(positions, dtype=np.float64), axis=0)
    least, most = ordered[0], ordered[-1]  # (2,)
    held = math.ceil(_IN_VIEW * len(ordered))
    low, high = ordered[: len(ordered) - held + 1], ordered[held - 1 :]
    shortest = np.argmin(high - low, axis=0)
    low, high = low[shortest, [0, 1]], high[shortest, [0, 1]]
    margin = _MARGIN * (high - low)
    low, high = np.maximum(low - margin, least), np.minimum(high + margin, most)
    if (high - low >= _ALMOST_ALL * (most - least)).all():
        low, high = least, most
    return dict(zip(("left", "bottom", "right", "top"), (*low.tolist(), *high.tolist()), strict=True))


def pack_link(first: Packed, second: Packed, rows: Sequence[int]) -> bytes:
    """Return which row of `second` is the same document as each row of `first`, -1 for none; see canvas/links.js."""
    return _message({"link": [first.key, second.key]}, np.asarray(rows, dtype="<i4").tobytes())


def row_bits(rows: Iterable[bool]) -> str:
    """Return one bit a row, in base64: what `Settings.passing` holds."""
    return base64.b64encode(np.packbits(np.fromiter(rows, dtype=bool)).tobytes()).decode()


def _message(header: Mapping[str, Any], body: bytes) -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(4, "little") + text + body


def _concatenated(arrays: Mapping[str, NDArray[Any]]) -> tuple[bytes, dict[str, dict[str, str | int]]]:
    body = bytearray()
    spans: dict[str, dict[str, str | int]] = {}
    for name, array in arrays.items():
        data = array.tobytes()
        spans[name] = {"type": array.dtype.str[1:], "start": len(body), "stop": len(body) + len(data)}
        body += data + bytes(-len(data) % _ALIGNMENT)
    return bytes(body), spans


def _one_line(title: str) -> str:
    text = " ".join(title.split())
    return text if len(text) <= TITLE_CHARACTERS else text[: TITLE_CHARACTERS - 1].rstrip() + "…"
