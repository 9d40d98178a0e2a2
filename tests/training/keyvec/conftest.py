"""Documents for KeyVec to learn from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.keyvec.small import write_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("keyvec"))
