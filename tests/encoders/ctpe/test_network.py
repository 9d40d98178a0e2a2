"""The network against plain loops and plain autograd."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.encoders.ctpe.network import PairNetwork

LENGTHS = torch.tensor([12, 1, 0, 3, 5, 7, 2, 12, 4, 6])


@pytest.fixture
def network() -> PairNetwork:
    torch.manual_seed(0)
    return PairNetwork(20, 7)


@pytest.fixture
def tokens() -> Tensor:
    return torch.randn(10, 12, 20, generator=torch.Generator().manual_seed(1))


def by_hand(network: PairNetwork, tokens: Tensor, lengths: Tensor) -> Tensor:
    """One half, one width, one window at a time, with torch's own gradients: (b, 4 n_f)."""
    rows = []
    for half, length in zip(tokens, lengths.tolist(), strict=True):
        parts = []
        for width, weight, bias in zip(network.widths, network.weights, network.biases, strict=True):
            missing = torch.zeros(max(0, width - length), tokens.shape[2])
            inside = torch.cat([half[:length], missing])
            windows = [inside[start : start + width].flatten() for start in range(len(inside) - width + 1)]
            found = torch.stack([torch.relu(weight @ window + bias) for window in windows])
            parts.append(found.amax(dim=0))
        rows.append(torch.cat(parts))
    return torch.stack(rows)


def test_the_answer_is_that_of_plain_loops(network: PairNetwork, tokens: Tensor) -> None:
    found = network(tokens, LENGTHS)
    assert found.shape == (10, 28) == (10, network.out_dim)
    torch.testing.assert_close(found, by_hand(network, tokens, LENGTHS))


@pytest.mark.parametrize("rubbish", [1e6, -1e6, float("inf"), float("nan")])
def test_padding_never_wins_the_max(network: PairNetwork, tokens: Tensor, rubbish: float) -> None:
    behind = torch.arange(12) >= LENGTHS[:, None]
    torch.testing.assert_close(
        network(tokens.masked_fill(behind[:, :, None], rubbish), LENGTHS), network(tokens, LENGTHS), rtol=0, atol=0
    )


def test_padding_of_zeros_does_not_win_over_products_below_zero(network: PairNetwork) -> None:
    with torch.no_grad():
        for weight in network.weights:
            weight.copy_(-weight.abs() - 0.1)
    tokens = torch.ones(2, 9, 20)
    with torch.no_grad():
        for bias in network.biases:
            bias.fill_(1000)  # so that ReLU hides nothing
    found = network(tokens, torch.tensor([5, 9]))
    torch.testing.assert_close(found[0], found[1])
    assert bool((found < 1000).all())


def test_more_padding_changes_nothing(network: PairNetwork, tokens: Tensor) -> None:
    wider = torch.cat([tokens, torch.randn(10, 30, 20)], dim=1)
    torch.testing.assert_close(network(wider, LENGTHS), network(tokens, LENGTHS))


@pytest.mark.parametrize("length", [0, 1, 2, 4])
def test_windows_wider_than_the_text_see_its_words_and_zeros(network: PairNetwork, length: int) -> None:
    tokens = torch.randn(3, length, 20)
    lengths = torch.full((3,), length)
    torch.testing.assert_close(network(tokens, lengths), by_hand(network, tokens, lengths))


def test_no_half_at_all_gives_no_row(network: PairNetwork) -> None:
    assert network(torch.zeros(0, 5, 20), torch.zeros(0, dtype=torch.long)).shape == (0, 28)


@pytest.mark.parametrize("halves", [1, 8, 9, 40])
def test_gradients_are_those_of_plain_autograd(network: PairNetwork, halves: int) -> None:
    generator = torch.Generator().manual_seed(halves)
    lengths = torch.randint(0, 13, (halves,), generator=generator)
    tokens = torch.randn(halves, 12, 20, generator=generator)
    wanted = torch.randn(halves, 28, generator=generator)
    gradients = []
    for forward in (network, lambda tokens, lengths: by_hand(network, tokens, lengths)):
        network.zero_grad()
        given = tokens.clone().requires_grad_()
        (forward(given, lengths) * wanted).sum().backward()
        gradients.append([given.grad, *(parameter.grad.clone() for parameter in network.parameters())])
    for ours, plain in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, plain)


def test_a_frozen_embedding_asks_for_no_gradient(network: PairNetwork, tokens: Tensor) -> None:
    network(tokens, LENGTHS).sum().backward()
    assert tokens.grad is None
    assert all(parameter.grad is not None for parameter in network.parameters())


def test_bfloat16_stays_close_forwards_and_backwards(network: PairNetwork, tokens: Tensor) -> None:
    whole = network(tokens, LENGTHS)
    whole.sum().backward()
    gradients = [parameter.grad.clone() for parameter in network.parameters()]
    network.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        quick = network(tokens, LENGTHS)
    quick.sum().backward()
    assert quick.dtype == torch.float32
    torch.testing.assert_close(quick, whole, rtol=2e-2, atol=2e-2)
    for ours, exact in zip((parameter.grad for parameter in network.parameters()), gradients, strict=True):
        assert torch.nn.functional.cosine_similarity(ours.flatten(), exact.flatten(), dim=0) > 0.98


def test_the_same_seed_draws_the_same_network() -> None:
    drawn = []
    for seed in (3, 3, 4):
        torch.manual_seed(seed)
        drawn.append(np.concatenate([weight.detach().numpy().ravel() for weight in PairNetwork(5, 2).weights]))
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])


def test_operations_count_two_for_each_weight_at_each_window(network: PairNetwork) -> None:
    windows = {1: 10, 2: 9, 3: 8, 5: 6}
    assert network.operations(10) == sum(2 * count * width * 20 * 7 for width, count in windows.items())
    assert network.operations(2) == 2 * 20 * 7 * (2 * 1 + 1 * 2 + 3 + 5)  # a short half is one window of a wide filter
