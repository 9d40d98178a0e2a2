"""Where salient sentences stand on the page before they are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders import registry
from tests.encoders.keyvec.tiny import tiny_keyvec
from tests.explorer.conftest import Start, page_html, page_text, without_keyvec
from tests.explorer.shared.salience import EXAMPLE


def test_results_stand_where_the_encoder_is_damaged_and_the_page_says_so_once(
    installed: Path, tmp_path: Path, app: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny_keyvec().save(without_keyvec(tmp_path / "damaged") / "keyvec")
    (tmp_path / "damaged" / "keyvec" / "weights.safetensors").write_bytes(b"no weights")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "damaged")
    test = app(example=EXAMPLE)
    assert not test.exception
    assert 'class="ps-hit"' in page_html(test)
    assert page_text(test).count("it is damaged") == 1
