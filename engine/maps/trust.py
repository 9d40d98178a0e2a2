"""How far a 2-D picture can be trusted, and how far two encoders agree.

Trust is trustworthiness and the share of true neighbours that the picture keeps; agreement is the share of a document's
nearest neighbours that are the same by both encoders.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import Rows, RowsInParts, parts_of
from engine.encoders import Encoder
from engine.maps.model import NEIGHBOURS
from engine.vectors import VectorIndex

SAMPLE = 2_000
"""Points whose ranks are counted on a large map: every rank costs a pass over all rows."""

_SEED = 20
_BLOCK_FLOATS = 1 << 22


def neighbours_in_picture(positions: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the k nearest other points (n, k) of every point (n, 2), nearest first; k < n."""
    from scipy.spatial import cKDTree

    points = positions.astype(np.float64)
    size = len(points)
    _, found = cKDTree(points).query(points, k + 1)  # (n, k + 1), the point itself among them
    others = found != np.arange(size)[:, None]
    others[others.all(axis=1), -1] = False  # more than k points lie on this spot: drop any one
    kept: NDArray[np.int64] = found[others].reshape(size, k)
    return kept


def kept_neighbours(positions: NDArray[np.float32], neighbours: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return the share (n,) of each point's true neighbours (n, k) that are among its k nearest in the picture.

    -1 in `neighbours` stands for none; a point without true neighbours keeps 0.
    """
    size, k = neighbours.shape
    if size < 2 or k == 0:
        return np.zeros(size, np.float32)
    drawn = neighbours_in_picture(positions, k)
    offsets = np.arange(size, dtype=np.int64)[:, None] * size
    held = np.isin(neighbours + offsets, drawn + offsets) & (neighbours >= 0)  # (n, k)
    expected = np.maximum((neighbours >= 0).sum(axis=1), 1)
    return np.asarray(held.sum(axis=1) / expected, np.float32)


def trustworthiness(
    rows: RowsInParts,
    positions: NDArray[np.float32],
    *,
    as_queries: Callable[[Rows], Rows] = lambda rows: rows,
    k: int = 15,
    sample: int = SAMPLE,
) -> float:
    """Return how few strangers the picture shows as neighbours: 1 is none (Venna and Kaski, 2001, equation 1).

    T(k) = 1 - 2 / (n k (2n - 3k - 1)) * sum over i and over j in U_k(i) of (r(i, j) - k): U_k(i) are
    the points among i's k nearest in the picture and not among its k nearest by the rows (n, dim), r is
    the rank by the rows, larger inner product first. Each point asks with what `as_queries` makes of its row, the row
    itself where the method is symmetric. Ties count for the picture. Above `sample` points
    the sum is taken over a seeded sample of them; between samples of 2,000 it varies by .0015. On maps
    too small for k the largest k under n / 2 is used; fewer than three points can show nothing wrong.
    """
    size = len(positions)
    k = min(k, (size - 1) // 2)
    if k < 1:
        return 1.0
    chosen = np.arange(size)
    if size > sample:
        chosen = np.sort(np.random.default_rng(_SEED).choice(size, sample, replace=False))
    drawn = neighbours_in_picture(positions, k)[chosen]  # (s, k)
    step = max(1, _BLOCK_FLOATS // size)
    penalty = 0
    for first in range(0, len(chosen), step):
        block = slice(first, first + step)
        own = chosen[block]
        asking = as_queries(rows[own])
        products = np.concatenate([_products(asking, part) for _, part in parts_of(rows)], axis=1)
        ranks = _ranked(products, own, drawn[block])
        penalty += int(np.maximum(ranks - k, 0).sum())
    return 1.0 - 2.0 * penalty / (len(chosen) * k * (2 * size - 3 * k - 1))


@dataclass(frozen=True, slots=True)
class Truth:
    """How true a picture is: its trustworthiness, and the share of true neighbours that it keeps."""

    trustworthiness: float
    kept: float


def truth_of_some(
    blocks: Iterable[Rows], positions: NDArray[np.float32], *, queries: Rows, chosen: NDArray[np.int64], k: int = 15
) -> Truth:
    """Measure both figures of a picture (n, 2) by `chosen` (s,) of its points, where its rows are too many to hold.

    `blocks` are the n rows in order, some at a time; the chosen ask with `queries` (s, dim). The table (s, n) of
    their products gives the ranks that both figures need.
    """
    size = len(positions)
    drawn = neighbours_in_picture(positions, k)[chosen]  # (s, k)
    similarities = np.concatenate([_products(queries, block) for block in blocks], axis=1)  # (s, n)
    ranks = _ranked(similarities, chosen, drawn)
    penalty = int(np.maximum(ranks - k, 0).sum())
    return Truth(1.0 - 2.0 * penalty / (len(chosen) * k * (2 * size - 3 * k - 1)), float((ranks <= k).mean()))


def _products(queries: Rows, rows: Rows) -> NDArray[np.float32]:
    product = queries @ rows.T
    return product if isinstance(product, np.ndarray) else product.toarray()


def _ranked(similarities: NDArray[np.float32], own: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rank (b, k), from 1, of `others` (b, k) by similarities (b, n), in which `own` (b,) do not count."""
    similarities[np.arange(len(own)), own] = -np.inf
    shown = np.take_along_axis(similarities, others, axis=1)  # (b, k)
    ranks = np.empty(others.shape, np.int64)
    for place in range(others.shape[1]):  # one table (b, n) at a time: new memory costs ten times the counting
        ranks[:, place] = 1 + np.count_nonzero(similarities > shown[:, place, None], axis=1)
    return ranks


# How far two encoders agree ---------------------------------------------------------------------

AGREEMENT_SAMPLE = 500
"""How many documents are sampled. For word2vec-sif and LSA, 500 of 26,033 documents give .114 in half a second, all
give .111 in fourteen; nineteen samples in twenty lie within .010 of the latter."""


@dataclass(frozen=True, slots=True)
class EncoderAgreement:
    """The mean share of `neighbours` nearest documents that both encoders find, over `sampled` documents.

    `chance` is the share that two unrelated encoders would have.
    """

    shared: float
    sampled: int
    neighbours: int
    chance: float


def shared_part(first: Collection[str], second: Collection[str]) -> float:
    """Return the share of neighbours in both lists, relative to the longer one."""
    longer = max(len(set(first)), len(set(second)))
    return len(set(first) & set(second)) / longer if longer else 0.0


def measure_agreement(
    first: VectorIndex, second: VectorIndex, *, encoders: tuple[Encoder, Encoder], sample: int = AGREEMENT_SAMPLE
) -> EncoderAgreement:
    """Compare the neighbours of a seeded sample of the documents that both indexes hold.

    Only documents in both indexes count as neighbours. A document in which an encoder knows no word has no neighbours
    and is not sampled. On a small library fewer neighbours are compared, because any two lists of nearly all documents
    agree. The indexes may be of any kind; `encoders` are those that filled them.
    """
    held = set(second.ids)
    common = [identity for identity in first.ids if identity in held]
    neighbours = min(NEIGHBOURS, (len(common) - 1) // 2)
    if neighbours < 1:
        return EncoderAgreement(0.0, 0, 0, 0.0)
    chosen = np.random.default_rng(_SEED).permutation(len(common))[:sample]
    ids = [common[number] for number in np.sort(chosen)]
    asked = is_known(first.rows(ids)) & is_known(second.rows(ids))  # (s,)
    ids = [identity for identity, known in zip(ids, asked, strict=True) if known]
    found = [
        _neighbours(index, encoder, ids, common, k=neighbours)
        for index, encoder in zip((first, second), encoders, strict=True)
    ]
    parts = [shared_part(one, other) for one, other in zip(*found, strict=True)]
    mean = float(np.mean(parts)) if parts else 0.0
    return EncoderAgreement(mean, len(parts), neighbours, neighbours / (len(common) - 1))


def is_known(rows: Rows) -> NDArray[np.bool_]:
    """Return which rows (n, dim) are not zero, (n,): a zero row is a document in which the encoder knows no word."""
    if isinstance(rows, np.ndarray):
        return np.asarray(rows.any(axis=1))
    return np.asarray(abs(rows).max(axis=1).todense() > 0).ravel()


def _neighbours(
    index: VectorIndex, encoder: Encoder, ids: Sequence[str], among: Sequence[str], *, k: int
) -> list[list[str]]:
    """Return the k nearest of each of `ids` among some documents, excluding itself."""
    if not ids:
        return []
    within = among if len(among) < len(index) else None
    answers = index.search(encoder.as_queries(index.rows(ids)), k + 1, within=within)
    return [[hit.id for hit in hits if hit.id != identity][:k] for identity, hits in zip(ids, answers, strict=True)]
