"""The network of KeyVec: words to sentences, sentences to a vector with key words (KeyVec, sections 3.1 and 3.2).

`sentence_vectors` and `read_documents` run it over many documents, in batches of like lengths and in bounded memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding_bag, logsigmoid, pad

from engine.core.rows import Positions, TokenIds
from engine.encoders.ctpe.embeddings import end_to_end, padded
from engine.encoders.keyvec.settings import KeyvecSettings

SentenceWords: TypeAlias = tuple[Tensor, Tensor]
"""The numbers of the words of b sentences, (b, t) with padding, and how many each has, (b,)."""
_WIDER_IN, _WIDER_OUT = 3, 10  # tried on the training loss of 2,600 abstracts alone
_WORDS_AT_ONCE = 8_192  # with their padding
_SENTENCES_AT_ONCE = 8_192  # likewise


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

    def forward(self, table: Tensor, texts: Sequence[SentenceWords]) -> Tensor:
        """Return the vectors (m, all channels) of m sentences in batches; their words are rows of a table (V, dim).

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
    def forward(ctx: Any, answers: Tensor, known: Sequence[SentenceWords]) -> Tensor:  # noqa: ANN401
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


def _known(texts: SentenceWords, *, missing: int, least: int) -> SentenceWords:
    """Return sentences with the missing word as padding, t at least the widest filter."""
    numbers, lengths = texts
    width = max(least, numbers.shape[1])
    return pad(numbers, (0, width - numbers.shape[1])).masked_fill(~up_to(lengths, width), missing), lengths


class ReadSentences(NamedTuple):
    """The reader's answer to b documents of up to s sentences.

    `states` (b, s, 2 hidden) and `logits` (b, s) mean nothing where `inside` (b, s) is False.
    """

    states: Tensor
    logits: Tensor
    inside: Tensor


class KeyvecNetwork(nn.Module):
    """The Neural Reader and the Neural Encoder (KeyVec, sections 3.1 and 3.2)."""

    def __init__(self, word_dim: int, settings: KeyvecSettings, *, keywords: int) -> None:
        """Take the length of a word's vector and the number of key words; the current seed draws the weights."""
        super().__init__()
        self.word_dim, self.settings = word_dim, settings
        self.sentences = SentenceCnn(word_dim, settings.channels, settings.widths)
        self.ahead = nn.LSTM(self.sentences.out_dim, settings.hidden, batch_first=True)
        self.back = nn.LSTM(self.sentences.out_dim, settings.hidden, batch_first=True)
        self.salient = nn.Linear(2 * settings.hidden, 1)
        self.out = nn.Linear(2 * settings.hidden, settings.dim)
        self.keywords = nn.Linear(settings.dim, keywords, bias=False)
        with torch.no_grad():  # with torch's defaults all vectors start alike, and the first thousand steps are lost
            self.out.weight.mul_(_WIDER_OUT)
            for lstm in (self.ahead, self.back):
                lstm.get_parameter("weight_ih_l0").mul_(_WIDER_IN)

    def read(self, sentences: Tensor, counts: Tensor) -> ReadSentences:
        """Read the sentences (m, e) of b documents, end to end; `counts` (b,) says how many each has, at least one.

        h_i = [forward; backward], and the logit of p_i = sigmoid(w . h_i + bias) (KeyVec, section 3.1). Padding follows
        a document in either direction, so it never reaches a state; a packed sequence would take quadratic time in the
        backward pass.
        """
        with torch.autocast(sentences.device.type, enabled=False):  # an LSTM is slower in bfloat16 on a processor
            given, inside = by_document(sentences.float(), counts)  # (b, s, e), (b, s)
            backwards = _turned(self.back(_turned(given, counts))[0], counts)
            states = torch.cat([self.ahead(given)[0], backwards], dim=2)  # (b, s, 2 hidden)
            logits: Tensor = self.salient(states)[..., 0]  # (b, s)
        return ReadSentences(states, logits, inside)

    def vectors(self, read: ReadSentences) -> Tensor:
        """Return V = tanh(W sum_i (p_i / sum p) h_i + bias) (KeyVec, section 3.2): (b, dim).

        The shares come from the logarithms of p, so that they sum to 1 even for tiny p.
        """
        with torch.autocast(read.states.device.type, enabled=False):
            shares = logsigmoid(read.logits).masked_fill(~read.inside, -torch.inf).softmax(dim=1)  # (b, s)
            pooled = torch.einsum("bs,bsh->bh", shares, read.states)  # (b, 2 hidden)
            found: Tensor = torch.tanh(self.out(pooled))
        return found


