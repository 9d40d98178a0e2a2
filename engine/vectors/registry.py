"""The kinds of index by name."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from engine.core.errors import VectorIndexError
from engine.core.rows import Precision
from engine.vectors.base import VectorIndex

IndexKind = Literal["exact", "embedded", "binary", "sparse"]
"""`embedded` is the default for dense rows, `sparse` the one for CSR rows, `exact` the reference.

`binary` is for more dense rows than can all be compared: nearly the same answers, in constant time.
"""


def open_index(
    folder: Path, *, fingerprint: str, dim: int, kind: IndexKind, precision: Precision = "float32"
) -> VectorIndex:
    """Open the index kept in `folder` for one encoder's rows (n, dim), or an empty one.

    `precision` is how dense rows are kept, in memory and on disk alike; sparse ones are kept whole.
    Raises FingerprintError, ShapeError, VectorIndexError or StorageError where the folder holds
    another encoder's rows, rows of another width, layout or precision, or damage.
    """
    if precision not in get_args(Precision):
        raise VectorIndexError(f"Expected a precision among {', '.join(get_args(Precision))}, got {precision!r}.")
    if kind == "exact":
        from engine.vectors.exact import ExactIndex

        return ExactIndex(folder, fingerprint=fingerprint, dim=dim, precision=precision)
    if kind == "embedded":
        from engine.vectors.embedded import EmbeddedIndex

        return EmbeddedIndex(folder, fingerprint=fingerprint, dim=dim, precision=precision)
    if kind == "binary":
        from engine.vectors.binary import BinaryIndex

        return BinaryIndex(folder, fingerprint=fingerprint, dim=dim, precision=precision)
    if kind == "sparse":
        from engine.vectors.sparse import SparseIndex

        if precision != "float32":
            raise VectorIndexError(
                f"Expected sparse rows to be kept as float32, got the precision {precision}. "
                "Leave it out, or encode with a method of dense rows."
            )
        return SparseIndex(folder, fingerprint=fingerprint, dim=dim)
    raise VectorIndexError(f"Expected a kind of index among {', '.join(get_args(IndexKind))}, got {kind!r}.")
