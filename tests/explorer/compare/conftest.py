"""The compare page over two texts whose salient sentences are marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.encoders import EncoderCard
from explorer.compare import comparison as comparison_module
from explorer.compare import handles
from explorer.compare.side_by_side import Texts
from tests.explorer.compare.comparisons import made_comparison


@pytest.fixture
def compared(installed: Path, monkeypatch: pytest.MonkeyPatch) -> list[Texts]:
    """The texts that the Compare page showed; nothing is encoded for the comparison itself."""
    shown: list[Texts] = []
    monkeypatch.setattr(handles, "is_read", lambda document: True)
    monkeypatch.setattr(handles, "card", lambda: EncoderCard("colde", "", 4, "f"))
    monkeypatch.setattr(handles, "comparison", lambda a, b, pair: made_comparison(a, b))
    monkeypatch.setattr(comparison_module, "side_by_side", lambda texts, **_: shown.append(texts))
    return shown
