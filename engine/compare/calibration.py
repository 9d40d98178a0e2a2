"""Says how a score of two documents compares with scores of unrelated pairs."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from engine.compare.base import Reading
from engine.documents import Kind

FACT = "calibration"
_STEPS = 1_000  # quantiles kept: a thousandth apart
_FEWEST_PAIRS = 100


@dataclass(frozen=True, slots=True)
class Unrelated:
    """Scores of unrelated pairs: their number, and `quantiles`, rising, evenly spaced from smallest to largest."""

    pairs: int
    quantiles: tuple[float, ...]

    def share_below(self, score: float) -> float:
        """The share of the pairs with a smaller score, in [0, 1]."""
        last = len(self.quantiles) - 1
        place = bisect_left(self.quantiles, score)
        if place in (0, last + 1):
            return float(place > 0)
        below, above = self.quantiles[place - 1], self.quantiles[place]
        return (place - 1 + (score - below) / (above - below)) / last


@dataclass(frozen=True, slots=True)
class Calibration:
    """Scores of unrelated pairs by the kinds of the two documents, in alphabetical order: "paper, patent"."""

    unrelated: Mapping[str, Unrelated] = field(default_factory=dict)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """The scores in an encoder's facts; empty without any."""
        kept = facts.get(FACT, {})
        return cls({kinds: Unrelated(int(one["pairs"]), tuple(one["quantiles"])) for kinds, one in kept.items()})

    @classmethod
    def measured(cls, scores: Mapping[str, Sequence[float]]) -> Self:
        """From the scores of unrelated pairs by kinds (`kinds_of`); kinds with fewer than a hundred are not kept."""
        enough = {kinds: found for kinds, found in scores.items() if len(found) >= _FEWEST_PAIRS}
        return cls({kinds: Unrelated(len(found), _quantiles(found)) for kinds, found in sorted(enough.items())})

    def as_facts(self) -> dict[str, Any]:
        """What `from_facts` reads under the key "calibration"."""
        return {kinds: {"pairs": one.pairs, "quantiles": list(one.quantiles)} for kinds, one in self.unrelated.items()}

    def read(self, score: float, kinds: Iterable[Kind]) -> Reading:
        """How to read a score of two documents of some kinds."""
        name = kinds_of(*kinds)
        known = self.unrelated.get(name)
        if known is None:
            return Reading(None, f"No unrelated pairs of {_in_words(name)} were measured, so the score stands alone.")
        measured = f"{known.pairs:,} unrelated pairs of {_in_words(name)}"
        if score > known.quantiles[-1]:
            return Reading(100.0, f"Closer than every one of {measured}.")
        if score <= known.quantiles[0]:
            return Reading(0.0, f"No closer than any of {measured}.")
        percentile = min(99.9, max(0.1, round(100 * known.share_below(score), 1)))  # some are closer, some are not
        return Reading(percentile, f"Closer than {_percent(percentile)} % of {measured}.")


def kinds_of(a: Kind, b: Kind) -> str:
    """The name of a pair of kinds; plain text counts as a paper."""
    return ", ".join(sorted("patent" if kind == "patent" else "paper" for kind in (a, b)))


def _in_words(name: str) -> str:
    first, second = name.split(", ")
    return f"{first}s" if first == second else f"a {first} and a {second}"


def _percent(percentile: float) -> str:
    """As a whole number, with a decimal where it would round to 0 or 100; never rounded up."""
    whole = math.floor(percentile)
    return f"{percentile:.1f}" if whole in (0, 99) and whole != percentile else f"{whole}"


def _quantiles(scores: Sequence[float]) -> tuple[float, ...]:
    steps = min(_STEPS, len(scores) - 1) + 1
    return tuple(round(float(one), 5) for one in np.quantile(np.asarray(scores, np.float64), np.linspace(0, 1, steps)))
