"""Which sentences count as salient."""

from __future__ import annotations

import numpy as np

from engine.research.salience.labels import labels
from engine.training.keyvec.recipe import LabelSettings
from tests.research.salience.body import BODY, WORDS
from tests.research.salience.made import KEY


def test_the_sentences_that_the_abstract_says_are_labelled() -> None:
    marked = labels(BODY, BODY.abstract, WORDS, LabelSettings(threshold=0.15, top=1))
    assert tuple(np.array(BODY.texts)[marked]) == KEY
    assert not labels(BODY, BODY.abstract, WORDS, LabelSettings(threshold=0.99, top=1)).any()
    assert not labels(BODY, (), WORDS, LabelSettings()).any()
