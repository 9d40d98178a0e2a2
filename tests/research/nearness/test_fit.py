"""The fit of the words' and the lists' scales, and its measures."""

from __future__ import annotations

import numpy as np
import pytest

from engine.research.nearness import fit
from engine.research.nearness.asked import Answered, Shown
from engine.search import Pair


def shown(count: int = 400, seed: int = 1) -> list[Shown]:
    """Pairs of four kinds whose cosines are .9, .7, .5 and .1, about."""
    draw = np.random.default_rng(seed)
    return [
        Shown(n, Pair(float(draw.normal((0.9, 0.7, 0.5, 0.1)[n % 4], 0.05)), 0.1, 0.1, 100), frozenset({n % 4}), False)
        for n in range(count)
    ]


def test_kinds_that_differ_are_told_apart_and_probabilities_hold() -> None:
    pairs = shown()
    features, known = fit.arrays(pairs)
    weights = fit.fit_scale(features, known, np.ones(len(pairs)))
    p = fit.probabilities(weights, features)
    assert p.shape == (400, 4) and np.allclose(p.sum(axis=1), 1)
    assert (p.argmax(axis=1) == known.argmax(axis=1)).mean() > 0.9
    matrix = fit.confusion(p, known, np.ones(len(pairs)))
    assert np.allclose(matrix.sum(axis=1), 1) and np.diag(matrix).min() > 0.8
    errors = fit.errors(p, known, [one.pair for one in pairs], np.ones(len(pairs)), 0.2)
    assert errors[3] == 0 and all(error is not None and error < 0.5 for error in errors)  # none shares words


def test_a_pair_that_excludes_some_kinds_counts_for_the_others() -> None:
    pairs = [*shown(40), *(Shown(n, Pair(0.6, 0.1, 0.1, 100), frozenset({1, 2}), False) for n in range(40))]
    features, known = fit.arrays(pairs)
    p = fit.probabilities(fit.fit_scale(features, known, np.ones(80)), features)
    assert p[40:, 1:3].sum(axis=1).min() > 0.8


def test_the_calibration_error_is_the_gap_of_promise_and_truth() -> None:
    p, counts = np.full(10, 0.85), np.ones(10)
    assert fit.calibration_error(p, np.arange(10) < 6, counts) == pytest.approx(0.25)
    assert fit.calibration_error(np.full(10, 0.6), np.arange(10) < 6, counts) == pytest.approx(0)


def test_every_kind_of_a_set_counts_alike() -> None:
    known = np.array([[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 1, 0]], bool)
    counts = fit.balanced(["a"] * 4, known, np.array([False, False, True, False]))
    assert counts[0] == 1 and counts[1] + counts[2] == pytest.approx(1) and counts[1] > counts[2]
    assert counts[3] == pytest.approx(0.8)


def test_the_last_kind_has_two_words_by_the_shared_vocabulary() -> None:
    pairs = [Pair(0.1, 0.3, 0, 9), Pair(0.1, 0.0, 0, 9)]
    assert fit.five(np.array([[0, 0, 0, 1.0]] * 2), pairs, 0.2).tolist() == [[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
    known = np.array([[0, 0, 0, 1]] * 2, bool)
    assert fit.vocabulary_share(pairs, known) == pytest.approx(0.27)
    assert fit.medians(pairs, known, {"unrelated": 3}) == {"unrelated": 0.1}


def test_lists_of_near_documents_are_told_from_far_ones() -> None:
    answered = [
        Answered(n, "a", "b", "document", (Pair(0.6 if n % 2 else 0.2, 0.1, 0.1, 100),) * 10, 1000, 0.1)
        for n in range(40)
    ]
    near = np.array([n % 2 == 1 for n in range(40)])
    weights = fit.fit_lists(answered, near, np.ones(40))
    p = 1 / (1 + np.exp(-fit.list_array(answered) @ weights))
    limit = fit.threshold(p, near, ["b"] * 40)
    assert (p[near] >= limit).all() and (p[~near] < limit).all()
