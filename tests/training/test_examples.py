"""Pairs as token ids, and what an epoch draws from them."""

from __future__ import annotations

import itertools
from dataclasses import astuple

import numpy as np
import pytest

from engine.training.examples import (
    Batch,
    PairTokens,
    Sampling,
    epoch_batches,
    half_lengths,
    halves_of,
    negatives,
)

N = 30


def tokens(count: int = N) -> PairTokens:
    halves = [([i] * (1 + i % 3), [100 + i] * (2 + i % 5)) for i in range(count)]
    return PairTokens.of(halves, [f"d{i}" for i in range(count)])


def draw(sampling: Sampling, *, seed: int = 1, epoch: int = 0, count: int = N) -> list[Batch]:
    return epoch_batches(tokens(count), sampling, seed=seed, epoch=epoch)


def same(one: list[Batch], other: list[Batch]) -> bool:
    return all(
        np.array_equal(a, b)
        for first, second in zip(one, other, strict=True)
        for a, b in zip(astuple(first), astuple(second), strict=True)
    )


def test_halves_are_the_tokens_before_and_behind_the_cut() -> None:
    held = tokens()
    documents, is_former = np.array([4, 0, 4]), np.array([True, False, False])
    flat, offsets = halves_of(held, documents, is_former)
    found = [flat[start:stop].tolist() for start, stop in itertools.pairwise(offsets)]
    assert found == [[4, 4], [100, 100], [104] * 6]
    assert half_lengths(held, documents, is_former).tolist() == [2, 2, 6]


def test_every_document_comes_once_an_epoch_in_even_batches() -> None:
    batches = draw(Sampling(batch=8))
    assert [len(batch.documents) for batch in batches] == [7, 8, 7, 8]
    assert sorted(np.concatenate([batch.documents for batch in batches])) == list(range(N))


def test_epochs_draw_anew_and_the_same_again() -> None:
    sampling = Sampling(batch=8)
    first, again, second, other = (
        draw(sampling, epoch=0),
        draw(sampling, epoch=0),
        draw(sampling, epoch=1),
        draw(sampling, seed=2),
    )
    assert same(first, again)
    assert not same(first, second)
    assert not same(first, other)


def test_a_negative_is_another_document_and_lends_either_half() -> None:
    batches = [batch for epoch in range(40) for batch in draw(Sampling(batch=8), epoch=epoch)]
    assert all((batch.other != batch.documents).all() for batch in batches)
    assert np.unique(np.concatenate([batch.other for batch in batches])).tolist() == list(range(N))
    swaps = np.concatenate([batch.swaps_former for batch in batches])
    assert 0.4 < swaps.mean() < 0.6


def test_every_second_negative_is_a_near_one() -> None:
    generator = np.random.default_rng(0)
    nearest = np.full((N, 4), -1, np.int32)
    nearest[0, :2] = [7, 9]
    other = negatives(np.zeros(4000, np.int64), N, generator=generator, nearest=nearest)
    shares = np.bincount(other, minlength=N) / len(other)
    # Half the draws look among the four places; two of them are empty and give any document.
    assert shares[7] == pytest.approx(0.5 / 4 + 0.75 / (N - 1), abs=0.03)
    assert shares[9] == pytest.approx(0.5 / 4 + 0.75 / (N - 1), abs=0.03)
    assert shares[3] == pytest.approx(0.75 / (N - 1), abs=0.02)
    assert shares[0] == 0
