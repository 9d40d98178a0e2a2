"""A scatter of many documents: packed once for the browser, redrawn there when the settings change.

The drawing itself is in canvas/: plain script and style, no library. A keyed chart of a plotting
library is built again on every change and forgets the zoom; this one keeps both points and zoom.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from engine.files import fingerprint
from explorer.shared import scripts
from explorer.shared.palette import Colouring

Place = Literal["", "first", "second"]
"""Which of two linked maps this is; empty for a single one."""

TITLE_CHARACTERS = 120
_SOURCE = Path(__file__).resolve().parent / "canvas"
_SCRIPTS = (
    "points.js",
    "links.js",
    "paint.js",
    "ink.js",
    "input.js",
    "place.js",
    "camera.js",
    "parts.js",
    "tip.js",
    "view.js",
    "mount.js",
)
_ALIGNMENT = 4


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
class Settings:
    """How the points are shown; changing these sends some hundred bytes, not the points.

    `level` is "auto" (follows the zoom), "none", or a rank counted from the coarsest. `kinds` are
    codes of the colouring "kind", None shows all. `passing` are bits (see `row_bits`) of the rows that pass what the
    browser cannot check itself, None lets all through. `focus` is a row to point at. `selected` are bits of the rows
    that the page holds as selected, None for none. `linked` says that another map stands beside this one, and which
    of the two it is.
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
    linked: Place = ""


@dataclass(frozen=True, slots=True)
class Reactions:
    """What to call when the visitor acts on the map, before the page runs: the row clicked on, the rows selected."""

    pick: Callable[[int], object]
    select: Callable[[tuple[int, ...]], object]


@dataclass(frozen=True, slots=True)
class Packed:
    """Points as bytes, named by their content."""

    key: str
    data: bytes
    count: int


def pack(points: Points) -> Packed:
    """Points in the form that canvas/points.js reads: length, JSON header, arrays, titles."""
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
        "titles": [len(body), len(body) + len(titles)],
        "names": {"kinds": ["Paper", "Patent", "Question"], "categories": ["", *names]},
        "labels": [asdict(label) for label in sorted(points.labels, key=lambda label: -label.size)],
        "legends": {name: _legend(colouring) for name, colouring in points.colourings.items()},
    }
    key = fingerprint(json.dumps(header), body, titles)
    return Packed(key, _message(header | {"key": key}, body + titles), count)


def pack_link(first: Packed, second: Packed, rows: Sequence[int]) -> bytes:
    """Which row of `second` is the same document as each row of `first`, -1 for none; see canvas/links.js."""
    return _message({"link": [first.key, second.key]}, np.asarray(rows, dtype="<i4").tobytes())


def row_bits(rows: Iterable[bool]) -> str:
    """One bit a row, in base64: what `Settings.passing` holds."""
    return base64.b64encode(np.packbits(np.fromiter(rows, dtype=bool)).tobytes()).decode()


def scatter(packed: Packed, settings: Settings, *, key: str, react: Reactions) -> None:
    """Show the points on the page, which holds the selection: the map only says what was selected."""

    def picked() -> None:
        row = _row(st.session_state[key].get("picked"), packed.count)
        if row is not None:
            react.pick(row)

    def selected() -> None:
        react.select(_rows(st.session_state[key].get("selected"), packed.count))

    component = _component()
    component(
        key=key,
        data=asdict(settings) | {"points": packed.key},
        on_selected_change=selected,
        on_picked_change=picked,
    )
    send(packed.data, key=f"{key}-points")


def send(data: bytes, *, key: str) -> None:
    """Give the maps of the page what `pack` or `pack_link` made; the page's style hides the element."""
    _component()(key=key, data=data, height=1)


def script() -> str:
    """What draws the maps in the browser."""
    return scripts.joined(_SOURCE, _SCRIPTS)


@cache
def _component() -> Callable[..., Any]:
    style = (_SOURCE / "map.css").read_text("utf-8")
    return st.components.v2.component("priorscope_map", js=script(), css=style)


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


def _legend(colouring: Colouring) -> dict[str, Any]:
    return {
        "title": colouring.title,
        "entries": [asdict(entry) for entry in colouring.entries],
        "more": colouring.more,
    }


def _one_line(title: str) -> str:
    text = " ".join(title.split())
    return text if len(text) <= TITLE_CHARACTERS else text[: TITLE_CHARACTERS - 1].rstrip() + "…"


def _rows(value: object, count: int) -> tuple[int, ...]:
    """Rows that the browser sent, each once and within the map; anything else is left out."""
    if not isinstance(value, list):
        return ()
    rows = (_row(item, count) for item in value)
    return tuple(dict.fromkeys(row for row in rows if row is not None))


def _row(value: object, count: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count else None
