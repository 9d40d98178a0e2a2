"""Small published networks that match long documents: their sizes, and texts in, one vector a document out.

DSSM, ARC-I, HAN, SMITH and S-LONG, each read by the same words or letters and compared by the cosine. Documents are
numbers of words in rows, and batches of them padded tensors.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple, Self, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import embedding, gelu, max_pool1d, pad, relu, scaled_dot_product_attention
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from engine.encoders.keyvec.network import by_document, up_to
from engine.training.settings import CheckedSettings, Rules, at_least


@dataclass(frozen=True, slots=True)
class Read:
    """A read document: numbers (t,) of words or trigrams end to end, in r rows of lengths (r,).

    A row is a sentence, a block, or all of the document; none is empty. `weights` (t,) weigh each number.
    """

    numbers: NDArray[np.int32]
    lengths: NDArray[np.int64]
    weights: NDArray[np.float32] | None = None

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Self:
        """Take rows of numbers; empty ones are skipped."""
        kept = [row for row in rows if row]
        flat = [number for row in kept for number in row]
        return cls(np.array(flat, np.int32), np.array([len(row) for row in kept], np.int64))

    def __len__(self) -> int:
        """Return the number of numbers."""
        return len(self.numbers)

    def thinned(self, kept: NDArray[np.bool_]) -> Read:
        """Return the numbers to keep (t,), or all if none would be left."""
        if not kept.any():
            return self
        row_of = np.repeat(np.arange(len(self.lengths)), self.lengths)  # (t,)
        lengths = np.bincount(row_of[kept], minlength=len(self.lengths))
        weights = None if self.weights is None else self.weights[kept]
        return Read(self.numbers[kept], lengths[lengths > 0], weights)


class TextBatch(NamedTuple):
    """A batch of b documents in n rows: numbers (n, w), lengths (n,), and how many rows each document has (b,).

    Values beyond a row's length are padding. `weights` (n, w) are DSSM's counts.
    """

    numbers: Tensor
    lengths: Tensor
    rows: Tensor
    weights: Tensor | None = None

    @property
    def inside(self) -> Tensor:
        """Tell which numbers are within their row's length: (n, w)."""
        return up_to(self.lengths, self.numbers.shape[1])


def padded(reads: Sequence[Read], device: torch.device) -> TextBatch:
    """Return documents as one batch; each has at least one row."""
    lengths = np.concatenate([one.lengths for one in reads])  # (n,)
    inside = np.arange(lengths.max()) < lengths[:, None]  # (n, w)
    numbers = np.zeros(inside.shape, np.int64)
    numbers[inside] = np.concatenate([one.numbers for one in reads])
    given = [one.weights for one in reads if one.weights is not None]
    weights = None
    if given:
        weights = np.zeros(inside.shape, np.float32)
        weights[inside] = np.concatenate(given)
    return TextBatch(
        torch.from_numpy(numbers).to(device),
        torch.from_numpy(lengths).to(device),
        torch.tensor([len(one.lengths) for one in reads], device=device),
        None if weights is None else torch.from_numpy(weights).to(device),
    )


def batches(reads: Sequence[Read], most: int) -> Iterator[list[int]]:
    """Return the places of documents with a word, by size, in batches of at most `most` numbers including padding."""
    order = sorted((place for place, one in enumerate(reads) if len(one)), key=lambda place: len(reads[place]))
    found: list[int] = []
    rows = width = 0
    for place in order:
        lengths = reads[place].lengths
        rows, width = rows + len(lengths), max(width, int(lengths.max()))
        if found and rows * width > most:
            yield found
            found, rows, width = [], len(lengths), int(lengths.max())
        found.append(place)
    if found:
        yield found


