"""Learns on pairs how a comparison mixes an encoder's similarity with the words that two documents share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.compare.mix import Mix
from engine.compare.whole import Whole
from engine.errors import EvaluationError
from engine.evaluation.matching.compared import read_wholes
from engine.evaluation.matching.mixing import regression
from engine.evaluation.matching.pair_set import PairSet
from engine.progress import Meter, Report, silent
from engine.text import tokens
from engine.training.long_pairs import Split

if TYPE_CHECKING:
    from engine.encoders.colde.encoder import ColdeEncoder

COMMON_SHARE = 0.1
"""A word that so many of a field's long documents hold is common there.

Looked at on valid pairs of acl-long and pmc-long, 700 train documents a field, the mix's AUC: .949 and .959 where
abstracts alone say how rare a word is; .954 and .962 with a least share of .02, .957 and .963 with .1, .952 and .960
with .3. Where the set's own field lends no words it is .948 and .960.
"""

_DIGITS = 3


@dataclass(frozen=True, slots=True)
class FittedMix:
    """A mix, and `about`: the regression's weights, what it was fitted on, and what it gains there by set."""

    mix: Mix
    about: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Both parts of the score of one set's pairs: similarities and shared words (p, 2), and which are related (p,)."""

    name: str
    scores: NDArray[np.float64]
    related: NDArray[np.bool_]


def fit_mix(
    encoder: ColdeEncoder,
    sets: Sequence[PairSet],
    *,
    words_of: Sequence[PairSet] = (),
    split: Split = "valid",
    cache: Path | None = None,
    report: Report = silent,
) -> FittedMix:
    """The mix of an encoder's similarity and shared words by a logistic regression over one split's pairs.

    Every set counts alike. The encoder tells the pairs that it was trained on better than new ones, and would get more
    weight there than it should have, so that the split should be one that it has not seen. Common words are those of
    the train pairs' documents of `words_of`, where given, else of the sets.

    Raises EvaluationError where there is no set, one lacks related or unrelated pairs of the split, or neither part
    tells them apart.
    """
    if not sets:
        raise EvaluationError("Expected sets of pairs to fit a mix on, got none. Name one that has valid pairs.")
    for one in sets:
        one.require_both(split)
    common = common_words(words_of or sets, report=report)
    read = [_read(encoder, one, split, cache, report=report) for one in sets]
    length = float(np.mean([whole.said.length for wholes in read for whole in wholes.values()]))
    begun = Mix(0.5, round(length, 1), common)
    parts = [_parts(encoder, begun, one, split, wholes=wholes) for one, wholes in zip(sets, read, strict=True)]
    weights, intercept = _regression(parts)
    share = _words_share(weights, [one.name for one in sets])
    about = {
        "sets": [one.name for one in sets],
        "words_of": [one.name for one in words_of or sets],
        "split": split,
        "weights": {"similarity": float(weights[0]), "words": float(weights[1]), "intercept": intercept},
        "auc": {one.name: _aucs(one, share) for one in parts},
        "sha256": {one.name: dict(one.sha256) for one in (*sets, *words_of)},
    }
    return FittedMix(Mix(share, begun.mean_length, common), about)


def common_words(sets: Sequence[PairSet], *, report: Report = silent) -> dict[str, float]:
    """Words that many of a set's documents of train pairs hold, with the largest such share of any set, rounded."""
    found: dict[str, float] = {}
    for one in sets:
        places = np.unique(one.places[one.of("train")])
        meter = Meter(f"count words of {one.name}", len(places), report)
        held: Counter[str] = Counter()
        for place in places.tolist():
            held.update(set(tokens(one.documents[place].text)))
            meter.add()
        meter.finish()
        for word, share in _shares(held, len(places)):
            found[word] = max(found.get(word, 0.0), share)
    return dict(sorted(found.items()))


def _shares(held: Counter[str], documents: int) -> Iterator[tuple[str, float]]:
    for word, count in held.items():
        if count >= COMMON_SHARE * documents:
            yield word, round(count / documents, _DIGITS)


def _words_share(weights: NDArray[np.float64], names: Sequence[str]) -> float:
    """How much of the weights (2,) is that of the words; a part that tells the wrong way counts nothing."""
    ours, theirs = np.maximum(weights, 0)
    if ours + theirs <= 0:
        raise EvaluationError(
            "Expected similarity or shared words to be larger for the related pairs of "
            f"{', '.join(names)}; got weights of {weights[0]:.3g} and {weights[1]:.3g}. Look at the pairs."
        )
    return round(float(theirs / (ours + theirs)), _DIGITS)


def _read(
    encoder: ColdeEncoder, pairs: PairSet, split: Split, cache: Path | None, *, report: Report
) -> dict[int, Whole]:
    places = np.unique(pairs.places[pairs.of(split)])
    return read_wholes(encoder, pairs.documents, places, cache=cache, report=report)


def _parts(encoder: ColdeEncoder, mix: Mix, pairs: PairSet, split: Split, *, wholes: dict[int, Whole]) -> _Parts:
    """Both parts of each pair; without a word on a side none are shared."""
    chosen = pairs.of(split)
    scores = [
        (encoder.similarity(wholes[a].levels, wholes[b].levels), mix.words(wholes[a].said, wholes[b].said) or 0.0)
        for a, b in pairs.places[chosen].tolist()
    ]
    return _Parts(pairs.name, np.array(scores, np.float64), pairs.related[chosen])


def _regression(parts: Sequence[_Parts]) -> tuple[NDArray[np.float64], float]:
    importance = [np.full(len(one.related), 1 / len(one.related)) for one in parts]
    together = np.concatenate(importance)
    together *= len(together) / together.sum()  # a pair counts 1 on average, as the penalty expects
    return regression(
        np.concatenate([one.scores for one in parts]),
        np.concatenate([one.related for one in parts]),
        importance=together,
    )


def _aucs(parts: _Parts, share: float) -> dict[str, float]:
    from sklearn.metrics import roc_auc_score

    rows = {
        "similarity": parts.scores[:, 0],
        "words": parts.scores[:, 1],
        "mixed": parts.scores @ np.array([1 - share, share]),
    }
    return {name: round(float(roc_auc_score(parts.related, row)), 4) for name, row in rows.items()}
