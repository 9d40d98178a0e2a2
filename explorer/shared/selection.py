"""Documents selected on a map: held for the visit, listed, and downloadable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from engine.documents import Document
from engine.documents.markup import Markup, element
from explorer.shared.collecting import keep_button
from explorer.shared.document import UNTITLED
from explorer.shared.downloads import document_downloads, table_downloads
from explorer.shared.markup import show

_LISTED = 200
_HELD = "map_selection"


def held() -> frozenset[str]:
    """The ids of the documents that this visitor has selected; they stay so when another map is shown."""
    found: frozenset[str] = st.session_state.get(_HELD, frozenset())
    return found


def hold(ids: Iterable[str]) -> None:
    """Make documents the selection; none drops it."""
    st.session_state[_HELD] = frozenset(ids)


@dataclass(frozen=True, slots=True)
class Selected:
    """What was selected: ids and titles of one length, and how to fetch the documents themselves.

    `summary` says what they have in common; `tables` makes a file of them for the end of a file's name.
    """

    ids: Sequence[str]
    titles: Sequence[str]
    documents: Callable[[Sequence[str]], list[Document]]
    summary: Markup
    tables: Mapping[str, Callable[[], bytes]]


def selection(selected: Selected, *, on_clear: Callable[[], None]) -> None:
    """Draw the count, the downloads of just these documents, the way to keep them, and their titles."""
    count = len(selected.ids)
    with st.container(border=True, key="map-selection", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.header(f"{count:,} selected", anchor=False)
            keep_button(selected.ids, key="selection", what="the selection")
            st.button("Clear", key="map-selection-clear", type="tertiary", on_click=on_clear, icon=":material/close:")
        show(selected.summary)
        with st.container(horizontal=True, gap="small", key="map-downloads"):
            document_downloads(selected.ids, selected.documents, stem="priorscope-selection", key="map")
        show(element("p", "With their places and clusters on the map:", class_="ps-quiet"))
        with st.container(horizontal=True, gap="small", key="map-places"):
            table_downloads(selected.tables, stem="priorscope-selection-places", key="selection")
        items = [element("li", title or UNTITLED) for title in selected.titles[:_LISTED]]
        more = count - len(items)
        show(
            element(
                "div",
                element("ol", *items, class_="ps-picked"),
                class_="ps-scroll",
                role="region",
                aria_label="Selected documents",
            )
        )
        if more > 0:
            show(element("p", f"and {more:,} more; the downloads hold them all.", class_="ps-quiet"))
