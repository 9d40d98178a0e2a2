"""Labels pairs of articles by the links that they share, and splits the articles so that nothing leaks."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from engine.core.progress import Meter, Report, silent
from engine.training.long_corpus import SPLITS, Split
from engine.training.settings import check

Pair = tuple[int, int]
_SHARES: tuple[float, ...] = (0.8, 0.1, 0.1)
_FEWEST_ALIKE = 2
_TRIES = 50


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """How pairs are made (CoLDE, section 4.1.1); what is left out is the paper's, or our choice where it has none.

    Articles are similar if the Jaccard index of their outgoing links is `above` .5. Ours: an article with fewer than
    `fewest_links` is left out, and one is in at most `most_pairs` related pairs (0 = all), as a group of n articles
    has n^2 / 2.
    """

    above: float = 0.5
    fewest_links: int = 10
    most_pairs: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse values outside their ranges."""
        check(
            (0 <= self.above < 1, f"above must be from 0 to below 1, got {self.above}"),
            (self.fewest_links >= 1, f"fewest_links must be at least 1, got {self.fewest_links}"),
            (self.most_pairs >= 0, f"most_pairs must be 0 or more, got {self.most_pairs}"),
            (self.seed >= 0, f"seed must be 0 or more, got {self.seed}"),
        )


@dataclass(frozen=True, slots=True)
class LabelledPlaces:
    """Two articles by their places, whether they are similar, and the split of both."""

    a: int
    b: int
    related: bool
    split: Split


def label(links: Sequence[frozenset[int]], settings: LabelSettings, *, report: Report = silent) -> list[LabelledPlaces]:
    """Pairs of n articles by their links, as many unrelated as related in each split.

    Only articles with two or more similar ones are taken. Similar ones form groups, directly or by way of others; a
    group goes to one split as a whole, which are 80, 10 and 10 in a hundred of the articles. Each related pair comes
    with an unrelated one: its first article and one of another group of the split. By turns that one shares a link,
    or is any. A related pair whose split has no other group is left out. All follows from the seed.
    """
    found = alike(links, above=settings.above, report=report)
    degrees = Counter(place for pair in found for place in pair)
    pairs = [pair for pair in found if all(degrees[place] >= _FEWEST_ALIKE for place in pair)]
    if not pairs:
        return []
    generator = np.random.default_rng(settings.seed)
    groups = _groups(pairs, len(links))
    split_of = _splits(groups, sorted({place for pair in pairs for place in pair}), generator)
    drawn = _bounded([pairs[place] for place in generator.permutation(len(pairs))], settings.most_pairs)
    strangers = _Strangers(links, groups, split_of, generator)
    labelled: list[LabelledPlaces] = []
    for number, (a, b) in enumerate(drawn):
        stranger = strangers.of(a, sharing=number % 2 == 0)
        if stranger is not None:
            split = split_of[a]
            labelled += [LabelledPlaces(a, b, True, split), LabelledPlaces(a, stranger, False, split)]
    return labelled


def _groups(pairs: Sequence[Pair], count: int) -> NDArray[np.int32]:
    """The group of each article, which similar ones share: (n,)."""
    rows, columns = np.array(pairs, np.int64).T
    joined = csr_array((np.ones(len(rows), bool), (rows, columns)), shape=(count, count))
    groups: NDArray[np.int32] = connected_components(joined, directed=False)[1]
    return groups


def _splits(groups: NDArray[np.int32], places: Sequence[int], generator: np.random.Generator) -> dict[int, Split]:
    """The split of each of some articles: whole groups, the largest first, go where most is missing."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for place in places:
        members[int(groups[place])].append(place)
    order = [list(members)[place] for place in generator.permutation(len(members))]
    missing = [share * len(places) for share in _SHARES]
    found: dict[int, Split] = {}
    for group in sorted(order, key=lambda group: -len(members[group])):
        split = int(np.argmax(missing))
        missing[split] -= len(members[group])
        found |= dict.fromkeys(members[group], SPLITS[split])
    return found


def _bounded(pairs: Sequence[Pair], most: int) -> list[Pair]:
    """Pairs in their order, without those of an article that has as many already."""
    held: Counter[int] = Counter()
    kept = []
    for a, b in pairs:
        if not most or (held[a] < most and held[b] < most):
            held.update((a, b))
            kept.append((a, b))
    return kept


class _Strangers:
    """Articles of another group of the same split, each met by one article once."""

    def __init__(
        self,
        links: Sequence[frozenset[int]],
        groups: NDArray[np.int32],
        split_of: dict[int, Split],
        generator: np.random.Generator,
    ) -> None:
        self._links, self._groups, self._split_of, self._generator = links, groups, split_of, generator
        self._met: set[Pair] = set()
        self._members: defaultdict[Split, list[int]] = defaultdict(list)
        self._linking: defaultdict[tuple[Split, int], list[int]] = defaultdict(list)
        for place, split in split_of.items():
            self._members[split].append(place)
            for link in links[place]:
                self._linking[split, link].append(place)

    def of(self, place: int, *, sharing: bool) -> int | None:
        """A stranger to an article, one that shares a link where asked for and found; None without any."""
        split, generator = self._split_of[place], self._generator
        links = sorted(self._links[place])
        for _ in range(_TRIES if sharing else 0):
            among = self._linking[split, links[int(generator.integers(len(links)))]]
            if self._take(place, other := among[int(generator.integers(len(among)))]):
                return other
        for number in generator.permutation(len(self._members[split])):
            if self._take(place, other := self._members[split][int(number)]):
                return other
        return None

    def _take(self, place: int, other: int) -> bool:
        pair = (min(place, other), max(place, other))
        if self._groups[place] == self._groups[other] or pair in self._met:
            return False
        self._met.add(pair)
        return True


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
