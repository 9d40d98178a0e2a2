"""Doc2VecC: word vectors learned so that their plain mean over a text stands for the text."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.core.progress import Meter, Report, silent
from engine.core.rows import Positions, compiled
from engine.research.baselines.glove import Floats, SparseAdagrad, WordIds, number_words
from engine.training.settings import CheckedSettings, Rules, at_least
from engine.training.word2vec import TrainedWords

_FLATTER = 0.75  # the power of a word's count that it is drawn by as a negative (Mikolov et al., 2013, section 2.2)


@dataclass(frozen=True, slots=True)
class Doc2veccRecipe(CheckedSettings):
    """How Doc2VecC vectors are trained (Chen, ICLR 2017; width, window and share kept of CTPE, section 4.2).

    Why these epochs and this subsample: engine/research/reports/choices.md. A text longer than `longest_text_tokens`
    is cut into several, because every word of a text is guessed from all of it.
    """

    dim: int = at_least(1, 100)
    window: int = at_least(1, 10)
    kept_share: float = 0.1
    epochs: int = at_least(1, 10)
    batch_words: int = at_least(1, 2_048)
    negatives: int = at_least(1, 5)
    min_count: int = at_least(1, 5)
    subsample: float = 1e-4
    keep_words: int = at_least(1, 90_000)
    longest_text_tokens: int = at_least(1, 500)
    learning_rate: float = 0.1
    seed: int = 1

    def rules(self) -> Rules:
        """Return what must hold beyond each field's range."""
        shares = {"kept_share": self.kept_share, "subsample": self.subsample, "learning_rate": self.learning_rate}
        return [
            (0 < share <= 1, f"{name} must be above 0 and at most 1, got {share}") for name, share in shares.items()
        ]


@dataclass(frozen=True, slots=True)
class Batch:
    """Words to guess (b,), the words around each and the words left of its text, each list behind the one before.

    `near_starts` and `text_starts` (b,) say where each word's own list begins; `lengths` (b,) are its text's before
    words were taken away, and `negatives` (b, n) the words that it is told apart from.
    """

    words: Positions
    near: Positions
    near_starts: Positions
    text: Positions
    text_starts: Positions
    lengths: NDArray[np.float32]
    negatives: Positions


def train(texts: Iterable[str], recipe: Doc2veccRecipe, *, report: Report = silent) -> TrainedWords:
    """Train word vectors on texts, one document each; the same texts and recipe give the same vectors.

    Raises NotFittedError if no word comes up often enough.
    """
    started = time.monotonic()
    corpus = number_words(texts, min_count=recipe.min_count, keep_words=recipe.keep_words)
    vectors = _fit(corpus, recipe, report)
    return TrainedWords(
        corpus.words, corpus.counts, vectors, len(corpus.starts) - 1, corpus.tokens, time.monotonic() - started
    )


class Model:
    """The vectors u that are read and v that are guessed, of V words: (V, dim) each."""

    def __init__(self, inputs: Floats, outputs: Floats, recipe: Doc2veccRecipe) -> None:
        """Take both tables, which are changed in place, and the recipe."""
        self._share = recipe.kept_share
        self._inputs, self._outputs = (SparseAdagrad(rows, recipe.learning_rate) for rows in (inputs, outputs))

    @classmethod
    def drawn(cls, size: int, recipe: Doc2veccRecipe) -> Self:
        """Draw u from (-0.5, 0.5) / dim, from the recipe's seed; v starts at zero."""
        import torch

        drawn = torch.Generator().manual_seed(recipe.seed)
        inputs = (torch.rand((size, recipe.dim), generator=drawn) - 0.5) / recipe.dim
        return cls(inputs.numpy(), np.zeros((size, recipe.dim), np.float32), recipe)

    @property
    def inputs(self) -> Floats:
        """Return the input vector u of each word: (V, dim)."""
        return self._inputs.rows

    def step(self, batch: Batch) -> None:
        """Move down the gradient of -log s(right) - sum log s(-wrong), s the logistic function, by AdaGrad.

        The score of a word is v . (U c + U x~ / T): Chen (2017), section 3, equation 5. x~ holds each word of the text
        with the recipe's share, and counts it 1 / share times so that its mean is the text's. U c is the mean of the
        vectors around and not their sum, which hides a short text (engine/research/reports/choices.md).
        """
        asked = np.concatenate([batch.words[:, None], batch.negatives], axis=1)  # (b, 1 + n)
        near, text = (batch.near, batch.near_starts), (batch.text, batch.text_starts)
        scales = (1 / (self._share * batch.lengths)).astype(np.float32)
        tables = (self._inputs.rows, self._outputs.rows)
        compiled(_gather, in_any_order=True)(
            asked, near, text, scales, tables, (self._inputs.gradients, self._outputs.gradients)
        )
        self._inputs.step(batch.near, batch.text)
        self._outputs.step(asked)


