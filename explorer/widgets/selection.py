"""Documents that were selected on a map: held for the visit, listed, and given a way out of the app."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import streamlit as st

from engine.documents import Document
from explorer.widgets.document import UNTITLED
from explorer.widgets.markup import element, show

_LISTED = 200
_FORMATS = {
    "csv": ("CSV", "text/csv", "csv"),
    "json": ("JSON", "application/json", "json"),
    "bibtex": ("BibTeX", "application/x-bibtex", "bib"),
    "ris": ("RIS", "application/x-research-info-systems", "ris"),
}


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
    """What was selected: ids and titles of one length, and how to fetch the documents themselves."""

    ids: Sequence[str]
    titles: Sequence[str]
    documents: Callable[[Sequence[str]], list[Document]]


def selection(selected: Selected, *, on_clear: Callable[[], None]) -> None:
    """Draw the count, the downloads of just these documents, and their titles."""
    count = len(selected.ids)
    with st.container(border=True, key="map-selection", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.header(f"{count:,} selected", anchor=False)
            st.button("Clear", key="map-selection-clear", type="tertiary", on_click=on_clear, icon=":material/close:")
        _downloads(selected)
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


def _downloads(selected: Selected) -> None:
    with st.container(horizontal=True, gap="small", key="map-downloads"):
        for name, (label, mime, ending) in _FORMATS.items():
            st.download_button(
                label,
                data=lambda name=name: _written(selected, name),
                file_name=f"priorscope-selection.{ending}",
                mime=mime,
                key=f"map-download-{name}",
                on_click="ignore",
                help=f"The {len(selected.ids):,} selected documents as {label}",
            )


def _written(selected: Selected, name: str) -> bytes:
    """The file's bytes, made when the button is pressed and not before."""
    from engine.exports import FORMATS

    return FORMATS[name](selected.documents(selected.ids)).encode()
