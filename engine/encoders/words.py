"""Documents as counts of their words, and words as their letters."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core.errors import NotFittedError
from engine.core.rows import SparseRows
from engine.documents import Document, text


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
    """As `count_words`, for texts that are tokens already; faster for short ones."""
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
