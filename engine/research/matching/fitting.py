"""Learns on pairs how scores are mixed, and measures on unrelated pairs what a comparison's score means."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.compare.document_score import (
    KINDS,
    WORDS,
    Calibration,
    KeptDocument,
    Mix,
    PinnedEncoder,
    Shares,
    kinds_of,
    score_parts,
)
from engine.core.errors import EvaluationError
from engine.core.progress import Meter, Report, silent
from engine.documents import Document
from engine.documents.text import tokens
from engine.encoders import Encoder
from engine.research.matching.judging import PairScores, check_finite, inner_products, regression
from engine.research.matching.pair_set import PairSet
from engine.research.matching.scoring import compared_scores, encode, kept_documents, reads_sections
from engine.training.long_corpus import Split

if TYPE_CHECKING:
    from engine.encoders.colde import ColdeEncoder


COMMON_SHARE = 0.1
"""A word is common in a field if this share of its long documents hold it.

Chosen by the mix's AUC on valid pairs of acl-long and pmc-long (engine/research/reports/choices.md).
"""

_SPLIT: Split = "valid"
_DIGITS = 3
_LEAST_SHARE = 0.05
"""A smaller share of shared words, or of a second encoder, is not worth computing and explaining."""

_ENCODER, _WORDS, _SECOND = range(3)  # columns of scores


@dataclass(frozen=True, slots=True)
class FittedMix:
    """A mix, and `about`: the regressions' weights, what it was fitted on, and what it gains there by set."""

    mix: Mix
    about: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The parts of the score of one set's pairs: similarity, shared words, the second encoder's similarity (p, 2 or 3).

    `kinds` (p,) names the kinds of the two documents, and `related` (p,) says which pairs are related.
    """

    name: str
    scores: NDArray[np.float64]
    kinds: NDArray[np.str_]
    related: NDArray[np.bool_]

    def of(self, kinds: str) -> _Parts:
        """Return the pairs of some kinds alone."""
        chosen = self.kinds == kinds
        return _Parts(self.name, self.scores[chosen], self.kinds[chosen], self.related[chosen])


@dataclass(frozen=True, slots=True)
class _Learned:
    """Shares, and the weights and the intercept that they come from."""

    shares: Shares
    about: dict[str, float]


def fit_mix(
    encoder: ColdeEncoder,
    sets: Sequence[PairSet],
    *,
    second: PinnedEncoder | None = None,
    words_of: Sequence[PairSet] = (),
    cache: Path | None = None,
    report: Report = silent,
) -> FittedMix:
    """Return the mix of an encoder's similarity, shared words and a second encoder by regressions over valid pairs.

    Each two kinds of documents have their own shares, learned on their pairs in all sets; those that no set has both
    related and unrelated pairs of take what all pairs teach. Every set counts alike. Train pairs would teach another
    mix: the encoder, trained on them, tells them better than new ones. Common words come from the documents of train
    pairs: of `words_of` if given, else of the sets.

    Raises EvaluationError without a set, if a set lacks related or unrelated valid pairs, or if no part tells them
    apart.
    """
    if not sets:
        raise EvaluationError("Expected sets of pairs to fit a mix on, got none. Name one that has valid pairs.")
    for one in sets:
        one.require_both(_SPLIT)
    begun = Mix({kinds: Shares(0.3, 0.3 if second else 0.0) for kinds in KINDS}, 1.0, second=second)
    common = common_words(words_of or sets, report=report)
    read = [_read(encoder, one, cache, report=report) for one in sets]
    length = float(np.mean([one.said.length for kept in read for one in kept.values()]))
    begun = replace(begun, mean_length=round(length, 1), common=common)
    parts = [_parts(encoder, begun, one, kept=kept) for one, kept in zip(sets, read, strict=True)]
    columns = (_ENCODER, _WORDS, _SECOND)[: parts[0].scores.shape[1]]
    learned = {kinds: _learned(_of_kinds(parts, kinds), columns) for kinds in KINDS}
    shares = {kinds: one.shares for kinds, one in learned.items()}
    mix = replace(begun, shares=shares, second=second if any(one.second for one in shares.values()) else None)
    about = {
        "sets": [one.name for one in sets],
        "words_of": [one.name for one in words_of or sets],
        "split": _SPLIT,
        "weights": {kinds: one.about for kinds, one in learned.items()},
        "auc": {one.name: _aucs(one, shares) for one in parts},
        "sha256": {one.name: dict(one.sha256) for one in (*sets, *words_of)},
    }
    return FittedMix(mix, about)


def common_words(sets: Sequence[PairSet], *, report: Report = silent) -> dict[str, float]:
    """Return words that many of a set's documents of train pairs hold, with the largest share of any set, rounded."""
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


def _of_kinds(parts: Sequence[_Parts], kinds: str) -> list[_Parts]:
    """Return the pairs of some kinds, in sets that have related and unrelated ones; all pairs if no set has both."""
    chosen = [one.of(kinds) for one in parts]
    return [one for one in chosen if one.related.any() and not one.related.all()] or list(parts)


def _learned(parts: Sequence[_Parts], used: Sequence[int]) -> _Learned:
    """Return the shares that some pairs teach; columns that tell the wrong way, or little, are left out."""
    weights, intercept = _regression(parts, used)
    least = _LEAST_SHARE * np.maximum(weights, 0).sum()
    left = [column for column in used if weights[column] > (0 if column == _ENCODER else least)]
    if not left:
        raise EvaluationError(
            "Expected similarity or shared words to be larger for the related pairs of "
            f"{', '.join(one.name for one in parts)}; got weights of "
            f"{' and '.join(f'{weights[column]:.3g}' for column in used)}. Look at the pairs."
        )
    if left != list(used):
        return _learned(parts, left)
    words, second = (round(float(weights[column] / weights.sum()), _DIGITS) for column in (_WORDS, _SECOND))
    names = dict(zip(("similarity", "words", "second"), weights.tolist(), strict=True))
    return _Learned(Shares(words, second), {**names, "intercept": intercept})


