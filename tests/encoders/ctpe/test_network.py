"""The network against plain loops and plain autograd."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from engine.encoders.ctpe.network import PairNetwork, in_parts, summed_parts

LENGTHS = torch.tensor([12, 1, 0, 3, 5, 7, 2, 12, 4, 6])
MEAN_DIM = 6


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


@pytest.fixture
def mixed() -> PairNetwork:
    """A network with a mean beside the max, its shift and biases away from zero."""
    torch.manual_seed(0)
    network = PairNetwork(20, 7, mean_dim=MEAN_DIM)
    with torch.no_grad():
        network.shift.normal_()
        for bias in network.biases:
            bias.add_(0.1)
    return network


@pytest.fixture
def weights() -> Tensor:
    return torch.rand(10, 12, generator=torch.Generator().manual_seed(2))


def unit(row: Tensor) -> Tensor:
    """At unit length; zeros stay zeros."""
    return row / row.norm() if bool(row.any()) else row


def mixed_by_hand(network: PairNetwork, tokens: Tensor, lengths: Tensor, weights: Tensor) -> Tensor:
    """The mean token by token beside the max, the max cut off from the tokens: (b, 4 n_f + mean_dim)."""
    rows = []
    largest = by_hand(network, tokens.detach(), lengths)
    for half, length, weighing, best in zip(tokens, lengths.tolist(), weights, largest, strict=True):
        total = torch.zeros(20)
        for place in range(length):
            total = total + weighing[place] * half[place] - network.shift
        rows.append(torch.cat([unit(best), unit(network.mean_map @ total)]))
    return torch.stack(rows)


def test_without_a_mean_the_same_seed_draws_the_same_convolutions(network: PairNetwork, mixed: PairNetwork) -> None:
    assert {name.split(".")[0] for name, _ in network.named_parameters()} == {"weights", "biases"}
    for ours, theirs in zip(network.weights, mixed.weights, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=0)


def test_the_mean_starts_as_a_map_that_keeps_lengths_and_a_shift_of_zero() -> None:
    torch.manual_seed(0)
    network = PairNetwork(9, 2, mean_dim=9)
    torch.testing.assert_close(network.mean_map @ network.mean_map.t(), torch.eye(9))
    assert not network.shift.any()


def test_a_mean_beside_the_max_is_that_of_plain_loops(mixed: PairNetwork, tokens: Tensor, weights: Tensor) -> None:
    found = mixed(tokens, LENGTHS, weights)
    assert found.shape == (10, 28 + MEAN_DIM) == (10, mixed.out_dim)
    torch.testing.assert_close(found, mixed_by_hand(mixed, tokens, LENGTHS, weights))
    torch.testing.assert_close(mixed(tokens, LENGTHS), mixed_by_hand(mixed, tokens, LENGTHS, torch.ones(10, 12)))


def test_gradients_with_a_mean_are_those_of_plain_autograd(mixed: PairNetwork, tokens: Tensor, weights: Tensor) -> None:
    wanted = torch.randn(10, mixed.out_dim, generator=torch.Generator().manual_seed(3))
    wanted[LENGTHS == 0] = 0
    gradients = []
    for forward in (mixed, lambda *given: mixed_by_hand(mixed, *given)):
        mixed.zero_grad()
        given = [one.clone().requires_grad_() for one in (tokens, weights)]
        (forward(given[0], LENGTHS, given[1]) * wanted).sum().backward()
        gradients.append([*(one.grad for one in given), *(parameter.grad.clone() for parameter in mixed.parameters())])
    for ours, plain in zip(*gradients, strict=True):
        assert bool(ours.any())
        torch.testing.assert_close(ours, plain)


def test_only_the_mean_moves_the_tokens(mixed: PairNetwork, tokens: Tensor) -> None:
    given = tokens.clone().requires_grad_()
    mixed(given, LENGTHS)[:, :28].sum().backward()
    assert given.grad is None or not given.grad.any()
    mixed(given, LENGTHS)[:, 28:].sum().backward()
    assert bool(given.grad.any())


@pytest.mark.parametrize("rubbish", [1e6, float("inf"), float("nan")])
def test_padding_never_reaches_the_mean(mixed: PairNetwork, tokens: Tensor, weights: Tensor, rubbish: float) -> None:
    behind = torch.arange(12) >= LENGTHS[:, None]
    soiled = tokens.masked_fill(behind[:, :, None], rubbish), LENGTHS, weights.masked_fill(behind, rubbish)
    found = mixed(tokens, LENGTHS, weights)
    torch.testing.assert_close(mixed(*soiled), found, rtol=0, atol=0)
    torch.testing.assert_close(mixed(soiled[0], LENGTHS), mixed(tokens, LENGTHS), rtol=0, atol=0)
    wider = torch.cat([tokens, torch.randn(10, 30, 20)], dim=1), LENGTHS, torch.cat([weights, torch.rand(10, 30)], 1)
    torch.testing.assert_close(mixed(*wider), found)


def test_halves_without_tokens_stay_finite_forwards_and_backwards(mixed: PairNetwork) -> None:
    for length in (0, 9):
        tokens, weights = torch.randn(2, length, 20).requires_grad_(), torch.rand(2, length).requires_grad_()
        found = mixed(tokens, torch.zeros(2, dtype=torch.long), weights)
        assert not found[:, 28:].any()
        found.sum().backward()
        given = [tokens, weights, *mixed.parameters()]
        assert all(bool(torch.isfinite(one.grad).all()) for one in given if one.grad is not None)
    assert mixed(torch.zeros(0, 5, 20), torch.zeros(0, dtype=torch.long)).shape == (0, 34)


def test_a_mean_of_nothing_and_a_max_of_nothing_are_zeros(mixed: PairNetwork) -> None:
    with torch.no_grad():
        for bias in mixed.biases:
            bias.fill_(-1e3)
    found = mixed(mixed.shift.detach().expand(1, 4, 20), torch.tensor([4]))
    assert not found[:, :28].any()
    assert bool(torch.isfinite(found).all())


def test_bfloat16_leaves_the_mean_whole(mixed: PairNetwork, tokens: Tensor, weights: Tensor) -> None:
    whole = mixed(tokens, LENGTHS, weights)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        quick = mixed(tokens, LENGTHS, weights)
    assert quick.dtype == torch.float32
    assert not torch.equal(quick[:, :28], whole[:, :28])
    torch.testing.assert_close(quick[:, :28], whole[:, :28], rtol=2e-2, atol=2e-2)
    torch.testing.assert_close(quick[:, 28:], whole[:, 28:], rtol=0, atol=0)


def test_operations_count_the_mean_too(network: PairNetwork, mixed: PairNetwork) -> None:
    weighing, shifting, mapping = 2 * 10 * 20, 2 * 20, 2 * MEAN_DIM * 20
    assert mixed.operations(10) == network.operations(10) + weighing + shifting + mapping


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_without_gradients_the_answer_is_the_same_to_the_last_bit(
    network: PairNetwork, tokens: Tensor, precision: str
) -> None:
    with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
        trained = network(tokens, LENGTHS)
        with torch.no_grad():
            assert torch.equal(network(tokens, LENGTHS), trained.detach())


def test_texts_are_cut_into_even_parts_that_none_exceeds() -> None:
    offsets, owners = in_parts(np.array([0, 7, 7, 10, 14]), 3)
    assert np.diff(offsets).tolist() == [2, 2, 3, 0, 3, 2, 2]
    assert owners.tolist() == [0, 0, 0, 1, 2, 3, 3]


def test_a_texts_parts_are_summed_at_unit_length() -> None:
    rows = torch.tensor([[3.0, 4.0], [0.0, 2.0], [5.0, 0.0]])
    torch.testing.assert_close(summed_parts(rows, np.array([0, 0, 1]), 2), torch.tensor([[0.6, 1.8], [1.0, 0.0]]))
