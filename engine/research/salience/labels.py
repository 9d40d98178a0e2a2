"""Which sentences of a body count as salient: by its own abstract, or by what other papers say of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.research.salience.texts import Body, SentenceWords
from engine.training.keyvec.labels import salient, tfidf_cosines
from engine.training.keyvec.recipe import LabelSettings


def labels(body: Body, said: Sequence[str], words: SentenceWords, settings: LabelSettings) -> NDArray[np.bool_]:
    """The sentences (m,) of a body nearest to each sentence said about it: `top` of them, above the `threshold`.

    With the sentences of its own abstract these are the labels that KeyVec learns from ("Reader's Objective"); with
    sentences that cite the document they are the passages that others took from it.
    """
    if not said:
        return np.zeros(len(body.sentences), np.bool_)
    cosines = tfidf_cosines(words.counts(said), words.counts(body.texts), words.weights)
    return salient(cosines, threshold=settings.threshold, top=settings.top)
