"""The passages of a corpus, read for an evaluation, and kept for later runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows
from engine.documents import Chunk, Document
from engine.search import KnownReader, PassageEncoder, PassageMatcher, PassageReader, has_passage_encoder
from engine.vectors import PassageStore, PassageView
from engine.workspace import fill

_FOLDER = "passages"


def matcher(corpus: Sequence[Document], keep: Path | None, report: Report = silent) -> PassageMatcher | None:
    """A corpus's passages, ready to be asked; None where what reads them is not installed."""
    return read_by(_encoder(), corpus, keep, report) if has_passage_encoder() else None


def read_by(
    encoder: KnownReader, corpus: Sequence[Document], keep: Path | None, report: Report = silent
) -> PassageMatcher:
    """A corpus's passages by any encoder, ready to be asked.

    `keep` is the folder of the corpus's rows. Passages are kept beside it, by document and text, because several
    corpora may hold the same document.
    """
    if keep is not None:
        return _matcher(encoder, corpus, keep.parent / _FOLDER, report)
    with TemporaryDirectory() as folder:  # what was mapped from it stays readable
        return _matcher(encoder, corpus, Path(folder), report)


def _matcher(encoder: KnownReader, corpus: Sequence[Document], folder: Path, report: Report) -> PassageMatcher:
    store = PassageStore(folder / encoder.fingerprint, fingerprint=encoder.fingerprint, dim=encoder.dim)
    keys = {key_of(document): document.id for document in corpus}
    missing = [_under_key(document) for document in corpus if key_of(document) not in store]
    fill(store, missing, encoder, Meter("read passages", len(missing), report))
    return PassageMatcher(store.view().only(keys), _Kept(store.view(), encoder))


@dataclass(frozen=True, slots=True)
class _Kept:
    """Reads questions' passages, or takes their rows where the very same document is kept."""

    view: PassageView
    encoder: PassageReader

    @property
    def fingerprint(self) -> str:
        """The encoder's."""
        return self.encoder.fingerprint

    def cut(self, document: Document) -> Sequence[Chunk]:
        """The passages of a document, as the encoder cuts it."""
        return self.encoder.cut(document)

    def encode(self, read: Sequence[tuple[Document, Sequence[Chunk]]]) -> DenseRows:
        """The rows (n, dim) of the passages of several documents, end to end."""
        return np.concatenate([self._rows(document, passages) for document, passages in read])

    def _rows(self, document: Document, passages: Sequence[Chunk]) -> DenseRows:
        number = self.view.number_of.get(key_of(document))
        if number is None:
            return self.encoder.encode([(document, passages)])
        own, _ = self.view.of_documents(np.array([number]))
        return self.view.rows(own)


def key_of(document: Document) -> str:
    """Names a document with this very text."""
    return files.fingerprint(document.id, *(f"{part.role} {part.title}\n{part.text}" for part in document.parts))


def _under_key(document: Document) -> Document:
    return replace(document, id=key_of(document))


@cache
def _encoder() -> PassageEncoder:
    return PassageEncoder()