Kind = Literal["dssm", "arc-i", "han", "smith", "s-long"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_VERSION = 1
_WORDLESS: Kind = "dssm"

_WHAT: dict[Kind, str] = {
    "dssm": "Counts of letter trigrams through three layers (DSSM)",
    "arc-i": "Three layers of convolutions over word vectors (ARC-I)",
    "han": "Recurrent networks with attention over words, then over sentences (HAN)",
    "smith": "A small transformer over blocks of sentences, then over the blocks (after SMITH)",
    "s-long": "A small transformer with attention in windows and one global token (after Longformer)",
}


def name_of(kind: Kind) -> str:
    """Return how an encoder of a kind is called."""
    return f"matcher-{kind}"


def method_of(kind: Kind) -> str:
    """Return what card.json of an encoder of a kind says that it is."""
    return f"{name_of(kind)}/{_VERSION}"


def summary_of(kind: Kind) -> str:
    """Return what an encoder of a kind is, and when to choose it."""
    return f"{_WHAT[kind]}, trained on pairs of long documents. Choose it to compare with the literature."


KIND_OF: dict[str, Kind] = {method_of(kind): kind for kind in KINDS}
"""Each kind by its method."""


def reads_words(kind: Kind) -> bool:
    """Tell whether a kind reads word vectors; DSSM reads letters."""
    return kind != _WORDLESS


@dataclass(frozen=True, slots=True)
class MatcherSettings(CheckedSettings):
    """Sizes of a network, and the first `max_words` words of a document that it reads.

    `width` is the number of units of a layer: DSSM's, ARC-I's channels, HAN's in each direction, the transformers'
    hidden size. `dim` is the length of a row. `row_words` is the most words of a sentence (HAN) or of a block of
    sentences (SMITH). `layers` and `heads` are the transformers', SMITH has as many layers over blocks as over words.
    `window` is how many words to either side a word attends to (S-LONG), `trigrams` how many letter trigrams are
    told apart (DSSM).
    """

    max_words: int = at_least(1, 1_000)
    width: int = at_least(1, 64)
    dim: int = at_least(1, 128)
    row_words: int = at_least(1, 40)
    layers: int = at_least(1, 2)
    heads: int = at_least(1, 4)
    window: int = at_least(1, 64)
    trigrams: int = at_least(1, 10_000)

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        both = 2 * self.heads
        divides = self.heads < 1 or self.width % both == 0
        return ((divides, f"width must be a multiple of 2 heads = {both}, got {self.width}"),)


_NUMBERS_AT_ONCE = 16_384


class MatcherNetwork(nn.Module, ABC):
    """A network that gives the vectors that are compared, by its last layer `out` unless it says how long they are."""

    out: nn.Linear

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self.out.out_features

    @abstractmethod
    def forward(self, texts: TextBatch) -> Tensor:
        """Return documents as vectors: (b, dim)."""


class FrozenWords(nn.Module):
    """Word vectors that are not trained, nor kept among a network's weights; as large as 1 in the quadratic mean."""

    table: Tensor

    def __init__(self, vectors: NDArray[np.float16]) -> None:
        """Take vectors (V, d)."""
        super().__init__()
        rows = torch.from_numpy(vectors.astype(np.float32))
        self.register_buffer("table", rows / rows.square().mean().sqrt().clamp(min=1e-6), persistent=False)
        self.dim = vectors.shape[1]

    def forward(self, texts: TextBatch) -> Tensor:
        """Return the vectors of words, nothing behind a row's length: (n, w, d)."""
        return embedding(texts.numbers, self.table) * texts.inside[..., None]


def encode_reads(network: MatcherNetwork, reads: Sequence[Read]) -> Tensor:
    """Return one vector a document, (b, dim), in batches of like sizes; zeros if nothing was read."""
    device = next(network.parameters()).device
    found: list[Tensor] = []
    places: list[int] = []
    for batch in batches(reads, _NUMBERS_AT_ONCE):
        found.append(network(padded([reads[place] for place in batch], device)).float())
        places += batch
    rows = torch.zeros(len(reads), network.dim, device=device)  # (b, dim)
    if places:
        rows[torch.tensor(places, device=device)] = torch.cat(found)
    return rows


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
        """Return sequences (n, t, width), which hold something where `inside` (n, t): (n, width)."""
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
        """Return states (n, t, width) to the next layer's."""
        heads = self.asked(self.attention_norm(states)).unflatten(-1, (3, self._heads, -1))  # (n, t, 3, heads, d)
        queries, keys, values = heads.permute(2, 0, 3, 1, 4)  # (n, heads, t, d) each
        with torch.autocast(states.device.type, enabled=False):  # its gradient is slow in bfloat16 on a processor
            taken = attention(queries.float(), keys.float(), values.float(), inside)  # (n, heads, t, d)
        states = states + self.given(taken.transpose(1, 2).flatten(2))
        after: Tensor = states + self.down(gelu(self.up(self.map_norm(states))))
        return after


def to_all(queries: Tensor, keys: Tensor, values: Tensor, inside: Tensor) -> Tensor:
    """Let every token attend to every token that is present."""
    return scaled_dot_product_attention(queries, keys, values, attn_mask=inside[:, None, None, :])


def positions(count: int, width: int) -> Tensor:
    """Return sines and cosines that tell `count` positions apart (Vaswani et al. 2017, section 3.5): (count, width)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000) / width))  # (width / 2,)
    angles = torch.arange(count)[:, None] * rates  # (count, width / 2)
    return torch.stack([angles.sin(), angles.cos()], 2).flatten(1)


_LAYERS, _WINDOW, _POOLED = 3, 3, 2


class ArcI(MatcherNetwork):
    """Windows of three words, the larger of every two neighbours (Hu et al., NeurIPS 2014, section 2), three times.

    As CoLDE's authors use it (section 4.1.3): one network for both documents, which are compared by their cosine. The
    third layer's maximum is over the whole document, so that any length gives one vector.
    """

    def __init__(self, words: FrozenWords, settings: MatcherSettings) -> None:
        """Take the word vectors."""
        super().__init__()
        self.words = words
        widths = [words.dim] + [settings.width] * (_LAYERS - 1)
        self.layers = nn.ModuleList(nn.Conv1d(width, settings.width, _WINDOW, padding=_WINDOW // 2) for width in widths)
        self.out = nn.Linear(settings.width, settings.dim)

    def forward(self, texts: TextBatch) -> Tensor:
        """Return documents as vectors: (b, dim)."""
        states, lengths = self.words(texts).transpose(1, 2), texts.lengths  # (b, d, w)
        for number, layer in enumerate(self.layers):
            if number:
                states = max_pool1d(states, _POOLED, ceil_mode=True)  # (b, width, w / 2)
                lengths = (lengths + _POOLED - 1) // _POOLED
            # no value is below 0 here, so zeros behind the length are never the larger
            states = relu(layer(states)) * up_to(lengths, states.shape[2])[:, None]  # (b, width, w)
        vectors: Tensor = self.out(states.amax(2))
        return vectors


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

    def forward(self, texts: TextBatch) -> Tensor:
        """Return documents as vectors: (b, dim)."""
        inside = texts.inside
        weights = inside.float() if texts.weights is None else texts.weights * inside  # (b, w)
        first = torch.tanh(self.letters(texts.numbers, per_sample_weights=weights) + self.bias)  # (b, width)
        second = torch.tanh(self.hidden(first))  # (b, width)
        return torch.tanh(self.out(second))


class Han(MatcherNetwork):
    """Words to sentences, sentences to a document, by the same two steps (Yang et al., NAACL 2016, section 2)."""

    def __init__(self, words: FrozenWords, settings: MatcherSettings) -> None:
        """Take the word vectors."""
        super().__init__()
        self.words = words
        self.word_level = Level(words.dim, settings.width)
        self.sentence_level = Level(2 * settings.width, settings.width)
        self.out = nn.Linear(2 * settings.width, settings.dim)

    def forward(self, texts: TextBatch) -> Tensor:
        """Return documents as vectors: (b, dim)."""
        with torch.autocast(texts.numbers.device.type, enabled=False):  # a GRU is slower in bfloat16 on a processor
            sentences = self.word_level(self.words(texts), texts.inside)  # (n, 2 width)
            vectors: Tensor = self.out(self.sentence_level(*by_document(sentences, texts.rows)))
        return vectors


class Level(nn.Module):
    """A GRU in both directions, then the mean of its states by attention (equations 5 to 7, and 8 to 10)."""

    def __init__(self, inputs: int, width: int) -> None:
        """Take what is read, and how wide the states are in each direction."""
        super().__init__()
        self.gru = nn.GRU(inputs, width, batch_first=True, bidirectional=True)
        self.hidden = nn.Linear(2 * width, 2 * width)
        self.context = nn.Linear(2 * width, 1, bias=False)

    def forward(self, given: Tensor, inside: Tensor) -> Tensor:
        """Return sequences (n, w, inputs), which hold something where `inside` (n, w): (n, 2 width)."""
        packed = pack_padded_sequence(given, inside.sum(1).cpu(), batch_first=True, enforce_sorted=False)
        states = pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=given.shape[1])[0]
        scores = self.context(torch.tanh(self.hidden(states)))[..., 0].masked_fill(~inside, -torch.inf)  # (n, w)
        means: Tensor = (scores.softmax(1)[..., None] * states).sum(1)
        return means


class Smith(MatcherNetwork):
    """Two levels of transformers, each read by its first token (Yang et al., CIKM 2020, section 3.2).

    The published one begins with pre-trained levels; this one is small and learns from the pairs alone.
    """

    def __init__(self, words: FrozenWords, settings: MatcherSettings) -> None:
        """Take the word vectors."""
        super().__init__()
        self.words = words
        self.inputs = nn.Linear(words.dim, settings.width)
        self.word_level, self.block_level = (
            SequenceReader(settings.width, heads=settings.heads, layers=settings.layers, attention=to_all)
            for _ in range(2)
        )
        self.out = nn.Linear(settings.width, settings.dim)

    def forward(self, texts: TextBatch) -> Tensor:
        """Return documents as vectors: (b, dim)."""
        blocks = self.word_level(self.inputs(self.words(texts)), texts.inside)  # (n, width)
        vectors: Tensor = self.out(self.block_level(*by_document(blocks, texts.rows)))
        return vectors


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

    def forward(self, texts: TextBatch) -> Tensor:
        """Return documents as vectors: (b, dim)."""
        vectors: Tensor = self.out(self.reader(self.inputs(self.words(texts)), texts.inside))
        return vectors


def in_windows(queries: Tensor, keys: Tensor, values: Tensor, inside: Tensor, *, window: int) -> Tensor:
    """Let each token attend to the first one and to `window` tokens on either side, the first one to all.

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
    """Return the first token and three blocks for each of m blocks: (n, heads, m, 1 + 3 window, d)."""
    n, heads, _, dim = tokens.shape
    blocks = pad(tokens[:, :, 1:], (0, 0, window, window + more)).reshape(n, heads, -1, window, dim)
    met = [blocks[:, :, :-2], blocks[:, :, 1:-1], blocks[:, :, 2:]]  # (n, heads, m, window, d) each
    first = tokens[:, :, None, :1].expand(-1, -1, blocks.shape[2] - 2, -1, -1)  # (n, heads, m, 1, d)
    return torch.cat([first, *met], 3)
