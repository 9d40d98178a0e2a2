"""How well scores of sentences find the labelled ones, document by document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders.keyvec import Salience
from engine.research.salience.texts import Body

Labels = NDArray[np.bool_]
FIRST = 5
"""As many sentences as a screen shows to read first, and as Lead-5 takes."""


@runtime_checkable
class Reads(Protocol):
    """An encoder that says which sentences of a document are salient."""

    def salience(self, documents: Sequence[Document]) -> list[Salience]:
        """Each document's sentences with their probabilities."""


def probabilities(reader: Reads, bodies: Sequence[Body]) -> list[NDArray[np.float64]]:
    """The p of every sentence of each body: (m,); 0 for one that the reader left out, having no word that it knows."""
    found = reader.salience([body.document for body in bodies])
    every = []
    for body, salience in zip(bodies, found, strict=True):
        p = {(one.part, one.start): float(value) for one, value in zip(salience.sentences, salience.p, strict=True)}
        every.append(np.array([p.get((one.part, one.start), 0.0) for one in body.sentences]))
    return every


def precision_at_labels(scores: NDArray[np.float64], labels: Labels) -> float:
    """The share of labelled sentences among the first, as many as are labelled; the earlier of equal ones is first."""
    count = int(labels.sum())
    return float(labels[_order(scores)[:count]].mean()) if count else 0.0


def precision_of_first(scores: NDArray[np.float64], labels: Labels, count: int = FIRST) -> float:
    """The share of labelled sentences among the first five."""
    return float(labels[_order(scores)[:count]].sum() / count)


def roc_auc(scores: NDArray[np.float64], labels: Labels) -> float:
    """The chance that a labelled sentence has a larger score than another; 0.5 where all are of one kind."""
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
