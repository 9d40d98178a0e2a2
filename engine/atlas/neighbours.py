"""The true neighbours of every document of an index: what a map is drawn from and measured by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.documents import Hit
from engine.index.base import VectorIndex
from engine.progress import Meter, Report
from engine.rows import Rows

_BLOCK = 2048  # an index may unpack its rows anew for each block


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest other documents (n, k) of n documents, nearest first: their numbers and similarities."""

    numbers: NDArray[np.int32]
    similarities: NDArray[np.float32]


def find_neighbours(index: VectorIndex, ids: Sequence[str], queries: Rows, *, k: int, report: Report) -> Neighbours:
    """The k nearest of each of `ids`, which ask with `queries` (n, dim), among themselves, from the index; k < n."""
    numbers = {identity: number for number, identity in enumerate(ids)}
    within = ids if len(ids) < len(index) else None
    found = Neighbours(np.empty((len(ids), k), np.int32), np.empty((len(ids), k), np.float32))
    meter = Meter("Finding neighbours", len(ids), report)
    meter.begin()
    for first in range(0, len(ids), _BLOCK):
        answers = index.search(queries[first : first + _BLOCK], k + 1, within=within)
        for own, hits in enumerate(answers, start=first):
            _keep(found, own, hits, numbers)
        meter.add(len(answers))
    meter.finish()
    return found


def _keep(found: Neighbours, own: int, hits: Sequence[Hit], numbers: dict[str, int]) -> None:
    """Write one document's answer without itself, wherever it stands there: to some methods others are nearer."""
    k = found.numbers.shape[1]
    others = [(number, hit.score) for hit in hits if (number := numbers[hit.id]) != own][:k]
    found.numbers[own] = [number for number, _ in others]
    found.similarities[own] = [score for _, score in others]
