"""Names for groups of widgets with equal labels: a screen reader then says which card a "Compare" belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

_SOURCE = Path(__file__).resolve().parent / "group_names_script"


def name_groups(place: str, names: Mapping[str, str]) -> None:
    """Name containers, by their keys, for screen readers to say on the way in; `place` tells lists of names apart.

    The key of a button names the button itself; its name then begins with the label that is seen.
    """
    _component()(key=f"names-{place}", data=dict(names), height=1)


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component("priorscope_group_names", js=(_SOURCE / "names.js").read_text("utf-8"))
