"""KeyVec's two losses, and its labels, by plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from engine.training.keyvec.labels import frequent, idf, salient, strongest, weighted
from engine.training.keyvec.task import keyword_loss, read_loss

LOGITS = [0.3, -1.2, 2.0, 0.0, -0.4]
SALIENT = [1, 0, 1, 0, 0]
DOCUMENTS = [0, 0, 0, 2, 2]


def test_the_readers_loss_is_the_likelihood_of_the_labels() -> None:
    expected = 0.0
    for logit, is_salient in zip(LOGITS, SALIENT, strict=True):
        p = 1 / (1 + math.exp(-logit))
        expected -= math.log(p) if is_salient else math.log(1 - p)
    loss = read_loss(torch.tensor(LOGITS), torch.tensor(SALIENT), torch.tensor(DOCUMENTS))
    assert float(loss) == pytest.approx(expected / 2, rel=1e-5)
    assert float(read_loss(torch.zeros(0), torch.zeros(0), torch.zeros(0, dtype=torch.long))) == 0


def test_the_encoders_loss_is_the_likelihood_of_the_key_words() -> None:
    logits = [[0.1, -0.5, 2.0, 0.7], [1.0, 0.0, 0.0, -3.0], [5.0, 5.0, 5.0, 5.0]]
    words, documents = [2, 3, 0], [0, 0, 1]
    expected = 0.0
    for word, document in zip(words, documents, strict=True):
        row = [math.exp(number) for number in logits[document]]
        expected -= math.log(row[word] / sum(row))
    loss = keyword_loss(torch.tensor(logits), torch.tensor(words), torch.tensor(documents))
    assert float(loss) == pytest.approx(expected / 2, rel=1e-5)
    none = torch.zeros(0, dtype=torch.long)
    assert float(keyword_loss(torch.tensor(logits), none, none)) == 0


def counts(*rows: Sequence[float]) -> csr_array:
    return csr_array(np.array(rows, np.float32))


def test_salient_sentences_are_the_nearest_to_a_sentence_of_the_abstract() -> None:
    abstract = counts([1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0])
    body = counts([1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 3, 0], [0, 0, 2, 1], [0, 0, 0, 0])
    weights = np.array([1.0, 1.0, 1.0, 2.0])

    def found(threshold: float, top: int) -> list[bool]:
        return salient(abstract, body, threshold=threshold, top=top, weights=weights).tolist()

    assert found(0.1, 1) == [True, False, False, False, True, False]
    assert found(0.1, 2) == [True, False, True, False, True, False]
    assert found(0.6, 3) == [True, False, True, False, True, False]  # cosines 1, .5, .71; .71
    assert found(0.8, 3) == [True, False, False, False, False, False]


def test_words_weigh_more_the_rarer_they_are() -> None:
    rows = counts([1, 2, 0], [3, 0, 0])
    np.testing.assert_allclose(idf(rows), [1, math.log(3 / 2) + 1, math.log(3) + 1])
    np.testing.assert_allclose(weighted(rows, idf(rows)).toarray()[0], [1, 2 * (math.log(1.5) + 1), 0], rtol=1e-6)


def test_key_words_are_the_strongest_of_each_row() -> None:
    columns, starts = strongest(counts([0, 3, 1, 2], [0, 0, 0, 0], [1, 1, 0, 1], [0, 0, 0, 4]), 2)
    assert columns.tolist() == [1, 3, 0, 1, 3]
    assert starts.tolist() == [0, 2, 2, 4, 5]


def test_frequent_words_come_first_and_unseen_ones_never() -> None:
    assert frequent(counts([0, 1, 5, 0], [0, 1, 0, 2]), 9).tolist() == [2, 1, 3]
    assert frequent(counts([0, 1, 5, 0]), 1).tolist() == [2]
