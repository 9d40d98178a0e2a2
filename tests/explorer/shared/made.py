"""Passages and saliences made by hand, and packed numbers read back."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.documents import Chunk, Document
from engine.encoders.keyvec import Salience
from tests.documents.test_markup import HOSTILE
from tests.encoders.keyvec.tiny import paper


def chunk(text: str) -> Chunk:
    return Chunk("d", 0, HOSTILE, 0, len(text), text)


def unpacked(told: dict[str, str]) -> NDArray[np.integer[Any]]:
    """The whole numbers, row by row."""
    return np.frombuffer(b64decode(told["bytes"]), np.dtype(f"<{told['kind']}"))


def said_of(document: Document, p: Sequence[float], *, keywords: int = 3) -> Salience:
    """A salience made by hand: a sentence of each section for each p."""
    chunks = []
    for number, part in enumerate(document.parts):
        start = 0
        while part.role == "body" and (stop := part.text.find(".", start) + 1):
            chunks.append(Chunk(document.id, number, part.title, start, stop, part.text[start:stop]))
            start = stop + 1
    words = tuple((f"word{n}", 0.5 / (n + 1)) for n in range(keywords))
    return Salience(tuple(chunks[: len(p)]), np.array(p, np.float32), words)


SAID = said_of(paper(), [0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6])
EXAMPLE = "rewired-random-walk"
