"""The first reading of a library, which the app starts itself if told to."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

import streamlit as st

from engine.core.errors import EngineError
from explorer.state import handles, jobs
from explorer.state.encoder_names import encoder_names

if TYPE_CHECKING:
    from engine.core.progress import Report

ASKED = "PRIORSCOPE_READ_AT_START"
"""An environment variable: "1" lets the app read a library that lacks a map under the default encoder, or passages."""

_LOG = logging.getLogger(__name__)


def begin() -> None:
    """Read and map the library in the background, once, if the app was told to; interrupted work continues."""
    if os.environ.get(ASKED) != "1":
        return
    before = jobs.last()
    _begin()
    begun = jobs.last()
    if begun is not None and begun is not before:
        jobs.watch(begun)


@st.cache_resource(show_spinner=False)
def _begin() -> None:
    name = encoder_names()[0]

    def work(report: Report) -> str:
        if not handles.is_mapped(name):
            handles.draw_map(name, report)
        handles.read_passages(report)
        return "Your library is read, and its map is drawn."

    try:
        if handles.document_count() and (not handles.is_mapped(name) or handles.has_passages_left()):
            jobs.start("Reading your library", work, key=jobs.drawing(name))
    except EngineError as error:
        _LOG.info("reading the library at the start: %s", error)  # the page shows it when it needs the library
