"""Several rows' scores as one, by weights that are learned on pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine import files
from engine.evaluation.matching.pair_set import PairSet
from engine.evaluation.matching.scores import Scored
from engine.training.long_pairs import Split

_ITERATIONS = 1_000


def mix(name: str, parts: Sequence[Scored], pairs: PairSet, *, split: Split = "train") -> Scored:
    """The log odds (p,) of a logistic regression over the parts' scores, fitted on one split's pairs.

    Scores are brought to mean 0 and deviation 1 of that split first, so that the penalty on large weights treats rows
    of unlike scale alike; `facts` holds the weights of the scores as they are. A row that was itself trained on the
    train pairs tells those better than new ones, and so gets more weight there than it should have; the valid pairs
    show what it is worth, at the price of choosing the threshold on them too.

    Raises EvaluationError where the split lacks related or unrelated pairs.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    pairs.require_both(split)
    scores = np.stack([one.scores for one in parts], axis=1)  # (p, rows)
    read = pairs.of(split)
    scaler = StandardScaler().fit(scores[read])
    fitted = LogisticRegression(max_iter=_ITERATIONS).fit(scaler.transform(scores[read]), pairs.related[read])
    weights: NDArray[np.float64] = fitted.coef_[0] / scaler.scale_
    intercept = float(fitted.intercept_[0] - weights @ scaler.mean_)
    learned = {
        "weights": {one.name: float(weight) for one, weight in zip(parts, weights, strict=True)},
        "intercept": intercept,
        "fitted_on": split,
    }
    fingerprint = files.fingerprint(*(one.fingerprint for one in parts), repr(learned))
    return Scored(name, fingerprint, scores @ weights + intercept, facts=learned)
