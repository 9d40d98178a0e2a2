"""How long encoders will need to read the library here, measured in the background and kept while the app runs."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import streamlit as st

from engine.errors import EngineError
from engine.library import Library

_LOG = logging.getLogger(__name__)

Key = tuple[Path, str, int]
"""A library's folder, an encoder, and how many documents the library holds."""


def seconds(key: Key) -> float | None:
    """What was measured; None before that, 0 where it could not be."""
    return _measured().get(key)


def measure(library: Library, key: Key) -> None:
    """Measure one encoder, unless that was done; one after the other, because two at once slow each other down."""
    from explorer.state import estimates

    with _one_at_a_time():
        if key in _measured():
            return
        try:
            _measured()[key] = estimates.reading_seconds(library, key[1])
        except EngineError as error:
            _measured()[key] = 0.0
            _LOG.info("timing %s: %s", key[1], error)  # the page will show it when it asks in earnest


@st.cache_resource(show_spinner=False, max_entries=8)
def start(_library: Library, folder: Path, names: tuple[str, ...], documents: int) -> threading.Thread:
    """Measure several encoders in a thread of their own, which is started once."""
    keys = [(folder, name, documents) for name in names]
    thread = threading.Thread(target=lambda: [measure(_library, key) for key in keys], name="timing", daemon=True)
    thread.start()
    return thread


@st.cache_resource(show_spinner=False)
def _measured() -> dict[Key, float]:
    return {}


@st.cache_resource(show_spinner=False)
def _one_at_a_time() -> threading.Lock:
    return threading.Lock()
