"""How well a row's scores tell related pairs from others, at a threshold chosen on other pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from engine.research.matching.pair_set import PairSet
from engine.research.matching.scores import PairScores, Scored

FIGURES = ("precision", "recall", "f1", "accuracy", "auc")
THRESHOLD_RULE = "the best accuracy on valid; midway between two neighbouring scores, of equally good ones the lowest"

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision, recall and F1 of the related pairs, accuracy of all, and the area under the ROC curve.

    Precision is 0 if no pair is taken for related, and F1 where precision and recall are.
    """

    precision: float
    recall: float
    f1: float
    accuracy: float
    auc: float

    def rounded(self) -> dict[str, float]:
        """The figures by name, to four decimals."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A row with its threshold, its figures on test and, for choosing between rows, on valid.

    `right` (test pairs,) says which of them it tells rightly.
    """

    scored: Scored
    threshold: float
    test: Figures
    valid: Figures
    right: Flags

    @property
    def name(self) -> str:
        """The row's name."""
        return self.scored.name


def judge(scored: Scored, pairs: PairSet) -> Judged:
    """Choose a threshold on valid and score both splits by it.

    Raises EvaluationError if either split lacks related or unrelated pairs.
    """
    for split in ("valid", "test"):
        pairs.require_both(split)
    valid, test = pairs.of("valid"), pairs.of("test")
    threshold = choose_threshold(scored.scores[valid], pairs.related[valid])
    return Judged(
        scored,
        threshold,
        figures(scored.scores[test], pairs.related[test], threshold),
        figures(scored.scores[valid], pairs.related[valid], threshold),
        (scored.scores[test] >= threshold) == pairs.related[test],
    )


def choose_threshold(scores: PairScores, related: Flags) -> float:
    """The threshold with the best accuracy; a pair is taken for related where its score is at least that.

    Tried are the lowest score, where every pair is related, one midway between each two neighbouring scores, and one
    just above the highest. Of equally good ones it is the lowest, which finds the most related pairs.
    """
    distinct, place = np.unique(scores, return_inverse=True)
    gain = np.bincount(place, np.where(related, -1, 1), len(distinct))  # of moving the threshold above each score
    rights = np.concatenate([[related.sum()], related.sum() + np.cumsum(gain)])  # (thresholds,)
    between = distinct[:-1] + (distinct[1:] - distinct[:-1]) / 2
    tried = np.concatenate([distinct[:1], np.maximum(between, np.nextafter(distinct[:-1], np.inf)), [_above(distinct)]])
    return float(tried[int(np.argmax(rights))])


def figures(scores: PairScores, related: Flags, threshold: float) -> Figures:
    """The figures of pairs of both kinds at a threshold."""
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support, roc_auc_score

    told = scores >= threshold
    precision, recall, f1, _ = precision_recall_fscore_support(related, told, average="binary", zero_division=0)
    accuracy, auc = accuracy_score(related, told), roc_auc_score(related, scores)
    return Figures(float(precision), float(recall), float(f1), float(accuracy), float(auc))


@dataclass(frozen=True, slots=True)
class McNemar:
    """How two rows differ on the same test pairs: how many only one of them tells rightly, and how likely by chance.

    `p` comes from the exact test (McNemar, 1947, with the binomial distribution) that each is equally often the only
    right one.
    """

    only_first: int
    only_second: int
    p: float

    def as_json(self) -> Mapping[str, float]:
        """The counts and the probability."""
        return {"only_this_right": self.only_first, "only_that_right": self.only_second, "p": round(self.p, 6)}


def compare(first: Judged, second: Judged) -> McNemar:
    """Compare two rows' decisions on the test pairs of one set.

    Pairs that share a document count as independent, which makes p a little small.
    """
    from scipy.stats import binomtest

    only_first = int((first.right & ~second.right).sum())
    only_second = int((second.right & ~first.right).sum())
    differ = only_first + only_second
    return McNemar(only_first, only_second, float(binomtest(only_first, differ).pvalue) if differ else 1.0)


def _above(distinct: PairScores) -> float:
    return float(np.nextafter(distinct[-1], np.inf))
