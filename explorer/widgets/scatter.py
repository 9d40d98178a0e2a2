"""A scatter of many documents: packed once for the browser, redrawn there when the settings change.

The drawing itself is in map_canvas/: plain script and style, no library. A keyed chart of a plotting
library is built anew on every change and forgets the zoom; this one keeps both points and zoom.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from engine.files import fingerprint
from explorer.widgets.palette import Colouring

TITLE_CHARACTERS = 120
_SOURCE = Path(__file__).resolve().parent / "map_canvas"
_SCRIPTS = ("points.js", "paint.js", "ink.js", "input.js", "camera.js", "parts.js", "view.js")
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
    """Everything that the browser keeps of a map; lists and arrays are of one length n.

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
    """The document that asks, at its place, and the rows of its true neighbours, nearest first."""

    x: float
    y: float
    label: str
    neighbours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the points are shown; changing these sends some hundred bytes, not the points.

    `level` is "auto" (follows the zoom), "none", or a rank counted from the coarsest. `kinds` are
    codes of the colouring "kind", None shows all. `focus` is a row to point at. A new `clear` drops
    the selection.
    """

    colour: str = "kind"
    level: str | int = "auto"
    years: tuple[int, int] | None = None
    kinds: tuple[int, ...] | None = None
    query: Query | None = None
    focus: int | None = None
    description: str = "Map of documents"
    clear: int = 0


@dataclass(frozen=True, slots=True)
class Reaction:
    """What the visitor did on the map: the rows within the lasso or box."""

    selected: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Packed:
    """Points as bytes, under a name made of their content."""

    key: str
    data: bytes
    count: int


def pack(points: Points) -> Packed:
    """Points in the form that map_canvas/points.js reads: length, JSON header, arrays, titles."""
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
    text = json.dumps(header | {"key": key}).encode()
    return Packed(key, len(text).to_bytes(4, "little") + text + body + titles, count)


def scatter(packed: Packed, settings: Settings, *, key: str, on_pick: Callable[[int], object]) -> Reaction:
    """Show the points on the page; `on_pick` is called with the row that was clicked on, before the page runs."""
    component = _component()

    def picked() -> None:
        row = _row(st.session_state[key].get("picked"), packed.count)
        if row is not None:
            on_pick(row)

    result = component(
        key=key,
        data=asdict(settings) | {"points": packed.key},
        on_selected_change=_nothing,
        on_picked_change=picked,
    )
    component(key=f"{key}-points", data=packed.data, height=1)
    return Reaction(_rows(result.get("selected"), packed.count))


@cache
def _component() -> Callable[..., Any]:
    script = "\n".join((_SOURCE / name).read_text("utf-8") for name in _SCRIPTS)
    style = (_SOURCE / "map.css").read_text("utf-8")
    return st.components.v2.component("priorscope_map", js=script, css=style)


def _nothing() -> None:
    """Streamlit keeps a component's state only under a name that has a callback."""


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
