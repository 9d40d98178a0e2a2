"""Fixtures that several files of this folder use."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from engine.vectors.binary import BinaryIndex
from tests.vectors.grouped import filled, grouped_rows, opened


@pytest.fixture(scope="session")
def rows() -> np.ndarray:
    return grouped_rows(6_050)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, rows: np.ndarray) -> Path:
    """Folders of 6,000 rows and of 1,200 with their codes, whose rotations take seconds to learn."""
    folder = tmp_path_factory.mktemp("made")
    for size in (6_000, 1_200):
        filled(folder / str(size), rows[:size]).flush()
    return folder


@pytest.fixture
def index(tmp_path: Path, made: Path) -> BinaryIndex:
    """An index of 6,000 rows, as it lies on the disk, in a folder of the test's own."""
    shutil.copytree(made / "6000", tmp_path / "index")
    return opened(tmp_path / "index")
