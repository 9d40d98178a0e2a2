"""What some documents of a map have in common: their terms, years and kinds, the clusters that they lie in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from engine.library import Summaries
from engine.maps.label_words import Vocabulary
from engine.maps.labels import terms_apart
from engine.maps.model import LibraryMap

TERMS = 8
_SHARE = 0.01  # titles are short: few of them share a word


@dataclass(frozen=True, slots=True)
class Years:
    """The first, middle and last year of documents; `unknown` have none, and all are 0 where none has one."""

    first: int
    median: int
    last: int
    unknown: int

    @classmethod
    def of(cls, years: Iterable[int]) -> Years:
        """Of years that are 0 where they are unknown."""
        given = list(years)
        known = sorted(year for year in given if year)
        if not known:
            return cls(0, 0, 0, len(given))
        return cls(known[0], known[(len(known) - 1) // 2], known[-1], len(given) - len(known))


@dataclass(frozen=True, slots=True)
class SelectionSummary:
    """What sets a selection of `count` documents apart: `terms` best first, kinds and clusters the largest first."""

    count: int
    terms: tuple[str, ...]
    years: Years
    kinds: Mapping[str, int]
    clusters: Mapping[str, int]


@dataclass(frozen=True)
class Titles:
    """The documents of a map that the library holds, with the words of their titles, read once for every selection."""

    library_map: LibraryMap
    summaries: Summaries
    at: tuple[int, ...]  # where in the map each of the summaries stands, -1 for those that are not on it
    vocabulary: Vocabulary

    @classmethod
    def read(cls, library_map: LibraryMap, summaries: Summaries) -> Titles:
        """Read every title."""
        vocabulary = Vocabulary()
        for title in summaries.titles:
            vocabulary.add(title)
        return cls(library_map, summaries, tuple(library_map.numbers.get(id_, -1) for id_ in summaries.ids), vocabulary)

    def summary(self, ids: Collection[str]) -> SelectionSummary:
        """Of the documents with these ids; ids that the library lacks are left out."""
        chosen = set(ids)
        selected = np.fromiter((id_ in chosen for id_ in self.summaries.ids), bool, len(self.summaries.ids))
        rows = np.flatnonzero(selected).tolist()
        numbers = np.asarray(self.at, np.int64)
        groups = np.where(numbers >= 0, np.append(self.library_map.clusters, -1)[numbers], -1).astype(np.int32)
        names = {label.cluster: label.name for label in self.library_map.labels_at(self.library_map.coarsest)}
        kinds = Counter(self.summaries.kinds[row] for row in rows)
        clusters = Counter(names.get(int(groups[row]), "") for row in rows)
        return SelectionSummary(
            count=len(rows),
            terms=terms_apart(selected, groups, self.vocabulary, share=_SHARE)[:TERMS],
            years=Years.of(self.summaries.years[row] for row in rows),
            kinds=dict(kinds.most_common()),
            clusters={name: count for name, count in clusters.most_common() if name},
        )
