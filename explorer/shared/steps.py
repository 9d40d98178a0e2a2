"""Pages of several steps: what the step before showed goes as soon as the next one begins."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def place_of(step: str, steps: Sequence[str]) -> DeltaGenerator:
    """The place of one of a page's steps; those of the others are emptied.

    Steps that shared a place would show each other's widgets in grey until the run ends: Streamlit keeps what stands in
    a container for as long as another one may still overwrite it.
    """
    places = {name: st.container() if name == step else st.empty() for name in steps}
    return places[step]
