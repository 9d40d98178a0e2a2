"""Documents that a process tells of as it adds them; importing this needs neither pytest nor torch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from engine.documents import Document

FILES, PER_FILE = 12, 25


def documents(number: int, told: TextIO | None = None) -> Iterator[Document]:
    for place in range(PER_FILE):
        words = " ".join(f"word{(number * 31 + place * 7 + step) % 997}" for step in range(60))
        yield Document(f"{number}-{place}", title=f"Document {number} {place}", abstract=words, categories=("x",))
        if told is not None:
            print(place, file=told, flush=True)
