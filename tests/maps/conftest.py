"""Fixtures that several files of this folder use."""

from __future__ import annotations

import pytest

from engine.maps.model import LibraryMap
from tests.maps.made import Mapped


@pytest.fixture(scope="session")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Mapped:
    return Mapped(tmp_path_factory.mktemp("mapped"))


@pytest.fixture(scope="session")
def library_map(mapped: Mapped) -> LibraryMap:
    return mapped.library_map
