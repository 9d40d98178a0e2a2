"""The documents nearest to each by TF-IDF, which CTPE_T draws its negatives from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.progress import Meter, Report, silent
from engine.training.ctpe.corpus import PairCorpus
from engine.training.examples import Ids, PairTokens

NEAREST = 100
_PRODUCTS_AT_ONCE = 40_000_000  # similarities held at once, some 500 MB as a sparse block
_TOO_COMMON = 0.1  # words in more than this share of documents say nothing of what is near, and cost the most


def read_nearest(corpus: PairCorpus, *, cache: Path, report: Report = silent) -> Ids:
    """The nearest documents of a corpus, (n, 100), from `cache` where an earlier run left them."""
    folder = cache / f"nearest-{corpus.key}"
    if not folder.exists():
        found = nearest_by_tfidf(corpus.tokens, count=NEAREST, report=report)
        with files.new_folder(folder) as new:
            files.write_json(new / "nearest.json", files.write_arrays(new / "nearest.safetensors", {"nearest": found}))
    return files.read_arrays(folder / "nearest.safetensors", files.read_json(folder / "nearest.json"))["nearest"]


def nearest_by_tfidf(tokens: PairTokens, *, count: int, report: Report = silent) -> Ids:
    """The `count` documents of the largest TF-IDF cosine to each, the nearest first: (n, count).

    A row ends in -1 where fewer share a word; a document is not near itself. Memory holds one block
    of rows' products with all others at once.
    """
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import TfidfTransformer

    documents, words = len(tokens), int(tokens.flat.max(initial=0)) + 1
    columns = np.where(tokens.flat < 0, words, tokens.flat)  # marks between words are in every document, so they go
    ones = np.ones(len(columns), np.float32)
    counts = csr_array((ones, columns, tokens.starts), shape=(documents, words + 1), copy=True)
    counts.sum_duplicates()  # in place, so the corpus keeps arrays of its own
    frequencies = np.bincount(counts.indices, minlength=words + 1)
    kept = np.flatnonzero(frequencies <= max(_TOO_COMMON * documents, 2))
    rows = TfidfTransformer(sublinear_tf=True).fit_transform(counts[:, kept]).tocsr().astype(np.float32)
    transposed = rows.T.tocsr()
    nearest = np.full((documents, count), -1, dtype=np.int32)
    meter = Meter("nearest by TF-IDF", documents, report)
    block = max(1, _PRODUCTS_AT_ONCE // documents)
    for first in range(0, documents, block):
        products = (rows[first : first + block] @ transposed).tocsr()  # (block, n)
        for number, (start, stop) in enumerate(zip(products.indptr, products.indptr[1:], strict=False)):
            _put_nearest(
                nearest[first + number], products.indices[start:stop], products.data[start:stop], first + number
            )
        meter.add(products.shape[0])
    meter.finish()
    return nearest


def _put_nearest(row: Ids, documents: Ids, similarities: NDArray[np.float32], own: int) -> None:
    """Fill a row with the documents of the largest similarities, without itself; equal ones in the corpus's order."""
    others = documents != own
    documents, similarities = documents[others], similarities[others]
    if len(documents) > len(row):
        top = np.argpartition(-similarities, len(row))[: len(row)]
        documents, similarities = documents[top], similarities[top]
    order = np.lexsort((documents, -similarities))
    row[: len(order)] = documents[order]
