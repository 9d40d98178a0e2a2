"""TF-IDF: a document is its words, weighted by how rare they are in the corpus (as in CTPE, section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.errors import StorageError
from engine.core.rows import SparseRows, unit_length_sparse
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import EncoderCard, FittedEncoder
from engine.encoders.words import count_words, learn_words

METHOD = "tfidf/1"
NAME = "tfidf"
SUMMARY = "Words weighted by rarity in your library. Choose it to find documents that use the same terms."


class TfidfEncoder(FittedEncoder):
    """Rows of tf * idf at unit length, one column a word of the corpus.

    tf is the count; idf = ln((1 + n) / (1 + df)) + 1, so that a word in every document still counts a little (the
    defaults of the tool that CTPE names for its TF-IDF row, section 4.2).

    1 + ln(count) in place of the count was tried on the valid queries: better on arxiv-subject and patents-citation,
    worse on cranfield, npl and cacm. The published weight stays.
    """

    def __init__(self, words: Sequence[str], idf: NDArray[np.float32]) -> None:
        """Take the corpus's words (V) and their weights (V,)."""
        self._words, self._idf = list(words), idf
        self._columns = {word: column for column, word in enumerate(words)}
        fingerprint = storage.fingerprint_of(METHOD, {"idf": idf}, self._words)
        self._card = EncoderCard(NAME, SUMMARY, len(self._words), fingerprint, sparse=True)

    @classmethod
    def fit(cls, documents: Sequence[Document]) -> Self:
        """Learn words and their rarity from a corpus. Raises NotFittedError for one without words."""
        return cls.fit_rows(documents)[0]

    @classmethod
    def fit_rows(cls, documents: Sequence[Document]) -> tuple[Self, SparseRows]:
        """Learn from a corpus and give its rows (n, V) too, without reading it twice."""
        words, counts = learn_words(documents)
        document_frequency = np.bincount(counts.indices, minlength=len(words))
        idf = np.log((1 + counts.shape[0]) / (1 + document_frequency)) + 1
        encoder = cls(words, idf.astype(np.float32))
        return encoder, encoder.weigh(counts)

    def encode_documents(self, documents: Sequence[Document]) -> SparseRows:
        """Encode documents: (n, V)."""
        return self.weigh(count_words(documents, self._columns))

    def weigh(self, counts: SparseRows) -> SparseRows:
        """Counts (n, V) as weighted rows at unit length."""
        data = counts.data * self._idf[counts.indices]
        return unit_length_sparse(csr_array((data, counts.indices, counts.indptr), shape=counts.shape))

    @property
    def words(self) -> Sequence[str]:
        """The corpus's words, in the order of the columns."""
        return self._words

    @property
    def idf(self) -> NDArray[np.float32]:
        """The words' weights (V,)."""
        return self._idf

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(folder, method=METHOD, card=self.card, arrays={"idf": self._idf}, words=self._words)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        stored = storage.read(folder, method=METHOD, arrays={"idf": 1})
        if len(stored.words) != len(stored.arrays["idf"]):
            raise StorageError(
                f"Expected one weight a word in {folder}, found {len(stored.arrays['idf'])} weights "
                f"and {len(stored.words)} words. Build the folder again."
            )
        return cls(stored.words, stored.arrays["idf"])
