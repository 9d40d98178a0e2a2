"""What a KeyVec encoder can be set to, and a sentence's p in words."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engine.encoders.keyvec.settings import KeyvecSettings, explained


@pytest.mark.parametrize(("p", "said"), [(0.734, "0.73"), (0, "0.00"), (0.996, "1.00"), (1, "1.00")])
def test_a_p_is_told_to_a_hundredth_with_its_range(p: float, said: str) -> None:
    assert explained(p) == f"p {said}: how likely it is to carry what an abstract would say, from 0 to 1"


def test_reports_explain_it_without_a_network() -> None:
    command = "import sys, engine.encoders.keyvec.settings; print({'torch', 'numpy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", command], capture_output=True, text=True).stdout == "set()\n"


@pytest.mark.parametrize("name", ["max_sentences", "max_words", "channels", "hidden", "dim"])
def test_settings_out_of_their_ranges_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be at least 1, got 0"):
        KeyvecSettings(**{name: 0})


def test_widths_must_be_numbers_from_one_on() -> None:
    for widths in ((), (3, 0)):
        with pytest.raises(ValueError, match="widths must be one or more numbers from 1 on"):
            KeyvecSettings(widths=widths)
