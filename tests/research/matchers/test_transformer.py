"""The positions and the words of small transformers."""

from __future__ import annotations

import numpy as np
import torch

from engine.research.matchers.network import FrozenWords
from engine.research.matchers.transformer import positions


def test_positions_differ_and_word_vectors_have_one_size() -> None:
    found = positions(50, 8)
    assert torch.cdist(found, found).add(torch.eye(50)).min() > 0.1
    table = FrozenWords(np.full((3, 4), 0.25, np.float16)).table
    torch.testing.assert_close(table, torch.ones(3, 4))
    assert torch.isfinite(FrozenWords(np.zeros((2, 4), np.float16)).table).all()
