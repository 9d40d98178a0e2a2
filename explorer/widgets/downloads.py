"""The results as files: CSV, JSON, BibTeX and RIS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from engine.exports import Exportable

_KINDS = (
    ("csv", "CSV, for a spreadsheet", "csv", "text/csv"),
    ("json", "JSON, for a program", "json", "application/json"),
    ("bibtex", "BibTeX, for LaTeX", "bib", "application/x-bibtex"),
    ("ris", "RIS, for a reference manager", "ris", "application/x-research-info-systems"),
)


def downloads(items: Sequence[Exportable], *, stem: str) -> None:
    """One button that opens the four formats."""
    from engine.exports import FORMATS

    with st.popover("Download", icon=":material/download:", help="The results shown, as a file"):
        for name, label, extension, mime in _KINDS:
            st.download_button(
                label,
                FORMATS[name](items),
                file_name=f"{stem}.{extension}",
                mime=mime,
                key=f"download-{name}",
                on_click="ignore",
                width="stretch",
            )
