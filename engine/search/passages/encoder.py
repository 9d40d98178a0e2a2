"""What reads passages: the small transformer that was taught them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine import encoders
from engine.core import files
from engine.documents import Chunk, Document
from engine.encoders.student import OF_PASSAGES
from engine.search.passages.cutting import cut_passages, cutting_fingerprint, passage_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.core.rows import DenseRows

PASSAGE_ENCODER = OF_PASSAGES


def has_passage_encoder() -> bool:
    """Whether the encoder of passages is installed."""
    return _folder().is_dir()


def passages_fingerprint() -> str:
    """Names the weights, how far they read, and how passages are cut; without loading them."""
    return files.fingerprint(encoders.read_card(_folder())[0].fingerprint, cutting_fingerprint())


class PassageReader(Protocol):
    """What cuts documents into passages, and gives these their rows; rows are kept under its fingerprint."""

    @property
    def fingerprint(self) -> str:
        """Names what reads, and how."""

    def cut(self, document: Document) -> Sequence[Chunk]:
        """The passages of a document in reading order."""

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """The rows (n, dim) of the passages of several documents, end to end."""


class KnownReader(PassageReader, Protocol):
    """Reads passages into rows of a known width."""

    @property
    def dim(self) -> int:
        """How many numbers a row has."""


class PassageEncoder:
    """Reads passages: rows (n, dim) at unit length, the inner product as similarity, alike for asking and answering."""

    def __init__(self) -> None:
        """Load the shipped weights. Raises StorageError where they are missing or damaged."""
        from engine.encoders.student import StudentEncoder  # imports torch

        self._encoder = StudentEncoder.load(_folder())
        self.dim = self._encoder.card.dim
        self.fingerprint = passages_fingerprint()

    def cut(self, document: Document) -> Sequence[Chunk]:
        """The passages of a document in reading order."""
        return cut_passages(document)

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """The rows (n, dim) of the passages of several documents, end to end."""
        texts = [passage_text(document, one) for document, passages in read for one in passages]
        return self._encoder.encode_documents([Document(str(n), abstract=text) for n, text in enumerate(texts)])


def _folder() -> Path:
    return encoders.PRETRAINED / PASSAGE_ENCODER
