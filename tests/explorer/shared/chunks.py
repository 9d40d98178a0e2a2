"""A passage whose section has a hostile name."""

from __future__ import annotations

from engine.documents import Chunk
from tests.documents.test_markup import HOSTILE


def chunk(text: str) -> Chunk:
    return Chunk("d", 0, HOSTILE, 0, len(text), text)
