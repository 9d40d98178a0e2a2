"""The network of C-DSSM: the words of a text in, one vector out (C-DSSM's tweaks, sections I.A and II).

A lexicon makes numbers of words, and places of their distinct words of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import embedding, embedding_bag

from engine.core.rows import Positions, TokenIds
from engine.documents.text import trigrams
from engine.encoders.cdssm.settings import TRIGRAMS, TWO, VECTORS, ZEROS, CdssmSettings
from engine.encoders.module_weights import drawn_by

_REMEMBERED_WORDS = 65_536
_LETTERS_READ = 100  # of a word; longer runs are not words, and would fill the memory

_START = 0.07
"""How widely filters are drawn: a window of three words has some 18 trigrams, and the largest of 200 such sums should
stay where tanh is steep."""
_TEXTS_AT_ONCE = {"cpu": 16}  # their windows stay in the processor's cache between the sum and the max
_TEXTS_ELSEWHERE = 256


@dataclass(frozen=True, slots=True)
class Bags:
    """The numbers of w words end to end (x,): word i has numbers[starts[i]:starts[i + 1]], starts is (w + 1,)."""

    numbers: TokenIds
    starts: Positions

    def __len__(self) -> int:
        """Count the words."""
        return len(self.starts) - 1

    @classmethod
    def of(cls, given: Sequence[Sequence[int]]) -> Self:
        """Join the numbers of each word."""
        starts = np.zeros(len(given) + 1, np.int64)
        np.cumsum([len(one) for one in given], out=starts[1:])
        return cls(np.array([number for one in given for number in one], np.int32), starts)

    def taken(self, words: NDArray[np.integer]) -> Bags:
        """Return the bags of some words (m,), in that order."""
        lengths = np.diff(self.starts)[words]
        starts = np.concatenate([[0], lengths.cumsum()])
        places = np.arange(starts[-1]) + np.repeat(self.starts[words] - starts[:-1], lengths)
        return Bags(self.numbers[places], starts)


@dataclass(frozen=True, slots=True)
class NumberedTexts:
    """n texts as the bags of their w distinct words, and the sequence of words.

    `words` (t,) are places in the bags, of all texts end to end: text i has words[starts[i]:starts[i + 1]].
    """

    bags: Bags
    words: TokenIds
    starts: Positions

    def __len__(self) -> int:
        """Count the texts."""
        return len(self.starts) - 1


class Lexicon:
    """The known trigrams or words, by number; an unknown word has no numbers.

    A word is read as all its known trigrams, repetitions included, so that a misspelt or unseen word has a vector too;
    or as its number among the words that have vectors.
    """

    def __init__(self, kind: str, entries: Sequence[str]) -> None:
        """Take the known trigrams or words, in the order of the network's rows."""
        self.entries = tuple(entries)
        self._reads_letters = kind == TRIGRAMS
        self._number = {entry: number for number, entry in enumerate(self.entries)}
        self._remembered = lru_cache(maxsize=_REMEMBERED_WORDS)(self._numbers)

    def numbers(self, word: str) -> tuple[int, ...]:
        """Return the known trigrams in a word's first hundred letters, or its number."""
        return self._remembered(word[:_LETTERS_READ])

    def bags(self, words: Iterable[str]) -> Bags:
        """Return the numbers of each word."""
        return Bags.of([self.numbers(word) for word in words])

    def read(self, texts: Iterable[Sequence[str]]) -> NumberedTexts:
        """Read texts given as their words; unknown words are skipped as if they were not there."""
        place_of: dict[str, int] = {}
        bags: list[tuple[int, ...]] = []
        words: list[int] = []
        starts = [0]
        for text in texts:
            for word in text:
                place = place_of.get(word)
                if place is None:
                    bag = self.numbers(word)
                    place = place_of[word] = len(bags) if bag else -1
                    if bag:
                        bags.append(bag)
                if place >= 0:
                    words.append(place)
            starts.append(len(words))
        return NumberedTexts(Bags.of(bags), np.array(words, np.int32), np.array(starts, np.int64))

    def _numbers(self, word: str) -> tuple[int, ...]:
        found = (self._number.get(one) for one in (trigrams(word) if self._reads_letters else (word,)))
        return tuple(number for number in found if number is not None)


def distinct(words: TokenIds, starts: Positions, bags: Bags) -> NumberedTexts:
    """Make texts with the bags of their own words alone, from `words` (t,): places in the bags of a whole vocabulary.

    Words without numbers are skipped.
    """
    known = np.diff(bags.starts)[words] > 0  # (t,)
    ends = np.concatenate([[0], known.cumsum()])[starts]
    own, places = np.unique(words[known], return_inverse=True)
    return NumberedTexts(bags.taken(own), places.astype(np.int32), ends)


