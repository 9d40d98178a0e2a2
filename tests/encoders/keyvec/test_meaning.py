"""A sentence's p in words."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engine.encoders.keyvec.settings import explained


@pytest.mark.parametrize(("p", "said"), [(0.734, "0.73"), (0, "0.00"), (0.996, "1.00"), (1, "1.00")])
def test_a_p_is_told_to_a_hundredth_with_its_range(p: float, said: str) -> None:
    assert explained(p) == f"p {said}: how likely it is to carry what an abstract would say, from 0 to 1"


def test_reports_explain_it_without_a_network() -> None:
    command = "import sys, engine.encoders.keyvec.settings; print({'torch', 'numpy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", command], capture_output=True, text=True).stdout == "set()\n"
