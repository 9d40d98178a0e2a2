"""The mean of word vectors with frequent words weighted down (Arora et al., ICLR 2017, equation 3)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from engine.core.rows import DenseRows
from engine.encoders import frequency
from engine.encoders.word2vec_mean import Word2vecMeanEncoder
from engine.encoders.word_vectors import WordVectors


class Word2vecSifEncoder(Word2vecMeanEncoder):
    """Smooth inverse frequency: each occurrence counts a / (a + p(w)) (Arora et al., ICLR 2017, equation 3).

    p(w) is the word's share of the training text. Their second step subtracts the corpus's first principal component.
    Ours subtracts from each word the mean of all occurrences in the training text, weighted the same way, so that a
    document's row does not depend on the library.
    """

    name: ClassVar[str] = "word2vec-sif"
    method: ClassVar[str] = "word2vec-sif/1"
    summary: ClassVar[str] = (
        "Word vectors trained on papers and patents, averaged with common words turned down. "
        "Choose it for speed where related words should count as near."
    )

    @staticmethod
    def word_rows(vectors: WordVectors) -> DenseRows:
        """The weight times the vector less the mean: (V, dim)."""
        frequencies = vectors.frequencies
        weights = frequency.weights(frequencies)  # (V,)
        rows, shares = vectors.vectors.astype(np.float32), weights * frequencies
        rows -= (shares / shares.sum()).astype(np.float32) @ rows  # the mean (dim,); in place: each search waits
        rows *= weights[:, None].astype(np.float32)
        return rows
