"""What reads passages: the small transformer, further into a text than it reads documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from engine import files
from engine.documents import Chunk, Document
from engine.encoders import registry
from engine.passages.cutting import cutting_fingerprint, reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.encoders.student.encoder import StudentEncoder
    from engine.rows import DenseRows

NAME = "student"
MAX_TOKENS = 256
"""Two hundred words of English with formulas and names are some 260 word pieces."""


def is_there() -> bool:
    """Whether the encoder of passages is installed."""
    return NAME in registry.names()


def passages_fingerprint() -> str:
    """Names the weights, how far they read, and how passages are cut; without loading them."""
    return files.fingerprint(registry.card(NAME).fingerprint, f"{MAX_TOKENS} tokens", cutting_fingerprint())


class PassageReader(Protocol):
    """What gives passages their rows."""

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """The rows (n, dim) of the passages of several documents, end to end."""


class PassageEncoder:
    """Reads passages: rows (n, dim) at unit length, the inner product as similarity, alike for asking and answering."""

    def __init__(self) -> None:
        """Load the shipped weights. Raises UnknownEncoderError or StorageError where they are missing or damaged."""
        self._encoder = cast("StudentEncoder", registry.load(NAME)).reading(MAX_TOKENS)
        self.dim = self._encoder.card.dim
        self.fingerprint = passages_fingerprint()

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """The rows (n, dim) of the passages of several documents, end to end."""
        texts = [reading(document, one) for document, passages in read for one in passages]
        return self._encoder.encode_documents([Document(str(n), abstract=text) for n, text in enumerate(texts)])
