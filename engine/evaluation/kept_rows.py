"""A corpus's rows and passages: kept from an earlier run, taken from a larger corpus, or read now."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document
from engine.encoders import Encoder, EncoderCard
from engine.search import PassageEncoder, PassageMatcher, PassageReader
from engine.vectors import IndexKind, PassagePlace, PassageView, VectorIndex, open_index, open_passage_store
from engine.workspace import fill_store

_DOCUMENTS_AT_ONCE = 2_000
_SECONDS_BETWEEN_WRITES = 300


@dataclass(frozen=True, slots=True)
class RowFolders:
    """Where a corpus's rows are kept, and where to find rows of a larger one with the same documents and ids."""

    own: Path | None = None
    among: Path | None = None


def rows_in(
    places: RowFolders, encoder: Encoder, corpus: Sequence[Document], *, name: str, report: Report
) -> tuple[VectorIndex, bool]:
    """Return the corpus in an index, and whether all of it was encoded now; `name` is what a report calls the encoder.

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


def _take_over(index: VectorIndex, card: EncoderCard, corpus: Sequence[Document], places: RowFolders) -> int:
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
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return _index_of(card, kind, Path(folder) / "index")


def _index_of(card: EncoderCard, kind: IndexKind, folder: Path) -> VectorIndex:
    """Open an index of rows in the form that a library keeps."""
    return open_index(folder, fingerprint=card.fingerprint, dim=card.dim, kind=kind, precision=card.stored)


_FOLDER = "passages"


def matcher(corpus: Sequence[Document], keep: Path | None, report: Report = silent) -> PassageMatcher | None:
    """Return a corpus's passages, ready to be asked; None where what reads them is not installed."""
    return read_by(_encoder(), corpus, keep, report) if PassageEncoder.is_installed() else None


def read_by(
    encoder: PassageReader, corpus: Sequence[Document], keep: Path | None, report: Report = silent
) -> PassageMatcher:
    """Return a corpus's passages by any encoder, ready to be asked.

    `keep` is the folder of the corpus's rows. Passages are kept beside it, by document and text, because several
    corpora may hold the same document.
    """
    if keep is not None:
        return _matcher(encoder, corpus, keep.parent / _FOLDER, report)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # what is mapped stays, on Windows its file
        return _matcher(encoder, corpus, Path(folder), report)


def _matcher(encoder: PassageReader, corpus: Sequence[Document], folder: Path, report: Report) -> PassageMatcher:
    store = open_passage_store(folder / encoder.fingerprint, fingerprint=encoder.fingerprint, dim=encoder.dim)
    keys = {key_of(document): document.id for document in corpus}
    missing = [_under_key(document) for document in corpus if key_of(document) not in store]
    fill_store(store, missing, encoder, Meter("read passages", len(missing), report))
    return PassageMatcher(store.view().only(keys), _Kept(store.view(), encoder))


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """Reads questions' passages, or takes their rows where the very same document is kept."""

    view: PassageView
    encoder: PassageReader

    @property
    def fingerprint(self) -> str:
        """The encoder's."""
        return self.encoder.fingerprint

    @property
    def dim(self) -> int:
        """The encoder's."""
        return self.encoder.dim

    def cut(self, document: Document) -> Sequence[Chunk]:
        """Return the passages of a document, as the encoder cuts it."""
        return self.encoder.cut(document)

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """Return the rows (n, dim) of the passages of several documents, end to end."""
        return np.concatenate([self._rows(document, passages) for document, passages in read])

    def _rows(self, document: Document, passages: Sequence[Chunk]) -> DenseRows:
        number = self.view.number_of.get(key_of(document))
        if number is None:
            return self.encoder.encode([(document, passages)])
        own, _ = self.view.of_documents(np.array([number]))
        numbers = {self.view.place(passage): passage for passage in own.tolist()}
        places = [numbers.get(PassagePlace(one.part, one.start, one.stop)) for one in passages]
        if None in places:  # it was cut otherwise when it was kept
            return self.encoder.encode([(document, passages)])
        return self.view.rows(np.array(places, np.int64))


def key_of(document: Document) -> str:
    """Return what names a document with this very text."""
    return files.fingerprint(document.id, *(f"{part.role} {part.title}\n{part.text}" for part in document.parts))


def _under_key(document: Document) -> Document:
    return replace(document, id=key_of(document))


@cache
def _encoder() -> PassageEncoder:
    return PassageEncoder()
