"""The map's clusters as a table, for those who prefer reading, and a way to rename them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from engine.errors import EngineError
from engine.markup import Markup, element
from explorer.shared.markup import show
from explorer.state import handles, session

if TYPE_CHECKING:
    from engine.maps import ClusterLabel, LibraryMap

LEVEL_NAMES = ("Region", "Topic", "Detail")
_HELP = "Leave empty for the words that the map chose. Drawing the map again forgets names."


def cluster_table(library_map: LibraryMap, name: str, *, of: str = "") -> None:
    """Every cluster with its level and size, in an expander, coarse ones first, large ones first; and a way to rename.

    `name` is the encoder whose map it is.
    """
    if not library_map.labels:
        return
    told = {level for level in range(len(library_map.levels)) if level == 0 or not _is_as_above(library_map, level)}
    labels = (label for label in library_map.labels if label.level in told)
    ordered = sorted(labels, key=lambda label: (label.level, -label.size))
    with st.expander(f"The {len(ordered):,} clusters{of} as a table", icon=":material/table_rows:"):
        table = element("div", _table(ordered), class_="ps-scroll", role="region", aria_label="Clusters of the map")
        show(table)
        _rename(ordered, name)


def _table(labels: Sequence[ClusterLabel]) -> Markup:
    heads = [element("th", name, scope="col") for name in ("Cluster", "Level", "Documents")]
    rows = [
        element(
            "tr",
            element("th", label.name, scope="row"),
            element("td", _level(label)),
            element("td", f"{label.size:,}", class_="ps-number"),
        )
        for label in labels
    ]
    return element("table", element("thead", element("tr", *heads)), element("tbody", *rows), class_="ps-table")


def _rename(labels: Sequence[ClusterLabel], name: str) -> None:
    """Choose a cluster and name it."""
    from engine.maps.model import MAX_LABEL

    which, field = f"rename-cluster-{name}", f"rename-cluster-to-{name}"

    def renamed() -> None:
        label, own = labels[st.session_state[which]], st.session_state[field]
        try:
            handles.rename_cluster(name, label.level, label.cluster, own)
        except EngineError as error:
            session.tell(str(error))

    with (
        st.form(f"rename-cluster-form-{name}", border=False, clear_on_submit=True, enter_to_submit=True),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.selectbox(
            "Rename the cluster",
            range(len(labels)),
            format_func=lambda at: f"{labels[at].name} ({_level(labels[at])}, {labels[at].size:,})",
            key=which,
        )
        st.text_input("Call it", key=field, max_chars=MAX_LABEL, help=_HELP)
        st.form_submit_button("Rename", on_click=renamed)


def _is_as_above(library_map: LibraryMap, level: int) -> bool:
    """Whether a level has the same groups as the one above, as on a map of a few dozen documents."""
    return bool((library_map.levels[level] == library_map.levels[level - 1]).all())


def _level(label: ClusterLabel) -> str:
    return LEVEL_NAMES[min(label.level, len(LEVEL_NAMES) - 1)]
