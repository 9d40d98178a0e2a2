"""A library with the maps of two encoders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explorer.map.maps import filled, second_map


@pytest.fixture
def paired(empty_folder: Path) -> Path:
    filled(empty_folder, with_map=True)
    second_map(empty_folder)
    return empty_folder
