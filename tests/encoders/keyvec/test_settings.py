"""What a KeyVec encoder can be set to."""

from __future__ import annotations

import pytest

from engine.encoders.keyvec.settings import KeyvecSettings


@pytest.mark.parametrize("name", ["max_sentences", "max_words", "channels", "hidden", "dim"])
def test_settings_out_of_their_ranges_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        KeyvecSettings(**{name: 0})


def test_widths_must_be_numbers_from_one_on() -> None:
    for widths in ((), (3, 0)):
        with pytest.raises(ValueError, match="widths must be one or more numbers from 1 on"):
            KeyvecSettings(widths=widths)
