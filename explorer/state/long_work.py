"""Holds the library for one long piece of work at a time, whoever of this installation's visitors started it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from engine.errors import LibraryError


@contextmanager
def working() -> Iterator[None]:
    """Hold the library for the length of the block. Raises LibraryError where it is held already."""
    with idle() as free:
        if not free:
            raise LibraryError(
                "Expected the library to be free; another window is importing or encoding right now. "
                "Wait until it has finished, then try again."
            )
        yield


@contextmanager
def idle() -> Iterator[bool]:
    """Hold the library where nobody does; whether that was so."""
    free = _lock().acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            _lock().release()


@st.cache_resource(show_spinner=False)
def _lock() -> threading.Lock:
    return threading.Lock()
