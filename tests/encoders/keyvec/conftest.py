"""Fixtures that several files of this folder use."""

from __future__ import annotations

import pytest

from engine.encoders.keyvec.encoder import KeyvecEncoder
from engine.encoders.keyvec.network import KeyvecNetwork
from tests.encoders.keyvec import tiny


@pytest.fixture(scope="module")
def keyvec() -> KeyvecEncoder:
    return tiny.tiny_keyvec()


@pytest.fixture
def network() -> KeyvecNetwork:
    return tiny.network().eval().requires_grad_(False)
