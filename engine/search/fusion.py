"""Several rankings joined into one: the same documents by two methods, or papers and patents ranked separately.

How much each method counts comes from the encoder's entry in `engine.encoders.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import TypeAlias

import numpy as np

from engine.core.rows import DenseRows
from engine.documents import Hit, Kind
from engine.search.queries import GAMMA
from engine.search.settings import SHIPPED, RankingSettings
from engine.vectors import VectorIndex

NEAR_FROM = 0.25
"""The relative score from which a document is near enough for a stressed word to move it up."""

NEAREST = 3
"""How many of a kind's documents measure how near the kind is: few, since it may hold little that is near."""


def relative_scores(
    rankings: Sequence[Sequence[Hit]], weights: Sequence[float] | None = None, *, depth: int
) -> list[Hit]:
    """Fuse rankings: score(d) = sum over rankings of weight * (s(d) - s_depth) / (s_1 - s_depth).

    s_1 is a ranking's first score and s_depth that of its document at `depth`, or of its last where it is shorter, so
    that rankings of any scale can be added (a convex combination of min-max scores: Bruch, Gai and Ingber 2023, An
    Analysis of Fusion Functions for Hybrid Retrieval, sections 2 and 3). Documents further down, and those that a
    ranking lacks, count 0. Where s_1 = s_depth all of that score count 1. Ties go to the earlier ranking.
    """
    shares = [1.0] * len(rankings) if weights is None else weights
    scores: dict[str, float] = {}
    for ranking, weight in zip(rankings, shares, strict=True):
        best, lowest = (ranking[0].score, ranking[:depth][-1].score) if ranking else (0.0, 0.0)
        for hit in ranking:
            relative = max(0.0, (hit.score - lowest) / (best - lowest)) if best > lowest else float(hit.score >= lowest)
            scores[hit.id] = scores.get(hit.id, 0.0) + weight * relative
    return [Hit(name, score) for name, score in sorted(scores.items(), key=lambda item: -item[1])]


def spread_scores(
    rankings: Sequence[Sequence[Hit]], weights: Sequence[float], spreads: Sequence[float], *, depth: int
) -> list[Hit]:
    """Fuse rankings: score(d) = sum over rankings of weight * (s(d) - s_depth) / spread.

    `spreads` are the standard deviations of all documents' scores for this question, so that a document far above all
    others stays far above them, which min-max scores forget (the z-scores of Bruch, Gai and Ingber 2023, section 3.1,
    counted from the last document of the list in place of the mean, so that a document which the list lacks counts 0).
    The first document has 1, so that groups can be joined.
    """
    scores: dict[str, float] = {}
    for ranking, weight, spread in zip(rankings, weights, spreads, strict=True):
        lowest = ranking[:depth][-1].score if ranking else 0.0
        for hit in ranking:
            above = max(0.0, hit.score - lowest) / spread if spread > 0 else 0.0
            scores[hit.id] = scores.get(hit.id, 0.0) + weight * above
    best = max(scores.values(), default=0.0) or 1.0
    return [Hit(name, score / best) for name, score in sorted(scores.items(), key=lambda item: -item[1])]


def promote(order: Sequence[Hit], holding: Sequence[Set[str]], *, depth: int) -> list[Hit]:
    """Move near documents of a ranking up where they hold stressed words; `holding` has the holders of each word.

    score(d) = r + share of the words that d holds, for r >= 1/4, else r; r is its relative score as in
    `relative_scores`. So a word never brings up what the question itself does not find near, and of two near documents
    the one that holds more of the words stands above the other.
    """
    moved = relative_scores([order], depth=depth)
    held = {hit.id: sum(hit.id in ids for ids in holding) / max(1, len(holding)) for hit in moved}
    moved = [Hit(hit.id, hit.score + held[hit.id] * (hit.score >= NEAR_FROM)) for hit in moved]
    return sorted(moved, key=lambda hit: -hit.score)


def demote(hits: Sequence[Hit], disliked: Sequence[Hit]) -> list[Hit]:
    """Rank `hits` again: score - gamma * score among the disliked words' hits, brought to the same scale.

    Rocchio's third term for BM25, which knows no negative words: `disliked` is the ranking of the
    disliked documents' telling words, scaled so that its best hit counts as much as the best of `hits`.
    """
    if not hits or not disliked:
        return list(hits)
    scale = hits[0].score / disliked[0].score
    against = {hit.id: hit.score * scale for hit in disliked}
    moved = [Hit(hit.id, hit.score - GAMMA * against.get(hit.id, 0.0)) for hit in hits]
    return sorted(moved, key=lambda hit: -hit.score)


