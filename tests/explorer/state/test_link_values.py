"""Values that a link may hold."""

from __future__ import annotations

from explorer.state.link_values import MAX_LINK_TEXT, fits_in_a_link


def test_only_a_short_text_fits_in_a_link() -> None:
    assert fits_in_a_link("x")
    assert not fits_in_a_link("")
    assert not fits_in_a_link("x" * (MAX_LINK_TEXT + 1))