def _gather(  # noqa: C901  one loop over arrays, compiled as a whole
    asked: Positions,
    near: tuple[Positions, Positions],
    text: tuple[Positions, Positions],
    scales: Floats,
    tables: tuple[Floats, Floats],
    gradients: tuple[Floats, Floats],
) -> None:
    """Add the slopes of a batch's b words to the gradients of the inputs and the outputs (V, dim).

    `asked` (b, 1 + n) are the right word and those it is told from; of `near` and `text` all words and where each
    word's own begin; `scales` (b,) are what a word of the text counts.
    """
    inputs, outputs = tables
    dim = inputs.shape[1]
    hidden, back = np.empty(dim, np.float32), np.empty(dim, np.float32)
    for number in range(len(asked)):
        last = number + 1 == len(asked)
        around = near[0][near[1][number] : len(near[0]) if last else near[1][number + 1]]
        words = text[0][text[1][number] : len(text[0]) if last else text[1][number + 1]]
        for column in range(dim):
            hidden[column] = back[column] = 0
        for one in words:
            for column in range(dim):
                hidden[column] += inputs[one, column]
        for column in range(dim):
            hidden[column] *= scales[number]
        share = np.float32(1) / np.float32(max(1, len(around)))
        for one in around:
            for column in range(dim):
                hidden[column] += share * inputs[one, column]
        for place in range(asked.shape[1]):
            row, toward = outputs[asked[number, place]], gradients[1][asked[number, place]]
            product = np.float32(0)
            for column in range(dim):
                product += hidden[column] * row[column]
            slope = np.float32(1) / (np.float32(1) + np.exp(-product)) - np.float32(place == 0)
            for column in range(dim):
                back[column] += slope * row[column]
                toward[column] += slope * hidden[column]
        for one in around:
            for column in range(dim):
                gradients[0][one, column] += share * back[column]
        for one in words:
            for column in range(dim):
                gradients[0][one, column] += scales[number] * back[column]


def _fit(corpus: WordIds, recipe: Doc2veccRecipe, report: Report) -> Floats:
    """Return the input vector u of each word: (V, dim)."""
    model = Model.drawn(len(corpus.words), recipe)
    meter = Meter("train, words", recipe.epochs * len(corpus.ids), report)
    for batch in batches(corpus, recipe):
        model.step(batch)
        meter.add(len(batch.words))
    meter.finish()
    return model.inputs


def batches(corpus: WordIds, recipe: Doc2veccRecipe) -> Iterator[Batch]:
    """Give the words of one epoch after another, each once an epoch in a new order, frequent words less often."""
    random = np.random.default_rng(recipe.seed)
    shares = corpus.counts / corpus.counts.sum()
    keep = np.sqrt(recipe.subsample / shares) + recipe.subsample / shares  # as word2vec's program has it
    for _ in range(recipe.epochs):
        kept = random.random(len(corpus.ids)) < keep[corpus.ids]
        starts = np.concatenate([[0], np.cumsum(kept)])[corpus.starts]
        texts = _Texts(corpus.ids[kept].astype(np.int64), _pieces(starts, recipe.longest_text_tokens))
        order = random.permutation(len(texts.ids))
        for first in range(0, len(order), recipe.batch_words):
            yield _batch(texts, order[first : first + recipe.batch_words], corpus.counts, recipe=recipe, random=random)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Words (t,) of texts one behind the other, and where each starts and the last one ends (n + 1,)."""

    ids: Positions
    starts: Positions


def _batch(
    texts: _Texts, chosen: Positions, counts: Positions, *, recipe: Doc2veccRecipe, random: np.random.Generator
) -> Batch:
    """Return what is read of the words at b places to guess them, and words drawn to tell them from."""
    text = np.searchsorted(texts.starts, chosen, side="right") - 1
    first, stop = texts.starts[text], texts.starts[text + 1]
    offsets = np.concatenate([np.arange(-recipe.window, 0), np.arange(1, recipe.window + 1)])
    around = chosen[:, None] + offsets  # (b, 2 window)
    reach = random.integers(1, recipe.window + 1, len(chosen))  # nearer words are read more often, as in word2vec
    read = (abs(offsets) <= reach[:, None]) & (around >= first[:, None]) & (around < stop[:, None])
    ends = np.cumsum(stop - first)
    hits = successes(int(ends[-1]), recipe.kept_share, random)  # of the b texts one behind the other
    of = np.searchsorted(ends, hits, side="right")
    begins = np.concatenate([[0], ends[:-1]])
    flat = np.cumsum(counts**_FLATTER)
    negatives = np.searchsorted(flat, random.random((len(chosen), recipe.negatives)) * flat[-1], side="right")
    return Batch(
        words=texts.ids[chosen],
        near=texts.ids[around[read]],
        near_starts=np.concatenate([[0], np.cumsum(read.sum(axis=1))[:-1]]),
        text=texts.ids[first[of] + hits - begins[of]],
        text_starts=np.searchsorted(hits, begins),
        lengths=(stop - first).astype(np.float32),
        negatives=negatives,
    )


def successes(trials: int, share: float, random: np.random.Generator) -> Positions:
    """Return the places, ascending, at which independent trials of one chance succeed.

    The gaps between them are drawn, which takes a draw a success and not one a trial.
    """
    found = np.empty(0, np.int64)
    last = -1
    while last < trials:
        gaps = random.geometric(share, int((trials - last) * share) + 16)
        found = np.concatenate([found, last + np.cumsum(gaps)])
        last = int(found[-1])
    return found[found < trials]


def _pieces(starts: Positions, longest: int) -> Positions:
    """Return starts of texts, with those longer than `longest` cut into pieces of that length."""
    lengths = np.diff(starts)
    pieces = [np.arange(first, first + length, longest) for first, length in zip(starts, lengths, strict=False)]
    return np.concatenate([*pieces, starts[-1:]])
