"""The kinds of index by name, and which of them searches a library's rows, by how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from engine.core.errors import VectorIndexError
from engine.core.rows import Precision
from engine.vectors.binary import BinaryIndex, BinarySettings
from engine.vectors.exact import EmbeddedIndex, SparseIndex
from engine.vectors.index import VectorIndex

IndexKind = Literal["embedded", "binary", "sparse"]
"""`embedded` is the default for dense rows, `sparse` the one for CSR rows.

`binary` is for more dense rows than can all be compared: nearly the same answers, in constant time.
"""

IndexChoice = Literal["auto", "embedded", "binary"]

BINARY_ABOVE = 50_000
"""Libraries of more documents than this are searched by binary codes unless another choice is made.

Comparing all rows takes a millisecond for every thousand documents: p50 20 ms at 20,000 and 95 ms at 100,000, where
codes take 3 and 4 ms (engine/research/reports/retrieve.json: ctpe, 960 bytes a row, two cores). An answer feels
immediate for a tenth of a second (Nielsen 1993, chapter 5), and the rest of a search takes most of that (search.json).
At 20,000 documents nobody would feel the 17 ms saved, and each near document that codes miss would be a loss. At
100,000 the comparison alone takes the whole tenth of a second, at 50,000 half of it.
"""

FEWEST = BinarySettings().fewest
"""Libraries smaller than this have no codes, whatever is chosen: comparing all rows is as fast."""

RECALL_AT_10: Mapping[int, float] = {20_000: 0.9997, 100_000: 0.9867, 1_000_000: 0.9387}
"""By the number of documents held: the share of the exact search's ten that codes find (retrieve.json)."""


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
    if kind == "embedded":
        return EmbeddedIndex(folder, fingerprint=fingerprint, dim=dim, precision=precision)
    if kind == "binary":
        return BinaryIndex(folder, fingerprint=fingerprint, dim=dim, precision=precision)
    if kind == "sparse":
        if precision != "float32":
            raise VectorIndexError(
                f"Expected sparse rows to be kept as float32, got the precision {precision}. "
                "Leave it out, or encode with a method of dense rows."
            )
        return SparseIndex(folder, fingerprint=fingerprint, dim=dim)
    raise VectorIndexError(f"Expected a kind of index among {', '.join(get_args(IndexKind))}, got {kind!r}.")


def chosen_kind(choice: IndexChoice, *, sparse: bool, documents: int) -> IndexKind:
    """Return the kind of index for some documents. Raises VectorIndexError for a choice that is for dense rows."""
    choices = get_args(IndexChoice)
    if choice not in choices:
        raise VectorIndexError(f"Expected an index of {', '.join(choices)}, got {choice!r}. Choose one of these.")
    if sparse:
        if choice == "binary":
            raise VectorIndexError(
                "Expected an encoder of dense rows for the binary index, got one of sparse rows. "
                "Leave the index to auto, or name another encoder."
            )
        return "sparse"
    most = {"auto": BINARY_ABOVE, "embedded": documents, "binary": 0}[choice]
    return "binary" if documents > most and documents >= FEWEST else "embedded"


def measured_recall(documents: int) -> tuple[int, float]:
    """Return the nearest measured size that is not smaller (else the largest), and the recall@10 of codes at it."""
    size = min((size for size in RECALL_AT_10 if size >= documents), default=max(RECALL_AT_10))
    return size, RECALL_AT_10[size]
