"""Fits the words' scale to labelled pairs, the lists' scale to questions, and measures both on what they did not see.

The scale is a multinomial logistic regression. Of many pairs only some words are excluded: a patent that does not cite
another may be of its field or not. Such a pair's likelihood is the sum over the words that it may have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from engine.core.rows import Flags
from engine.research.nearness.asked import Answered, Shown
from engine.search import Pair
from engine.search.readings import LIKELY, OTHER
from engine.search.verdicts import list_features

Numbers = NDArray[np.float64]

KINDS = 4
_RIDGE = 1e-3
"""The penalty on squared weights, of features at unit spread, beside the mean log likelihood."""

_RANDOM = 0.2
_UNCERTAIN = {0b0110: 0.8, 0b1100: 0.4}
"""What a set's pairs count together that are either of one field or nearer, or of one field or further."""

_LEAST_SPREAD = 1e-9  # of a number that is the same in all pairs
_BINS = 10
_IN_LIBRARY_REFUSED = 0.015
"""The share of questions of the library's own field that the threshold refuses where it is chosen.

What it refuses of fields that a library lacks, and of its own: engine/research/reports/out-of-library.md.
"""


def arrays(shown: Sequence[Shown]) -> tuple[Numbers, Flags]:
    """Return the features (n, f) of n pairs, and which kinds each may be (n, 4)."""
    features = np.array([one.pair.features for one in shown], np.float64)
    known = np.array([[kind in one.known for kind in range(KINDS)] for one in shown], np.bool_)
    return features, known


