"""What several pages draw: a step in its place, a choice that stands in the visit, buttons that save files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine import exports

_RECORDS = {
    "csv": ("csv", "CSV, for a spreadsheet"),
    "json": ("json", "JSON, for a program"),
    "bibtex": ("bib", "BibTeX, for LaTeX"),
    "ris": ("ris", "RIS, for a reference manager"),
}
_TABLES = {".csv": "CSV", ".parquet": "Parquet"}
_MEDIA_TYPES = {
    "bib": "application/x-bibtex",
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "png": "image/png",
    "ris": "application/x-research-info-systems",
    "zip": "application/zip",
}
_STEM_CHARACTERS = 80
FileKind = tuple[str, str, Callable[[], bytes]]
"""A format of a file: the end of its name, what a button calls it, and what makes it."""


def place_of(step: str, steps: Sequence[str]) -> DeltaGenerator:
    """Return the place of one of a page's steps; the others are emptied.

    Steps that shared a place would show each other's widgets in grey until the run ends: Streamlit keeps a container's
    content as long as it may still be overwritten.
    """
    places = {name: st.container() if name == step else st.empty() for name in steps}
    return places[step]


def bind(
    widget: Callable[..., object],
    label: str,
    *options: Any,  # noqa: ANN401  what the widget offers
    key: str,
    value: Any,  # noqa: ANN401  one of them
    change: Callable[[Any], object],
    **look: Any,  # noqa: ANN401  the widget's own
) -> None:
    """Draw a widget that shows `value`; what the visitor chooses goes to `change` before the page is drawn again."""
    st.session_state[key] = value
    widget(label, *options, key=key, on_change=lambda: change(st.session_state[key]), **look)


def download_button(label: str, make: Callable[[], bytes], name: str, *, key: str, **look: Any) -> None:  # noqa: ANN401
    """Draw a button that saves a file under a name; `make` is called when it is pressed, outside the session."""
    mime = _MEDIA_TYPES[name.rpartition(".")[2]]
    st.download_button(label, data=make, file_name=name, mime=mime, key=key, on_click="ignore", **look)


def file_stem(*said: str) -> str:
    """Return a file's name after what is in it, as a question's title, without an ending: words with hyphens."""
    stem = "-".join(re.findall(r"[^\W_]+", " ".join(said).lower()))
    return stem if len(stem) <= _STEM_CHARACTERS else stem[: _STEM_CHARACTERS + 1].rpartition("-")[0]


def file_downloads(kinds: Sequence[FileKind], *, stem: str, key: str, what: str) -> None:
    """Draw one button that opens a button for each format."""
    with st.popover("Download", icon=":material/download:", help=f"{what} as a file"):
        for ending, label, make in kinds:
            download_button(label, make, f"{stem}.{ending}", key=f"{key}-{ending}", width="stretch")


def document_downloads(
    ids: Sequence[str], documents: Callable[[Sequence[str]], Sequence[exports.Exportable]], *, stem: str, key: str
) -> None:
    """Draw a button for each format in which documents can be saved; `documents` gets them by their ids."""

    def write(name: str) -> bytes:
        return exports.RECORD_FORMATS[name](documents(ids)).encode()

    for name, (ending, label) in _RECORDS.items():
        short = label.partition(",")[0]
        download_button(
            short,
            partial(write, name),
            f"{stem}.{ending}",
            key=f"{key}-download-{name}",
            help=f"The {len(ids):,} documents as {short}",
        )


def table_downloads(tables: Mapping[str, Callable[[], bytes]], *, stem: str, key: str) -> None:
    """Draw a button for each table, by the end of its file's name."""
    for end, make in tables.items():
        help_ = f"Id, title, year, kind, x, y and cluster of each document as {_TABLES[end]}"
        download_button(_TABLES[end], make, f"{stem}{end}", key=f"{key}-table-{end.removeprefix('.')}", help=help_)


def result_downloads(items: Sequence[exports.Exportable], *, stem: str, report: Callable[[], str]) -> None:
    """Draw one button that opens a report of the results and the formats of their documents."""
    with st.popover("Download", icon=":material/download:", help="The results shown, as a file"):
        help_ = "One HTML file with your document, the results and why they are near"
        label = "Report, to read, print and send"
        make = lambda: report().encode()  # noqa: E731
        download_button(label, make, f"{stem}.html", key="download-report", width="stretch", help=help_)
        for name, (ending, label) in _RECORDS.items():
            made = lambda name=name: exports.RECORD_FORMATS[name](items).encode()  # noqa: E731
            download_button(label, made, f"{stem}.{ending}", key=f"download-{name}", width="stretch")
