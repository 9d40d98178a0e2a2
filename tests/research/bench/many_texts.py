"""Texts of few words, drawn by chance."""

from __future__ import annotations

import random

from engine.documents import Document
from tests.contracts.encoder import SUBJECTS

ENCODER = "word2vec-mean"


def texts(count: int, *, seed: int = 1) -> list[Document]:
    """Documents of twelve words of one of four subjects."""
    chance, subjects = random.Random(seed), sorted(SUBJECTS)
    return [
        Document(
            id=f"d{seed}-{number}",
            kind="paper",
            abstract=" ".join(chance.choices(SUBJECTS[subjects[number % len(subjects)]].split(), k=12)),
        )
        for number in range(count)
    ]
