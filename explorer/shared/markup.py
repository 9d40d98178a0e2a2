"""How safe HTML and plain text come onto Streamlit's page, which reads Markdown nearly everywhere."""

from __future__ import annotations

import streamlit as st

from engine.documents.markup import Markup

_MARKS = frozenset("\\`*_{}[]()<>#+-.!|~:$&")


def plain(text: str) -> str:
    """A text as it is written, for the labels of widgets, in which Streamlit reads Markdown."""
    return "".join(f"\\{character}" if character in _MARKS else character for character in text)


def show(markup: Markup) -> None:
    """Put HTML on the page. Raises TypeError for a plain string, which may hold somebody's tags."""
    if not isinstance(markup, Markup):
        raise TypeError(f"Expected Markup from element(); got {type(markup).__name__}. Build it with element().")
    if markup:
        st.html(str(markup))
