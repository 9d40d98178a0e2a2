"""What every page shares: its name, mark and style sheet, its entries in the browser's history."""

from __future__ import annotations

import streamlit as st

from explorer import ASSETS
from explorer.shared.markup import SHARED, component, watch_formulas
from explorer.state import session


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
    component("scheme", SHARED / "scheme_script", "scheme.js")(key="names-scheme", height=1)


def note_entry() -> None:
    """Tell the browser what the link of this page is of, so that Back leads from one answer to the one before."""
    if (shown := session.shown_link()) is not None:
        data = {"page": shown.page, "link": shown.link, "isPassing": shown.is_passing}
        component("entries", SHARED / "entries_script", "entries.js")(key="names-entries", data=data, height=1)
