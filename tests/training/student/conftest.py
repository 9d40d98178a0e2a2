"""Texts, and the transformer that a student learns from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.training.small import write_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("student"))


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_transformer(tmp_path_factory.mktemp("teacher"))
