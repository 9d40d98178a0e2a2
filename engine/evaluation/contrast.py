"""Two systems on the same queries: how far apart they are, how sure that is, which queries moved most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.errors import EvaluationError
from engine.evaluation.significance import Interval, interval, randomisation_p

_TIE = 1e-12


@dataclass(frozen=True, slots=True)
class Moved:
    """One query's score by each of two systems."""

    query: str
    ours: float
    theirs: float

    @property
    def difference(self) -> float:
        """By how much ours is better."""
        return self.ours - self.theirs


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two systems, by name, in one metric.

    `means` are ours and theirs over all queries, `difference` ours less theirs with its bootstrap interval, `p` of the
    paired randomisation test; ours is better on `wins` queries. `moved` are the queries furthest apart, furthest first.
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


def contrast(
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
