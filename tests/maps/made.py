"""A library of three topics, mapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from engine.core.progress import Progress
from engine.documents import Document
from engine.maps.fitting import fit
from engine.vectors import VectorIndex, open_index
from tests.halves import GivenRows

TOPICS = ("neural networks learn images", "enzymes bind a protein in yeast", "galaxies and dark matter halos")


EACH = 40


DIM = 12


MADE = GivenRows()


class Documents:
    """A library as the map sees one: ids, and documents one after another."""

    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents

    def iter_documents(self, *, batch: int = 500) -> Iterator[Document]:
        yield from self.documents

    def ids(self) -> list[str]:
        return [document.id for document in self.documents]


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)


def topic_rows(each: int = EACH, seed: int = 1) -> np.ndarray:
    """Rows around three directions, 40 each, one topic after another."""
    random = np.random.default_rng(seed)
    centres = np.repeat(np.eye(DIM, dtype=np.float32)[:3], each, axis=0)
    return unit(centres + random.normal(scale=0.15, size=(3 * each, DIM)))


def index_of(folder: Path, rows: np.ndarray | csr_array, *, fingerprint: str = "print") -> VectorIndex:
    kind = "embedded" if isinstance(rows, np.ndarray) else "sparse"
    index = open_index(folder, fingerprint=fingerprint, dim=rows.shape[1], kind=kind)
    index.add([f"d{number}" for number in range(rows.shape[0])], rows)
    return index


def library_of(size: int) -> Documents:
    return Documents([Document(id=f"d{n}", title=TOPICS[min(n // EACH, 2)]) for n in range(size)])


class Mapped:
    """One index, its library, the map fitted on them and what the fit reported."""

    def __init__(self, folder: Path) -> None:
        self.index = index_of(folder / "vectors", topic_rows())
        self.library = library_of(3 * EACH)
        self.reports: list[Progress] = []
        self.library_map = fit(self.index, self.library, encoder=MADE, report=self.reports.append)
