"""TF-IDF: a document is its words, weighted by how rare they are in the corpus (as in CTPE, section 4.2).

Other encoders count words by the same functions.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.errors import NotFittedError, StorageError
from engine.core.rows import SparseRows, unit_length_sparse
from engine.documents import Document, text
from engine.encoders import storage
from engine.encoders.base import EncoderCard, FittedEncoder

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
        """Learn from a corpus and return its rows (n, V) too, without reading it twice."""
        words, counts = learn_words(documents)
        document_frequency = np.bincount(counts.indices, minlength=len(words))
        idf = np.log((1 + counts.shape[0]) / (1 + document_frequency)) + 1
        encoder = cls(words, idf.astype(np.float32))
        return encoder, encoder.weigh(counts)

    def encode_documents(self, documents: Sequence[Document]) -> SparseRows:
        """Encode documents: (n, V)."""
        return self.weigh(count_words(documents, self._columns))

    def weigh(self, counts: SparseRows) -> SparseRows:
        """Weigh counts (n, V), at unit length."""
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


def count_words(documents: Iterable[Document], columns: Mapping[str, int]) -> SparseRows:
    """Count the tokens of each document's text: (n, len(columns)); tokens without a column are left out."""
    indices, counts, starts = array("i"), array("i"), array("i", [0])
    for document in documents:
        found = Counter(text.tokens(document.text))
        row = sorted((columns[word], count) for word, count in found.items() if word in columns)
        indices.extend(column for column, _ in row)
        counts.extend(count for _, count in row)
        starts.append(len(indices))
    return _rows(np.asarray(indices, np.int32), counts, starts, len(columns))


def count_tokens(texts: Iterable[Sequence[str]], columns: Mapping[str, int]) -> SparseRows:
    """Count words as `count_words` does, in texts that are tokens already; faster for short ones."""
    indices: list[int] = []
    starts = [0]
    for tokens in texts:
        indices += [columns[token] for token in tokens if token in columns]
        starts.append(len(indices))
    parts = (np.ones(len(indices), np.float32), np.asarray(indices, np.int32), np.asarray(starts, np.int32))
    rows = csr_array(parts, shape=(len(starts) - 1, len(columns)))
    rows.sum_duplicates()
    return rows


def learn_words(documents: Iterable[Document]) -> tuple[list[str], SparseRows]:
    """Return every token of a corpus in alphabetical order (V), and its counts (n, V).

    Raises NotFittedError for a corpus without words.
    """
    column_of: dict[str, int] = {}
    indices, counts, starts = array("i"), array("i"), array("i", [0])
    for document in documents:
        found = Counter(text.tokens(document.text))
        indices.extend(column_of.setdefault(word, len(column_of)) for word in found)
        counts.extend(found.values())
        starts.append(len(indices))
    if not column_of:
        raise NotFittedError("Expected documents with words to learn from, got none. Import documents first.")
    words = sorted(column_of)
    place = np.empty(len(words), dtype=np.int32)
    place[[column_of[word] for word in words]] = np.arange(len(words), dtype=np.int32)
    rows = _rows(place[np.asarray(indices)], counts, starts, len(words))
    rows.sort_indices()
    return words, rows


def _rows(indices: NDArray[np.int32], counts: array[int], starts: array[int], width: int) -> SparseRows:
    parts = (np.asarray(counts, np.float32), indices, np.asarray(starts, np.int32))
    return csr_array(parts, shape=(len(starts) - 1, width))
