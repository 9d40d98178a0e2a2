"""Scores of sentences by worked examples."""

from __future__ import annotations

from collections.abc import Callable

import networkx
import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.research.salience.scores import (
    BASELINES,
    Reads,
    centrality,
    labels,
    lead,
    page_rank,
    precision_at_labels,
    precision_of_first,
    probabilities,
    roc_auc,
    score_row,
    text_rank,
)
from engine.research.salience.texts import Body, SentenceWords
from engine.training.keyvec.recipe import LabelSettings
from tests.research.salience.made import BODY, KEY, WORDS, Reader, paper


def test_the_sentences_that_the_abstract_says_are_labelled() -> None:
    marked = labels(BODY, BODY.abstract, WORDS, LabelSettings(threshold=0.15, top=1))
    assert tuple(np.array(BODY.texts)[marked]) == KEY
    assert not labels(BODY, BODY.abstract, WORDS, LabelSettings(threshold=0.99, top=1)).any()
    assert not labels(BODY, (), WORDS, LabelSettings()).any()


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


def test_the_first_sentence_leads() -> None:
    scores = lead(BODY, WORDS)
    assert (np.diff(scores) < 0).all()


@pytest.mark.parametrize("score", [centrality, text_rank])
def test_what_others_say_too_is_central(score: Callable[[Body, SentenceWords], np.ndarray]) -> None:
    body = Body.of(paper(more="An engine has a governor. Speed of the engine is what a governor keeps."))
    scores = score(body, SentenceWords.of(body.texts))
    assert scores.shape == (10,)
    best = body.texts[int(scores.argmax())]
    assert "governor" in best
    assert scores[body.texts.index("Rain fell.")] < scores.max() / 2


def test_the_walk_is_networkxs() -> None:
    generator = np.random.default_rng(1)
    weights = np.triu(generator.random((12, 12)) * (generator.random((12, 12)) > 0.5), 1)
    weights[3] = weights[:, 3] = 0  # like no other
    weights = weights + weights.T
    expected = networkx.pagerank(networkx.from_numpy_array(weights), alpha=0.85, tol=1e-12, max_iter=500)
    np.testing.assert_allclose(page_rank(weights), [expected[place] for place in range(12)], atol=1e-8)


def test_every_baseline_takes_a_body_of_one_sentence() -> None:
    body = Body(BODY.document, BODY.sentences[:1], BODY.abstract)
    for score in BASELINES.values():
        assert np.isfinite(score(body, WORDS)).all()
        assert score(body, WORDS).shape == (1,)
