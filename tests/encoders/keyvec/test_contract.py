"""KeyVec keeps what every encoder promises."""

from __future__ import annotations

import pytest

from engine.encoders.base import Encoder
from engine.encoders.keyvec import encoder as module
from tests.contracts.encoder import EncoderContract
from tests.encoders.keyvec.tiny import tiny_keyvec


@pytest.fixture(autouse=True)
def float32(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole precision, so that numbers can be compared to 1e-6 on every processor."""
    monkeypatch.setattr(module, "fastest_precision", lambda: "float32")


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny_keyvec()
