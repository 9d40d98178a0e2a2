"""A corpus's rows by an encoder: kept from an earlier run, taken from a larger corpus, or encoded now."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.core.progress import Meter, Report
from engine.documents import Document
from engine.encoders import Encoder, EncoderCard
from engine.vectors import IndexKind, VectorIndex, open_index

_DOCUMENTS_AT_ONCE = 2_000
_SECONDS_BETWEEN_WRITES = 300


@dataclass(frozen=True, slots=True)
class Places:
    """Where a corpus's rows are kept, and where to find rows of a larger one with the same documents and ids."""

    own: Path | None = None
    among: Path | None = None


def rows_in(
    places: Places, encoder: Encoder, corpus: Sequence[Document], *, name: str, report: Report
) -> tuple[VectorIndex, bool]:
    """The corpus in an index, and whether all of it was encoded now; `name` is what a report calls the encoder.

    Without a folder the index stays in memory. With one it is written every few minutes, so that a stopped encoding
    continues where it was.
    """
    index = _open(encoder.card, places.own)
    taken = _take_over(index, encoder.card, corpus, places)
    held = set(index.ids)
    left = [document for document in corpus if document.id not in held]
    meter, written = Meter(f"encode by {name}", len(left), report), time.monotonic()
    for first in range(0, len(left), _DOCUMENTS_AT_ONCE):
        batch = left[first : first + _DOCUMENTS_AT_ONCE]
        index.add([document.id for document in batch], encoder.encode_documents(batch))
        meter.add(len(batch))
        if places.own is not None and time.monotonic() - written > _SECONDS_BETWEEN_WRITES:
            index.flush()
            written = time.monotonic()
    meter.finish()
    if places.own is not None and (left or taken):
        index.flush()
    return index, not held


def _take_over(index: VectorIndex, card: EncoderCard, corpus: Sequence[Document], places: Places) -> int:
    """Add this corpus's rows that a larger one already has, and return how many."""
    among = places.among
    if among is None or among == places.own or not (among / card.fingerprint).is_dir():
        return 0
    larger = _open(card, among)
    there = set(larger.ids) - set(index.ids)
    ids = [document.id for document in corpus if document.id in there]
    if ids:
        index.add(ids, larger.rows(ids))
    return len(ids)


def _open(card: EncoderCard, keep: Path | None) -> VectorIndex:
    kind: IndexKind = "sparse" if card.sparse else "embedded"
    if keep is not None:
        return _index_of(card, kind, keep / card.fingerprint)
    with tempfile.TemporaryDirectory() as folder:
        return _index_of(card, kind, Path(folder) / "index")


def _index_of(card: EncoderCard, kind: IndexKind, folder: Path) -> VectorIndex:
    """Rows in the form that a library keeps."""
    return open_index(folder, fingerprint=card.fingerprint, dim=card.dim, kind=kind, precision=card.stored)
