"""The compare page over two texts whose salient sentences are marked."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.encoders import EncoderCard
from engine.workspace.comparison import Comparer
from explorer.compare import comparison as comparison_module
from explorer.compare.side_by_side import ShownTexts
from tests.explorer.compare.comparisons import made_comparison


@pytest.fixture
def compared(installed: Path, monkeypatch: pytest.MonkeyPatch) -> list[ShownTexts]:
    """The texts that the Compare page showed; nothing is encoded for the comparison itself."""
    shown: list[ShownTexts] = []
    monkeypatch.setattr(Comparer, "is_read", lambda self, document: True)
    monkeypatch.setattr(Comparer, "encoder", lambda self: SimpleNamespace(card=EncoderCard("colde", "", 4, "f")))
    monkeypatch.setattr(Comparer, "compare", lambda self, a, b, exclusions: made_comparison(a, b))
    monkeypatch.setattr(comparison_module, "side_by_side", lambda texts, **_: shown.append(texts))
    return shown
