"""The kinds of index by name."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from engine.errors import VectorIndexError
from engine.index.base import VectorIndex

IndexKind = Literal["exact", "embedded", "sparse"]
"""`embedded` is the default for dense rows, `sparse` the one for CSR rows, `exact` the reference."""


def open_index(folder: Path, *, fingerprint: str, dim: int, kind: IndexKind) -> VectorIndex:
    """Open the index kept in `folder` for one encoder's rows (n, dim), or an empty one.

    Raises FingerprintError, ShapeError, VectorIndexError or StorageError where the folder holds
    another encoder's rows, rows of another width or layout, or damage.
    """
    if kind == "exact":
        from engine.index.exact import ExactIndex

        return ExactIndex(folder, fingerprint=fingerprint, dim=dim)
    if kind == "embedded":
        from engine.index.embedded import EmbeddedIndex

        return EmbeddedIndex(folder, fingerprint=fingerprint, dim=dim)
    if kind == "sparse":
        from engine.index.sparse import SparseIndex

        return SparseIndex(folder, fingerprint=fingerprint, dim=dim)
    raise VectorIndexError(f"Expected a kind of index among {', '.join(get_args(IndexKind))}, got {kind!r}.")
