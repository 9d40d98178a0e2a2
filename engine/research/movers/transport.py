"""Optimal transport with an entropy term, which has a gradient (Cuturi, NeurIPS 2013)."""

from __future__ import annotations

import torch
from torch import Tensor


def transport(ours: Tensor, theirs: Tensor, costs: Tensor, *, sharpness: float, rounds: int) -> Tensor:
    """What moving the weights of p texts (p, s) to those of p others (p, t) costs, at costs (p, s, t): (p,).

    Weights of a text sum to one; places with none are padding. The value is the cost of the plan that `rounds` of
    Sinkhorn's algorithm find, with the entropy of the plan divided by `sharpness`. The gradient by a cost is the plan,
    and by a weight its dual variable (Huang et al., NeurIPS 2016, section 4).
    """
    with torch.no_grad():
        plan, of_ours, of_theirs = _solve(ours.log(), theirs.log(), costs * sharpness, rounds)
        of_ours, of_theirs = of_ours / sharpness, of_theirs / sharpness
    moved = (plan * costs).sum(dim=(1, 2))
    slopes = (of_ours * ours).sum(dim=1) + (of_theirs * theirs).sum(dim=1)
    value: Tensor = moved + slopes - slopes.detach()
    return value


def _solve(ours: Tensor, theirs: Tensor, costs: Tensor, rounds: int) -> tuple[Tensor, Tensor, Tensor]:
    """The plan (p, s, t) and both dual variables (p, s) and (p, t), zero at padding; weights come as logarithms."""
    one, other = ours, torch.zeros_like(theirs).masked_fill(theirs.isinf(), -torch.inf)
    for _ in range(rounds):
        one = ours - torch.logsumexp(other[:, None, :] - costs, dim=2)
        other = theirs - torch.logsumexp(one[:, :, None] - costs, dim=1)
    plan = (one[:, :, None] + other[:, None, :] - costs).exp()
    return plan, one.masked_fill(one.isinf(), 0.0), other.masked_fill(other.isinf(), 0.0)
