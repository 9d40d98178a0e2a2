"""The look that every page shares: name, mark, style sheet."""

from __future__ import annotations

import streamlit as st

from explorer import ASSETS
from explorer.shared.formulas import watch_formulas


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
