"""A small transformer that puts one token in front of a sequence and reads the sequence by it."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

Attention = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
"""Queries, keys, values (n, heads, t, d), and which tokens are there (n, t): what each token takes (n, heads, t, d)."""


class SequenceReader(nn.Module):
    """Layers of attention over a sequence; the final state of the token in front is the sequence's vector."""

    def __init__(self, width: int, *, heads: int, layers: int, attention: Attention) -> None:
        """Take the sizes, and which tokens attend to which."""
        super().__init__()
        self._attention = attention
        self.front = nn.Parameter(torch.zeros(width))
        self.order = nn.Parameter(torch.tensor([0.1]))  # how much a token's position counts beside the token
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, states: Tensor, inside: Tensor) -> Tensor:
        """Sequences (n, t, width), which hold something where `inside` (n, t): (n, width)."""
        states = states + self.order * positions(states.shape[1], states.shape[2]).to(states)  # (n, t, width)
        states = torch.cat([self.front.to(states).expand(len(states), 1, -1), states], 1)  # (n, 1 + t, width)
        inside = torch.cat([inside.new_ones(len(inside), 1), inside], 1)  # (n, 1 + t)
        for layer in self.layers:
            states = layer(states, inside, self._attention)
        read: Tensor = self.norm(states[:, 0])
        return read


class Layer(nn.Module):
    """Attention, then two linear maps, each added to what was there (Vaswani et al. 2017), with the norms before."""

    def __init__(self, width: int, heads: int) -> None:
        """Take the sizes."""
        super().__init__()
        self._heads = heads
        self.attention_norm, self.map_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.asked = nn.Linear(width, 3 * width)
        self.given = nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, states: Tensor, inside: Tensor, attention: Attention) -> Tensor:
        """States (n, t, width) to the next layer's."""
        heads = self.asked(self.attention_norm(states)).unflatten(-1, (3, self._heads, -1))  # (n, t, 3, heads, d)
        queries, keys, values = heads.permute(2, 0, 3, 1, 4)  # (n, heads, t, d) each
        with torch.autocast(states.device.type, enabled=False):  # its gradient is slow in bfloat16 on a processor
            taken = attention(queries.float(), keys.float(), values.float(), inside)  # (n, heads, t, d)
        states = states + self.given(taken.transpose(1, 2).flatten(2))
        after: Tensor = states + self.down(gelu(self.up(self.map_norm(states))))
        return after


def to_all(queries: Tensor, keys: Tensor, values: Tensor, inside: Tensor) -> Tensor:
    """Every token attends to every token that is present."""
    return scaled_dot_product_attention(queries, keys, values, attn_mask=inside[:, None, None, :])


def positions(count: int, width: int) -> Tensor:
    """Sines and cosines that tell `count` positions apart (Vaswani et al. 2017, section 3.5): (count, width)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000) / width))  # (width / 2,)
    angles = torch.arange(count)[:, None] * rates  # (count, width / 2)
    return torch.stack([angles.sin(), angles.cos()], 2).flatten(1)
