"""The labels that KeyVec learns from: salient sentences by cosines of TF-IDF or a small DSSM, key words by TF-IDF.

The DSSM labels salient sentences as the paper does (KeyVec, section 4, "Reader's Objective"). It learns from the bodies
that are trained on: a sentence should be nearer to its own paper's abstract than to the others' (DSSM, sections 3.1 to
3.3). The layers are smaller than the paper's, as its texts are few.

"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_array
from torch import Tensor, nn
from torch.nn.functional import embedding_bag, normalize

from engine.core.rows import DenseRows, Positions, SparseRows, unit_length_sparse
from engine.documents.text import trigrams
from engine.encoders import drawn_by
from engine.training.losses import posterior_loss

_WIDE, _DIM, _GAMMA = 128, 64, 10.0
_STEPS, _DOCUMENTS, _RATE = 1_000, 256, 1e-3
_SENTENCES_AT_ONCE = 8_192


def idf(counts: SparseRows) -> NDArray[np.float64]:
    """Return ln((1 + n) / (1 + df)) + 1 of each column of counts (n, V): (V,), as TF-IDF's encoder has it."""
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.asarray(np.log((1 + counts.shape[0]) / (1 + held)) + 1, np.float64)


def weighted(counts: SparseRows, weights: NDArray[np.float64]) -> SparseRows:
    """Return counts (n, V) times the weight of each column (V,)."""
    rows = counts.copy().astype(np.float32)
    rows.data *= weights[rows.indices].astype(np.float32)
    return rows


