"""HAN's attention."""

from __future__ import annotations

import torch

from engine.research.matchers.han import Level


@torch.inference_mode()
def test_han_weighs_states_by_their_nearness_to_a_context() -> None:
    torch.manual_seed(1)
    level, given = Level(3, 4), torch.randn(1, 5, 3)
    states = level.gru(given)[0][0]
    scores = torch.tanh(states @ level.hidden.weight.T + level.hidden.bias) @ level.context.weight[0]
    weights = scores.exp() / scores.exp().sum()
    found = level(given, torch.ones(1, 5, dtype=torch.bool))
    torch.testing.assert_close(found[0], (weights[:, None] * states).sum(0))
