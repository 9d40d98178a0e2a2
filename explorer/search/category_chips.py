"""A hit's categories as buttons: one press filters the list by a category, as the filter at the side does."""

from __future__ import annotations

import streamlit as st

from engine.documents import Document
from engine.markup import in_label
from explorer.shared.document import SHOWN_CATEGORIES
from explorer.shared.options import is_full, toggle_listed
from explorer.state import session

_FIELD = "categories"
_FULL = "No more categories fit into the filter: take one out first"


def category_chips(document: Document) -> None:
    """A button for each of the first categories; a second press takes its filter away. The hit stays the one shown."""
    shown = document.categories[:SHOWN_CATEGORIES]
    if not shown:
        return
    chosen = session.current().filters.categories
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="hit-categories"):
        for number, category in enumerate(shown):
            is_on = category in chosen
            is_off = not is_on and is_full(_FIELD)
            if st.button(
                in_label(category),
                key=_key(number),
                icon=":material/close:" if is_on else None,  # another type would be another button, without the focus
                help=_FULL if is_off else _does(category),
                disabled=is_off,
            ):
                toggle_listed(_FIELD, category)
                session.update(selected=document.id)
                st.rerun()


def chip_names(document: Document) -> dict[str, str]:
    """The names of the buttons by their keys, for people who cannot see what stands beside them."""
    shown = document.categories[:SHOWN_CATEGORIES]
    return {_key(number): f"{category}: {_does(category)}" for number, category in enumerate(shown)}


def _key(number: int) -> str:
    return f"hit-category-{number}"


def _does(category: str) -> str:
    """What a press does."""
    chosen = session.current().filters.categories
    if category in chosen:
        return "take this category out of the filters"
    return "list documents of this category, too" if chosen else "list only documents of this category"
