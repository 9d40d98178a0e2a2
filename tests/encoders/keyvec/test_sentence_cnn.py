"""The sentence encoder by plain Python, and what padding may not change."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.encoders.keyvec.network import SentenceCnn
from engine.encoders.masked_texts import Read, Texts, padded

DIM, CHANNELS, WIDTHS = 6, 4, (1, 3, 5)


@pytest.fixture
def cnn() -> SentenceCnn:
    with torch.random.fork_rng():
        torch.manual_seed(2)
        return SentenceCnn(DIM, CHANNELS, WIDTHS)


@pytest.fixture
def table() -> Tensor:
    return torch.randn(20, DIM, generator=torch.Generator().manual_seed(1))


def batch(*sentences: list[int]) -> Texts:
    flat = np.array([word for sentence in sentences for word in sentence], np.int32)
    return padded([Read(flat, np.array([len(sentence) for sentence in sentences]))], torch.device("cpu"))


def by_hand(cnn: SentenceCnn, table: Tensor, sentence: list[int]) -> list[float]:
    """Every filter at every window, number by number."""
    found = []
    for width, weights, biases in zip(cnn.widths, cnn.weights, cnn.biases, strict=True):
        words = [table[word].tolist() for word in sentence]
        words += [[0.0] * DIM] * (width - len(words))
        for weight, bias in zip(weights.tolist(), biases.tolist(), strict=True):
            answers = [
                sum(one * other for one, other in zip(chain(*words[start : start + width]), weight, strict=True))
                for start in range(len(words) - width + 1)
            ]
            found.append(max(0.0, max(answers) + bias))
    return found


SENTENCES = [[3, 1, 4, 1, 5, 9, 2], [7], [8, 2, 8], [1, 8, 2, 8, 4]]


def test_every_filter_gives_its_largest_answer(cnn: SentenceCnn, table: Tensor) -> None:
    rows = cnn(table, [batch(*SENTENCES)])
    expected = [by_hand(cnn, table, sentence) for sentence in SENTENCES]
    np.testing.assert_allclose(rows.detach().numpy(), expected, atol=1e-5)


def test_padding_and_other_sentences_change_nothing(cnn: SentenceCnn, table: Tensor) -> None:
    together = cnn(table, [batch(*SENTENCES, list(range(20)))])[:-1]
    alone = cnn(table, [batch(sentence) for sentence in SENTENCES])
    torch.testing.assert_close(together, alone, atol=1e-6, rtol=0)
    texts = batch(*SENTENCES)
    outside = ~texts.inside
    moved = texts._replace(numbers=texts.numbers.masked_fill(outside, 11))
    torch.testing.assert_close(cnn(table, [moved]), alone, atol=1e-6, rtol=0)


def test_gradients_are_those_of_plain_convolutions(cnn: SentenceCnn, table: Tensor) -> None:
    ours, theirs = table.clone().requires_grad_(), table.clone().requires_grad_()
    weights = torch.randn(len(SENTENCES), cnn.out_dim, generator=torch.Generator().manual_seed(4))
    (cnn(ours, [batch(*SENTENCES[:2]), batch(*SENTENCES[2:])]) * weights).sum().backward()
    gradients = [parameter.grad.clone() for parameter in cnn.parameters()]
    cnn.zero_grad()
    rows = []
    for sentence in SENTENCES:
        words = torch.nn.functional.pad(theirs[sentence], (0, 0, 0, max(0, max(WIDTHS) - len(sentence))))
        parts = []
        for width, weight, bias in zip(cnn.widths, cnn.weights, cnn.biases, strict=True):
            own = words[: max(width, len(sentence))].unfold(0, width, 1).transpose(1, 2).flatten(1)  # (windows, w dim)
            parts.append(torch.relu((own @ weight.t()).amax(dim=0) + bias))
        rows.append(torch.cat(parts))
    (torch.stack(rows) * weights).sum().backward()
    torch.testing.assert_close(ours.grad, theirs.grad, atol=1e-5, rtol=1e-4)
    for gradient, parameter in zip(gradients, cnn.parameters(), strict=True):
        torch.testing.assert_close(gradient, parameter.grad, atol=1e-5, rtol=1e-4)
