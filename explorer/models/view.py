"""The models page: every ranking in one table, and an encoder's card with its speed here and the button to use it."""

from __future__ import annotations

import streamlit as st

from explorer.models.card import encoder_card
from explorer.models.overview import overview
from explorer.models.own_model import own_models
from explorer.shared import notices
from explorer.state import session
from explorer.state.encoder_names import encoder_name, encoder_names, offered

_LEAD = "An encoder turns a document into a row of numbers, so that near texts get near rows. Compare them here."
_SHOWN = "models-shown"
_PIXELS = 420


def draw() -> None:
    """Draw the page."""
    notices.page_title("Models", _LEAD)
    chosen = encoder_name(session.current().encoder)
    with notices.shown_errors():
        overview()
        name = _card(chosen)
        encoder_card(name, chosen=name == chosen)
        own_models()
    session.write_link()


def _card(chosen: str) -> str:
    """The encoder whose card is shown: the one in use, unless the visitor or the link names another."""
    card = session.current().card
    st.session_state[_SHOWN] = card if card in encoder_names() else chosen
    return st.selectbox(
        "Card of",
        encoder_names(),
        format_func=offered,
        key=_SHOWN,
        width=_PIXELS,
        on_change=lambda: session.update(card=st.session_state[_SHOWN]),
    )


if __name__ == "__main__":
    draw()
