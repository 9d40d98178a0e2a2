"""S-LONG's attention in windows."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from engine.research.matchers.s_long import in_windows


@pytest.mark.parametrize("words", [1, 3, 4, 9, 16])
def test_attention_in_windows_is_attention_under_a_band(words: int) -> None:
    torch.manual_seed(words)
    window, length = 3, 1 + words
    queries, keys, values = torch.randn(3, 2, 2, length, 5)
    inside = torch.arange(length) < torch.tensor([[length], [max(2, length - 4)]])
    places = torch.arange(length)
    band = ((places[:, None] - places).abs() <= window) | (places[:, None] == 0) | (places == 0)
    mask = (band & inside[:, None, :])[:, None]
    wanted = scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    found = in_windows(queries, keys, values, inside, window=window)
    there = inside[:, None, :, None].expand_as(found)
    torch.testing.assert_close(found[there], wanted[there])
