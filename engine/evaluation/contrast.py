"""Two systems on the same queries, or all rows against one: how far apart, how surely, which queries moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.core.errors import EvaluationError
from engine.documents.markup import in_markdown
from engine.evaluation.measure import Measured
from engine.evaluation.significance import Interval, holm, interval, randomisation_p

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


def against(measured: Sequence[Measured], name: str, metrics: Sequence[str]) -> list[Corrected]:
    """Every other row against the named one, metric by metric.

    Raises EvaluationError where no row has that name, or it is the only one.
    """
    held = {one.name: one for one in measured}
    if name not in held or len(held) < 2:
        raise EvaluationError(
            f"Expected rows to compare with {name!r}, which must be one of them; got {', '.join(held)}. Name another."
        )
    return [one for metric in metrics for one in _in_metric(held, name, metric)]


def _in_metric(held: Mapping[str, Measured], name: str, metric: str) -> list[Corrected]:
    scores = {row: {query: scores[metric] for query, scores in one.by_query.items()} for row, one in held.items()}
    found = [
        contrast_runs(own, scores[name], names=(row, name), metric=metric) for row, own in scores.items() if row != name
    ]
    return [Corrected(one, p) for one, p in zip(found, holm([one.p for one in found]), strict=True)]


def as_json(corrected: Corrected) -> dict[str, Any]:
    """A contrast as a JSON value, figures to four decimals."""
    one = corrected.contrast
    difference = one.difference
    return {
        "ours": one.ours,
        "theirs": one.theirs,
        "metric": one.metric,
        "means": [round(mean, 4) for mean in one.means],
        "difference": round(difference.mean, 4),
        "interval": [round(difference.low, 4), round(difference.high, 4)],
        "p": round(one.p, 4),
        "p_holm": round(corrected.p_holm, 4),
        "verdict": corrected.verdict,
        "wins": one.wins,
        "ties": one.ties,
        "losses": one.losses,
        "moved": [{"query": m.query, "ours": round(m.ours, 4), "theirs": round(m.theirs, 4)} for m in one.moved],
    }


def as_markdown(every: Sequence[Corrected], words: Mapping[str, str]) -> list[str]:
    """The lines of a table of contrasts and of one of the queries that moved most in the first metric.

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
