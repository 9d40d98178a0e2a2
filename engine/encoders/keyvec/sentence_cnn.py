"""The sentence encoder of KeyVec: filters over windows of words, and the max of each (Kim 2014, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding_bag, pad

from engine.encoders.masked_texts import Texts, up_to

_Known: TypeAlias = tuple[Tensor, Tensor]


class SentenceCnn(nn.Module):
    """Convolutions of several widths over a sentence's words, the max over time, ReLU (Kim 2014, section 2).

    A sentence shorter than a width is one window, its missing words zero; otherwise windows never reach into padding,
    so padding never wins the max. A window's answer is a sum of one product for each of its words, so each distinct
    word is multiplied once, however often it occurs.
    """

    def __init__(self, dim: int, channels: int, widths: tuple[int, ...]) -> None:
        """Take the length of a word's vector, the number of filters of each width, and the widths."""
        super().__init__()
        self.widths = widths
        drawn = [nn.Conv1d(dim, channels, width) for width in widths]  # its usual start, drawn from the current seed
        self.weights = nn.ParameterList(conv.weight.detach().transpose(1, 2).flatten(1).clone() for conv in drawn)
        self.biases = nn.ParameterList(conv.bias.detach().clone() for conv in drawn if conv.bias is not None)
        self.out_dim = channels * len(widths)

    def forward(self, table: Tensor, texts: Sequence[Texts]) -> Tensor:
        """The vectors (m, all channels) of m sentences in batches; their words are rows of a table (V, dim).

        Padding is never read.
        """
        rows = pad(table.float(), (0, 0, 0, 1))  # (V + 1, dim), the last one of a missing word
        known = [_known(one, missing=len(table), least=max(self.widths)) for one in texts]
        found = []
        for width, weight, bias in zip(self.widths, self.weights, self.biases, strict=True):
            answers = torch.einsum("vd,cwd->wvc", rows, weight.view(len(weight), width, -1)).contiguous()
            found.append(torch.relu(_WindowMax.apply(answers, known) + bias))  # type: ignore[no-untyped-call]
        return torch.cat(found, dim=1)


class _WindowMax(torch.autograd.Function):
    """The largest answer of a filter over the windows of each sentence: (m, channels).

    `answers` (width, V + 1, channels) are the products of the filters of one width with each word at each place of a
    window. Only the winning window passes a gradient on, to its words.
    """

    @staticmethod
    def forward(ctx: Any, answers: Tensor, known: Sequence[_Known]) -> Tensor:  # noqa: ANN401
        width, words, channels = answers.shape
        offsets = torch.arange(width, device=answers.device) * words
        learns = ctx.needs_input_grad[0]
        found, won = [], []
        for numbers, lengths in known:
            rows = numbers.unfold(1, width, 1) + offsets  # (b, windows, width), rows of the flat answers
            sums = embedding_bag(rows.reshape(-1, width), answers.view(-1, channels), mode="sum")
            sums = sums.view(*rows.shape[:2], channels)  # (b, windows, channels)
            last = (lengths - width).clamp(min=0)  # a sentence's last window, (b,)
            outside = torch.arange(rows.shape[1], device=answers.device) > last[:, None]  # (b, windows)
            if bool(outside.any()):
                sums.masked_fill_(outside[:, :, None], -torch.inf)
            if learns:
                best, place = sums.max(dim=1)  # (b, channels) each
                won.append((rows, place))
            found.append(best if learns else sums.amax(dim=1))
        ctx.won, ctx.shape = won, answers.shape
        return torch.cat(found)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:  # noqa: ANN401
        width, words, channels = ctx.shape
        found = gradient.new_zeros(width * words * channels)
        column = torch.arange(channels, device=gradient.device)
        shares = torch.split(gradient, [len(rows) for rows, _ in ctx.won])
        for (rows, place), own in zip(ctx.won, shares, strict=True):
            for offset in range(width):
                numbers = rows[:, :, offset].gather(1, place) * channels + column  # (b, channels)
                found.index_add_(0, numbers.flatten(), own.flatten())
        return found.view(width, words, channels), None


def _known(texts: Texts, *, missing: int, least: int) -> _Known:
    """The words of sentences (b, t) with the missing word as padding, t at least the widest filter."""
    width = max(least, texts.numbers.shape[1])
    inside = up_to(texts.lengths, width)
    return pad(texts.numbers, (0, width - texts.numbers.shape[1])).masked_fill(~inside, missing), texts.lengths
