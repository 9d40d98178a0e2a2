"""How certain a figure over queries is, and a difference: intervals, a paired randomisation test, Holm's correction.

The interval is scipy's. The test is ours: `scipy.stats.permutation_test` gives the same p within chance, but takes 5 to
11 times as long and cannot swap the precision and the recall of a query together, as the test of F1 does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypedDict

from engine.core.config import filled
from engine.core.errors import EvaluationError
from engine.documents.markup import in_markdown
from engine.evaluation.measure import Measured

QueryScores = Sequence[float] | NDArray[np.float64]

MOST_EXACT = 12
"""If two systems differ on at most this many queries, every one of the 2^n swaps is counted (4,096)."""

_NUMBERS_AT_ONCE = 1 << 21
_LEAST_P = 0.0001
_SAME = 1e-12
"""Sums of the same differences may differ this much by the order of their terms."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over queries, and the bounds it would lie between for other queries of the same kind."""

    mean: float
    low: float
    high: float


def interval(scores: QueryScores, *, seed: int = 0, draws: int = 2_000, level: float = 0.95) -> Interval:
    """Return the percentile bootstrap of a mean over queries (Efron and Tibshirani, 1993, section 13.3).

    Raises EvaluationError without scores or draws, and for a level outside 0 to 1.
    """
    from scipy.stats import bootstrap  # takes a second

    held = _checked(scores, draws)
    if not 0 < level < 1:
        raise EvaluationError(f"Expected a level between 0 and 1, got {level}. Ask for .95.")
    mean = float(held.mean())
    if len(held) == 1:
        return Interval(mean, mean, mean)
    most = max(1, _NUMBERS_AT_ONCE // len(held))
    found = bootstrap(
        (held,), np.mean, n_resamples=draws, batch=most, confidence_level=level, method="percentile", rng=seed
    ).confidence_interval
    return Interval(mean, float(found.low), float(found.high))


def randomisation_p(ours: QueryScores, theirs: QueryScores, *, seed: int = 0, draws: int = 10_000) -> float:
    """Return the two-sided p of Fisher's paired randomisation test: how often swapped systems differ as much.

    Smucker, Allan and Carterette, CIKM 2007, section 3.1. Queries with equal scores change nothing and are left out. If
    at most MOST_EXACT are left, every swap is counted; else p is (count + 1) / (draws + 1). Raises EvaluationError
    where the two are not scores of the same queries.
    """
    one, other = _checked(ours, draws), _checked(theirs, draws)
    if len(one) != len(other):
        raise EvaluationError(
            f"Expected two systems' scores of the same queries, got {len(one)} and {len(other)}. Score both alike."
        )
    differences = one - other
    differences = differences[np.abs(differences) > _SAME]
    if not len(differences):
        return 1.0
    if len(differences) <= MOST_EXACT:
        every = 1 << len(differences)
        return _reached(differences, (np.arange(every)[:, None] >> np.arange(len(differences))) & 1) / every
    generator = np.random.default_rng(seed)
    count = sum(
        _reached(differences, generator.integers(0, 2, (n, len(differences)), dtype=np.int8))
        for n in _blocks(draws, len(differences))
    )
    return (count + 1) / (draws + 1)


def randomisation_p_of_f1(
    ours: tuple[QueryScores, QueryScores],
    theirs: tuple[QueryScores, QueryScores],
    *,
    seed: int = 0,
    draws: int = 10_000,
) -> float:
    """Return the p of the same test for F1 of the means: a query's precision and recall (q,), (q,) swap together.

    Raises EvaluationError where the two are not scores of the same queries.
    """
    one, other = (np.stack([_checked(part, draws) for part in parts], axis=1) for parts in (ours, theirs))  # (q, 2)
    if len(one) != len(other):
        raise EvaluationError(
            f"Expected two systems' scores of the same queries, got {len(one)} and {len(other)}. Score both alike."
        )
    generator, change = np.random.default_rng(seed), other - one
    seen = abs(_f1(one.sum(axis=0)) - _f1(other.sum(axis=0)))
    count = 0
    for n in _blocks(draws, len(one)):
        moved = generator.integers(0, 2, (n, len(one)), dtype=np.int8) @ change  # (n, 2)
        differences = _f1(one.sum(axis=0) + moved) - _f1(other.sum(axis=0) - moved)
        count += int((np.abs(differences) >= seen - _SAME * len(one)).sum())
    return (count + 1) / (draws + 1)


def _f1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 2ab / (a + b) of the last axis's numbers, 0 where both are 0; q times F1 for sums over q queries."""
    total = sums.sum(axis=-1)
    return np.asarray(2 * sums.prod(axis=-1) / np.where(total > 0, total, 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return each p corrected for their number (Holm, 1979), in the order given."""
    order = np.argsort(p_values, kind="stable").tolist()
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


def p_in_words(p: float) -> str:
    """Return a p to two digits; one that four decimals round to nothing is said to be below the last of them."""
    return f"{p:.2g}" if p >= _LEAST_P else f"< {_LEAST_P}"


def _reached(differences: NDArray[np.float64], swapped: NDArray[np.integer]) -> int:
    """Return how many rows of swaps, 0 or 1 a query (n, q), give at least the observed difference."""
    sums = np.abs((1.0 - 2.0 * swapped) @ differences)  # (n,)
    return int((sums >= abs(differences.sum()) - _SAME * len(differences)).sum())


def _checked(scores: QueryScores, draws: int) -> NDArray[np.float64]:
    held = np.asarray(scores, dtype=np.float64)
    if held.ndim != 1 or not len(held) or not np.isfinite(held).all() or draws < 1:
        raise EvaluationError(
            f"Expected a finite score for each of at least 1 query, and at least 1 draw; got scores of the shape "
            f"{held.shape} and {draws} draws."
        )
    return held


def _blocks(draws: int, queries: int) -> list[int]:
    """Return the sizes of blocks of draws that sum to the number asked for."""
    most = max(1, _NUMBERS_AT_ONCE // queries)
    return [min(most, draws - first) for first in range(0, draws, most)]


LEVEL = 0.05
"""Below which p a difference is called significant."""

_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Moved:
    """One query's score by each of two systems."""

    query: str
    ours: float
    theirs: float

    @property
    def difference(self) -> float:
        """How much better ours is."""
        return self.ours - self.theirs


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two systems, by name, in one metric.

    `means` are ours and theirs over all queries, `difference` ours minus theirs with its bootstrap interval, `p` from
    the paired randomisation test; ours is better on `wins` queries. `moved` are the queries furthest apart, furthest
    first.
    """

    ours: str
    theirs: str
    metric: str
    means: tuple[float, float]
    difference: Interval
    p: float
    wins: int
    ties: int
    losses: int
    moved: tuple[Moved, ...]


def contrast_runs(
    ours: Mapping[str, float], theirs: Mapping[str, float], *, names: tuple[str, str], metric: str, most: int = 10
) -> Contrast:
    """Compare two systems' scores by query; `names` are ours and theirs, `most` how many moved queries are kept.

    Raises EvaluationError where the two did not answer the same queries.
    """
    different = ours.keys() ^ theirs.keys()
    if different or not ours:
        raise EvaluationError(
            f"Expected scores of the same queries of {names[0]} and {names[1]}, got {len(ours)} and {len(theirs)}"
            + (f"; {min(different)!r} is on one side only" if different else "")
            + ". Measure both on one benchmark."
        )
    pairs = [Moved(query, ours[query], theirs[query]) for query in sorted(ours)]
    one, other = np.array([pair.ours for pair in pairs]), np.array([pair.theirs for pair in pairs])
    furthest = sorted(pairs, key=lambda pair: (-abs(pair.difference), pair.query))
    wins, losses = int((one - other > _TIE).sum()), int((other - one > _TIE).sum())
    return Contrast(
        *names,
        metric=metric,
        means=(float(one.mean()), float(other.mean())),
        difference=interval(one - other),
        p=randomisation_p(one, other),
        wins=wins,
        ties=len(pairs) - wins - losses,
        losses=losses,
        moved=tuple(pair for pair in furthest[:most] if abs(pair.difference) > _TIE),
    )


@dataclass(frozen=True, slots=True)
class Corrected:
    """A contrast with its p corrected by Holm over the rows compared with the same one, in one metric."""

    contrast: Contrast
    p_holm: float

    @property
    def verdict(self) -> str:
        """Which of the two is better, or that the queries cannot tell."""
        if not self.contrast.wins and not self.contrast.losses:
            return "the same"
        if self.p_holm >= LEVEL:
            return "too small to tell"
        return "better" if self.contrast.difference.mean > 0 else "worse"


def contrast_rows(measured: Sequence[Measured], name: str, metric: str) -> list[Corrected]:
    """Return every other row against the named one, in one metric.

    Raises EvaluationError where no row has that name, or it is the only one.
    """
    rows = {one.name: one for one in measured}
    if name not in rows or len(rows) < 2:
        raise EvaluationError(
            f"Expected rows to compare with {name!r}, which must be one of them; got {', '.join(rows)}. Name another."
        )
    scores = {row: {query: scores[metric] for query, scores in one.by_query.items()} for row, one in rows.items()}
    found = [
        contrast_runs(own, scores[name], names=(row, name), metric=metric) for row, own in scores.items() if row != name
    ]
    return [Corrected(one, p) for one, p in zip(found, holm([one.p for one in found]), strict=True)]


class MovedJson(TypedDict):
    """A query's score by each of two systems."""

    query: str
    ours: float
    theirs: float


class ContrastJson(TypedDict):
    """Two systems in a metric: both means, their difference with its interval, p alone and corrected, and a verdict.

    `wins`, `ties` and `losses` count queries, and `moved` are those that differ most.
    """

    ours: str
    theirs: str
    metric: str
    means: list[float]
    difference: float
    interval: list[float]
    p: float
    p_holm: float
    verdict: str
    wins: int
    ties: int
    losses: int
    moved: list[MovedJson]


def contrast_as_json(corrected: Corrected) -> ContrastJson:
    """Return a contrast as a JSON value, figures to four decimals."""
    one = corrected.contrast
    difference = one.difference
    return filled(
        ContrastJson,
        one,
        corrected,
        means=[round(mean, 4) for mean in one.means],
        difference=round(difference.mean, 4),
        interval=[round(difference.low, 4), round(difference.high, 4)],
        p=round(one.p, 4),
        p_holm=round(corrected.p_holm, 4),
        moved=[{"query": m.query, "ours": round(m.ours, 4), "theirs": round(m.theirs, 4)} for m in one.moved],
    )


def contrast_as_markdown(every: Sequence[Corrected], words: Mapping[str, str]) -> list[str]:
    """Return the lines of a table of contrasts and of one of the queries that moved most in the first metric.

    `words` say what a query asks, by its id.
    """
    theirs, first = every[0].contrast.theirs, every[0].contrast.metric
    columns = ("metric", "mean", theirs, "difference", "95 % interval", "p", "p (Holm)", "better / same / worse", "")
    lines = [f"## Against {theirs}", "", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    lines += [_row(one) for one in every]
    moving = [one.contrast for one in every if one.contrast.metric == first and one.contrast.moved]
    for one in moving:
        lines += ["", f"### The queries that move most in {first} from {theirs} to {one.ours}", ""]
        lines += [f"| query | asks | {theirs} | {one.ours} |", "|---|---|---|---|"]
        lines += [_moved(query, words) for query in one.moved]
    return lines


def _row(corrected: Corrected) -> str:
    one, difference = corrected.contrast, corrected.contrast.difference
    cells = (
        one.ours,
        one.metric,
        *(f"{mean:.4f}" for mean in one.means),
        f"{difference.mean:+.4f}",
        f"{difference.low:+.4f} to {difference.high:+.4f}",
        f"{one.p:.4f}",
        f"{corrected.p_holm:.4f}",
        f"{one.wins} / {one.ties} / {one.losses}",
        corrected.verdict,
    )
    return "| " + " | ".join(cells) + " |"


def _moved(moved: Moved, words: Mapping[str, str]) -> str:
    query, asks = (in_markdown(text) for text in (moved.query, words.get(moved.query, "")))
    return f"| {query} | {asks} | {moved.theirs:.4f} | {moved.ours:.4f} |"
