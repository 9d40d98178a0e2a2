"""Colours of the map: what each means, safe for colour-blind eyes, on light and dark backgrounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint16]

CATEGORICAL: tuple[tuple[str, str], ...] = (
    ("#0072b2", "#648fff"),
    ("#e69f00", "#e69f00"),
    ("#882255", "#aa4499"),
    ("#33bbee", "#99ddff"),
    ("#cc3311", "#ee8866"),
    ("#4b0092", "#228833"),
    ("#ee8866", "#f2b6a0"),
    ("#ee3377", "#f0e442"),
    ("#661100", "#eedd88"),
    ("#648fff", "#6699cc"),
)
"""Ten colours for light and dark backgrounds, chosen from the safe palettes of Okabe and Ito, Tol, and IBM.

Of all such choices they are furthest apart for red-green colour-blind eyes: at least 15 in CIE Lab, from each other and
from OTHER.
"""

SEQUENTIAL: tuple[tuple[str, str], ...] = (
    ("#b3cf6b", "#3f5b94"),
    ("#7dc48a", "#4576a6"),
    ("#45b0a3", "#4c92ae"),
    ("#2b94b5", "#5cadac"),
    ("#2372b0", "#7fc4a1"),
    ("#2b509d", "#a9d694"),
    ("#2b307c", "#d3e28b"),
    ("#170f4b", "#f7eb96"),
)
"""Old to new: increasingly unlike the background, so that order survives without hue."""

KIND_COLOURS: dict[str, tuple[str, str]] = {
    "paper": ("#3377aa", "#77aadd"),
    "patent": ("#dd6622", "#ee8866"),
    "query": ("#228833", "#44bb66"),
}
OTHER = ("#a4a7ae", "#83878f")
NAMED = len(CATEGORICAL)
_EMPTY_YEARS = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a legend; `light` and `dark` are its colour on either background."""

    label: str
    count: int
    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class Colouring:
    """What colours stand for: each point's code (n,) is a position in `entries`.

    `more` says what unlabelled entries are, if any.
    """

    title: str
    codes: Codes
    entries: tuple[Entry, ...]
    more: str = ""


def by_kind(kinds: Sequence[str]) -> Colouring:
    """One colour for papers, one for patents."""
    names = {"paper": "Papers", "patent": "Patents", "query": "Questions"}
    counts = Counter(kinds)
    position = {kind: number for number, kind in enumerate(KIND_COLOURS)}
    entries = tuple(Entry(names[kind], counts[kind], *colours) for kind, colours in KIND_COLOURS.items())
    return Colouring("Kind", _codes([position[kind] for kind in kinds]), entries)


def by_category(categories: Sequence[str]) -> Colouring:
    """The ten most frequent first categories by name; the rest, and none, in grey."""
    counts = Counter(category for category in categories if category)
    named = [category for category, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:NAMED]]
    position = {category: number for number, category in enumerate(named)}
    codes = [position.get(category, len(named) + (category == "")) for category in categories]
    entries = [Entry(name, counts[name], *CATEGORICAL[number]) for number, name in enumerate(named)]
    rest = sum(counts.values()) - sum(entry.count for entry in entries)
    others = len(counts) - len(named)
    entries += [Entry(f"{others:,} others", rest, *OTHER)]
    entries += [Entry("no subject given", sum(1 for category in categories if not category), *OTHER)]
    return Colouring("Subject", _codes(codes), tuple(entries))


def by_year(years: Sequence[int]) -> Colouring:
    """At most eight steps of about equal number, old to new; a year of 0 is unknown."""
    values = np.asarray(years, dtype=np.int64)
    known = np.unique(values[values > 0])
    starts = _year_steps(values[values > 0])
    codes = np.searchsorted(starts, values, side="right") - 1
    codes[values <= 0] = len(starts)
    shades = np.linspace(0, len(SEQUENTIAL) - 1, max(len(starts), 1)).round().astype(int)
    entries = []
    for number, start in enumerate(starts):
        stop = starts[number + 1] if number + 1 < len(starts) else np.iinfo(np.int64).max
        inside = known[(known >= start) & (known < stop)]
        label = str(inside[0]) if inside[0] == inside[-1] else f"{inside[0]}–{inside[-1]}"
        entries.append(Entry(label, int((codes == number).sum()), *SEQUENTIAL[shades[number]]))
    entries.append(Entry("year unknown", int((values <= 0).sum()), *OTHER))
    return Colouring("Year", _codes(codes), tuple(entries))


def by_cluster(clusters: Sequence[int] | NDArray[np.int32], names: dict[int, str]) -> Colouring:
    """The ten largest clusters by name; smaller ones share their colours, points in none are grey."""
    counts = Counter(int(cluster) for cluster in clusters)
    outside = counts.pop(-1, 0)
    ranked = sorted(counts, key=lambda cluster: (-counts[cluster], cluster))
    position = {cluster: number for number, cluster in enumerate(ranked)} | {-1: len(ranked)}
    entries = [
        Entry(names.get(cluster, "") if number < NAMED else "", counts[cluster], *CATEGORICAL[number % NAMED])
        for number, cluster in enumerate(ranked)
    ]
    entries.append(Entry("in no cluster", outside, *OTHER))
    more = len(ranked) - NAMED
    text = f"and {more:,} smaller clusters, which share these colours" if more > 0 else ""
    return Colouring("Cluster", _codes([position[int(cluster)] for cluster in clusters]), tuple(entries), text)


def _year_steps(years: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first year of each step; where decades are empty, as between two ages of documents, a step ends."""
    if not len(years):
        return np.empty(0, dtype=np.int64)
    known = np.unique(years)
    after_gaps = known[1:][np.diff(known) > _EMPTY_YEARS][: len(SEQUENTIAL) // 2]
    steps = len(SEQUENTIAL) - len(after_gaps)
    cuts = np.quantile(years, np.linspace(0, 1, steps + 1)[:-1], method="lower")
    return np.unique(np.concatenate([cuts, after_gaps]))


def _codes(values: Sequence[int] | NDArray[np.int64]) -> Codes:
    return np.asarray(values, dtype=np.uint16)
