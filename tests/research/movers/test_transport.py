"""Transport with an entropy term: near the exact one, and its gradient."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.research.baselines.word_mover import exact
from engine.research.movers.transport import transport

SHARP = {"sharpness": 300.0, "rounds": 2_000}


def drawn(seed: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Weights and costs of three texts of four words and three of five."""
    made = torch.Generator().manual_seed(seed)
    ours, theirs, costs = (
        torch.rand(shape, generator=made, dtype=torch.float64) for shape in ((3, 4), (3, 5), (3, 4, 5))
    )
    return ours / ours.sum(dim=1, keepdim=True), theirs / theirs.sum(dim=1, keepdim=True), costs


def exactly(ours: torch.Tensor, theirs: torch.Tensor, costs: torch.Tensor) -> np.ndarray:
    return np.array([exact(*(one.numpy() for one in parts)) for parts in zip(ours, theirs, costs, strict=True)])


@pytest.mark.parametrize("seed", range(3))
def test_a_sharp_transport_costs_what_the_exact_one_does(seed: int) -> None:
    ours, theirs, costs = drawn(seed)
    np.testing.assert_allclose(transport(ours, theirs, costs, **SHARP), exactly(ours, theirs, costs), atol=2e-3)
    blunt = transport(ours, theirs, costs, sharpness=1.0, rounds=200)
    assert (blunt.numpy() > exactly(ours, theirs, costs) + 0.01).all()


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_is_the_exact_costs_difference(seed: int) -> None:
    ours, theirs, costs = drawn(seed)
    raw, given = ours.clone().requires_grad_(), costs.clone().requires_grad_()
    transport(raw / raw.sum(dim=1, keepdim=True), theirs, given, **SHARP).sum().backward()
    moves = torch.randn(ours.shape, generator=torch.Generator().manual_seed(9), dtype=torch.float64) * 1e-3
    moved = ours + moves
    by_weights = exactly(moved / moved.sum(dim=1, keepdim=True), theirs, costs) - exactly(ours, theirs, costs)
    np.testing.assert_allclose((raw.grad * moves).sum(dim=1), by_weights, atol=5e-5)
    dearer = torch.rand(costs.shape, generator=torch.Generator().manual_seed(9), dtype=torch.float64) * 1e-3
    by_costs = exactly(ours, theirs, costs + dearer) - exactly(ours, theirs, costs)
    np.testing.assert_allclose((given.grad * dearer).sum(dim=(1, 2)), by_costs, atol=5e-5)


def test_padding_changes_nothing() -> None:
    ours, theirs, costs = drawn(0)
    wider = [torch.nn.functional.pad(one, (0, 2)) for one in (ours, theirs)]
    raw = wider[0].clone().requires_grad_()
    more = transport(raw, wider[1], torch.nn.functional.pad(costs, (0, 2, 0, 2)), sharpness=10.0, rounds=20)
    torch.testing.assert_close(
        more.detach(), transport(ours, theirs, costs, sharpness=10.0, rounds=20), rtol=0, atol=1e-12
    )
    more.sum().backward()
    assert torch.isfinite(raw.grad).all()
