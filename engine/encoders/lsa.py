"""LSA: TF-IDF rows projected on the corpus's strongest directions (Deerwester et al., 1990)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np

from engine.core.errors import StorageError
from engine.core.rows import DenseRows, SparseRows, unit_length
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import EncoderCard, FittedEncoder
from engine.encoders.tfidf import TfidfEncoder

METHOD = "lsa/1"
NAME = "lsa"
SUMMARY = "TF-IDF squeezed into 100 topics of your library. Choose it to find the same subject in other words."
DIMENSIONS = 100
_SEED = 1
_POWER_ITERATIONS = 4


class LsaEncoder(FittedEncoder):
    """Unit-length projections of TF-IDF rows on the first right singular vectors (Deerwester et al., 1990).

    A corpus of lower rank than 100 gives fewer dimensions.
    """

    def __init__(self, tfidf: TfidfEncoder, directions: DenseRows) -> None:
        """Take the TF-IDF of the corpus and the directions (V, dim)."""
        self._tfidf, self._directions = tfidf, np.ascontiguousarray(directions)
        fingerprint = storage.fingerprint_of(METHOD, self._arrays(), tfidf.words)
        self._card = EncoderCard(NAME, SUMMARY, directions.shape[1], fingerprint)

    @classmethod
    def fit(cls, documents: Sequence[Document]) -> Self:
        """Learn the directions from a corpus. Raises NotFittedError for one without words."""
        tfidf, rows = TfidfEncoder.fit_rows(documents)
        return cls(tfidf, _strongest_directions(rows))

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim)."""
        return unit_length(np.asarray(self._tfidf.encode_documents(documents) @ self._directions))

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays(), words=self._tfidf.words)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        stored = storage.read(folder, method=METHOD, arrays={"idf": 1, "directions": 2})
        idf, directions = stored.arrays["idf"], stored.arrays["directions"]
        if not len(stored.words) == len(idf) == len(directions):
            raise StorageError(
                f"Expected one weight and one row a word in {folder}, found {len(stored.words)} words, {len(idf)} "
                f"weights and {len(directions)} rows. Build the folder again."
            )
        return cls(TfidfEncoder(stored.words, idf), directions)

    def _arrays(self) -> dict[str, np.ndarray]:
        return {"idf": self._tfidf.idf, "directions": self._directions}


def _strongest_directions(rows: SparseRows) -> DenseRows:
    """Return the right singular vectors (V, dim) of the largest singular values above zero, dim <= 100."""
    from sklearn.utils.extmath import randomized_svd

    count = min(DIMENSIONS, *rows.shape)
    _, values, directions = randomized_svd(rows, n_components=count, n_iter=_POWER_ITERATIONS, random_state=_SEED)
    kept = values > values[0] * 1e-6
    return np.ascontiguousarray(directions[kept].T, dtype=np.float32)
