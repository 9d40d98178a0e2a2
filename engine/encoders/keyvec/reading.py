"""Runs KeyVec's network over many documents: in batches of like lengths, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.encoders.ctpe.embeddings import Numbers
from engine.encoders.keyvec.network import KeyvecNetwork
from engine.encoders.masked_texts import Read, padded

_WORDS_AT_ONCE = 8_192  # with their padding
_SENTENCES_AT_ONCE = 8_192  # likewise

Places = NDArray[np.int64]


def sentence_vectors(network: KeyvecNetwork, table: Tensor, ids: Sequence[Numbers]) -> Tensor:
    """The vector e_i of each sentence (m, e) in the order given: `ids` are rows of `table` (V, dim), at least one."""
    if not len(ids):
        return table.new_zeros(0, network.sentences.out_dim)
    distinct, numbers = np.unique(np.concatenate(ids), return_inverse=True)
    lengths = np.array([len(one) for one in ids])
    own = np.split(numbers.astype(np.int32), np.cumsum(lengths)[:-1])
    order = list(batches(lengths, _WORDS_AT_ONCE))
    texts = [padded([Read(np.concatenate([own[n] for n in one]), lengths[one])], table.device) for one in order]
    rows = table[torch.from_numpy(distinct.astype(np.int64)).to(table.device)]
    found: Tensor = network.sentences(rows, texts)  # (m, e)
    return found[torch.from_numpy(np.argsort(np.concatenate(order))).to(table.device)]


def read_documents(network: KeyvecNetwork, sentences: Tensor, counts: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Vectors v (n, dim) of documents with `counts` (n,) sentences each, and the logit of each sentence's p (m,).

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


def batches(sizes: Sequence[int] | Places, most: int) -> Iterator[Places]:
    """Places of sizes above 0, by size, in batches of at most `most` including padding."""
    given = np.asarray(sizes, np.int64)
    order = np.argsort(given, kind="stable")
    order = order[given[order] > 0]
    start = 0
    while start < len(order):
        padded = given[order[start:]] * np.arange(1, len(order) - start + 1)
        count = max(1, int(np.searchsorted(padded, most, side="right")))
        yield order[start : start + count]
        start += count
