"""Whether our figures stand in the order of the paper's: Kendall's tau, with the pairs that change places."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

_NAMED = 6  # swapped pairs that a sentence names before it only counts
_PAIRS = {
    "swapped": "swapped",
    "tied": "tied",
    "uncertain": "swapped_perhaps_by_chance",
    "untested": "swapped_untested",
}


@dataclass(frozen=True, slots=True)
class Order:
    """Two orders of the same things by `over`.

    `tau` is Kendall's tau-b, None if one side tells none of them apart; `pairs` counts the pairs that the paper
    tells apart, `swapped` names those that are the other way round here (the paper's better one first), and `tied`
    those that are equal here. `uncertain` are the swapped pairs whose difference here may be chance, `untested` the
    swapped pairs without scores by query to test.
    """

    over: str
    names: tuple[str, ...]
    tau: float | None
    pairs: int
    swapped: tuple[tuple[str, str], ...]
    tied: tuple[tuple[str, str], ...]
    uncertain: tuple[tuple[str, str], ...] = ()
    untested: tuple[tuple[str, str], ...] = ()

    @property
    def holds(self) -> bool | None:
        """Whether every pair stands as in the paper; None if the paper tells no pair apart."""
        return not self.swapped and not self.tied if self.pairs else None

    def as_json(self) -> dict[str, Any]:
        """Everything, with the pairs as lists."""
        return {
            "over": self.over,
            "names": list(self.names),
            "kendall_tau": self.tau,
            "pairs": self.pairs,
            **{key: [list(pair) for pair in getattr(self, name)] for name, key in _PAIRS.items()},
            "holds": self.holds,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Order:
        """What `as_json` gave."""
        pairs = {name: tuple(tuple(pair) for pair in told[key]) for name, key in _PAIRS.items()}
        return cls(told["over"], tuple(told["names"]), told["kendall_tau"], told["pairs"], **pairs)

    def in_words(self) -> str:
        """One sentence, as "F1@20: holds (Kendall's tau 1.00, 15 pairs of 6)"."""
        if not self.pairs:
            return f"{self.over}: cannot be told, the paper has fewer than two of these"
        tau = "undefined" if self.tau is None else f"{self.tau:.2f}"
        kept = "holds" if self.holds else "does not hold"
        said = f"{self.over}: the paper's order {kept} (Kendall's tau {tau}, {self.pairs} pairs of {len(self.names)})"
        for word, pairs in (("changed places", self.swapped), ("equal here", self.tied)):
            if pairs:
                said += f"; {len(pairs)} {word}: {_some(pairs)}"
        if self.uncertain:
            said += f"; {len(self.uncertain)} of the {len(self.swapped)} may be chance: {_some(self.uncertain)}"
        if self.untested:
            some = "" if len(self.untested) == len(self.swapped) else f"{len(self.untested)} "
            said += f"; {some}not tested for chance"
        return said


def ordered(over: str, ours: Mapping[str, float], theirs: Mapping[str, float]) -> Order:
    """Compare two orders of the things that stand on both sides, larger first."""
    names = tuple(name for name in theirs if name in ours)
    apart = [(a, b) if theirs[a] > theirs[b] else (b, a) for a, b in combinations(names, 2) if theirs[a] != theirs[b]]
    swapped = tuple((better, worse) for better, worse in apart if ours[better] < ours[worse])
    return Order(
        over,
        names,
        _tau([ours[name] for name in names], [theirs[name] for name in names]),
        len(apart),
        swapped=swapped,
        untested=swapped,
        tied=tuple((better, worse) for better, worse in apart if ours[better] == ours[worse]),
    )


def _tau(ours: list[float], theirs: list[float]) -> float | None:
    from scipy.stats import kendalltau

    if len(set(ours)) < 2 or len(set(theirs)) < 2:
        return None
    tau = float(kendalltau(ours, theirs).statistic)
    return None if math.isnan(tau) else round(tau, 4)


def _some(pairs: tuple[tuple[str, str], ...]) -> str:
    named = ", ".join(f"{better} and {worse}" for better, worse in pairs[:_NAMED])
    return named if len(pairs) <= _NAMED else f"{named} and {len(pairs) - _NAMED} more"
