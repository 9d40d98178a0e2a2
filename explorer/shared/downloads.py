"""The results as files: CSV, JSON, BibTeX and RIS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from engine import exports

_KINDS = (
    ("csv", "CSV, for a spreadsheet", "csv", "text/csv"),
    ("json", "JSON, for a program", "json", "application/json"),
    ("bibtex", "BibTeX, for LaTeX", "bib", "application/x-bibtex"),
    ("ris", "RIS, for a reference manager", "ris", "application/x-research-info-systems"),
)

_TABLES = {".csv": ("CSV", "text/csv"), ".parquet": ("Parquet", "application/vnd.apache.parquet")}


Kind = tuple[str, str, str, Callable[[], bytes]]
"""A format of a file: the end of its name, what a button calls it, its media type, and what makes it."""


def file_downloads(kinds: Sequence[Kind], *, stem: str, key: str, what: str) -> None:
    """One button that opens a button for each format; a file is made when it is asked for."""
    with st.popover("Download", icon=":material/download:", help=f"{what} as a file"):
        for ending, label, mime, made in kinds:
            st.download_button(
                label,
                data=made,
                file_name=f"{stem}.{ending}",
                mime=mime,
                key=f"{key}-{ending}",
                on_click="ignore",
                width="stretch",
            )


def document_downloads(
    ids: Sequence[str], documents: Callable[[Sequence[str]], Sequence[exports.Exportable]], *, stem: str, key: str
) -> None:
    """A button for each format; the file is made when its button is pressed."""
    for name, label, extension, mime in _KINDS:
        short = label.partition(",")[0]
        st.download_button(
            short,
            data=lambda name=name: exports.RECORD_FORMATS[name](documents(ids)).encode(),
            file_name=f"{stem}.{extension}",
            mime=mime,
            key=f"{key}-download-{name}",
            on_click="ignore",
            help=f"The {len(ids):,} documents as {short}",
        )


def table_downloads(tables: Mapping[str, Callable[[], bytes]], *, stem: str, key: str) -> None:
    """A button for each table, by the end of its file's name; the file is made when its button is pressed."""
    for end, make in tables.items():
        label, mime = _TABLES[end]
        st.download_button(
            label,
            data=make,
            file_name=f"{stem}{end}",
            mime=mime,
            key=f"{key}-table-{end.removeprefix('.')}",
            on_click="ignore",
            help=f"Id, title, year, kind, x, y and cluster of each document as {label}",
        )


def downloads(items: Sequence[exports.Exportable], *, stem: str, report: Callable[[], str]) -> None:
    """One button that opens the four formats and the report, which is made when it is asked for."""
    with st.popover("Download", icon=":material/download:", help="The results shown, as a file"):
        st.download_button(
            "Report, to read, print and send",
            data=lambda: report().encode(),
            file_name=f"{stem}.html",
            mime="text/html",
            key="download-report",
            on_click="ignore",
            width="stretch",
            help="One HTML file with your document, the results and why they are near",
        )
        for name, label, extension, mime in _KINDS:
            st.download_button(
                label,
                exports.RECORD_FORMATS[name](items),
                file_name=f"{stem}.{extension}",
                mime=mime,
                key=f"download-{name}",
                on_click="ignore",
                width="stretch",
            )