def tfidf_cosines(abstract: SparseRows, body: SparseRows, weights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return cosines (a, m) of an abstract's sentences and a body's, from their counts of words (a, V) and (m, V)."""
    ours, theirs = (unit_length_sparse(weighted(counts, weights)) for counts in (abstract, body))
    return np.asarray((ours @ theirs.T).toarray(), np.float32)


def salient(cosines: NDArray[np.float32], *, threshold: float, top: int) -> NDArray[np.bool_]:
    """Tell which sentences of a body (m,) are salient, from the cosines (a, m) of the abstract's sentences with them.

    For each sentence of the abstract its `top` nearest, where the cosine is above `threshold`.
    """
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :top]  # (a, top)
    above = np.take_along_axis(cosines, nearest, axis=1) > threshold
    found = np.zeros(cosines.shape[1], bool)
    found[nearest[above]] = True
    return found


def frequent(counts: SparseRows, most: int) -> NDArray[np.int64]:
    """Return the columns of the words seen most often, at most `most`, the first of equal ones first, none unseen."""
    totals = np.asarray(counts.sum(axis=0)).ravel()
    order = np.argsort(-totals, kind="stable")[:most]
    return np.asarray(order[totals[order] > 0], np.int64)


def strongest(rows: SparseRows, most: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the columns of each row's largest values, at most `most`, end to end (w,), and rows' starts (n + 1,)."""
    row_of = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    order = np.lexsort((rows.indices, -rows.data, row_of))
    rank = np.arange(len(order)) - rows.indptr[row_of[order]]
    kept = order[rank < most]
    starts = np.concatenate([[0], np.minimum(np.diff(rows.indptr), most).cumsum()])
    return rows.indices[kept].astype(np.int32), starts.astype(np.int64)


class SentenceDssm(nn.Module):
    """Letter trigrams, then two layers with tanh (DSSM, section 3.3); one tower reads sentences and abstracts."""

    def __init__(self, entries: int) -> None:
        """Take the number of trigrams; the current seed draws the weights."""
        super().__init__()
        self.letters = nn.Parameter(torch.randn(entries, _WIDE) * 0.1)
        self.bias = nn.Parameter(torch.zeros(_WIDE))
        self.out = nn.Linear(_WIDE, _DIM)

    def forward(self, rows: SparseRows) -> Tensor:
        """Return the vectors (n, 64) of texts given as weights of trigrams (n, T)."""
        numbers, starts = (torch.from_numpy(one.astype(np.int64)) for one in (rows.indices, rows.indptr[:-1]))
        weights = torch.from_numpy(rows.data.astype(np.float32))
        summed = embedding_bag(numbers, self.letters, starts, mode="sum", per_sample_weights=weights)
        found: Tensor = torch.tanh(self.out(torch.tanh(summed + self.bias)))
        return found


def dssm_vectors(
    rows: SparseRows, words: Sequence[str], bounds: Sequence[tuple[int, int, int]], trains: NDArray[np.bool_], seed: int
) -> DenseRows:
    """Return unit vectors (m, 64) of sentences given as weights of words (m, V), by a DSSM trained on some of them.

    Document i has its abstract's sentences from `bounds[i][0]`, its body's from `bounds[i][1]` to `bounds[i][2]`;
    `trains` (n,) says whether it is learned from.
    """
    letters = csr_array(rows @ _letters_of(words))  # (m, T)
    learnt = [bound for bound, is_learnt in zip(bounds, trains, strict=True) if is_learnt]
    with drawn_by(seed):
        network = SentenceDssm(letters.shape[1])
    if len(learnt) > 1:
        _train(network, letters, learnt, seed)
    parts = range(0, letters.shape[0], _SENTENCES_AT_ONCE)
    with torch.inference_mode():
        found = [normalize(network(letters[first : first + _SENTENCES_AT_ONCE]), dim=1).numpy() for first in parts]
    return np.concatenate(found)


def _train(network: SentenceDssm, letters: SparseRows, bounds: Sequence[tuple[int, int, int]], seed: int) -> None:
    """Train: each step draws documents, and of each a sentence of its body; the other abstracts are its D-."""
    generator, optimizer = np.random.default_rng(seed), torch.optim.Adam(network.parameters(), lr=_RATE)
    firsts, starts, stops = np.array(bounds, np.int64).T
    said = np.concatenate([np.arange(first, start) for first, start in zip(firsts, starts, strict=True)])
    ends = np.concatenate([[0], np.cumsum(starts - firsts)])
    sums = csr_array((np.ones(len(said), np.float32), said, ends), shape=(len(bounds), letters.shape[0]))
    abstracts = csr_array(sums @ letters)  # (n, T)
    for _ in range(_STEPS):
        chosen: Positions = generator.permutation(len(bounds))[:_DOCUMENTS]
        sentences = generator.integers(starts[chosen], stops[chosen])
        answers = torch.arange(len(chosen))
        strangers = ~torch.eye(len(chosen), dtype=torch.bool)
        queries, documents = network(letters[sentences]), network(abstracts[chosen])
        loss = posterior_loss(queries, documents, answers, gamma=_GAMMA, strangers=strangers)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()


def _letters_of(words: Sequence[str]) -> SparseRows:
    """Return how often each trigram occurs in each word: (V, T)."""
    counts = WordCounts()
    for word in words:
        counts.add(trigrams(word))
    return counts.rows()


class WordCounts:
    """Counts the words of texts, one row a text, each new word in a column of its own."""

    def __init__(self) -> None:
        """Begin with no text."""
        self.column_of: dict[str, int] = {}
        self._indices, self._counts, self._starts = array("i"), array("f"), array("q", [0])

    def add(self, words: Iterable[str]) -> None:
        """Count the words of one text."""
        found = Counter(words)
        self._indices.extend(self.column_of.setdefault(word, len(self.column_of)) for word in found)
        self._counts.extend(found.values())
        self._starts.append(len(self._indices))

    def rows(self) -> SparseRows:
        """Return the counts (n, V) of the texts so far."""
        parts = np.array(self._counts, np.float32), np.array(self._indices, np.int32), np.array(self._starts, np.int64)
        rows = csr_array(parts, shape=(len(self._starts) - 1, len(self.column_of)))
        rows.sort_indices()
        return rows
