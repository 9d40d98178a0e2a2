"""Which sets are alike by the Jaccard index, found without comparing all with all."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from engine.progress import Meter, Report, silent

Pair = tuple[int, int]


def jaccard(one: Collection[int], other: Collection[int]) -> float:
    """The share of both sets' members that both have; 0 for two empty sets."""
    both = len(set(one) & set(other))
    every = len(one) + len(other) - both
    return both / every if every else 0.0


def alike(sets: Sequence[frozenset[int]], *, above: float, report: Report = silent) -> list[Pair]:
    """Every two of n sets whose Jaccard index is `above` a number from 0 to below 1, by their places, in order.

    Two sets that are alike share one of their rarest members: of a set x, of the first |x| - floor(above |x|) of them
    (prefix filtering; Bayardo, Ma and Srikant, WWW 2007, section 3). Only sets that do are compared.
    """
    counts = Counter(member for one in sets for member in one)
    held: defaultdict[int, list[int]] = defaultdict(list)
    found: list[Pair] = []
    meter = Meter("compare links", len(sets), report)
    for place in sorted(range(len(sets)), key=lambda place: (len(sets[place]), place)):
        one = sets[place]
        rarest = sorted(one, key=lambda member: (counts[member], member))[: len(one) - math.floor(above * len(one))]
        met = {other for member in rarest for other in held[member]}
        for other in met:
            if len(sets[other]) > above * len(one) and jaccard(one, sets[other]) > above:
                found.append((min(place, other), max(place, other)))
        for member in rarest:
            held[member].append(place)
        meter.add()
    meter.finish()
    return sorted(found)
