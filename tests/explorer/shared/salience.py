"""What an encoder of sentences says of a text, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.documents import Chunk, Document
from engine.encoders.keyvec import Salience
from tests.encoders.keyvec.tiny import paper


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
