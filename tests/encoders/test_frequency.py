"""Smooth inverse frequency by hand."""

from __future__ import annotations

import numpy as np

from engine.encoders.word_vectors import frequency_weights, log_frequency_weights, mean_occurrence

SHARES = np.array([0, 0.001, 0.009, 0.999])


def test_a_weight_is_a_thousandth_over_a_thousandth_and_the_share() -> None:
    np.testing.assert_allclose(frequency_weights(SHARES), [1, 1 / 2, 1 / 10, 1 / 1000])


def test_logarithms_are_those_of_the_weights_and_of_half_the_size() -> None:
    logs = log_frequency_weights(SHARES)
    assert (logs.dtype, logs[0]) == (np.float32, 0)
    np.testing.assert_allclose(np.exp(logs), frequency_weights(SHARES), rtol=1e-6)


def test_the_mean_occurrence_counts_a_word_as_often_as_it_stands() -> None:
    rows = np.array([[1, 0], [0, 2]], np.float32)
    for frequencies in (np.array([3.0, 1.0]), np.array([0.3, 0.1])):  # shares of the V words: 3/4, 1/4
        np.testing.assert_allclose(mean_occurrence(rows, None, frequencies), [0.75, 0.5])
        logs = np.log(np.array([0.5, 1], np.float32))
        np.testing.assert_allclose(mean_occurrence(rows, logs, frequencies), [0.375, 0.5])


def test_a_word_that_never_occurs_moves_no_mean() -> None:
    rows = np.array([[1, 0], [9, 9]], np.float32)
    frequencies = np.array([0.2, 0])
    found = mean_occurrence(rows, log_frequency_weights(frequencies), frequencies)
    np.testing.assert_allclose(found, [0.001 / 0.201, 0], rtol=1e-6)
    assert found.dtype == np.float32
