"""Coupled pairs as token ids, and what each epoch draws from them: order, negatives, cuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class PairTokens:
    """The tokens of n documents end to end: document i has flat[starts[i]:starts[i + 1]], cut at cuts[i].

    flat is (t,), starts (n + 1,), cuts (n,), names the documents' ids. The former half ends where the latter begins.
    `subjects` (n,) tells documents of other corpora or other sets of categories apart; "" is a document without any.
    """

    flat: Ids
    starts: Places
    cuts: Places
    names: Sequence[str]
    subjects: Sequence[str] = ()

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.cuts)

    @classmethod
    def of(cls, halves: Sequence[tuple[Sequence[int], Sequence[int]]], names: Sequence[str]) -> PairTokens:
        """Halves given as two lists of ids a document."""
        lengths = np.array([[len(former), len(latter)] for former, latter in halves], dtype=np.int64).reshape(-1, 2)
        starts = np.concatenate([[0], lengths.sum(axis=1).cumsum()])
        flat = np.array([token for former, latter in halves for token in (*former, *latter)], dtype=np.int32)
        return cls(flat, starts, starts[:-1] + lengths[:, 0], names)


@dataclass(frozen=True)
class Batch:
    """A batch of m documents (m,), each a pair of halves.

    `other` (m,) is each pair's negative document; it lends its former half where `swaps_former` (m,) says so, else
    its latter. `key` seeds whatever else the batch draws.
    """

    documents: Places
    other: Places
    swaps_former: NDArray[np.bool_]
    key: tuple[int, int, int]


@dataclass(frozen=True)
class Sampling:
    """What an epoch draws: `nearest` (n, k) makes every second negative a near one (CTPE_T, section 4.7).

    A row of `nearest` ends in -1 where fewer than k are near. `related` gives a step's pairs of documents that belong
    together (m, 2) by the step's key, or None for most.
    """

    batch: int
    nearest: Ids | None = None
    related: Callable[[tuple[int, int, int]], Places | None] | None = None


def step_count(documents: int, batch: int) -> int:
    """The number of batches that an epoch takes."""
    return -(-documents // batch)


def epoch_batches(tokens: PairTokens, sampling: Sampling, *, seed: int, epoch: int) -> list[Batch]:
    """An epoch's batches, in which every document comes once.

    They follow from the seed and the epoch's number alone, so an interrupted epoch can go on.
    """
    generator = np.random.default_rng([seed, epoch])
    order = generator.permutation(len(tokens))
    other = negatives(order, len(tokens), generator=generator, nearest=sampling.nearest)
    swaps = generator.random(len(order)) < 0.5
    return [
        Batch(order[part], other[part], swaps[part], (seed, epoch, number))
        for number, part in enumerate(_parts(len(order), sampling.batch))
    ]


def negatives(documents: Places, count: int, *, generator: np.random.Generator, nearest: Ids | None = None) -> Places:
    """Another document for each (m,) of some: (m,).

    Evenly from all `count` documents; with `nearest` (count, k), with equal chance evenly from each one's nearest
    (CTPE, section 4.7: random(random(T_100(d_i, D)), random(D))).
    """
    other = generator.integers(0, count, len(documents))
    if nearest is not None:
        near = nearest[documents, generator.integers(0, nearest.shape[1], len(documents))]
        takes_near = (generator.random(len(documents)) < 0.5) & (near >= 0)
        other = np.where(takes_near, near, other)
    while (own := other == documents).any():
        other[own] = generator.integers(0, count, int(own.sum()))
    return other


def half_lengths(tokens: PairTokens, documents: Places, is_former: NDArray[np.bool_]) -> Places:
    """Count the tokens in a half of each document, the former where `is_former` says so: (m,)."""
    former = tokens.cuts[documents] - tokens.starts[documents]
    latter = tokens.starts[documents + 1] - tokens.cuts[documents]
    return np.where(is_former, former, latter)


def halves_of(tokens: PairTokens, documents: Places, is_former: NDArray[np.bool_]) -> tuple[Ids, Places]:
    """Return the ids of a half of each document (m,), end to end, and the places (m + 1,) between them.

    The former half of documents where `is_former` (m,), else the latter.
    """
    starts = np.where(is_former, tokens.starts[documents], tokens.cuts[documents])
    lengths = half_lengths(tokens, documents, is_former)
    offsets = np.concatenate([[0], lengths.cumsum()])
    places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    return tokens.flat[places], offsets


def _parts(count: int, size: int) -> list[slice]:
    """Batches of at most `size`, as even as possible, so that no batch has only a few rows."""
    steps = step_count(count, size)
    bounds = [count * step // steps for step in range(steps + 1)]
    return [slice(start, stop) for start, stop in pairwise(bounds)]
