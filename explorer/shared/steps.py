"""Pages of several steps: each step clears the one before as soon as it starts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def place_of(step: str, steps: Sequence[str]) -> DeltaGenerator:
    """The place of one of a page's steps; the others are emptied.

    Steps that shared a place would show each other's widgets in grey until the run ends: Streamlit keeps a container's
    content as long as it may still be overwritten.
    """
    places = {name: st.container() if name == step else st.empty() for name in steps}
    return places[step]
