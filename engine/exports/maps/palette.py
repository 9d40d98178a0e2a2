"""Colours of the map: what each means, safe for colour-blind eyes, on light and dark backgrounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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
_LEAST_STEPS = 3
EMPTY_YEARS = 20
"""More years than this without a document part two ages."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of a legend; `light` and `dark` are its colour on either background.

    `gap` says that years without a document lie before it.
    """

    label: str
    count: int
    light: str
    dark: str
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Colouring:
    """What colours stand for: each point's code (n,) is a position in `entries`."""

    title: str
    codes: Codes
    entries: tuple[LegendEntry, ...]


def by_kind(kinds: Sequence[str]) -> Colouring:
    """Return one colour for papers, one for patents."""
    names = {"paper": "Papers", "patent": "Patents", "query": "Questions"}
    counts = Counter(kinds)
    position = {kind: number for number, kind in enumerate(KIND_COLOURS)}
    entries = tuple(LegendEntry(names[kind], counts[kind], *colours) for kind, colours in KIND_COLOURS.items())
    return Colouring("Kind", _codes([position[kind] for kind in kinds]), entries)


def by_category(categories: Sequence[str]) -> Colouring:
    """Return the ten most frequent first categories by name; the rest, and none, in grey."""
    counts = Counter(category for category in categories if category)
    named = [category for category, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:NAMED]]
    position = {category: number for number, category in enumerate(named)}
    codes = [position.get(category, len(named) + (category == "")) for category in categories]
    entries = [LegendEntry(name, counts[name], *CATEGORICAL[number]) for number, name in enumerate(named)]
    rest = sum(counts.values()) - sum(entry.count for entry in entries)
    others = len(counts) - len(named)
    entries += [LegendEntry(f"{others:,} others", rest, *OTHER)]
    entries += [LegendEntry("no subject given", sum(1 for category in categories if not category), *OTHER)]
    return Colouring("Subject", _codes(codes), tuple(entries))


def by_year(years: Sequence[int]) -> Colouring:
    """Return at most eight steps, old to new, by rank: about as many documents each, and colours for every age.

    An age ends where decades are empty, as between patents of 1877 to 1898 and of 2020; each has steps of its own, and
    the first after such a gap is marked. A year of 0 is unknown.
    """
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
        before = known[known < start]
        gap = bool(len(before)) and int(start - before[-1]) > EMPTY_YEARS
        light, dark = SEQUENTIAL[shades[number]]
        entries.append(LegendEntry(label, int((codes == number).sum()), light, dark, gap))
    entries.append(LegendEntry("year unknown", int((values <= 0).sum()), *OTHER))
    return Colouring("Year", _codes(codes), tuple(entries))


def by_cluster(
    clusters: Sequence[int] | NDArray[np.int32],
    names: dict[int, str],
    places: Mapping[int, tuple[float, float]] | None = None,
) -> Colouring:
    """Return the clusters by name, the largest first; after ten, colours come again; points in none are grey.

    With `places`, where on the map each cluster lies, clusters beside each other differ, in colours that are easy to
    tell apart.
    """
    counts = Counter(int(cluster) for cluster in clusters)
    outside = counts.pop(-1, 0)
    ranked = sorted(counts, key=lambda cluster: (-counts[cluster], cluster))
    position = {cluster: number for number, cluster in enumerate(ranked)} | {-1: len(ranked)}
    held = [places[cluster] for cluster in ranked if cluster in places] if places else []
    chosen = spread_colours(held) if len(held) == len(ranked) else [number % NAMED for number in range(len(ranked))]
    entries = [
        LegendEntry(names.get(cluster, ""), counts[cluster], *CATEGORICAL[colour])
        for cluster, colour in zip(ranked, chosen, strict=True)
    ]
    entries.append(LegendEntry("in no cluster", outside, *OTHER))
    return Colouring("Cluster", _codes([position[int(cluster)] for cluster in clusters]), tuple(entries))


