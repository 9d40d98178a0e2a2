"""The map's clusters as a table: what the labels say, for those who read rather than look."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.widgets.markup import element, show
from explorer.widgets.scatter import Label

LEVEL_NAMES = ("Region", "Topic", "Detail")


def cluster_table(labels: Sequence[Label], *, of: str = "") -> None:
    """Every cluster with its level and size, in an expander; coarse ones first, large ones first."""
    if not labels:
        return
    ordered = sorted(labels, key=lambda label: (label.level, -label.size))
    with st.expander(f"The {len(ordered):,} clusters{of} as a table", icon=":material/table_rows:"):
        heads = [element("th", name, scope="col") for name in ("Cluster", "Level", "Documents")]
        rows = [
            element(
                "tr",
                element("th", label.text, scope="row"),
                element("td", LEVEL_NAMES[min(label.level, len(LEVEL_NAMES) - 1)]),
                element("td", f"{label.size:,}", class_="ps-number"),
            )
            for label in ordered
        ]
        table = element("table", element("thead", element("tr", *heads)), element("tbody", *rows), class_="ps-table")
        show(element("div", table, class_="ps-scroll", role="region", aria_label="Clusters of the map"))
