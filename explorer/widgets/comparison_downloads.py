"""A comparison as files: a report to read, JSON for programs, tables of its matrices."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

import streamlit as st

from explorer import compare_handles

if TYPE_CHECKING:
    from engine.compare.base import Comparison

_STEM = "priorscope-comparison"
_A_DAY = (1980, 1, 1, 0, 0, 0)  # the same matrices make the same file


def comparison_downloads(comparison: Comparison) -> None:
    """One button that opens the three formats; a file is made when it is asked for."""
    kinds: tuple[tuple[str, str, str, Callable[[Comparison], bytes]], ...] = (
        ("html", "Report, one HTML file", "text/html", as_report),
        ("json", "JSON, for a program", "application/json", as_json),
        ("zip", "CSV of the matrices, zipped", "application/zip", as_tables),
    )
    with st.popover("Download", icon=":material/download:", help="This comparison as a file"):
        for ending, label, mime, made in kinds:
            st.download_button(
                label,
                data=lambda made=made: made(comparison),
                file_name=f"{_STEM}.{ending}",
                mime=mime,
                key=f"comparison-{ending}",
                on_click="ignore",
                width="stretch",
            )


def as_report(comparison: Comparison) -> bytes:
    """The report: one file, nothing of it is fetched or runs."""
    from engine.compare.report import html_report

    return html_report(comparison, encoder=compare_handles.card(), made_on=date.today()).encode()


def as_json(comparison: Comparison) -> bytes:
    """All three levels, the passages and the claims."""
    return json.dumps(comparison.as_json(), ensure_ascii=False, indent=1).encode()


def as_tables(comparison: Comparison) -> bytes:
    """One CSV file a matrix, in a zip file."""
    from engine.compare.report import csv_files

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in csv_files(comparison).items():
            archive.writestr(zipfile.ZipInfo(name, _A_DAY), text)
    return stream.getvalue()