def spread_colours(places: Sequence[tuple[float, float]]) -> list[int]:
    """Return a colour of CATEGORICAL for each place: the first ten all differ, and the unlike ones go to near places.

    In turn each place takes the colour that is least like those of its near neighbours: the smallest sum, over the
    places coloured before, of 1 / (distance on the map times distance in CIE Lab). After ten, colours come again, but
    far from where they are, and never at two places with none between them (Gabriel and Sokal, 1969).
    """
    apart = _colour_distances()
    spots = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    squares = ((spots[:, None] - spots) ** 2).sum(axis=2)
    beside = (squares[:, None] + squares).min(axis=2) >= squares  # no third place within the circle through both
    chosen: list[int] = []
    for number, spot in enumerate(spots):
        far = np.linalg.norm(spots[:number] - spot, axis=1) + 1e-6
        cost = [
            sum(1 / (length * apart[colour, other]) for length, other in zip(far, chosen, strict=True))
            for colour in range(NAMED)
        ]
        taken = {colour for other, colour in enumerate(chosen) if number < NAMED or beside[number, other]}
        free = [colour for colour in range(NAMED) if colour not in taken] or range(NAMED)
        chosen.append(min(free, key=lambda colour: (cost[colour], colour)))
    return chosen


def _colour_distances() -> NDArray[np.float64]:
    """Return how unlike the colours of CATEGORICAL are, (10, 10), on the worse background; hardly 0 to itself."""
    either = [np.array([_lab(pair[side]) for pair in CATEGORICAL]) for side in (0, 1)]
    distances = [np.linalg.norm(lab[:, None] - lab[None], axis=2) for lab in either]
    worse: NDArray[np.float64] = np.maximum(np.minimum(*distances), 0.1)
    return worse


def _lab(colour: str) -> NDArray[np.float64]:
    """Return a colour "#rrggbb" in CIE Lab (D65)."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(parts > 0.04045, ((parts + 0.055) / 1.055) ** 2.4, parts / 12.92)
    mixed = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    x, y, z = np.cbrt(mixed / np.array([0.9505, 1.0, 1.089]))  # near black it would be a line: no colour here is
    lab: NDArray[np.float64] = np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
    return lab


def _year_steps(years: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first year of each step, at most as many as colours."""
    if not len(years):
        return np.empty(0, dtype=np.int64)
    known = np.unique(years)
    first = np.append(known[0], known[1:][np.diff(known) > EMPTY_YEARS][: len(SEQUENTIAL) // 2 - 1])
    ages = [years[(years >= low) & (years < high)] for low, high in zip(first, [*first[1:], np.inf], strict=True)]
    different = [len(np.unique(age)) for age in ages]
    steps = [1] * len(ages)
    while sum(steps) < len(SEQUENTIAL):  # the next step goes where most documents share one
        wanting = [len(age) / steps[n] if steps[n] < different[n] else 0 for n, age in enumerate(ages)]
        fair = [n for n, count in enumerate(steps) if count < min(_LEAST_STEPS, different[n])]
        if not any(wanting):
            break
        steps[fair[0] if fair else int(np.argmax(wanting))] += 1
    return np.concatenate([_age_steps(age, count) for age, count in zip(ages, steps, strict=True)])


def _age_steps(years: NDArray[np.int64], steps: int) -> NDArray[np.int64]:
    """Return the first years of `steps` steps of about as many documents; where one year has too many, of years."""
    cuts = np.unique(np.quantile(years, np.linspace(0, 1, steps + 1)[:-1], method="lower"))
    known = np.unique(years)
    while len(cuts) < steps:  # cut the step of most different years in two
        at = np.searchsorted(known, cuts)
        sizes = np.diff([*at, len(known)])
        widest = int(np.argmax(sizes))
        cuts = np.sort(np.append(cuts, known[at[widest] + sizes[widest] // 2]))
    return cuts.astype(np.int64)


def _codes(values: Sequence[int] | NDArray[np.int64]) -> Codes:
    return np.asarray(values, dtype=np.uint16)