def _read(encoder: ColdeEncoder, pairs: PairSet, cache: Path | None, *, report: Report) -> dict[int, KeptDocument]:
    places = np.unique(pairs.places[pairs.of(_SPLIT)])
    return kept_documents(encoder, pairs.documents, places, cache=cache, report=report)


def _parts(encoder: ColdeEncoder, mix: Mix, pairs: PairSet, *, kept: dict[int, KeptDocument]) -> _Parts:
    """Return the parts of each pair's score; 0 for one that says nothing of its documents."""
    chosen = pairs.of(_SPLIT)
    names = [encoder.card.name, WORDS, *([mix.second.name] if mix.second is not None else [])]
    found = [(kept[a], kept[b]) for a, b in pairs.places[chosen].tolist()]
    values = [score_parts(encoder, mix, a, b) for a, b in found]
    scores = [[one.get(name) or 0.0 for name in names] for one in values]
    kinds = [kinds_of(a.document.kind, b.document.kind) for a, b in found]
    return _Parts(pairs.name, np.array(scores, np.float64), np.array(kinds), pairs.related[chosen])


def _regression(parts: Sequence[_Parts], columns: Sequence[int]) -> tuple[NDArray[np.float64], float]:
    """Return the weights (3,) of some columns of the scores, 0 for the others, and the intercept."""
    importance = [np.full(len(one.related), 1 / len(one.related)) for one in parts]
    together = np.concatenate(importance)
    together *= len(together) / together.sum()  # a pair counts 1 on average, as the penalty expects
    weights = np.zeros(3)
    weights[list(columns)], intercept = regression(
        np.concatenate([one.scores[:, list(columns)] for one in parts]),
        np.concatenate([one.related for one in parts]),
        importance=together,
    )
    return weights, intercept


def _aucs(parts: _Parts, shares: Mapping[str, Shares]) -> dict[str, float]:
    """Return the area under the curve of each part, and of the mix of the pairs' kinds."""
    from sklearn.metrics import roc_auc_score

    chosen = [shares[kinds] for kinds in parts.kinds.tolist()]
    counted = np.array([(1 - one.words - one.second, one.words, one.second) for one in chosen])  # (p, 3)
    columns = parts.scores.T
    rows = dict(zip(("similarity", "words", "second"), columns, strict=False))
    rows["mixed"] = (parts.scores * counted[:, : len(columns)]).sum(axis=1)
    return {name: round(float(roc_auc_score(parts.related, row)), 4) for name, row in rows.items()}


BETWEEN = 2_000
"""Pairs of a paper and a patent that are drawn, since no set holds any."""


def calibrate(
    encoder: Encoder,
    sets: Sequence[PairSet],
    *,
    between: int = BETWEEN,
    seed: int = 0,
    cache: Path | None = None,
    report: Report = silent,
) -> Calibration:
    """Return the calibration of an encoder from unrelated pairs of valid, to be kept under its facts' "calibration".

    An encoder that compares long documents is calibrated on the scores that a comparison shows without a library and
    without options, its mix included. That reads whole documents, so load the sets with `form=None`. Pairs of a paper
    and a patent from different sets are drawn from the documents of those pairs, `between` times, all equally likely.

    Raises EvaluationError if no set has an unrelated valid pair, or a score is not a number.
    """
    asked: list[Document] = []
    set_of: list[int] = []
    places: list[NDArray[np.int64]] = []  # (p, 2) in `asked`, by set
    for number, one in enumerate(sets):
        pairs = one.places[one.of("valid") & ~one.related]
        used, within = np.unique(pairs, return_inverse=True)
        places.append(within.reshape(-1, 2) + len(asked))
        asked += [one.documents[place] for place in used]
        set_of += [number] * len(used)
    if not asked:
        raise EvaluationError(
            f"Expected unrelated pairs in the split valid of {', '.join(one.name for one in sets) or 'a set'}, "
            "found none. Name a set that has some."
        )
    drawn = _between(asked, np.array(set_of), between, np.random.default_rng(seed))
    every = np.concatenate([*places, drawn])  # (p, 2)
    if reads_sections(encoder):
        scores = compared_scores(encoder, asked, every, cache=cache, report=report)
    else:
        rows = encode(encoder, asked, cache=cache, report=report)
        scores = inner_products(encoder.as_queries(rows), rows, every)
    check_finite(encoder.card.name, scores, [(asked[a].id, asked[b].id) for a, b in every])
    return Calibration.measured(_by_kinds(asked, every, scores))


def _between(
    documents: Sequence[Document], set_of: NDArray[np.int64], most: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Return places (p, 2) of papers and patents of different sets, no pair twice."""
    patent = np.array([document.kind == "patent" for document in documents])
    pairs = np.argwhere(~patent[:, None] & patent & (set_of[:, None] != set_of))  # (all, 2)
    chosen = generator.choice(len(pairs), min(most, len(pairs)), replace=False)
    return np.asarray(pairs[np.sort(chosen)], np.int64)


def _by_kinds(documents: Sequence[Document], places: NDArray[np.int64], scores: PairScores) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for (a, b), score in zip(places.tolist(), scores.tolist(), strict=True):
        found[kinds_of(documents[a].kind, documents[b].kind)].append(score)
    return found
