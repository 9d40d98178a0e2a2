"""Scores of unrelated pairs by their kinds, which give a comparison's score its meaning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.compare import Calibration
from engine.compare.calibration import kinds_of
from engine.core.errors import EvaluationError
from engine.core.progress import Report, silent
from engine.documents import Document
from engine.encoders import Encoder
from engine.research.matching.compared import compared_scores
from engine.research.matching.encoding import encode, reads_sections
from engine.research.matching.pair_set import PairSet
from engine.research.matching.scores import PairScores, check_finite, inner_products

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
    """The calibration of an encoder from the unrelated pairs of valid, to be kept under its facts' "calibration".

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
    """Places (p, 2) of papers and patents of different sets, no pair twice."""
    patent = np.array([document.kind == "patent" for document in documents])
    pairs = np.argwhere(~patent[:, None] & patent & (set_of[:, None] != set_of))  # (all, 2)
    chosen = generator.choice(len(pairs), min(most, len(pairs)), replace=False)
    return np.asarray(pairs[np.sort(chosen)], np.int64)


def _by_kinds(documents: Sequence[Document], places: NDArray[np.int64], scores: PairScores) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for (a, b), score in zip(places.tolist(), scores.tolist(), strict=True):
        found[kinds_of(documents[a].kind, documents[b].kind)].append(score)
    return found
