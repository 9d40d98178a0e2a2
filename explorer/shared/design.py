"""What every page shares: its name, mark and style sheet, its steps, its entries in the browser's history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer import ASSETS
from explorer.shared.markup import watch_formulas
from explorer.state import session

_ENTRIES = Path(__file__).resolve().parent / "entries_script" / "entries.js"
_SCHEME = Path(__file__).resolve().parent / "scheme_script" / "scheme.js"


def dress(page_name: str) -> None:
    """Set the window's title, the mark and the style sheet; called once a run, before anything is drawn."""
    st.set_page_config(
        page_title=f"{page_name} · Priorscope",
        page_icon=str(ASSETS / "mark.svg"),
        layout="wide",
        initial_sidebar_state="auto",
        menu_items={"About": "Priorscope shows what lies near a paper or a patent, and why. Apache-2.0."},
    )
    st.logo(str(ASSETS / "logo.svg"), size="large")
    st.html(ASSETS / "style.css")
    watch_formulas()
    _scheme()(key="names-scheme", height=1)


def note_entry() -> None:
    """Tell the browser what the link of this page is of, so that Back leads from one answer to the one before."""
    if (shown := session.shown()) is not None:
        data = {"page": shown.page, "link": shown.link, "isPassing": shown.is_passing}
        _entries()(key="names-entries", data=data, height=1)


@cache
def _scheme() -> Callable[..., Any]:
    return st.components.v2.component("priorscope_scheme", js=_SCHEME.read_text("utf-8"))


@cache
def _entries() -> Callable[..., Any]:
    return st.components.v2.component("priorscope_entries", js=_ENTRIES.read_text("utf-8"))


def place_of(step: str, steps: Sequence[str]) -> DeltaGenerator:
    """The place of one of a page's steps; the others are emptied.

    Steps that shared a place would show each other's widgets in grey until the run ends: Streamlit keeps a container's
    content as long as it may still be overwritten.
    """
    places = {name: st.container() if name == step else st.empty() for name in steps}
    return places[step]
