"""KeyVec's network by its formulas: sentences, the reader, the weighted pooling; padding changes nothing."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.encoders.ctpe.embeddings import end_to_end, padded
from engine.encoders.keyvec.network import (
    KeyvecNetwork,
    ReadSentences,
    SentenceCnn,
    SentenceWords,
    batches,
    by_document,
    read_documents,
    sentence_vectors,
    up_to,
)
from tests.encoders.keyvec import tiny

DIM, CHANNELS, WIDTHS = 6, 4, (1, 3, 5)


@pytest.fixture
def cnn() -> SentenceCnn:
    with torch.random.fork_rng():
        torch.manual_seed(2)
        return SentenceCnn(DIM, CHANNELS, WIDTHS)


@pytest.fixture
def table() -> Tensor:
    return torch.randn(20, DIM, generator=torch.Generator().manual_seed(1))


def batch(*sentences: list[int]) -> SentenceWords:
    return padded(*end_to_end([np.array(sentence, np.int32) for sentence in sentences]))


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
    numbers, lengths = batch(*SENTENCES)
    moved = numbers.masked_fill(~up_to(lengths, numbers.shape[1]), 11)
    torch.testing.assert_close(cnn(table, [(moved, lengths)]), alone, atol=1e-6, rtol=0)


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


COUNTS = [3, 1, 7, 0, 2]


@pytest.fixture
def sentences(network: KeyvecNetwork) -> Tensor:
    return torch.rand(sum(COUNTS), network.sentences.out_dim, generator=torch.Generator().manual_seed(3))


def test_the_vector_pools_states_by_their_probabilities(network: KeyvecNetwork, sentences: Tensor) -> None:
    read = network.read(sentences[:3], torch.tensor([3]))
    states, weight, bias = read.states[0].tolist(), network.salient.weight[0].tolist(), float(network.salient.bias)
    logits = [sum(one * other for one, other in zip(state, weight, strict=True)) + bias for state in states]
    np.testing.assert_allclose(read.logits[0], logits, atol=1e-5)
    p = [1 / (1 + np.exp(-logit)) for logit in logits]
    pooled = [sum(p[i] * states[i][j] for i in range(3)) / sum(p) for j in range(len(states[0]))]
    out = zip(network.out.weight.tolist(), network.out.bias.tolist(), strict=True)
    expected = [np.tanh(sum(w * h for w, h in zip(row, pooled, strict=True)) + b) for row, b in out]
    np.testing.assert_allclose(network.vectors(read)[0], expected, atol=1e-5)


def test_states_are_those_of_a_network_that_reads_both_ways(network: KeyvecNetwork, sentences: Tensor) -> None:
    both = torch.nn.LSTM(network.sentences.out_dim, network.settings.hidden, batch_first=True, bidirectional=True)
    with torch.no_grad():
        for name, part in both.named_parameters():
            own = network.back if name.endswith("_reverse") else network.ahead
            part.copy_(getattr(own, name.removesuffix("_reverse")))
    states = network.read(sentences[4:11], torch.tensor([7])).states
    torch.testing.assert_close(states, both(sentences[None, 4:11])[0].detach(), atol=1e-5, rtol=0)


def test_other_documents_and_padding_change_nothing(network: KeyvecNetwork, sentences: Tensor) -> None:
    rows, logits = read_documents(network, sentences, COUNTS)
    starts = np.cumsum([0, *COUNTS])
    for place, count in enumerate(COUNTS):
        alone = read_documents(network, sentences[starts[place] : starts[place + 1]], [count])
        torch.testing.assert_close(alone[0][0], rows[place], atol=1e-5, rtol=0)
        torch.testing.assert_close(alone[1], logits[starts[place] : starts[place + 1]], atol=1e-5, rtol=0)
    assert not rows[3].any()


def test_shares_hold_where_every_probability_is_next_to_nothing(network: KeyvecNetwork) -> None:
    states = torch.rand(1, 3, 2 * network.settings.hidden)
    inside = torch.tensor([[True, True, False]])
    logits = torch.tensor([[-300.0, -300.0, 50.0]])
    found = network.vectors(ReadSentences(states, logits, inside))
    even = network.vectors(ReadSentences(states, torch.zeros(1, 3), inside))
    torch.testing.assert_close(found, even)


def test_sentences_come_back_in_the_order_given(network: KeyvecNetwork) -> None:
    table = tiny.words().table
    ids = [np.arange(length, dtype=np.int32) for length in (9, 2, 30, 1, 2)]
    together = sentence_vectors(network, table, ids)
    alone = torch.cat([sentence_vectors(network, table, [one]) for one in ids])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=0)
    assert sentence_vectors(network, table, []).shape == (0, network.sentences.out_dim)


def test_batches_are_bounded_with_their_padding() -> None:
    found = [places.tolist() for places in batches([4, 1, 0, 9, 2, 2], 8)]
    assert found == [[1, 4, 5], [0], [3]]


def test_what_is_before_a_length_is_true() -> None:
    assert up_to(torch.tensor([0, 1, 5]), 2).tolist() == [[False, False], [True, False], [True, True]]


def test_rows_are_put_with_their_documents() -> None:
    rows = torch.tensor([[1.0], [2.0], [3.0]], requires_grad=True)
    documents, inside = by_document(rows, torch.tensor([2, 1]))
    assert documents.tolist() == [[[1.0], [2.0]], [[3.0], [0.0]]]
    assert inside.tolist() == [[True, True], [True, False]]
    (documents * torch.tensor([[[1.0], [10.0]], [[100.0], [7.0]]])).sum().backward()
    assert rows.grad is not None
    assert rows.grad.tolist() == [[1.0], [10.0], [100.0]], "training goes through it"
