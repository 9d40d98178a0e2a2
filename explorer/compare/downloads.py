"""A comparison as files: a report to read, JSON for programs, tables of its matrices."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from engine.errors import EngineError
from explorer.compare import handles
from explorer.shared import salience_handles
from explorer.state import session

if TYPE_CHECKING:
    from engine.compare.base import Comparison
    from engine.exports.comparison import SalientTexts

_LOG = logging.getLogger(__name__)
_STEM = "priorscope-comparison"
_A_DAY = (1980, 1, 1, 0, 0, 0)  # the same matrices make the same file


def comparison_downloads(comparison: Comparison) -> None:
    """One button that opens the three formats; a file is made when it is asked for."""
    report = partial(as_report, salient=session.current().pair.salient)  # a file is made outside the visitor's session
    kinds: tuple[tuple[str, str, str, Callable[[Comparison], bytes]], ...] = (
        ("html", "Report, one HTML file", "text/html", report),
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


def as_report(comparison: Comparison, *, salient: bool = True) -> bytes:
    """The report: one file that fetches and runs nothing; `salient` is the page's switch."""
    from engine.exports.comparison import html_report

    marked = _salient_texts(comparison) if salient else None
    return html_report(comparison, encoder=handles.card(), made_on=date.today(), salient=marked).encode()


def _salient_texts(comparison: Comparison) -> SalientTexts | None:
    """What the page underlines; None where the encoder is not installed or damaged."""
    from engine.exports.comparison import SalientTexts

    if not salience_handles.is_there():
        return None
    try:
        a, b = salience_handles.salience([comparison.a, comparison.b])
    except EngineError as error:
        _LOG.warning("the report goes without salient sentences: %s", error)  # the page says so where it shows them
        return None
    return SalientTexts(a, b, salience_handles.card())


def as_json(comparison: Comparison) -> bytes:
    """All three levels, the passages and the claims."""
    file = io.StringIO()
    json.dump(comparison.as_json(), file, ensure_ascii=False, indent=1)  # as it is made: two books have many numbers
    return file.getvalue().encode()


def as_tables(comparison: Comparison) -> bytes:
    """One CSV file a matrix, in a zip file."""
    from engine.exports.comparison import csv_files

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in csv_files(comparison).items():
            archive.writestr(zipfile.ZipInfo(name, _A_DAY), text)
    return stream.getvalue()
