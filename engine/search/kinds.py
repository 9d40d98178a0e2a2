"""Papers and patents in one list: each kind is ranked among its own, and counts by how near its nearest come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from engine.documents import Document, Hit, Kind
from engine.index.base import VectorIndex
from engine.rows import DenseRows

Ids: TypeAlias = frozenset[str] | None
"""The documents that a list is of; None for all."""

NEAREST = 3
"""How many of a kind's documents say how near the kind comes: few, so that it may hold little that is near."""

SHARPNESS = 2.0
"""The power to which a kind's share is taken.

Between 1.5, the best in the mean on valid (nDCG@10 .167; one list .152, powers of 2 and 3 .164 and .160), and 3, at
which no kind that asks loses: at 2 papers among short patents lose .002 (p .041, as computed), at 1.5 .003 (p .016).
Test figures of 1 and 2 had been seen by then, so what is reported of test queries is not blind to this choice.
No set judges papers against patents, so documents that share an author's keyword and words of a patent's title count as
relevant to each other (`python -m engine.research kinds`, engine/research/reports/kinds.json). nDCG@10 / R@100 on valid
queries, one list and powers of 0, 1, 1.5 and 2: patents of many pages that ask, among papers' abstracts, .169, .214,
.215, .208, .200 / .246, .332, .315, .309, .296; short ones .110, .129, .124, .123, .119 / .149, .218, .213, .210, .205;
papers that ask among the former .177, .142, .180, .186, .187 / .238, .226, .244, .250, .252, among the latter .154,
.129, .146, .151, .152 / .196, .177, .187, .190, .193.
"""

_ROWS_AT_ONCE = 4096


def own_first(question: Kind, kinds: Mapping[Kind, frozenset[str]]) -> list[Ids]:
    """What to rank apart: the kind that asks, then each other one; all as one list where it asks as none of them.

    A patent's wording is nearer to any patent's than to a paper's on the same thing, and a text of many pages holds
    more of a question's words than an abstract, so that scores do not compare across kinds.
    """
    own = kinds.get(question)
    others = [ids for kind, ids in sorted(kinds.items()) if kind != question and ids]
    return [own, *others] if own and others else [None]


def found_by_kind(search: Callable[[int, Ids], list[Hit]], depth: int, groups: Sequence[Ids]) -> list[list[Hit]]:
    """The best `depth` hits of each group, in its order; `search` gives so many among some ids.

    To search among many ids costs more than to search all and to leave a few out, so the largest group is had so.
    """
    if len(groups) == 1:
        return [search(depth, groups[0])]
    largest = max(range(len(groups)), key=lambda number: len(groups[number] or ()))
    found = [[] if number == largest else search(depth, ids) for number, ids in enumerate(groups)]
    inside, everything = groups[largest] or frozenset(), search(2 * depth, None)
    found[largest] = [hit for hit in everything if hit.id in inside][:depth]
    if len(found[largest]) < depth and len(everything) == 2 * depth:
        found[largest] = search(depth, groups[largest])
    return found


def shares(near: Sequence[Sequence[Hit]], mean: float, sharpness: float | None = None) -> list[float]:
    """What each list counts: 1 for the one whose first documents come nearest, less for another.

    (a / b) ** sharpness, a and b how far the mean score of the first three of that list and of the nearest list stand
    above `mean`, that of the average document. So rankings of several collections are merged by what each is worth
    (Callan, Lu and Croft 1995, Searching Distributed Collections with Inference Networks); a kind is a collection here.
    """
    power = SHARPNESS if sharpness is None else sharpness
    heights = [max(0.0, float(np.mean([hit.score for hit in hits[:NEAREST]])) - mean) if hits else 0.0 for hits in near]
    return [(height / max(heights)) ** power if max(heights) > 0 else 1.0 for height in heights]


def joined(lists: Sequence[Sequence[Hit]], counting: Sequence[float]) -> list[Hit]:
    """One list of several, each score times what its list counts; ties go to the earlier list."""
    if len(lists) == 1:
        return list(lists[0])
    weighed = [Hit(hit.id, count * hit.score) for hits, count in zip(lists, counting, strict=True) for hit in hits]
    return sorted(weighed, key=lambda hit: -hit.score)


def by_kind(documents: Sequence[Document]) -> dict[Kind, frozenset[str]]:
    """The ids of the documents of each kind."""
    found: dict[Kind, set[str]] = {}
    for document in documents:
        found.setdefault(document.kind, set()).add(document.id)
    return {kind: frozenset(ids) for kind, ids in found.items()}


def mean_row(index: VectorIndex) -> DenseRows:
    """The mean of all rows (1, dim), read some at a time: an index may keep its rows smaller than they are here."""
    ids, total = index.ids, np.zeros(index.dim)
    for first in range(0, len(ids), _ROWS_AT_ONCE):
        total += np.asarray(index.rows(ids[first : first + _ROWS_AT_ONCE]).sum(axis=0)).ravel()
    return np.asarray(total / max(1, len(ids)), np.float32)[None, :]


def kinds_fingerprint() -> str:
    """Names every choice by which kinds are joined."""
    return f"kinds apart, by the first {NEAREST} above the mean, to the power {SHARPNESS}"
