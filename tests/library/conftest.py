"""Fixtures that several files of this folder use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.library.store import Library
from tests.library.records import DOCUMENTS, KITES, POOLS, REELS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a library is opened."""
    return tmp_path / "library"


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    """An empty library."""
    with Library.open(folder, create=True) as opened:
        yield opened


@pytest.fixture
def worded(folder: Path) -> Iterator[Library]:
    """A library of texts whose words are looked for."""
    with Library.open(folder, create=True) as opened:
        opened.add_file("k1", "texts", DOCUMENTS)
        yield opened


@pytest.fixture
def imported(folder: Path) -> Iterator[Library]:
    """A library of two files, which share a document."""
    with Library.open(folder, create=True) as opened:
        opened.add_file("k1", "kites.jsonl", [KITES, REELS])
        opened.add_file("k2", "pools.jsonl", [POOLS, replace(KITES, id="copy of p1")])
        yield opened
