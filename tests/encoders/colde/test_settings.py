"""The settings of a CoLDE encoder, and what the registry knows of it before torch is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.encoders import registry
from engine.encoders.colde.encoder import ColdeEncoder
from engine.encoders.colde.settings import ColdeSettings


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"chunk_tokens": 0}, "chunk_tokens must be at least 1, got 0"),
        ({"sections": 0}, "sections must be at least 1, got 0"),
        ({"sections": 6}, "sections must be at most section_numbers, 5, got 6"),
        ({"section_numbers": 0}, "section_numbers must be at least 1, got 0"),
        ({"chunk_numbers": 0}, "chunk_numbers must be at least 1, got 0"),
        ({"heads": 0}, "heads must be at least 1, got 0"),
        ({"dim": 0}, "dim must be at least 1, got 0"),
        ({"lstm_dim": 0}, "lstm_dim must be an even number from 2 on, got 0"),
        ({"lstm_dim": 33}, "lstm_dim must be an even number from 2 on, got 33"),
        ({"space_dim": -1}, "space_dim must be 0 or more, got -1"),
        ({"late_share": 1.5}, "late_share must be a share from 0 to 1, got 1.5"),
        ({"late_share": -0.1}, "late_share must be a share from 0 to 1, got -0.1"),
        ({"late_best": 0}, "late_best must be a share above 0 and up to 1, got 0"),
        ({"late_best": 1.1}, "late_best must be a share above 0 and up to 1, got 1.1"),
        ({"pooling": "max"}, "pooling must be one of mean, first, got 'max'"),
        ({"aggregation": "sum"}, "aggregation must be one of lstm, mean, got 'sum'"),
        ({"precision": "int8"}, "precision must be one of fastest, float32, bfloat16, got 'int8'"),
    ],
)
def test_a_value_outside_its_range_is_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ColdeSettings(**wrong)


def test_the_paper_s_sizes_are_the_usual_ones() -> None:
    usual = ColdeSettings()
    assert (usual.heads, usual.lstm_dim, usual.dim, usual.section_numbers) == (4, 512, 256, 5)
    assert (usual.aggregation, usual.skip, usual.sections) == ("lstm", False, 1)


def test_the_card_of_a_shipped_encoder_is_read_without_torch(
    colde: ColdeEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    assert "colde" not in registry.encoder_names()
    colde.save(tmp_path / "colde")
    assert "colde" in registry.encoder_names()
    assert registry.find("colde").card == colde.card
    assert registry.load("colde").card == colde.card
    script = (
        "import sys; from pathlib import Path; from engine.encoders import registry\n"
        f"registry.PRETRAINED = Path({str(tmp_path)!r})\n"
        "assert 'colde' in registry.encoder_names() and registry.find('colde').card.dim == 24\n"
        "assert not {'torch', 'transformers', 'tokenizers'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).resolve().parents[3], check=True)


def test_a_library_is_not_searched_by_it(colde: ColdeEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path)
    colde.save(tmp_path / "colde")
    assert set(registry.encoder_names()) - set(registry.search_names()) == {"colde"}
    assert registry.load_folder(tmp_path / "colde").card == colde.card
