"""KeyVec keeps what every encoder promises."""

from __future__ import annotations

import pytest

from engine.encoders.base import Encoder
from tests.contracts.encoder import EncoderContract
from tests.encoders.keyvec.tiny import tiny_keyvec


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return tiny_keyvec()
