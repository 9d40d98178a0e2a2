"""Papers and patents ranked separately: which documents are of each kind, and how each list is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from engine.core.rows import DenseRows
from engine.documents import Document, Hit, Kind
from engine.documents.selections import Selection
from engine.search.fusion import NEAREST
from engine.search.settings import SHIPPED, RankingSettings
from engine.vectors import VectorIndex

Ids: TypeAlias = frozenset[str] | None
"""The documents in a list; None for all."""

Lists: TypeAlias = list[list[Hit]]

ListSearch: TypeAlias = Callable[[Sequence[int], int, Ids], Lists]
"""The best hits, at most `depth`, of the questions of these numbers, each among some ids."""

_ROWS_AT_ONCE = 4096


def own_first(question: Kind, kinds: Mapping[Kind, frozenset[str]]) -> list[Ids]:
    """What to rank separately: the question's kind, then each other; all as one list if the question has no kind.

    A patent's wording is nearer to any patent than to a paper on the same subject, and a long text holds more of a
    question's words than an abstract. So scores do not compare across kinds.
    """
    own = kinds.get(question)
    others = [ids for kind, ids in sorted(kinds.items()) if kind != question and ids]
    return [own, *others] if own and others else [None]


def found_by_kind(
    search: ListSearch, questions: int, depth: int, groups: Sequence[Ids], *, within: Ids = None
) -> list[Lists]:
    """The best `depth` hits of each question: a list a group, in the order of the groups.

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


def by_kind(documents: Sequence[Document]) -> dict[Kind, Selection]:
    """The ids of the documents of each kind."""
    found: dict[Kind, set[str]] = {}
    for document in documents:
        found.setdefault(document.kind, set()).add(document.id)
    return {kind: Selection(ids) for kind, ids in found.items()}


def mean_row(index: VectorIndex) -> DenseRows:
    """The mean of all rows (1, dim), read in blocks: an index may keep its rows packed."""
    ids, total = index.ids, np.zeros(index.dim)
    for first in range(0, len(ids), _ROWS_AT_ONCE):
        total += np.asarray(index.rows(ids[first : first + _ROWS_AT_ONCE]).sum(axis=0)).ravel()
    return np.asarray(total / max(1, len(ids)), np.float32)[None, :]


def kinds_fingerprint(settings: RankingSettings = SHIPPED) -> str:
    """Names every choice in joining kinds."""
    return f"kinds apart, by the first {NEAREST} above the mean, to the power {settings.sharpness}"
