"""What every encoder promises: documents in, rows out, with the inner product as similarity."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows, Precision, Rows
from engine.documents import Document

Unit = Literal["document", "section", "chunk"]


@dataclass(frozen=True, slots=True)
class EncoderCard:
    """Describes an encoder, for the index that keeps its vectors and for the person who picks it.

    `fingerprint` changes with anything that changes a vector. `max_tokens` is None where the whole
    text is read. `summary` says in at most two sentences what it is and when to choose it. `stored` is how an index
    keeps its rows; sparse rows are always kept in float32.
    """

    name: str
    summary: str
    dim: int
    fingerprint: str
    unit: Unit = "document"
    max_tokens: int | None = None
    trained_on: tuple[str, ...] = ()
    licence: str = "Apache-2.0"
    sparse: bool = False
    stored: Precision = "float32"

    def called(self, words: EncoderCard) -> EncoderCard:
        """Return this card with the name, summary, training and licence of another; what concerns rows stays."""
        return replace(self, name=words.name, summary=words.summary, trained_on=words.trained_on, licence=words.licence)


@dataclass(frozen=True, slots=True)
class Coupling:
    """How near one part of a query is to one part of a document, each by name ("title", "abstract")."""

    query_part: str
    document_part: str
    similarity: float

    @property
    def parts(self) -> tuple[str, str]:
        """The document's part and the query's by whose they are: "their title", "the rest of your text"."""
        return _owned(self.document_part, "their"), _owned(self.query_part, "your")


def _owned(part: str, owner: str) -> str:
    if " of the " in part:
        return f"the {part.replace(' of the ', f' of {owner} ', 1)}"
    return f"the {part} of {owner} text" if part == "rest" or part.endswith("%") else f"{owner} {part}"


def groups(documents: Sequence[Document], characters: int, most: int | None = None) -> list[slice]:
    """Group documents to read together: up to a number of characters, and `most` documents; a longer one is alone."""
    found, start, size = [], 0, 0
    for place, document in enumerate(documents):
        length = sum(len(part.text) for part in document.parts)
        if place > start and (size + length > characters or place - start == most):
            found.append(slice(start, place))
            start, size = place, 0
        size += length
    return [*found, slice(start, len(documents))] if len(documents) > start else found


class Encoder(ABC):
    """A method that turns documents into rows.

    The same input gives the same rows, whatever the batch and its order; empty text gives a row
    without NaN. `encode_queries(q) @ encode_documents(d).T` is the method's similarity, larger is nearer; the two
    differ where a method is not symmetric (CTPE swaps a query's halves).
    """

    TOKENS_EACH: ClassVar[int] = 20
    """What a document costs beside its text, in tokens."""

    reads_sentences: ClassVar[bool] = True
    """Whether rows of single sentences compare well; False for methods that need the parts of a whole document."""

    @property
    @abstractmethod
    def card(self) -> EncoderCard:
        """What this encoder is."""

    def encode_queries(self, documents: Sequence[Document]) -> Rows:
        """Encode documents as queries, by default like any documents: (n, dim) float32."""
        return self.encode_documents(documents)

    @abstractmethod
    def encode_documents(self, documents: Sequence[Document]) -> Rows:
        """Encode documents: (n, dim) float32, in the order given; CSR where the card says sparse."""

    def as_queries(self, rows: Rows) -> Rows:
        """Return the query rows of documents from their document rows (n, dim), without reading the texts again.

        `as_queries(encode_documents(d))` equals `encode_queries(d)` for papers and patents; a symmetric method returns
        the rows unchanged. It lets the library find neighbours of its documents from stored rows. Questions, which a
        library never holds, may be read further by `encode_queries`.
        """
        return rows

    def sentence_rows(self, rows: Rows, fingerprint: str) -> DenseRows | None:
        """Return the part of rows (n, dim) that the encoder with this fingerprint gave, at unit length.

        Readings compare such parts: they were fitted on the cosines of one encoder of sentences. None for a method
        whose rows hold no such part.
        """
        del rows, fingerprint
        return None

    def couplings(self, query: Document, documents: Sequence[Document], rows: Rows) -> list[tuple[Coupling, ...]]:
        """Tell which part of the query met which part of each document, the nearest first.

        `rows` (n, dim) come from an index, one a document: only the query is encoded. Empty for a method that
        compares whole documents.
        """
        del query, rows
        return [() for _ in documents]

    def costs(self, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what each document costs to encode, by their numbers of tokens (n,), in any unit: (n,).

        That is the tokens that are read, and a few for each document.
        """
        most = self.card.max_tokens
        return np.asarray(self.TOKENS_EACH + (tokens if most is None else np.minimum(tokens, most)), np.float64)

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the encoder as safetensors and JSON into `folder`, atomically."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""


class CardedEncoder(Encoder):
    """An encoder that keeps its card, and can be called by the words of another one."""

    _card: EncoderCard

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    def called(self, words: EncoderCard) -> Self:
        """Give this encoder the words of another card, and return it."""
        self._card = self._card.called(words)
        return self


class FittedEncoder(CardedEncoder):
    """An encoder that learns from the corpus it will search (TF-IDF, LSA), without shipped weights."""

    @classmethod
    @abstractmethod
    def fit(cls, documents: Sequence[Document]) -> Self:
        """Learn from a corpus. Raises NotFittedError for a corpus without words."""
