"""How far two encoders agree: the share of a document's nearest neighbours in both."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import Rows
from engine.encoders import Encoder
from engine.vectors import VectorIndex

NEIGHBOURS = 15
SAMPLE = 500
"""How many documents are sampled. For word2vec-sif and LSA, 500 of 26,033 documents give .114 in half a second, all
give .111 in fourteen; nineteen samples in twenty lie within .010 of the latter."""

_SEED = 20


@dataclass(frozen=True, slots=True)
class Agreement:
    """The mean share of `neighbours` nearest documents that both encoders find, over `sampled` documents.

    `chance` is the share that two unrelated encoders would have.
    """

    shared: float
    sampled: int
    neighbours: int
    chance: float


def shared_part(first: Collection[str], second: Collection[str]) -> float:
    """The share of neighbours in both lists, relative to the longer one."""
    longer = max(len(set(first)), len(set(second)))
    return len(set(first) & set(second)) / longer if longer else 0.0


def measure_agreement(
    first: VectorIndex, second: VectorIndex, *, encoders: tuple[Encoder, Encoder], sample: int = SAMPLE
) -> Agreement:
    """Compare the neighbours of a seeded sample of the documents that both indexes hold.

    Only documents in both indexes count as neighbours. A document in which an encoder knows no word has no neighbours
    and is not sampled. On a small library fewer neighbours are compared, because any two lists of nearly all documents
    agree. The indexes may be of any kind; `encoders` are those that filled them.
    """
    held = set(second.ids)
    common = [identity for identity in first.ids if identity in held]
    neighbours = min(NEIGHBOURS, (len(common) - 1) // 2)
    if neighbours < 1:
        return Agreement(0.0, 0, 0, 0.0)
    chosen = np.random.default_rng(_SEED).permutation(len(common))[:sample]
    ids = [common[number] for number in np.sort(chosen)]
    asked = _known(first.rows(ids)) & _known(second.rows(ids))  # (s,)
    ids = [identity for identity, known in zip(ids, asked, strict=True) if known]
    found = [
        _neighbours(index, encoder, ids, common, k=neighbours)
        for index, encoder in zip((first, second), encoders, strict=True)
    ]
    parts = [shared_part(one, other) for one, other in zip(*found, strict=True)]
    mean = float(np.mean(parts)) if parts else 0.0
    return Agreement(mean, len(parts), neighbours, neighbours / (len(common) - 1))


def _known(rows: Rows) -> NDArray[np.bool_]:
    """Which rows (n, dim) are not zero."""
    lengths = rows * rows if isinstance(rows, np.ndarray) else rows.multiply(rows)
    return np.asarray(lengths.sum(axis=1) > 0).ravel()


def _neighbours(
    index: VectorIndex, encoder: Encoder, ids: Sequence[str], among: Sequence[str], *, k: int
) -> list[list[str]]:
    """The k nearest of each of `ids` among some documents, excluding itself."""
    if not ids:
        return []
    within = among if len(among) < len(index) else None
    answers = index.search(encoder.as_queries(index.rows(ids)), k + 1, within=within)
    return [[hit.id for hit in hits if hit.id != identity][:k] for identity, hits in zip(ids, answers, strict=True)]
