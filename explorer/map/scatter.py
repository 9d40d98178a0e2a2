"""A scatter of many documents on the page: what Python sends to the scripts that draw it, and what they answer.

A keyed chart of a plotting library is built again on every change and forgets the zoom; this one keeps both points and
zoom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import streamlit as st

from engine.exports import CANVAS, SCRIPTS, Packed, Settings
from explorer.shared import scripts

LAST_YEAR = 9999
WORDS_CHARACTERS = 500
"""What is read of the words typed over the map."""


@dataclass(frozen=True, slots=True)
class Reactions:
    """What to call when the visitor acts on the map, before the page runs.

    With the row clicked on, the rows selected, the two rows to compare, the words to search for, and the first and last
    year to let through or None for all.
    """

    pick: Callable[[int], object]
    select: Callable[[tuple[int, ...]], object]
    compare: Callable[[int, int], object]
    search: Callable[[str], object]
    limit: Callable[[tuple[int, int] | None], object]


def scatter(packed: Packed, settings: Settings, *, key: str, react: Reactions) -> None:
    """Show the points on the page, which holds the selection: the map only says what was selected."""

    def picked() -> None:
        row = _row(st.session_state[key].get("picked"), packed.count)
        if row is not None:
            react.pick(row)

    def selected() -> None:
        react.select(_rows(st.session_state[key].get("selected"), packed.count))

    def compared() -> None:
        rows = _rows(st.session_state[key].get("compared"), packed.count)
        if len(rows) == 2:
            react.compare(*rows)

    def searched() -> None:
        words = st.session_state[key].get("searched")
        react.search(words[:WORDS_CHARACTERS] if isinstance(words, str) else "")

    def limited() -> None:
        react.limit(_years(st.session_state[key].get("years")))

    component = _component()
    component(
        key=key,
        data=asdict(settings) | {"points": packed.key},
        on_selected_change=selected,
        on_picked_change=picked,
        on_compared_change=compared,
        on_searched_change=searched,
        on_years_change=limited,
    )
    send(packed.data, key=f"{key}-points")


def send(data: bytes, *, key: str) -> None:
    """Give the maps of the page what `pack` or `pack_link` made; the page's style hides the element."""
    _component()(key=key, data=data, height=1)


def script() -> str:
    """What draws the maps in the browser."""
    return scripts.joined(CANVAS, (*SCRIPTS, "mount.js"))


@cache
def _component() -> Callable[..., Any]:
    style = (CANVAS / "map.css").read_text("utf-8")
    return st.components.v2.component("priorscope_map", js=script(), css=style)


def _rows(value: object, count: int) -> tuple[int, ...]:
    """Rows that the browser sent, each once and within the map; anything else is left out."""
    if not isinstance(value, list):
        return ()
    rows = (_row(item, count) for item in value)
    return tuple(dict.fromkeys(row for row in rows if row is not None))


def _row(value: object, count: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < count else None


def _years(value: object) -> tuple[int, int] | None:
    """The first and last year that the browser sent; anything but two years in order lets all through."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    low, high = (_row(year, LAST_YEAR + 1) for year in value)
    return None if low is None or high is None or low > high else (low, high)
