"""The reader and the weighted pooling by their formulas, and what padding may not change."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.encoders.keyvec.network import KeyvecNetwork, ReadSentences, read_documents

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
