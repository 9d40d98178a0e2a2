"""A small transformer for long sequences: attention within a window, one token that sees all."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention

from engine.encoders.masked_texts import Texts
from engine.research.matchers.network import FrozenWords, MatcherNetwork
from engine.research.matchers.settings import MatcherSettings
from engine.research.matchers.transformer import SequenceReader


class SLong(MatcherNetwork):
    """A document's words as one sequence, at a cost that grows with its length (Beltagy et al. 2020, section 3.1).

    The published one begins with a pre-trained Longformer and reads 4,096 tokens; this one is small, learns from the
    pairs alone, and its global token shares the maps of the others.
    """

    def __init__(self, words: FrozenWords, settings: MatcherSettings) -> None:
        """Take the word vectors."""
        super().__init__()
        self.words = words
        self.inputs = nn.Linear(words.dim, settings.width)
        attention = partial(in_windows, window=settings.window)
        self.reader = SequenceReader(settings.width, heads=settings.heads, layers=settings.layers, attention=attention)
        self.out = nn.Linear(settings.width, settings.dim)

    def forward(self, texts: Texts) -> Tensor:
        """Documents as vectors: (b, dim)."""
        vectors: Tensor = self.out(self.reader(self.inputs(self.words(texts)), texts.inside))
        return vectors


def in_windows(queries: Tensor, keys: Tensor, values: Tensor, inside: Tensor, *, window: int) -> Tensor:
    """Each token attends to the first one and to `window` tokens on either side, the first one to all.

    Tensors are (n, heads, 1 + t, d) and `inside` (n, 1 + t). The t tokens are cut into m blocks of `window`; a block
    meets itself and both its neighbours, so that memory grows with t and not with its square.
    """
    n, heads, length, dim = queries.shape
    first = scaled_dot_product_attention(queries[:, :, :1], keys, values, attn_mask=inside[:, None, None, :])
    more = -(length - 1) % window
    asking = pad(queries[:, :, 1:], (0, 0, 0, more)).reshape(n, heads, -1, window, dim)  # (n, heads, m, window, d)
    met, given = (_neighbourhoods(one, window, more) for one in (keys, values))  # (n, heads, m, 1 + 3 window, d)
    there = pad(inside[:, 1:], (window, window + more)).unfold(1, 3 * window, window)  # (n, m, 3 window)
    place = torch.arange(window, device=queries.device)[:, None]
    near = torch.arange(3 * window, device=queries.device) - place  # (window, 3 window)
    mask = there[:, :, None] & (near >= 0) & (near <= 2 * window)  # (n, m, window, 3 window)
    mask = pad(mask, (1, 0), value=True).flatten(0, 1)[:, None]  # (n m, 1, window, 1 + 3 window)
    by_block = [one.transpose(1, 2).flatten(0, 1) for one in (asking, met, given)]  # (n m, heads, window, d) first
    taken = scaled_dot_product_attention(by_block[0], by_block[1], by_block[2], attn_mask=mask)
    rest = taken.reshape(n, -1, heads, window, dim).transpose(1, 2).reshape(n, heads, -1, dim)
    return torch.cat([first, rest[:, :, : length - 1]], 2)


def _neighbourhoods(tokens: Tensor, window: int, more: int) -> Tensor:
    """The first token and three blocks for each of m blocks: (n, heads, m, 1 + 3 window, d)."""
    n, heads, _, dim = tokens.shape
    blocks = pad(tokens[:, :, 1:], (0, 0, window, window + more)).reshape(n, heads, -1, window, dim)
    met = [blocks[:, :, :-2], blocks[:, :, 1:-1], blocks[:, :, 2:]]  # (n, heads, m, window, d) each
    first = tokens[:, :, None, :1].expand(-1, -1, blocks.shape[2] - 2, -1, -1)  # (n, heads, m, 1, d)
    return torch.cat([first, *met], 3)
