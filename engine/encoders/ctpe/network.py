"""The network of CTPE: one half's token vectors in, one vector out (CTPE, section 3.2 and figure 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.encoders.processor import in_steps

WIDTHS = (1, 2, 3, 5)
_HALVES_AT_ONCE = {"cpu": 8}  # windows of this many halves stay in the processor's cache from the product to the max
_HALVES_ELSEWHERE = 256


class PairNetwork(nn.Module):
    """Four parallel convolutions, ReLU and the max over time (CTPE, section 3.2 and figure 1).

    One network serves both halves of a pair. A half shorter than a width is one window, its missing tokens zero;
    otherwise windows never reach into padding, so padding never wins the max. Beyond the paper, where `mean_dim` is not
    0: the mean of the words beside the max. It is mean_map (sum_t w_t x_t - tokens * shift). Unlike in the max, every
    word counts, by its weight w_t. Both are scaled to unit length and joined; only the mean moves the token vectors in
    training.
    """

    mean_map: nn.Parameter | None
    """(mean_dim, dim), orthogonal at first."""
    shift: nn.Parameter | None
    """(dim,), zeros at first; training starts it at the mean of all weighted words."""

    def __init__(self, dim: int, channels: int, widths: tuple[int, ...] = WIDTHS, *, mean_dim: int = 0) -> None:
        """Take the width of a token's vector, n_f, the widths of the windows, and the length of the mean's part."""
        super().__init__()
        self.dim, self.channels, self.widths, self.mean_dim = dim, channels, widths, mean_dim
        drawn = [nn.Conv1d(dim, channels, width) for width in widths]  # its usual start, drawn from the current seed
        self.weights = nn.ParameterList(conv.weight.detach().transpose(1, 2).flatten(1).clone() for conv in drawn)
        self.biases = nn.ParameterList(conv.bias.detach().clone() for conv in drawn if conv.bias is not None)
        self.mean_map = _orthogonal(mean_dim, dim) if mean_dim else None
        self.shift = nn.Parameter(torch.zeros(dim)) if mean_dim else None

    @property
    def out_dim(self) -> int:
        """The length of a half's vector, 4 n_f + mean_dim."""
        return self.channels * len(self.widths) + self.mean_dim

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return next(self.parameters()).device

    def operations(self, tokens: int) -> int:
        """Count the floating point operations for a half of `tokens` tokens: two for each weight at each window.

        Where there is a mean, also two for each number of the tokens and the shift, and for each weight of the map.
        """
        weights = self.dim * self.channels
        largest = sum(2 * max(1, tokens - width + 1) * width * weights for width in self.widths)
        return largest + (2 * self.dim * (tokens + 1 + self.mean_dim) if self.mean_dim else 0)

    def forward(self, tokens: Tensor, lengths: Tensor, weights: Tensor | None = None) -> Tensor:
        """Return a vector a half: (b, 4 n_f + mean_dim) float32, from token vectors (b, t, dim) and lengths (b,).

        `weights` (b, t) weigh each token in the mean; None weighs all alike. Padding is never read. A half without
        tokens gives the network's answer to one zero vector, with a mean of zeros. Lengths are best given in the
        processor's memory, so that a GPU is never waited for.
        """
        lengths = lengths.cpu()
        tokens = _zero_behind(tokens, lengths, at_least=in_steps(tokens.shape[1]) + max(self.widths) - 1)
        if self.mean_map is None or self.shift is None:
            return self._largest(tokens, lengths)
        means = _mean(tokens, lengths, weights, self.shift, self.mean_map)
        parts = (self._largest(tokens.detach(), lengths), means)
        return torch.cat([nn.functional.normalize(part) for part in parts], dim=1)  # (b, 4 n_f + mean_dim)

    def _largest(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Return the convolutions' part: (b, 4 n_f). Bias and ReLU follow the max; both only rise, so they keep it."""
        if torch.is_autocast_enabled(tokens.device.type):
            tokens = tokens.to(torch.get_autocast_dtype(tokens.device.type))
        window_max = _WindowMax.apply if torch.is_grad_enabled() else _window_max
        found = [
            torch.relu(window_max(tokens, weight, width, lengths).float() + bias)
            for width, weight, bias in zip(self.widths, self.weights, self.biases, strict=True)
        ]
        return torch.cat(found, dim=1)


def in_parts(offsets: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cut m texts, end to end at offsets (m + 1,), into p even parts of at most `most` tokens each.

    Gives the parts' offsets (p + 1,) and the number of each part's text (p,). A text without tokens is one part.
    """
    lengths = np.diff(offsets)
    counts = np.maximum(1, -(-lengths // most))
    owners = np.repeat(np.arange(len(lengths)), counts)
    number = np.arange(len(owners)) - np.repeat(counts.cumsum() - counts, counts)  # of a part within its text
    starts = offsets[:-1][owners] + lengths[owners] * number // counts[owners]
    return np.append(starts, offsets[-1]), owners


def summed_parts(rows: Tensor, owners: NDArray[np.int64], texts: int) -> Tensor:
    """Return the sums of each text's parts at unit length: (texts, dim) from (p, dim)."""
    places = torch.from_numpy(owners).to(rows.device)
    return rows.new_zeros(texts, rows.shape[1]).index_add(0, places, nn.functional.normalize(rows))


def _orthogonal(rows: int, columns: int) -> nn.Parameter:
    """Draw orthogonal rows from the current seed; an outline stays one: torch imports for seconds to draw none."""
    empty = torch.empty(rows, columns)
    return nn.Parameter(empty if empty.is_meta else nn.init.orthogonal_(empty))


def _mean(tokens: Tensor, lengths: Tensor, weights: Tensor | None, shift: Tensor, mean_map: Tensor) -> Tensor:
    """Map the weighted sum of a half's tokens, minus the shift for each: (b, mean_dim), always in float32."""
    with torch.autocast(tokens.device.type, enabled=False):
        tokens = tokens.float()
        if weights is None:
            total = tokens.sum(dim=1)  # (b, dim)
        else:
            weighing = _zero_behind(weights.to(tokens.device).float()[:, :, None], lengths)[:, :, 0]  # (b, t)
            total = torch.einsum("bt,btd->bd", weighing, tokens[:, : weights.shape[1]])
        return (total - lengths.to(tokens.device)[:, None] * shift) @ mean_map.t()


def _zero_behind(tokens: Tensor, lengths: Tensor, *, at_least: int = 0) -> Tensor:
    """Return token vectors (b, t, dim) with zeros beyond each half's length, t at least `at_least`."""
    missing = at_least - tokens.shape[1]
    if missing > 0:
        tokens = nn.functional.pad(tokens, (0, 0, 0, missing))
    inside = torch.arange(tokens.shape[1], device=tokens.device) < lengths.to(tokens.device)[:, None]  # (b, t)
    return tokens.masked_fill(~inside[:, :, None], 0)


def _products(tokens: Tensor, cast: Tensor, width: int, lengths: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Yield every window's products with the filters, (b', windows, n_f), a few halves at once; -inf after the last."""
    last = (lengths - width).clamp(min=0)  # a half's last window, (b,)
    step = _HALVES_AT_ONCE.get(tokens.device.type, _HALVES_ELSEWHERE)
    for start in range(0, len(tokens), step):
        rows = slice(start, start + step)
        stop = in_steps(int(last[rows].max()) + 1)
        windows = tokens[rows, : stop + width - 1].unfold(1, width, 1).transpose(2, 3).flatten(2)
        products = windows @ cast  # (b', windows, width dim) to (b', windows, n_f)
        if bool((last[rows] < stop - 1).any()):
            outside = torch.arange(stop, device=tokens.device) > last[rows, None].to(tokens.device)  # (b', windows)
            products.masked_fill_(outside[:, :, None], -torch.inf)
        yield rows, products


def _window_max(tokens: Tensor, weight: Tensor, width: int, lengths: Tensor) -> Tensor:
    """Return what `_WindowMax` does without the places of windows, which take as long to find as a narrow product."""
    best = tokens.new_empty(len(tokens), weight.shape[0])
    for rows, products in _products(tokens, weight.to(tokens.dtype).t().contiguous(), width, lengths):
        best[rows] = products.amax(dim=1)
    return best


class _WindowMax(torch.autograd.Function):
    """The largest product of a filter with any window of a half: (b, n_f), in the type of the tokens.

    Only the winning window passes a gradient on, so the backward pass reads one window a filter and half instead of
    all: a training step takes half the time of plain autograd.
    """

    @staticmethod
    def forward(ctx: Any, tokens: Tensor, weight: Tensor, width: int, lengths: Tensor) -> Tensor:  # noqa: ANN401
        cast = weight.to(tokens.dtype).t().contiguous()  # (width dim, n_f)
        best = tokens.new_empty(len(tokens), weight.shape[0])
        place = torch.empty(best.shape, dtype=torch.long, device=tokens.device)
        for rows, products in _products(tokens, cast, width, lengths):
            best[rows], place[rows] = products.max(dim=1)
        ctx.save_for_backward(tokens, cast, place)
        ctx.width = width
        return best

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, None, None]:  # noqa: ANN401
        tokens, cast, place = ctx.saved_tensors
        gradient = gradient.to(tokens.dtype)
        for_tokens = _for_tokens(gradient, place, cast, tokens) if ctx.needs_input_grad[0] else None
        return for_tokens, _for_weight(gradient, place, tokens, ctx.width), None, None


def _for_weight(gradient: Tensor, place: Tensor, tokens: Tensor, width: int) -> Tensor:
    """Return the gradient of the filters (n_f, width dim): each sums the windows that won it, times their gradients.

    They are summed as they are read: copying them side by side first, (b, n_f, dim) numbers, takes eight times as long.
    """
    halves, length, dim = tokens.shape
    flat = tokens.reshape(-1, dim).float()
    won = (torch.arange(halves, device=tokens.device)[:, None] * length + place).t().contiguous()  # (n_f, b)
    counts = gradient.t().float().contiguous()  # (n_f, b)
    offsets = [
        nn.functional.embedding_bag(won + offset, flat, per_sample_weights=counts, mode="sum")  # (n_f, dim)
        for offset in range(width)
    ]
    return torch.cat(offsets, dim=1)


def _for_tokens(gradient: Tensor, place: Tensor, cast: Tensor, tokens: Tensor) -> Tensor:
    """Return the gradient of the token vectors (b, t, dim), a few halves at once as in the forward pass."""
    halves, _, dim = tokens.shape
    width = len(cast) // dim
    found = torch.zeros(tokens.shape, dtype=torch.float32, device=tokens.device)
    step = _HALVES_AT_ONCE.get(tokens.device.type, _HALVES_ELSEWHERE)
    for start in range(0, halves, step):
        rows = slice(start, start + step)
        windows = int(place[rows].max()) + 1
        won = gradient.new_zeros(len(gradient[rows]), windows, gradient.shape[1])
        won.scatter_(1, place[rows, None, :], gradient[rows, None, :])  # (b', windows, n_f)
        moved = (won @ cast.t()).float()  # (b', windows, width dim)
        for offset in range(width):
            found[rows, offset : offset + windows] += moved[:, :, offset * dim : (offset + 1) * dim]
    return found.to(tokens.dtype)
