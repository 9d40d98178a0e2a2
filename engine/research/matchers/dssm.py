"""DSSM: counts of letter trigrams through three fully connected layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engine.encoders.masked_texts import Texts
from engine.research.matchers.network import MatcherNetwork
from engine.research.matchers.settings import MatcherSettings


class Dssm(MatcherNetwork):
    """Three layers with tanh (Huang et al., CIKM 2013, section 3.1, equation 3); one row of trigrams a document.

    The published layers have 300, 300 and 128 units. The first is a sum of one vector a trigram by its weight.
    """

    def __init__(self, trigrams: int, settings: MatcherSettings) -> None:
        """Take how many trigrams there are."""
        super().__init__()
        self.letters = nn.EmbeddingBag(trigrams, settings.width, mode="sum")
        self.bias = nn.Parameter(torch.zeros(settings.width))
        self.hidden = nn.Linear(settings.width, settings.width)
        self.out = nn.Linear(settings.width, settings.dim)

    def forward(self, texts: Texts) -> Tensor:
        """Documents as vectors: (b, dim)."""
        inside = texts.inside
        weights = inside.float() if texts.weights is None else texts.weights * inside  # (b, w)
        first = torch.tanh(self.letters(texts.numbers, per_sample_weights=weights) + self.bias)  # (b, width)
        second = torch.tanh(self.hidden(first))  # (b, width)
        return torch.tanh(self.out(second))
