"""Scores of sentences by worked examples."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.research.salience.scores import (
    Reads,
    precision_at_labels,
    precision_of_first,
    probabilities,
    roc_auc,
    score_row,
)
from engine.research.salience.texts import Body
from tests.research.salience.made import Reader, paper

SCORES = np.array([0.9, 0.1, 0.8, 0.3, 0.2])
LABELS = np.array([True, False, False, True, False])


def test_as_many_are_taken_as_are_labelled() -> None:
    assert precision_at_labels(SCORES, LABELS) == 1 / 2
    assert precision_at_labels(SCORES, ~LABELS) == 1 / 3
    assert precision_at_labels(SCORES, np.zeros(5, bool)) == 0


def test_of_equal_scores_the_earlier_is_first() -> None:
    assert precision_at_labels(np.zeros(5), LABELS) == 1 / 2


def test_the_first_five_are_taken_even_of_fewer() -> None:
    assert precision_of_first(SCORES, LABELS, 2) == 1 / 2
    assert precision_of_first(SCORES[:3], LABELS[:3]) == 1 / 5


def test_the_area_counts_pairs_in_the_right_order() -> None:
    assert roc_auc(SCORES, LABELS) == pytest.approx((3 + 2) / (2 * 3))
    assert roc_auc(SCORES, np.ones(5, bool)) == 0.5


def test_documents_count_the_same() -> None:
    told = score_row("row", [SCORES, -SCORES, SCORES], [LABELS, LABELS, np.zeros(5, bool)])
    assert told.name == "row"
    assert told.figures["ROC-AUC"] == pytest.approx(0.5)
    assert told.figures["P@labels"] == pytest.approx((1 / 2 + 0) / 2)


def test_documents_without_labels_are_told() -> None:
    with pytest.raises(EvaluationError, match="Expected a document with labelled and other sentences, found none"):
        score_row("row", [SCORES], [np.ones(5, bool)])


def test_a_readers_probabilities_stand_at_their_sentences() -> None:
    reader, body = Reader("flywheel"), Body.of(paper())
    assert isinstance(reader, Reads)
    assert not isinstance(object(), Reads)
    (p,) = probabilities(reader, [body])
    np.testing.assert_allclose(p, [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.0], atol=1e-6)
