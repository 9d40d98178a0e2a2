"""Whole papers with their pairs, and the transformer that passages are taught to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.passages.small import write_passage_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_passage_data(tmp_path_factory.mktemp("passages") / "data")