def fit_scale(features: Numbers, known: Flags, counts: Numbers) -> Numbers:
    """Return the weights (4, f) of the most likely scale; `counts` (n,) is how much each pair counts."""
    spread = features.std(axis=0)
    spread[spread < _LEAST_SPREAD] = 1.0
    scaled, counts = features / spread, counts / counts.sum()

    def loss(flat: Numbers) -> tuple[float, Numbers]:
        weights = flat.reshape(KINDS, -1)
        p = probabilities(weights, scaled)
        allowed = np.where(known, p, 0.0)
        total = np.maximum(allowed.sum(axis=1, keepdims=True), 1e-300)
        gradient = ((p - allowed / total) * counts[:, None]).T @ scaled + 2 * _RIDGE * weights
        return float(-(counts * np.log(total[:, 0])).sum() + _RIDGE * (weights**2).sum()), gradient.ravel()

    found = minimize(loss, np.zeros(KINDS * features.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    return np.asarray(found.x.reshape(KINDS, -1) / spread, np.float64)


def probabilities(weights: Numbers, features: Numbers) -> Numbers:
    """Return how probable each kind is for each pair: (n, 4)."""
    logits = features @ weights.T
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float64)


def calibration_error(p: Numbers, is_so: Flags, counts: Numbers) -> float:
    """Return the expected calibration error of one kind: ten equal bins of p, each by its share of the pairs.

    Guo et al., "On Calibration of Modern Neural Networks", ICML 2017, equation 5, for one class.
    """
    bins = np.minimum((p * _BINS).astype(int), _BINS - 1)
    share = counts / counts.sum()
    gaps = [abs(float((share * (p - is_so))[bins == one].sum())) for one in range(_BINS)]
    return float(sum(gaps))


def balanced(sets: Sequence[str], known: Flags, at_random: Flags) -> Numbers:
    """Return how much each pair counts (n,): in every set each kind as much as the others.

    How many of a document's cited works a collection holds is chance, so the kinds count alike; a probability is one
    beside the other kinds, not among the documents of one library. Pairs that exclude only some words count
    less, and so do pairs drawn at random, which nobody is shown.
    """
    counts, names = np.where(at_random, _RANDOM, 1.0), np.asarray(sets)
    codes = known @ (1 << np.arange(KINDS))
    for name in np.unique(names):
        for code in np.unique(codes):
            some = (names == name) & (codes == code)
            if some.any():
                counts[some] *= _UNCERTAIN.get(int(code), 1.0) / counts[some].sum()
    return counts


def five(p: Numbers, pairs: Sequence[Pair], vocabulary: float) -> Numbers:
    """Return the probabilities or flags of the five words (n, 5) from those of the four kinds (n, 4)."""
    shares = np.array([one.keywords >= vocabulary for one in pairs])
    return np.concatenate([p[:, :OTHER], (p[:, OTHER] * shares)[:, None], (p[:, OTHER] * ~shares)[:, None]], axis=1)


def errors(p: Numbers, known: Flags, pairs: Sequence[Pair], counts: Numbers, vocabulary: float) -> list[float | None]:
    """Return the calibration error of each of the five words among the pairs whose kind is known.

    Kinds that these pairs lack are left out of the probabilities; a word of a kind that they lack has no error.
    """
    certain = known.sum(axis=1) == 1
    there = known[certain].any(axis=0)
    said = p[certain] * there
    said /= np.maximum(said.sum(axis=1, keepdims=True), 1e-300)
    some = [one for one, is_so in zip(pairs, certain, strict=True) if is_so]
    words, truth = five(said, some, vocabulary), five(known[certain].astype(np.float64), some, vocabulary)
    found: list[float | None] = []
    for word, kind in enumerate([*range(KINDS), OTHER]):
        has_error = bool(there[kind]) and int(there.sum()) > 1
        error = calibration_error(words[:, word], truth[:, word] > 0, counts[certain]) if has_error else None
        found.append(error)
    return found


def confusion(p: Numbers, known: Flags, counts: Numbers) -> Numbers:
    """Return the share of each kind's pairs that gets each kind's word, as `ReadingScale.read` gives it: (4, 4)."""
    certain = known.sum(axis=1) == 1
    found = np.zeros((KINDS, KINDS))
    words = (p[certain].cumsum(axis=1) >= LIKELY).argmax(axis=1)
    np.add.at(found, (known[certain].argmax(axis=1), words), counts[certain])
    return np.asarray(found / np.maximum(found.sum(axis=1, keepdims=True), 1e-300), np.float64)


def fit_lists(answered: Sequence[Answered], near: Flags, counts: Numbers) -> Numbers:
    """Return the weights (f,) of a logistic regression: whether a library holds what a question is about."""
    features = list_array(answered)
    spread = features.std(axis=0)
    spread[spread < _LEAST_SPREAD] = 1.0
    scaled, counts = features / spread, counts / counts.sum()

    def loss(weights: Numbers) -> tuple[float, Numbers]:
        logits = scaled @ weights
        signed = np.where(near, logits, -logits)
        p = 1 / (1 + np.exp(-logits))
        gradient = scaled.T @ (counts * (p - near)) + 2 * _RIDGE * weights
        return float((counts * np.logaddexp(0, -signed)).sum() + _RIDGE * (weights**2).sum()), gradient

    found = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    return np.asarray(found.x / spread, np.float64)


def list_array(answered: Sequence[Answered]) -> Numbers:
    """Return the features of n lists: (n, f)."""
    return np.array(
        [list_features(one.nearest, documents=one.documents, unknown=one.unknown) for one in answered], np.float64
    )


def threshold(p: Numbers, near: Flags, libraries: Sequence[str]) -> float:
    """Return the probability below which a list is refused: the median over libraries, each by its own questions."""
    names = np.asarray(libraries)
    limits = [np.quantile(p[near & (names == name)], _IN_LIBRARY_REFUSED) for name in np.unique(names[near])]
    return float(np.median(limits))


def vocabulary_share(pairs: Sequence[Pair], known: Flags) -> float:
    """Return the keywords' score that a tenth of the pairs of other fields reach."""
    keywords = np.array([one.keywords for one in pairs])
    return float(np.quantile(keywords[known[:, OTHER] & (known.sum(axis=1) == 1)], 0.9))


def medians(pairs: Sequence[Pair], known: Flags, names: Mapping[str, int]) -> dict[str, float]:
    """Return the median cosine of the pairs of each kind that are known for certain, by what a ruler calls it."""
    cosines, certain = np.array([one.cosine for one in pairs]), known.sum(axis=1) == 1
    return {name: round(float(np.median(cosines[certain & known[:, kind]])), 3) for name, kind in names.items()}
