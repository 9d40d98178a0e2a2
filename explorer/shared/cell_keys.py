"""The chosen cell of a heatmap in words, and the arrow keys that choose another.

The script also tells the page which cell is chosen or pointed at, so that `explorer.compare.cells` can show it at once.
The server hears of a choice in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.shared import scripts

_SOURCE = Path(__file__).resolve().parent / "cell_keys_script"


@dataclass(frozen=True, slots=True)
class Walk:
    """Where the arrow keys lead: a grid of rows and columns, the chosen cell, and the first one where none is."""

    rows: int
    columns: int
    cell: tuple[int, int] | None
    first: tuple[int, int]


def cell_keys(walk: Walk, *, target: str, said: str, description: str, on_move: Callable[[int, int], object]) -> None:
    """Say `said` under the heatmap in the container whose key is `target`, and let the arrow keys move in it."""
    key = f"{target}-keys"

    def moved() -> None:
        place = st.session_state[key].get("moved")
        if _is_cell(place, walk):
            on_move(*place)

    data = {
        "target": target,
        "said": said,
        "description": description,
        "rows": walk.rows,
        "columns": walk.columns,
        "cell": walk.cell and list(walk.cell),
        "first": list(walk.first),
    }
    _component()(key=key, data=data, on_moved_change=moved)


def _is_cell(place: Any, walk: Walk) -> bool:  # noqa: ANN401  what the browser sent
    if not isinstance(place, list) or len(place) != 2 or not all(type(number) is int for number in place):
        return False
    return 0 <= place[0] < walk.rows and 0 <= place[1] < walk.columns


@cache
def _component() -> Callable[..., Any]:
    style = (_SOURCE / "keys.css").read_text("utf-8")
    script = scripts.joined(_SOURCE, ["keys.js"], shared=["ahead.js"])
    return st.components.v2.component("priorscope_cell_keys", js=script, css=style)
