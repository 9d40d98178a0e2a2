"""A library whose documents are judged by their subjects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.library import Library
from tests.contracts.encoder import corpus
from tests.explorer.conftest import HOSTILE


@pytest.fixture
def library(empty_folder: Path) -> Path:
    """Forty documents of four subjects, the first with a title that tries to be more than text."""
    documents = [replace(one, categories=(one.id.rstrip("0123456789"),)) for one in corpus()]
    documents[0] = replace(documents[0], title=HOSTILE)
    with Library.open(empty_folder, create=True) as opened:
        opened.add_file("own", "own.jsonl", documents)
    return empty_folder