def by_document(rows: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """Give each of b documents its `counts` (b,) of rows (n, d), then zeros: (b, r, d), and which are rows (b, r)."""
    inside = up_to(counts, int(counts.max()))
    documents = rows.new_zeros(*inside.shape, rows.shape[1])  # (b, r, d)
    documents[inside] = rows
    return documents, inside


def up_to(lengths: Tensor, width: int) -> Tensor:
    """Return True before each length (n,): (n, width)."""
    return torch.arange(width, device=lengths.device) < lengths[:, None]


def _turned(rows: Tensor, counts: Tensor) -> Tensor:
    """Turn round each document's first `counts` (b,) rows (b, s, d)."""
    places = torch.arange(rows.shape[1], device=rows.device).expand(rows.shape[:2])  # (b, s)
    turned = torch.where(places < counts[:, None], counts[:, None] - 1 - places, places)
    return rows.gather(1, turned[..., None].expand_as(rows))


def sentence_vectors(network: KeyvecNetwork, table: Tensor, ids: Sequence[TokenIds]) -> Tensor:
    """Return the vectors e_i of sentences (m, e) in their order; `ids` are rows of `table` (V, dim), one or more."""
    if not len(ids):
        return table.new_zeros(0, network.sentences.out_dim)
    distinct, numbers = np.unique(np.concatenate(ids), return_inverse=True)
    lengths = np.array([len(one) for one in ids])
    own = np.split(numbers.astype(np.int32), np.cumsum(lengths)[:-1])
    order = list(batches(lengths, _WORDS_AT_ONCE))
    parts = [padded(*end_to_end([own[place] for place in one])) for one in order]
    texts = [(words.to(table.device), counts.to(table.device)) for words, counts in parts]
    rows = table[torch.from_numpy(distinct.astype(np.int64)).to(table.device)]
    found: Tensor = network.sentences(rows, texts)  # (m, e)
    return found[torch.from_numpy(np.argsort(np.concatenate(order))).to(table.device)]


def read_documents(network: KeyvecNetwork, sentences: Tensor, counts: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return the vectors v (n, dim) of documents with `counts` (n,) sentences, and the logit of each sentence's p (m,).

    The sentences (m, e) stand end to end. A document without one is a row of zeros.
    """
    rows = sentences.new_zeros(len(counts), network.settings.dim)
    logits = sentences.new_zeros(len(sentences))
    starts = np.cumsum([0, *counts])
    for places in batches(counts, _SENTENCES_AT_ONCE):
        flat = torch.from_numpy(np.concatenate([np.arange(starts[place], starts[place + 1]) for place in places]))
        held = torch.tensor([counts[place] for place in places], device=rows.device)
        own = flat.to(rows.device)
        read = network.read(sentences[own], held)
        logits[own] = read.logits[read.inside]
        rows[torch.from_numpy(places).to(rows.device)] = network.vectors(read)
    return rows, logits


def batches(sizes: Sequence[int] | Positions, most: int) -> Iterator[Positions]:
    """Yield the places of sizes above 0, by size, in batches of at most `most` including padding."""
    given = np.asarray(sizes, np.int64)
    order = np.argsort(given, kind="stable")
    order = order[given[order] > 0]
    start = 0
    while start < len(order):
        taken = given[order[start:]] * np.arange(1, len(order) - start + 1)
        count = max(1, int(np.searchsorted(taken, most, side="right")))
        yield order[start : start + count]
        start += count
