"""GloVe: word vectors whose products give the logarithm of how often two words meet.

The counts of meetings come first; AdaGrad then touches only the rows of a batch's words.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from engine.core.errors import NotFittedError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import Positions, compiled
from engine.documents import text
from engine.training.settings import WordsRecipe, above_0, at_least, zero_or_more
from engine.training.word2vec import TrainedWords

if TYPE_CHECKING:
    import torch

_TOKENS_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class WordIds:
    """Texts one behind the other: the ids (t,) of all their kept words, and where each text starts and ends (n + 1,).

    Words (V) come with the most frequent first; `tokens` is the length of the texts, words that are not kept included.
    """

    words: list[str]
    counts: NDArray[np.int64]
    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    tokens: int

    @property
    def text_of(self) -> NDArray[np.int64]:
        """The number of each kept word's text: (t,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def number_words(texts: Iterable[str], *, min_count: int, keep_words: int) -> WordIds:
    """Number the words that come up often enough; the others are left out, so that their neighbours meet.

    Raises NotFittedError if no word comes up often enough.
    """
    number_of: dict[str, int] = {}
    seen, ends = array("i"), array("q", [0])
    for one in texts:
        seen.extend(number_of.setdefault(word, len(number_of)) for word in text.tokens(one))
        ends.append(len(seen))
    numbers, names = np.asarray(seen, np.int32), list(number_of)
    counts = np.bincount(numbers, minlength=len(names))
    order = np.array(sorted(range(len(names)), key=lambda one: (-counts[one], names[one])), np.int64)
    order = order[counts[order] >= min_count][:keep_words]
    if not len(order):
        raise NotFittedError(
            f"Expected words that occur at least {min_count} times to train on, got none. Give more text."
        )
    place = np.full(len(names), -1, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    ids = place[numbers]
    kept = ids >= 0
    starts = np.concatenate([[0], np.cumsum(kept)])[np.asarray(ends, np.int64)]
    return WordIds([names[one] for one in order], counts[order], ids[kept], starts, len(numbers))


def count(corpus: WordIds, window: int, *, report: Report = silent) -> csr_array:
    """Return X (V, V), symmetric: two words d apart in one text add 1 / d, up to `window` (Pennington, section 4.2).

    Rows and columns are the corpus's word ids, without zeros.
    """
    size = len(corpus.words)
    text_of = corpus.text_of
    found = csr_array((size, size), dtype=np.float32)
    meter = Meter("count neighbours, words", len(corpus.ids), report)
    for first in range(0, len(corpus.ids), _TOKENS_AT_ONCE):
        stop = min(first + _TOKENS_AT_ONCE, len(corpus.ids))
        found = found + _pairs(corpus.ids, text_of, (first, stop), window=window, size=size)
        meter.add(stop - first)
    meter.finish()
    both: csr_array = (found + found.T).tocsr()
    return both


def _pairs(
    ids: NDArray[np.int32], text_of: NDArray[np.int64], stretch: tuple[int, int], *, window: int, size: int
) -> csr_array:
    """Return each word of a stretch [first, stop) with those up to `window` behind it: (V, V)."""
    first, stop = stretch
    lefts, rights, weights = [], [], []
    for distance in range(1, window + 1):
        last = min(stop, len(ids) - distance)
        left, right = slice(first, max(first, last)), slice(first + distance, max(first, last) + distance)
        together = text_of[left] == text_of[right]
        lefts.append(ids[left][together])
        rights.append(ids[right][together])
        weights.append(np.full(int(together.sum()), 1 / distance, np.float32))
    places = (np.concatenate(lefts), np.concatenate(rights))
    return coo_array((np.concatenate(weights), places), shape=(size, size)).tocsr()  # adds up equal places


Floats = NDArray[np.float32]


class SparseAdagrad:
    """The rows (V, dim), changed in place, that a batch's `gradients` (V, dim) move: Duchi et al., 2011.

    Squared slopes are summed up from `start`, and `least` is added to the root of their sum, as torch's `Adagrad` does.
    """

    def __init__(self, rows: Floats, rate: float, *, start: float = 0.0, least: float = 1e-10) -> None:
        """Take the rows and the learning rate."""
        self.rows, self.gradients = rows, np.zeros_like(rows)
        self._rate, self._least = rate, least
        self._squares = np.full_like(rows, start)
        self._moved = np.zeros(len(rows), np.bool_)

    def step(self, *touched: Positions) -> None:
        """Move the rows at these places, named once or more; their gradients are zero after it."""
        for places in touched:
            tables = (self.rows, self._squares, self.gradients)
            compiled(_descend, in_any_order=True)(places.ravel(), tables, self._moved, (self._rate, self._least))
        for places in touched:
            self._moved[places] = False


def _descend(
    places: Positions, tables: tuple[Floats, Floats, Floats], moved: NDArray[np.bool_], sizes: tuple[float, float]
) -> None:
    """Move each row that has not moved, and say so in `moved` (V,)."""
    rate, least = np.float32(sizes[0]), np.float32(sizes[1])
    for place in places:
        if moved[place]:
            continue
        moved[place] = True
        row, square, slope = tables[0][place], tables[1][place], tables[2][place]
        for column in range(len(row)):
            square[column] += slope[column] * slope[column]
            row[column] -= rate * slope[column] / (np.sqrt(square[column]) + least)
            slope[column] = 0


REPEATABLE = "Two runs of the same recipe on one machine agree."


@dataclass(frozen=True, slots=True)
class GloveRecipe(WordsRecipe):
    """How GloVe vectors are trained (Pennington et al., EMNLP 2014, section 4.2; width and window as for word2vec).

    `most_weighed` and `learning_rate` fit a small corpus (engine/research/reports/choices.md); the authors take 100
    and 0.05 for billions of words. Pairs of words that count less than `least_together` are left out.
    """

    method: Literal["glove"] = "glove"
    epochs: int = at_least(1, 15)
    batch_pairs: int = at_least(1, 4_096)
    min_count: int = at_least(1, 5)
    keep_words: int = at_least(1, 90_000)
    least_together: float = zero_or_more(0.0)
    most_weighed: float = above_0(10.0)
    exponent: float = above_0(0.75)
    learning_rate: float = above_0(0.2)
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Pairs:
    """Two words (p,) that meet, and how much they count together (p,)."""

    ours: NDArray[np.int32]
    theirs: NDArray[np.int32]
    together: NDArray[np.float32]

    @classmethod
    def of(cls, counts: csr_array, *, least: float = 0.0) -> Pairs:
        """Return the places of X (V, V) that hold `least` or more. Raises NotFittedError if none do."""
        found = counts.tocoo()
        kept = found.data >= least
        if not kept.any():
            raise NotFittedError(
                "Expected words that stand near each other to train on, got none. Give longer texts, or lower "
                "least_together."
            )
        rows, columns = (part[kept].astype(np.int32) for part in found.coords)
        return cls(rows, columns, found.data[kept])


def train(texts: Iterable[str], recipe: GloveRecipe, *, report: Report = silent) -> TrainedWords:
    """Train word vectors on texts, one document each; the same texts and recipe give the same vectors.

    A word's vector is the sum of its two, w + w~ (section 4.2). Raises NotFittedError if no word comes up often
    enough, or no two words meet.
    """
    started = time.monotonic()
    corpus = number_words(texts, min_count=recipe.min_count, keep_words=recipe.keep_words)
    counts = count(corpus, recipe.window, report=report)
    pairs = Pairs.of(counts, least=recipe.least_together)
    vectors = _fit(pairs, len(corpus.words), recipe, report)
    return TrainedWords(
        corpus.words, corpus.counts, vectors, len(corpus.starts) - 1, corpus.tokens, time.monotonic() - started
    )


def weight(together: torch.Tensor, recipe: GloveRecipe) -> torch.Tensor:
    """Return f(X): what a pair counts, (X / x_max)^alpha and at most one (equation 9)."""
    shares: torch.Tensor = (together / recipe.most_weighed).clamp(max=1.0) ** recipe.exponent
    return shares


class Model:
    """Two vectors and two biases for each of V words, the biases in the last column: (V, dim + 1) each."""

    def __init__(self, size: int, recipe: GloveRecipe) -> None:
        """Draw the parameters from (-0.5, 0.5) / dim, from the recipe's seed."""
        import torch

        drawn = torch.Generator().manual_seed(recipe.seed)
        shape = (size, recipe.dim + 1)
        self._recipe = recipe
        self.sides = [(torch.rand(shape, generator=drawn) - 0.5) / recipe.dim for _ in range(2)]
        self._moving = [SparseAdagrad(side.numpy(), recipe.learning_rate, start=1.0, least=0.0) for side in self.sides]

    def losses(self, ours: torch.Tensor, theirs: torch.Tensor, together: torch.Tensor) -> torch.Tensor:
        """Return f(X) (w . w~ + b + b~ - log X)^2 of each pair (p,): equation 8, before the sum."""
        return weight(together, self._recipe) * _errors(self.sides[0][ours], self.sides[1][theirs], together) ** 2

    def step(self, ours: torch.Tensor, theirs: torch.Tensor, together: torch.Tensor) -> None:
        """Move down the gradient of a batch's summed loss, by AdaGrad; half the gradient is taken."""
        one, other = self._moving
        places = ours.numpy(), theirs.numpy()
        aims = weight(together, self._recipe).numpy(), together.log().numpy()
        compiled(_gather, in_any_order=True)(places, aims, (one.rows, other.rows), (one.gradients, other.gradients))
        one.step(places[0])
        other.step(places[1])


def _gather(
    places: tuple[Positions, Positions],
    aims: tuple[Floats, Floats],
    sides: tuple[Floats, Floats],
    gradients: tuple[Floats, Floats],
) -> None:
    """Add the slopes of a batch's pairs (p,) to the gradients (V, dim + 1) of both sides (V, dim + 1).

    `aims` are what each pair counts (p,), and the logarithm that its product should give (p,).
    """
    shares, logs = aims
    last = sides[0].shape[1] - 1
    for number in range(len(shares)):
        ours, theirs = places[0][number], places[1][number]
        one, other = sides[0][ours], sides[1][theirs]
        product = np.float32(0)
        for column in range(last):
            product += one[column] * other[column]
        slope = shares[number] * (product + one[last] + other[last] - logs[number])
        to_one, to_other = gradients[0][ours], gradients[1][theirs]
        for column in range(last):
            to_one[column] += slope * other[column]
            to_other[column] += slope * one[column]
        to_one[last] += slope  # a bias's own slope is one
        to_other[last] += slope


def _errors(one: torch.Tensor, other: torch.Tensor, together: torch.Tensor) -> torch.Tensor:
    """Return how far the model's logarithm lies from the pair's, of vectors with biases (p, dim + 1): (p,)."""
    found: torch.Tensor = (one[:, :-1] * other[:, :-1]).sum(dim=1) + one[:, -1] + other[:, -1] - together.log()
    return found


def _fit(pairs: Pairs, size: int, recipe: GloveRecipe, report: Report) -> NDArray[np.float32]:
    """Return the sum of both vectors of each word: (V, dim)."""
    import torch

    model = Model(size, recipe)
    batches = math.ceil(len(pairs.together) / recipe.batch_pairs)
    meter = Meter("train, batches", recipe.epochs * batches, report)
    with torch.inference_mode():
        for batch in _batches(pairs, recipe):
            model.step(*(torch.from_numpy(part) for part in batch))
            meter.add()
    meter.finish()
    vectors: NDArray[np.float32] = (model.sides[0] + model.sides[1])[:, :-1].numpy()
    return vectors


def _batches(pairs: Pairs, recipe: GloveRecipe) -> Iterator[tuple[NDArray[Any], ...]]:
    """Give each pair once an epoch; every epoch draws its own order."""
    drawn = np.random.default_rng(recipe.seed)
    for _ in range(recipe.epochs):
        order = drawn.permutation(len(pairs.together))
        for first in range(0, len(order), recipe.batch_pairs):
            chosen = order[first : first + recipe.batch_pairs]
            yield pairs.ours[chosen].astype(np.int64), pairs.theirs[chosen].astype(np.int64), pairs.together[chosen]
