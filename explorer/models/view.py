"""The models page: every encoder's card, its speed here, and the session's choice."""

from __future__ import annotations

from explorer.models.card import encoder_card
from explorer.shared import notices
from explorer.shared.group_names import name_groups
from explorer.state import session
from explorer.state.encoder_names import encoder_name, encoder_names, spoken

_LEAD = (
    "An encoder turns a document into a row of numbers, so that near texts get near rows. "
    "Each has its strengths; the cards say which."
)


def draw() -> None:
    """Draw the page."""
    notices.page_title("Models", _LEAD)
    chosen = encoder_name(session.current().encoder)
    for name in encoder_names():
        with notices.shown_errors():
            encoder_card(name, chosen=name == chosen)
    name_groups("encoders", {f"encoder-{name}": spoken(name) for name in encoder_names()})
    session.write_link()


if __name__ == "__main__":
    draw()
