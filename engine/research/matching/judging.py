"""What a row says of every pair, and how well its scores tell related pairs from others.

A score is larger where the documents are nearer; the threshold is chosen on other pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.rows import Flags, Rows
from engine.research.matching.pair_set import PairSet
from engine.training.long_corpus import Split

if TYPE_CHECKING:
    pass

PairScores = NDArray[np.float64]
"""(p,), one score a pair, in the order of a set's pairs."""

_FORMAT = 1
_PAIRS_AT_ONCE = 1_024


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """One row's scores (p,); `seconds` is None if they were kept from an earlier run.

    `facts` says what was learned on the way to them.
    """

    name: str
    fingerprint: str
    scores: PairScores
    seconds: float | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)


def inner_products(queries: Rows, documents: Rows, places: NDArray[np.int64]) -> PairScores:
    """Return the product of query row and document row of each of p pairs of places (p, 2): (p,)."""
    scores = np.empty(len(places), np.float64)
    for first in range(0, len(places), _PAIRS_AT_ONCE):
        a, b = places[first : first + _PAIRS_AT_ONCE].T
        one, other = queries[a], documents[b]
        if isinstance(one, csr_array):
            found = np.asarray(one.multiply(other).sum(axis=1)).ravel()
        else:
            found = np.einsum("pd,pd->p", one, other)
        scores[first : first + len(a)] = found
    return scores


def check(name: str, scores: PairScores, pairs: PairSet) -> None:
    """Raise EvaluationError if a score is not a number, or if the pairs do not have one score each."""
    if scores.shape != (len(pairs.pairs),):
        raise EvaluationError(
            f"Expected a score of {name} for each of {len(pairs.pairs)} pairs of {pairs.name}, got {scores.size}. "
            "Score the same pairs."
        )
    check_finite(name, scores, [(pair.a, pair.b) for pair in pairs.pairs])


def check_finite(name: str, scores: PairScores, ids: Sequence[tuple[str, str]]) -> None:
    """Raise EvaluationError if a score of pairs of these ids is not a number."""
    broken = np.flatnonzero(~np.isfinite(scores))
    if len(broken):
        raise EvaluationError(
            f"Expected a finite score of {name} for each of {len(scores)} pairs, got NaN or infinity for "
            f"{len(broken)}, the first {' with '.join(ids[broken[0]])}. Look at what it makes of these texts."
        )


def save_scores(path: Path, scored: Sequence[Scored], pairs: PairSet) -> None:
    """Write the scores of every pair as one JSON file, with what tells whether later pairs are the same."""
    value = {
        "format": _FORMAT,
        **_named(pairs),
        "rows": {
            one.name: {"fingerprint": one.fingerprint, **({"facts": dict(one.facts)} if one.facts else {})}
            for one in scored
        },
        "columns": ["id-a", "id-b", "label", "split", *(one.name for one in scored)],
        "scores": [
            [pair.a, pair.b, int(pair.related), pair.split, *(float(one.scores[number]) for one in scored)]
            for number, pair in enumerate(pairs.pairs)
        ],
    }
    files.write_json(path, value)


def take_scores(path: Path, pairs: PairSet) -> list[Scored]:
    """Read what `save_scores` wrote.

    Raises StorageError if the file is missing, EvaluationError if it holds scores of other pairs or texts.
    """
    value = files.read_json(path)
    if not isinstance(value, dict) or value.get("format") != _FORMAT or "columns" not in value:
        raise EvaluationError(f"Expected scores of pairs in {path.name}, found something else. Keep them by --scores.")
    different = [key for key, here in _named(pairs).items() if value.get(key) != here]
    if different:
        raise EvaluationError(
            f"Expected scores of {pairs.name} as it is read now in {path.name}, found those of another "
            f"{' or '.join(different)}. Score these pairs again."
        )
    first = value["columns"].index("split") + 1
    table = np.array([row[first:] for row in value["scores"]], np.float64)  # (p, rows)
    found = []
    for number, (name, about) in enumerate(value["rows"].items()):
        check(name, table[:, number], pairs)
        found.append(Scored(name, about["fingerprint"], table[:, number], facts=about.get("facts", {})))
    return found


def _named(pairs: PairSet) -> dict[str, Any]:
    """Return what two sets must share so that their pairs are the same."""
    return {"pairs": pairs.name, "sha256": dict(pairs.sha256), "form": pairs.form.options if pairs.form else None}


FIGURES = ("precision", "recall", "f1", "accuracy", "auc")
THRESHOLD_RULE = "the best accuracy on valid; midway between two neighbouring scores, of equally good ones the lowest"


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
        """Return the figures by name, to four decimals."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A row with its threshold, its figures on test and, for choosing between rows, on valid.

    `unseen` has the same of test pairs whose documents stand in no train pair; None where these are of one kind.
    `right` (test pairs,) says which of them it tells rightly.
    """

    scored: Scored
    threshold: float
    test: Figures
    valid: Figures
    unseen: Figures | None
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
    valid, test, unseen = pairs.of("valid"), pairs.of("test"), pairs.unseen
    threshold = choose_threshold(scored.scores[valid], pairs.related[valid])
    return Judged(
        scored,
        threshold,
        figures(scored.scores[test], pairs.related[test], threshold),
        figures(scored.scores[valid], pairs.related[valid], threshold),
        figures(scored.scores[unseen], pairs.related[unseen], threshold) if has_both(pairs.related[unseen]) else None,
        (scored.scores[test] >= threshold) == pairs.related[test],
    )


def has_both(related: Flags) -> bool:
    """Tell whether pairs of both kinds are among them."""
    return bool(related.any() and not related.all())


def choose_threshold(scores: PairScores, related: Flags) -> float:
    """Return the threshold with the best accuracy; a pair is taken for related where its score is at least that.

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
    """Return the figures of pairs of both kinds at a threshold."""
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
        """Return the counts and the probability."""
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


_ITERATIONS = 1_000


def mix(name: str, parts: Sequence[Scored], pairs: PairSet, *, split: Split = "train") -> Scored:
    """Return the log odds (p,) of a logistic regression over the parts' scores, fitted on one split's pairs.

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
    """Return the weights (rows,) and the intercept of a logistic regression of pairs' scores (p, rows).

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
