"""The map's clusters as a table, for those who prefer reading, and a way to rename them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine import exports, maps
from engine.documents.markup import Markup, element
from explorer.shared.document import UNTITLED
from explorer.shared.markup import scroll_region, show, table
from explorer.shared.widgets import download_button
from explorer.state import handles, session

ORDER_NAMES: dict[maps.ClusterOrder, str] = {"size": "Size", "label": "Label", "years": "Years"}
LEVEL_NAMES = ("Region", "Topic", "Detail")
_HELP = "Leave empty for the words that the map chose. Drawing the map again forgets names."


def cluster_table(name: str, *, of: str = "") -> None:
    """Draw the clusters of an encoder's map with size, years and central documents, to sort, save and rename."""
    clusters = handles.workspace().of_map(name, "clusters", _listed)
    if not clusters:
        return
    with st.expander(f"The {len(clusters):,} clusters{of} as a table", icon=":material/table_rows:"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            order = st.segmented_control(
                "Sort by",
                ORDER_NAMES,
                default="size",
                required=True,
                format_func=lambda order: ORDER_NAMES[order],
                key=f"clusters-order-{name}",
            )
            download_button(
                "CSV",
                lambda: exports.clusters_csv(clusters),
                "priorscope-clusters.csv",
                key=f"clusters-csv-{name}",
                icon=":material/download:",
                help="The clusters with size, years and central documents, for a spreadsheet",
            )
        show(handles.workspace().of_map(name, ("clusters", order), lambda _: _drawn(clusters, order)))
        _rename([one.label for one in clusters], name)


def _listed(library_map: maps.LibraryMap) -> list[maps.Cluster]:
    return maps.list_clusters(library_map, handles.library().summaries())


def _drawn(clusters: Sequence[maps.Cluster], order: maps.ClusterOrder) -> Markup:
    """Return the table in an order; by size they stand as listed, coarse ones first."""
    ordered = clusters if order == "size" else maps.in_order(clusters, order)
    headings = ("Cluster", "Level", "Documents", "Years", "Most central documents")
    rows = [
        (
            one.label.name,
            _level(one.label),
            f"{one.label.size:,}",
            _years(one),
            element("ul", *(element("li", title or UNTITLED) for _, title in one.central)),
        )
        for one in ordered
    ]
    label = "Clusters of the map"
    return scroll_region(table(headings, rows, label=label, numbers=(2,), look="ps-table ps-clusters"), label)


def _years(cluster: maps.Cluster) -> str:
    first, last = cluster.years.first, cluster.years.last
    return f"{first}–{last}" if first < last else str(first or "unknown")


def _rename(labels: Sequence[maps.ClusterLabel], name: str) -> None:
    """Choose a cluster and name it."""
    which, field = f"rename-cluster-{name}", f"rename-cluster-to-{name}"

    def renamed() -> None:
        label, own = labels[st.session_state[which]], st.session_state[field]
        session.attempt(handles.workspace().rename_cluster, name, label.level, label.cluster, own)

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
        st.text_input("Call it", key=field, max_chars=maps.LibraryMap.MAX_LABEL, help=_HELP)
        st.form_submit_button("Rename", on_click=renamed)


def _level(label: maps.ClusterLabel) -> str:
    return LEVEL_NAMES[min(label.level, len(LEVEL_NAMES) - 1)]
