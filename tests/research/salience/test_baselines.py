"""Labels and baselines on a paper of our own, and TextRank's walk against networkx."""

from __future__ import annotations

from collections.abc import Callable

import networkx
import numpy as np
import pytest

from engine.research.salience.baselines import BASELINES, centrality, lead, page_rank, text_rank
from engine.research.salience.texts import Body, SentenceWords
from tests.research.salience.body import BODY, WORDS
from tests.research.salience.made import paper


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
