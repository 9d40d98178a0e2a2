"""The PDFs that a visitor brought in this session, held in memory so that their pages can be shown."""

from __future__ import annotations

from collections import OrderedDict
from typing import cast

import streamlit as st

from engine.core.files import sha256_bytes
from engine.reading import is_pdf
from engine.workspace import PageFile, given_file

_HELD = "own_pdfs"
MOST_FILES, MOST_BYTES = 6, 128 << 20


def keep(data: bytes, name: str) -> None:
    """Hold a file of this visitor's, if it is a PDF; the ones brought first go when they grow too many."""
    if not is_pdf(data):
        return
    held = _held()
    key = sha256_bytes(data)
    held[key] = given_file(data, key, name)
    held.move_to_end(key)
    while len(held) > MOST_FILES or (len(held) > 1 and sum(len(one.read()) for one in held.values()) > MOST_BYTES):
        held.popitem(last=False)


def find(key: str) -> PageFile | None:
    """The file with this sha256, if this visitor brought it."""
    return _held().get(key)


def _held() -> OrderedDict[str, PageFile]:
    return cast("OrderedDict[str, PageFile]", st.session_state.setdefault(_HELD, OrderedDict()))
