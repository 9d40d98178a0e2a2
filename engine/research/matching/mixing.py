"""Several rows' scores as one, by weights that are learned on pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.research.matching.pair_set import PairSet
from engine.research.matching.scores import Scored
from engine.training.long_corpus import Split

_ITERATIONS = 1_000


def mix(name: str, parts: Sequence[Scored], pairs: PairSet, *, split: Split = "train") -> Scored:
    """The log odds (p,) of a logistic regression over the parts' scores, fitted on one split's pairs.

    `facts` holds the weights of the unscaled scores. A row that was itself trained on the train pairs tells those
    better than new ones, and so gets too much weight there. The valid pairs show its true worth, but then the
    threshold is chosen on them, too.

    Raises EvaluationError if the split lacks related or unrelated pairs.
    """
    pairs.require_both(split)
    scores = np.stack([one.scores for one in parts], axis=1)  # (p, rows)
    read = pairs.of(split)
    weights, intercept = regression(scores[read], pairs.related[read])
    learned = {
        "weights": {one.name: float(weight) for one, weight in zip(parts, weights, strict=True)},
        "intercept": intercept,
        "fitted_on": split,
    }
    fingerprint = files.fingerprint(*(one.fingerprint for one in parts), repr(learned))
    return Scored(name, fingerprint, scores @ weights + intercept, facts=learned)


def regression(
    scores: NDArray[np.float64], related: NDArray[np.bool_], *, importance: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.float64], float]:
    """The weights (rows,) and the intercept of a logistic regression of pairs' scores (p, rows).

    Scores are brought to mean 0 and deviation 1 first, so that the penalty on large weights treats rows of unlike scale
    alike; the weights it returns fit the scores as given. `importance` (p,) says how much each pair counts.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(scores, sample_weight=importance)
    model = LogisticRegression(max_iter=_ITERATIONS)
    fitted = model.fit(scaler.transform(scores), related, sample_weight=importance)
    weights: NDArray[np.float64] = fitted.coef_[0] / scaler.scale_
    return weights, float(fitted.intercept_[0] - weights @ scaler.mean_)
