"""Which sentences of a body count as salient, and how well scores find them, document by document.

Labels come from its own abstract, or from what other papers say of it. Place and repetition score without training.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders.keyvec import Salience
from engine.research.salience.texts import Body, SentenceWords
from engine.training.keyvec.labels import salient, tfidf_cosines
from engine.training.keyvec.recipe import LabelSettings


def labels(body: Body, said: Sequence[str], words: SentenceWords, settings: LabelSettings) -> NDArray[np.bool_]:
    """Return the sentences (m,) of a body nearest to each sentence said about it: `top` of them, above the `threshold`.

    With the sentences of its own abstract these are the labels that KeyVec learns from ("Reader's Objective"); with
    sentences that cite the document they are the passages that others took from it.
    """
    if not said:
        return np.zeros(len(body.sentences), np.bool_)
    cosines = tfidf_cosines(words.counts(said), words.counts(body.texts), words.weights)
    return salient(cosines, threshold=settings.threshold, top=settings.top)


Labels = NDArray[np.bool_]
FIRST = 5
"""As many sentences as a screen shows to read first, and as Lead-5 takes."""


@runtime_checkable
class Reads(Protocol):
    """An encoder that says which sentences of a document are salient."""

    def salience(self, documents: Sequence[Document]) -> list[Salience]:
        """Return each document's sentences with their probabilities."""


def probabilities(reader: Reads, bodies: Sequence[Body]) -> list[NDArray[np.float64]]:
    """Return the p of every sentence of each body: (m,); 0 for one left out, without a word that the reader knows."""
    found = reader.salience([body.document for body in bodies])
    every = []
    for body, salience in zip(bodies, found, strict=True):
        p = {(one.part, one.start): float(value) for one, value in zip(salience.sentences, salience.p, strict=True)}
        every.append(np.array([p.get((one.part, one.start), 0.0) for one in body.sentences]))
    return every


def precision_at_labels(scores: NDArray[np.float64], labels: Labels) -> float:
    """Return the share of labelled sentences among the first, as many as are labelled; of equal ones the earlier."""
    count = int(labels.sum())
    return float(labels[_order(scores)[:count]].mean()) if count else 0.0


def precision_of_first(scores: NDArray[np.float64], labels: Labels, count: int = FIRST) -> float:
    """Return the share of labelled sentences among the first five."""
    return float(labels[_order(scores)[:count]].sum() / count)


def roc_auc(scores: NDArray[np.float64], labels: Labels) -> float:
    """Return the chance that a labelled sentence has a larger score than another; 0.5 where all are of one kind."""
    from sklearn.metrics import roc_auc_score

    if not labels.any() or labels.all():
        return 0.5
    return float(roc_auc_score(labels, scores))


COLUMNS: dict[str, Callable[[NDArray[np.float64], Labels], float]] = {
    "P@labels": precision_at_labels,
    "P@5": precision_of_first,
    "P@2": partial(precision_of_first, count=2),
    "ROC-AUC": roc_auc,
}


@dataclass(frozen=True, slots=True)
class Told:
    """One row's figures over documents: the mean of each document's, which all count the same."""

    name: str
    figures: dict[str, float]


def score_row(name: str, scores: Sequence[NDArray[np.float64]], labels: Sequence[Labels]) -> Told:
    """Score one row on documents with labelled and other sentences.

    Raises EvaluationError if no document has both.
    """
    both = [place for place, one in enumerate(labels) if one.any() and not one.all()]
    if not both:
        raise EvaluationError("Expected a document with labelled and other sentences, found none. Give more documents.")
    figures = {
        column: float(np.mean([score(scores[place], labels[place]) for place in both]))
        for column, score in COLUMNS.items()
    }
    return Told(name, figures)


def _order(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")


Scores = NDArray[np.float64]
_DAMPING = 0.85
_CLOSE = 1e-9
_MOST_STEPS = 200


def lead(body: Body, words: SentenceWords) -> Scores:
    """Score the earlier sentence higher: (m,). The first five are "Lead-5"."""
    del words
    return -np.arange(len(body.sentences), dtype=np.float64)


def centrality(body: Body, words: SentenceWords) -> Scores:
    """Return each sentence's cosine with the sum of all sentences of the body, TF-IDF at unit length: (m,)."""
    rows = words.rows(body.texts)
    whole = np.asarray(rows.sum(axis=0)).ravel()
    length = float(np.linalg.norm(whole))
    return np.asarray(rows @ whole, np.float64) / (length or 1.0)


def text_rank(body: Body, words: SentenceWords) -> Scores:
    """Return PageRank over sentences, weighted by their TF-IDF cosines: (m,).

    Mihalcea and Tarau, EMNLP 2004, section 2.2, with cosines for their overlap of words. A sentence like no other
    gives its weight to all.
    """
    rows = words.rows(body.texts)
    cosines = (rows @ rows.T).toarray().astype(np.float64)  # (m, m)
    np.fill_diagonal(cosines, 0.0)
    return page_rank(cosines)


def page_rank(weights: NDArray[np.float64]) -> Scores:
    """Return the stationary shares (m,) of a walk over edges (m, m) that starts again with chance 0.15 at each step."""
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