def list_weights(near: Sequence[Sequence[Hit]], mean: float, sharpness: float) -> list[float]:
    """Return the weight of each list: 1 for the one whose first documents are nearest, less for the others.

    (a / b) ** sharpness; a and b are how far the mean score of the first three documents, in that list and in the
    nearest list, lies above `mean`, the average document's. So rankings of several collections are merged by their
    worth (Callan, Lu and Croft 1995, Searching Distributed Collections with Inference Networks); a kind is a collection
    here.
    """
    heights = [max(0.0, float(np.mean([hit.score for hit in hits[:NEAREST]])) - mean) if hits else 0.0 for hits in near]
    return [(height / max(heights)) ** sharpness if max(heights) > 0 else 1.0 for height in heights]


def join_lists(lists: Sequence[Sequence[Hit]], counting: Sequence[float]) -> list[Hit]:
    """Join several lists, each score times its list's weight; ties go to the earlier list."""
    if len(lists) == 1:
        return list(lists[0])
    weighed = [Hit(hit.id, count * hit.score) for hits, count in zip(lists, counting, strict=True) for hit in hits]
    return sorted(weighed, key=lambda hit: -hit.score)


Ids: TypeAlias = Set[str] | None
"""The documents in a list; None for all."""

Lists: TypeAlias = list[list[Hit]]

ListSearch: TypeAlias = Callable[[Sequence[int], int, Ids], Lists]
"""The best hits, at most `depth`, of the questions of these numbers, each among some ids."""

_ROWS_AT_ONCE, _MOST_ROWS = 4_096, 100_000
"""Rows that are read at once for their mean, and from twice how many on only some are: a million take seconds."""


def own_first(question: Kind, kinds: Mapping[Kind, Set[str]]) -> list[Ids]:
    """Return what to rank separately: the question's kind, then each other; one list where the question has none.

    A patent's wording is nearer to any patent than to a paper on the same subject, and a long text holds more of a
    question's words than an abstract. So scores do not compare across kinds.
    """
    own = kinds.get(question)
    others = [ids for kind, ids in sorted(kinds.items()) if kind != question and ids]
    return [own, *others] if own and others else [None]


def found_by_kind(
    search: ListSearch, questions: int, depth: int, groups: Sequence[Ids], *, within: Ids = None
) -> list[Lists]:
    """Return the best `depth` hits of each question: a list a group, in the order of the groups.

    All groups lie `within` some ids. The largest group is found by searching them all and dropping the others, which
    costs less than searching among many ids.
    """
    numbers = range(questions)
    if len(groups) == 1:
        return [[hits] for hits in search(numbers, depth, groups[0])]
    largest = max(range(len(groups)), key=lambda place: len(groups[place] or ()))
    inside, everything = groups[largest] or frozenset(), search(numbers, 2 * depth, within)
    among = [[hit for hit in hits if hit.id in inside][:depth] for hits in everything]
    short = [n for n in numbers if len(among[n]) < depth and len(everything[n]) == 2 * depth]
    for n, hits in zip(short, search(short, depth, inside) if short else [], strict=True):
        among[n] = hits
    found = [among if place == largest else search(numbers, depth, ids) for place, ids in enumerate(groups)]
    return [list(lists) for lists in zip(*found, strict=True)]


def mean_row(index: VectorIndex) -> DenseRows:
    """Return the mean of the rows (1, dim), of many by those at even steps; an index may keep its rows packed."""
    ids, total = index.ids[:: max(1, len(index) // _MOST_ROWS)], np.zeros(index.dim)
    for first in range(0, len(ids), _ROWS_AT_ONCE):
        total += np.asarray(index.rows(ids[first : first + _ROWS_AT_ONCE]).sum(axis=0)).ravel()
    return np.asarray(total / max(1, len(ids)), np.float32)[None, :]


def kinds_fingerprint(settings: RankingSettings = SHIPPED) -> str:
    """Name every choice in joining kinds."""
    return f"kinds apart, by the first {NEAREST} above the mean, to the power {settings.sharpness}"
