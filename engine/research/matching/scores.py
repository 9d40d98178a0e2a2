"""What one row says of every pair: a score, larger where the documents are nearer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import EvaluationError
from engine.core.rows import Rows
from engine.research.matching.pair_set import PairSet

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
    """The product of query row and document row of each of p pairs of places (p, 2): (p,)."""
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
    """What two sets must share so that their pairs are the same."""
    return {"pairs": pairs.name, "sha256": dict(pairs.sha256), "form": pairs.form.options if pairs.form else None}