@dataclass(frozen=True, slots=True)
class Windows:
    """Where windows of `size` words lie in a text.

    If `padded`, one surrounds each word, and is zero beyond the ends of the text. Else each lies within the text; one
    shorter than a window is a single window, with its words in the middle and zeros beside them.
    """

    size: int
    padded: bool = True

    def rows(self, words: TokenIds, starts: Positions, lengths: Positions, *, empty: int) -> NDArray[np.int64]:
        """Return the rows of the table of products that each window of b texts adds up: (b, t, k), t the most of any.

        A text's last window is repeated where others have more, which does not change the max. `empty` is the word of
        zeros.
        """
        last = np.maximum(lengths - (1 if self.padded else self.size), 0)  # (b,) the number of a text's last window
        short = np.maximum(self.size - lengths, 0)
        before = np.full_like(lengths, self.size // 2) if self.padded else short // 2  # (b,) zeros before a text
        place = np.minimum(np.arange(1 + last.max(initial=0)), last[:, None])  # (b, t)
        near = place[:, :, None] + np.arange(self.size) - before[:, None, None]  # (b, t, k)
        inside = (near >= 0) & (near < lengths[:, None, None])
        held = words[np.where(inside, starts[:, None, None] + near, 0)] if len(words) else np.zeros_like(near)
        numbers: NDArray[np.int64] = np.where(inside, held, empty) * np.int64(self.size) + np.arange(self.size)
        return numbers


class CdssmNetwork(nn.Module):
    """Windows of words, tanh, the max over time, a layer with tanh (C-DSSM's tweaks, sections I.A and II).

    One tower reads everything, or two read queries and documents. Where words have vectors, the towers share them, and
    they are frozen unless training changes that.
    """

    vectors: nn.Parameter | None
    """(V, d), where words have vectors."""

    def __init__(self, settings: CdssmSettings, entries: int, *, vector_dim: int = 0) -> None:
        """Take the sizes, the number of known trigrams or words, and the length of a word's vector."""
        super().__init__()
        reads_vectors = settings.words == VECTORS
        self.vectors = nn.Parameter(torch.zeros(entries, vector_dim), requires_grad=False) if reads_vectors else None
        inputs = vector_dim if reads_vectors else entries
        self.towers = nn.ModuleList(Tower(inputs, settings) for _ in range(2 if settings.towers == TWO else 1))

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return next(self.parameters()).device

    def tower(self, *, asks: bool) -> Tower:
        """Return the tower for queries or for documents."""
        return cast(Tower, self.towers[0 if asks else -1])

    def forward(self, texts: NumberedTexts, *, asks: bool = True) -> Tensor:
        """Return the vectors (n, dim) of n texts, by the tower of queries or documents; zeros for one without words."""
        vectors: Tensor = self.tower(asks=asks)(self.pooled(texts, asks=asks))  # (n, dim)
        has_words = torch.from_numpy(np.diff(texts.starts) > 0).to(vectors.device)
        return vectors * has_words[:, None]

    def pooled(self, texts: NumberedTexts, *, asks: bool = True) -> Tensor:
        """Return each channel's answer to each of n texts, from -1 to 1: (n, channels)."""
        tower = self.tower(asks=asks)
        with torch.autocast(self.device.type, enabled=False):
            parts = self._projected(texts.bags, tower.filters)  # (w + 1, k c)
            largest = _WindowMax.apply(parts, texts.words, texts.starts, tower.windows)  # type: ignore[no-untyped-call]
            # tanh rises, so the max may come first
            return torch.tanh(largest + tower.bias)  # (n, c)

    def begin_with(self, vectors: Tensor) -> None:
        """Take the vectors (entries, d) of words, or of trigrams to start the filters from."""
        with torch.no_grad():
            if self.vectors is not None:
                self.vectors.copy_(vectors)
                return
            for tower in self.towers:
                filters = cast(Tower, tower).filters
                filters.copy_(vectors @ (torch.randn(vectors.shape[1], filters.shape[1]) * _START))

    def centre(self, texts: NumberedTexts) -> None:
        """Centre each tower's layer on these texts.

        Untrained channels give large and similar answers to any text, so that all vectors would start close together.
        """
        with torch.no_grad():
            for asks in (True, False):
                tower = self.tower(asks=asks)
                tower.out.bias.copy_(-(tower.out.weight @ self.pooled(texts, asks=asks).mean(0)))

    def _projected(self, bags: Bags, filters: Tensor) -> Tensor:
        """Multiply w words with the filters at each place of a window: (w + 1, k c), the last row zeros."""
        numbers = torch.from_numpy(bags.numbers.astype(np.int64)).to(filters.device)
        if self.vectors is not None:
            words = embedding(numbers, self.vectors)  # (w, d), each word has one number
            return torch.cat([words, words.new_zeros(1, words.shape[1])]) @ filters
        starts = torch.from_numpy(np.append(bags.starts, bags.starts[-1])).to(filters.device)
        summed: Tensor = _BagSum.apply(filters, numbers, starts)  # type: ignore[no-untyped-call]
        return summed


class Tower(nn.Module):
    """The weights of one tower: filters (inputs, k c) over windows of k words, and a layer above."""

    def __init__(self, inputs: int, settings: CdssmSettings) -> None:
        """Take the number of trigrams, or of numbers in a word's vector."""
        super().__init__()
        self.windows = Windows(settings.window, padded=settings.padding == ZEROS)
        self.filters = nn.Parameter(torch.randn(inputs, settings.window * settings.channels) * _START)
        self.bias = nn.Parameter(torch.zeros(settings.channels))
        self.out = nn.Linear(settings.channels, settings.dim)

    def forward(self, pooled: Tensor) -> Tensor:
        """Turn the channels' answers (n, c) into vectors (n, dim)."""
        with torch.autocast(pooled.device.type, enabled=False):
            return torch.tanh(self.out(pooled))


def begin_network(
    settings: CdssmSettings, entries: int, *, vectors: NDArray[np.float32] | None = None, seed: int
) -> CdssmNetwork:
    """Make an untrained network with filters drawn from `seed`; torch's global seed stays as it is.

    `vectors` (entries, d) belong to the words if it reads vectors. If it reads trigrams, they may belong to these: the
    filters then start as if the network read vectors, a word's being the sum of its trigrams'.
    """
    reads_vectors = settings.words == VECTORS
    with drawn_by(seed):
        network = CdssmNetwork(
            settings, entries, vector_dim=vectors.shape[1] if reads_vectors and vectors is not None else 0
        )
        if vectors is not None:
            network.begin_with(torch.from_numpy(vectors))
    return network


class _BagSum(torch.autograd.Function):
    """The sum of each bag's rows of a table: (bags, d).

    Torch's gradient adds row by row; this one sums over bags (the words of each row), which is many times faster.
    """

    @staticmethod
    def forward(ctx: Any, table: Tensor, numbers: Tensor, starts: Tensor) -> Tensor:  # noqa: ANN401
        ctx.save_for_backward(numbers, starts)
        ctx.rows = len(table)
        return embedding_bag(numbers, table, starts, mode="sum", include_last_offset=True)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:  # noqa: ANN401
        numbers, starts = ctx.saved_tensors
        bag_of = torch.repeat_interleave(torch.arange(len(starts) - 1, device=starts.device), starts.diff())
        ends = torch.bincount(numbers, minlength=ctx.rows).cumsum(0)
        bags = bag_of[torch.argsort(numbers, stable=True)]
        ends = torch.cat([ends.new_zeros(1), ends])  # (rows + 1,)
        return embedding_bag(bags, gradient.contiguous(), ends, mode="sum", include_last_offset=True), None, None


class _WindowMax(torch.autograd.Function):
    """The largest sum over any window of a text, a channel: (n, c).

    From the products (w + 1, k c) of w words, the last of zeros. Only winning windows pass a gradient on.
    """

    @staticmethod
    def forward(ctx: Any, parts: Tensor, words: TokenIds, starts: Positions, windows: Windows) -> Tensor:  # noqa: ANN401
        table = parts.reshape(len(parts) * windows.size, -1)  # ((w + 1) k, c)
        lengths = np.diff(starts)
        best = table.new_empty(len(lengths), table.shape[1])
        learns = ctx.needs_input_grad[0]
        won = torch.empty(*best.shape, windows.size, dtype=torch.long, device=table.device) if learns else None
        step = _TEXTS_AT_ONCE.get(table.device.type, _TEXTS_ELSEWHERE)
        order = np.argsort(lengths, kind="stable")
        for first in range(0, len(order), step):
            rows = order[first : first + step]
            around = windows.rows(words, starts[rows], lengths[rows], empty=len(parts) - 1)
            found = torch.from_numpy(around).to(table.device)  # (b, t, k)
            sums = embedding_bag(found.flatten(0, 1), table, mode="sum").view(*found.shape[:2], -1)  # (b, t, c)
            if won is None:
                best[rows] = sums.amax(1)
            else:
                best[rows], place = sums.max(1)
                won[rows] = found[torch.arange(len(rows), device=found.device)[:, None], place]  # (b, c, k)
        if won is not None:
            ctx.save_for_backward(won)
            ctx.shape = parts.shape
        return best

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:  # noqa: ANN401
        (won,) = ctx.saved_tensors
        channels = gradient.shape[1]
        places = won * channels + torch.arange(channels, device=won.device)[:, None]  # (n, c, k)
        found = gradient.new_zeros(ctx.shape).flatten()
        found.index_add_(0, places.flatten(), gradient[:, :, None].expand_as(won).flatten())
        return found.reshape(ctx.shape), None, None, None
