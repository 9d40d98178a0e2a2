"""Documents of made-up sentences, and their passages with drawn vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.core import files
from engine.documents import Chunk, Document, Section
from engine.documents.text import tokens
from engine.search.passages import cut_passages
from engine.vectors import PassageStore, ReadPassages, open_passage_store

DIM = 16


def sentences(count: int, *, word: str = "kite") -> str:
    """Sentences of ten words each."""
    return " ".join(f"The {word} number {n} flies high over field {n} today." for n in range(count))


def paper(name: str, *, body: int = 60) -> Document:
    sections = (Section("Method", sentences(body // 2)), Section("Results", sentences(body // 2, word="glider")))
    return Document(name, title=f"On {name}", abstract=sentences(8), sections=sections if body else ())


def read(name: str, *, seed: int = 0, body: int = 60) -> ReadPassages:
    """A paper's passages with rows of unit length, drawn by its name and a seed."""
    passages = cut_passages(paper(name, body=body))
    drawn = np.random.default_rng([seed, *name.encode()]).normal(size=(len(passages), DIM)).astype(np.float32)
    return ReadPassages(name, passages, drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


def opened(folder: Path, fingerprint: str = "f" * 16) -> PassageStore:
    return open_passage_store(folder / "passages", fingerprint=fingerprint, dim=DIM)


class HashedWords:
    """Rows of hashed words: texts with the same words are near each other."""

    fingerprint, dim = "words", 256

    @staticmethod
    def is_installed() -> bool:
        return True

    @classmethod
    def shipped_fingerprint(cls) -> str:
        return cls.fingerprint

    def cut(self, document: Document) -> Sequence[Chunk]:
        return cut_passages(document)

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> np.ndarray:
        rows = np.zeros((sum(len(passages) for _, passages in read), self.dim), np.float32)
        for row, one in zip(rows, (one for _, passages in read for one in passages), strict=True):
            for token in tokens(one.text):
                row[int(files.fingerprint(token), 16) % self.dim] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def judge(self) -> SharedWords:
        return SharedWords()


class SharedWords:
    """A judge that goes by how many of a text's words a passage has."""

    def judge(self, asked: Sequence[str], there: Sequence[str], pairs: Sequence[tuple[int, int]]) -> np.ndarray:
        ours, theirs = ([set(tokens(text)) for text in texts] for texts in (asked, there))
        shares = [len(ours[one] & theirs[other]) / max(1, len(ours[one])) for one, other in pairs]
        return np.array([12 * share - 8 for share in shares])
