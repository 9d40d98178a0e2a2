"""The settings of a CTPE encoder, and what the registry knows of it before torch is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.encoders import registry
from engine.encoders.ctpe.settings import CtpeSettings
from tests.encoders.ctpe import tiny


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"position": "0%"}, "position must leave both halves some text"),
        ({"position": "front"}, "position must be"),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        ({"whole_below_tokens": -1}, "whole_below_tokens must be 0 or more, got -1"),
        ({"similarity": "both"}, "similarity must be one of coupled, whole, got 'both'"),
        ({"stored": "int4"}, "stored must be one of float32, float16, int8, got 'int4'"),
    ],
)
def test_a_value_outside_its_range_is_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CtpeSettings(**wrong)


def test_the_card_of_a_shipped_encoder_is_read_without_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = tiny.encoder(trained_on=("ours",))
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert "ctpe" not in registry.encoder_names()
    encoder.save(tmp_path / "ctpe")
    assert "ctpe" in registry.encoder_names()
    assert registry.card("ctpe") == encoder.card
    assert registry.load("ctpe").card == encoder.card
    script = (
        "import sys; from pathlib import Path; from engine.encoders import registry\n"
        f"registry.PRETRAINED = Path({str(tmp_path)!r})\n"
        "assert 'ctpe' in registry.encoder_names() and registry.card('ctpe').dim == 128 and 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).resolve().parents[3], check=True)
