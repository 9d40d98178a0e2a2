"""Salience without training: by a sentence's place, and by how much it repeats the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.research.salience.texts import Body, SentenceWords

Scores = NDArray[np.float64]
_DAMPING = 0.85
_CLOSE = 1e-9
_MOST_STEPS = 200


def lead(body: Body, words: SentenceWords) -> Scores:
    """The earlier the more salient: (m,). Its first five are "Lead-5"."""
    del words
    return -np.arange(len(body.sentences), dtype=np.float64)


def centrality(body: Body, words: SentenceWords) -> Scores:
    """Each sentence's cosine with the sum of all sentences of the body, TF-IDF at unit length: (m,)."""
    rows = words.rows(body.texts)
    whole = np.asarray(rows.sum(axis=0)).ravel()
    length = float(np.linalg.norm(whole))
    return np.asarray(rows @ whole, np.float64) / (length or 1.0)


def text_rank(body: Body, words: SentenceWords) -> Scores:
    """PageRank over sentences, weighted by their TF-IDF cosines: (m,).

    Mihalcea and Tarau, EMNLP 2004, section 2.2, with cosines for their overlap of words. A sentence like no other
    gives its weight to all.
    """
    rows = words.rows(body.texts)
    cosines = (rows @ rows.T).toarray().astype(np.float64)  # (m, m)
    np.fill_diagonal(cosines, 0.0)
    return page_rank(cosines)


def page_rank(weights: NDArray[np.float64]) -> Scores:
    """The stationary shares (m,) of a walk over edges (m, m) that starts again with chance 0.15 at each step."""
    count = len(weights)
    leaving = weights.sum(axis=1, keepdims=True)
    steps = np.divide(weights, leaving, out=np.full_like(weights, 1 / max(count, 1)), where=leaving > 0)
    shares = np.full(count, 1 / max(count, 1))
    for _ in range(_MOST_STEPS):
        after = (1 - _DAMPING) / count + _DAMPING * (shares @ steps)
        if np.abs(after - shares).sum() < _CLOSE:
            return np.asarray(after)
        shares = after
    return shares


BASELINES: Mapping[str, Callable[[Body, SentenceWords], Scores]] = {
    "position": lead,
    "TextRank": text_rank,
    "TF-IDF centrality": centrality,
}
