"""What every vector index promises: ids and rows in, the nearest ids out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import ClassVar

from engine.core.rows import Rows
from engine.documents import Hit


class VectorIndex(ABC):
    """Rows of one encoder under their documents' ids, kept in a folder.

    An index is opened with the fingerprint and width of the encoder that fills it and refuses any
    other (FingerprintError, ShapeError). Similarity is the inner product; larger is nearer; ties
    go to the id that was added first.
    """

    fingerprint: str
    dim: int
    is_exact: ClassVar[bool] = True
    """Whether answers are the nearest of all rows; otherwise a few may be missing."""

    @property
    @abstractmethod
    def ids(self) -> Sequence[str]:
        """Every id held, in the order added."""

    def __len__(self) -> int:
        """How many documents are held."""
        return len(self.ids)

    def __contains__(self, name: object) -> bool:
        """Whether a document of this id is held."""
        return name in self.ids

    @abstractmethod
    def add(self, ids: Sequence[str], rows: Rows) -> None:
        """Add rows (n, dim) under n ids; an id that is held already gets the new row.

        Raises ShapeError where the width is wrong or ids and rows differ in number.
        """

    @abstractmethod
    def remove(self, ids: Collection[str]) -> None:
        """Forget ids; unknown ones are ignored."""

    @abstractmethod
    def search(self, rows: Rows, k: int, *, within: Collection[str] | None = None) -> list[list[Hit]]:
        """The k nearest documents of each of q rows (q, dim), nearest first.

        `within` limits the answer to these ids. Fewer than k come back when fewer are held.
        """

    @abstractmethod
    def rows(self, ids: Sequence[str]) -> Rows:
        """The rows (n, dim) of some ids, in their order. Raises VectorIndexError for an unknown id."""

    @abstractmethod
    def flush(self) -> None:
        """Write everything to the folder, all or nothing."""
