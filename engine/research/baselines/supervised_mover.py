"""Supervised word mover's distance: learnt words, the encoder that weighs and moves them, and how they are trained.

Words get mapped vectors and weights such that a text's nearest neighbours in a batch are those related to it (Huang et
al., "Supervised Word Mover's Distance", NeurIPS 2016).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import StorageError
from engine.core.progress import Report, silent
from engine.core.rows import DenseRows, Positions, unit_length
from engine.documents import Document, text
from engine.encoders import EncoderCard, WordVectors, storage
from engine.encoders.tfidf import count_words
from engine.research.baselines.word_mover import MovedWords, WordMoverEncoder
from engine.training import Folders, corpora
from engine.training.cdssm.recipe import CdssmDataSettings
from engine.training.cdssm.trainer import WordCorpus, read_words
from engine.training.loop import EncoderScore, Start, Surroundings, TrainingRun, train_encoder
from engine.training.related import PairBatch, RelatedPairs, pair_digests
from engine.training.run_folder import open_words
from engine.training.settings import CheckedSettings, OptimizerSettings, Recipe, above_0, at_least

_DRAWN = 2_000  # pairs of words that say how far two lie from each other

METHOD = "swmd/1"
NAME = "swmd"
SUMMARY = "The weighted mean of word vectors that were mapped so that related texts lie near. It stands in tables."


class SupervisedMoverEncoder(WordMoverEncoder):
    """The weighted mean of mapped word vectors, at unit length; function words count nothing.

    It finds the documents that word mover's distance then ranks with the same vectors and weights, where a move costs
    the squared distance (Huang et al., NeurIPS 2016, section 3).
    """

    def __init__(
        self,
        words: Sequence[str],
        vectors: NDArray[np.float16],
        weights: NDArray[np.float32],
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take words (V), their mapped vectors (V, dim) and weights above zero (V,), and facts to keep with them."""
        self.facts = dict(facts or {})
        self._words = list(words)
        self._arrays: dict[str, NDArray[Any]] = {"vectors": vectors, "weights": weights}
        self._columns = {word: column for column, word in enumerate(words)}
        counts = np.array([word not in text.STOP_WORDS for word in words])
        self._rows = vectors.astype(np.float32) * (weights * counts)[:, None]
        fingerprint = storage.fingerprint_of(METHOD, self._arrays, self._words)
        self._card = EncoderCard(NAME, SUMMARY, vectors.shape[1], fingerprint, trained_on=trained_on)

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    @property
    def moved_words(self) -> MovedWords:
        """The words with their mapped vectors and weights."""
        vectors, weights = self._arrays["vectors"].astype(np.float32), self._arrays["weights"].astype(np.float64)
        return MovedWords(self._words, vectors, weights, power=2)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents of the corpus: (n, dim)."""
        return unit_length(np.asarray(count_words(documents, self._columns) @ self._rows))

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(folder, method=METHOD, card=self.card, arrays=self._arrays, words=self._words, facts=self.facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError if the folder is damaged or foreign."""
        stored = storage.read(folder, method=METHOD, arrays={"vectors": 2, "weights": 1})
        vectors, weights = stored.arrays["vectors"], stored.arrays["weights"]
        if not len(stored.words) == len(vectors) == len(weights):
            raise StorageError(
                f"Expected a vector and a weight a word in {folder}, found {len(stored.words)} words, {len(vectors)} "
                f"vectors and {len(weights)} weights. Build the folder again."
            )
        return cls(stored.words, vectors, weights, trained_on=stored.card.trained_on, facts=stored.facts)


@dataclass(frozen=True, slots=True)
class MoverSettings(CheckedSettings):
    """What is read of a document, its first tokens and of these the most frequent words, and the width of a word."""

    max_tokens: int = at_least(1, 200)
    most_words: int = at_least(1, 40)
    dim: int = at_least(1, 100)


@dataclass(frozen=True, slots=True)
class MoverObjectiveSettings(CheckedSettings):
    """The softmax over distances times `gamma`, and the transport that they come from.

    Its entropy is divided by `sharpness`, and `rounds` of Sinkhorn's algorithm solve it. Costs are scaled so that two
    drawn words lie one apart before training: a `gamma` of one would ask the map for a larger scale first of all.
    """

    gamma: float = above_0(20.0)
    sharpness: float = above_0(10.0)
    rounds: int = at_least(1, 20)


@dataclass(frozen=True, slots=True)
class MoverRecipe(Recipe):
    """How the map and the weights are trained (Huang et al., "Supervised Word Mover's Distance", NeurIPS 2016).

    `words` names a folder of word vectors; `optimizer.batch` counts pairs, two documents each, and the
    weights learn by its `words_learning_rate`.
    """

    data: CdssmDataSettings
    method: Literal["swmd"] = "swmd"
    words: str = "word2vec"
    network: MoverSettings = field(default_factory=MoverSettings)
    objective: MoverObjectiveSettings = field(default_factory=MoverObjectiveSettings)
    optimizer: OptimizerSettings = field(default_factory=lambda: OptimizerSettings(batch=16))


class WordMap(nn.Module):
    """A linear map of word vectors (d, dim) and the logarithm of each word's weight (V,)."""

    vectors: Tensor

    def __init__(self, words: WordVectors, dim: int, *, seed: int) -> None:
        """Begin with weights of one and the vectors as they are, scaled so that drawn words lie one apart."""
        super().__init__()
        vectors = torch.from_numpy(words.vectors.astype(np.float32))
        one, other = np.random.default_rng(seed).integers(0, len(vectors), (2, _DRAWN))
        apart = (vectors[one] - vectors[other]).square().sum(dim=1).mean().clamp_min(1e-12)
        self.register_buffer("vectors", vectors, persistent=False)
        self.map = nn.Parameter(torch.eye(vectors.shape[1], dim) / apart.sqrt())
        self.log_weights = nn.Parameter(torch.zeros(len(vectors)))

    def forward(self, words: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
        """Map texts of words and counts (n, w) to vectors (n, w, dim) and shares (n, w) that sum to one."""
        weighed = counts * self.log_weights[words].exp()
        return self.vectors[words] @ self.map, weighed / weighed.sum(dim=1, keepdim=True)


class MoverTask:
    """Related pairs for the loop: each document of a batch looks for those related to it among all others."""

    def __init__(
        self, recipe: MoverRecipe, model: WordMap, words: Sequence[str], *, examples: tuple[WordCorpus, RelatedPairs]
    ) -> None:
        """Take the map on its device, the words of its vectors, and the documents with their related pairs."""
        self._recipe, self._map = recipe, model
        self._corpus, self._pairs = examples
        column_of = {word: column for column, word in enumerate(words) if word not in text.STOP_WORDS}
        self._columns = np.array([column_of.get(word, -1) for word in self._corpus.words], np.int64)

    @property
    def model(self) -> nn.Module:
        """The map and the weights."""
        return self._map

    def groups(self) -> list[dict[str, Any]]:
        """Return parameters with their learning rates."""
        rates = self._recipe.optimizer
        return [
            {"params": [self._map.map], "lr": rates.learning_rate},
            {"params": [self._map.log_weights], "lr": rates.words_learning_rate or rates.learning_rate},
        ]

    def steps(self) -> int:
        """Return the number of batches in an epoch."""
        return self._recipe.data.steps

    def batches(self, epoch: int) -> Sequence[PairBatch]:
        """Return an epoch's batches, each drawn by its own key."""
        return [self._pairs.draw((self._recipe.seed, epoch, step)) for step in range(self.steps())]

    def loss(self, batch: PairBatch) -> Tensor:
        """Return -log of the softmax over distances that a document gives its related ones, the mean of a batch.

        The leave-one-out neighbours of neighbourhood components analysis, those of the batch alone (section 3).
        """
        documents = np.unique(batch.pairs)
        bags = [self._bag(place) for place in documents]
        known = np.array([len(words) > 0 for words, _ in bags])
        documents, bags = documents[known], [bag for bag in bags if len(bag[0])]
        related = self._pairs.same_label(documents, documents) & ~np.eye(len(documents), dtype=bool)
        asks = related.any(axis=1)
        if not asks.any():
            return self._map.map.sum() * 0.0
        distances = self._recipe.objective.gamma * self._distances(*self._padded(bags))  # (n, n)
        wanted = torch.from_numpy(related).to(distances.device)
        every = torch.logsumexp(-distances, dim=1)
        right = torch.logsumexp((-distances).masked_fill(~wanted, -torch.inf), dim=1)
        asking = torch.from_numpy(asks).to(distances.device)
        mean: Tensor = (every - right)[asking].mean()
        return mean

    def _distances(self, words: Tensor, counts: Tensor) -> Tensor:
        """Return how far each of n texts is from each other one, and infinite from itself: (n, n)."""
        settings = self._recipe.objective
        with torch.autocast(words.device.type, enabled=False):  # squared distances need single precision
            vectors, shares = self._map(words, counts)
            one, other = torch.triu_indices(len(words), len(words), offset=1, device=words.device)
            squares = vectors.square().sum(dim=2)
            products = vectors[one] @ vectors[other].transpose(1, 2)  # (p, w, w)
            costs = (squares[one][:, :, None] + squares[other][:, None, :] - 2 * products).clamp_min(0.0)
            moved = transport(shares[one], shares[other], costs, sharpness=settings.sharpness, rounds=settings.rounds)
            rows = torch.cat([one, other]) * len(words) + torch.cat([other, one])
            flat = moved.new_full((len(words) ** 2,), torch.inf).index_put((rows,), torch.cat([moved, moved]))
        return flat.view(len(words), len(words))

    def _bag(self, place: np.int64) -> tuple[Positions, NDArray[np.float32]]:
        """Return the most frequent known words of a document, of equal ones the earlier first, and their counts."""
        flat = self._columns[self._corpus.flat[self._corpus.starts[place] : self._corpus.starts[place + 1]]]
        words, first, counts = np.unique(flat[flat >= 0], return_index=True, return_counts=True)
        order = np.lexsort((first, -counts))[: self._recipe.network.most_words]
        return words[order], counts[order].astype(np.float32)

    def _padded(self, bags: Sequence[tuple[Positions, NDArray[np.float32]]]) -> tuple[Tensor, Tensor]:
        """Return words and counts of n texts, (n, w) each; a count of zero is padding."""
        device = self._map.map.device
        words, counts = (
            nn.utils.rnn.pad_sequence([torch.from_numpy(bag[side]) for bag in bags], batch_first=True).to(device)
            for side in range(2)
        )
        return words, counts


def transport(ours: Tensor, theirs: Tensor, costs: Tensor, *, sharpness: float, rounds: int) -> Tensor:
    """Return what moving the weights of p texts (p, s) to those of p others (p, t) costs, at costs (p, s, t): (p,).

    Weights of a text sum to one; places with none are padding. The value is the cost of the plan that `rounds` of
    Sinkhorn's algorithm find, with the entropy of the plan divided by `sharpness`. The gradient by a cost is the plan,
    and by a weight its dual variable (Huang et al., NeurIPS 2016, section 4).
    """
    with torch.no_grad():
        plan, of_ours, of_theirs = _solve(ours.log(), theirs.log(), costs * sharpness, rounds)
        of_ours, of_theirs = of_ours / sharpness, of_theirs / sharpness
    moved = (plan * costs).sum(dim=(1, 2))
    slopes = (of_ours * ours).sum(dim=1) + (of_theirs * theirs).sum(dim=1)
    value: Tensor = moved + slopes - slopes.detach()
    return value


def _solve(ours: Tensor, theirs: Tensor, costs: Tensor, rounds: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the plan (p, s, t) and both dual variables (p, s) and (p, t), zero at padding; weights are logarithms."""
    one, other = ours, torch.zeros_like(theirs).masked_fill(theirs.isinf(), -torch.inf)
    for _ in range(rounds):
        one = ours - torch.logsumexp(other[:, None, :] - costs, dim=2)
        other = theirs - torch.logsumexp(one[:, :, None] - costs, dim=1)
    plan = (one[:, :, None] + other[:, None, :] - costs).exp()
    return plan, one.masked_fill(one.isinf(), 0.0), other.masked_fill(other.isinf(), 0.0)


def train(
    recipe: MoverRecipe,
    folders: Folders,
    *,
    resume: bool = False,
    score: EncoderScore[SupervisedMoverEncoder] | None = None,
    report: Report = silent,
) -> SupervisedMoverEncoder:
    """Train by a recipe; gives the encoder of the best epoch by the weighted means of texts.

    A benchmark's queries are left out, and of pairs all but train ones. Raises InputError if a corpus, its pairs or the
    word vectors are missing, and TrainingError if the run folder holds another run.
    """
    digests = corpora.digests(recipe.data.corpora, folders.data) | pair_digests(recipe.data.files, folders.data)

    def begin(around: Surroundings) -> Start[SupervisedMoverEncoder]:
        corpus = read_words(recipe, folders.data, digests=digests, cache=folders.cache, report=around.report)
        pairs = RelatedPairs.of(recipe.data, corpus, folders.data, batch=recipe.optimizer.batch)
        words = open_words(recipe.words)
        model = WordMap(words, recipe.network.dim, seed=recipe.seed).to(around.device)
        task = MoverTask(recipe, model, words.words, examples=(corpus, pairs))
        about = {"documents": len(corpus), **pairs.counts, "left_out": dict(corpus.left_out)}
        return Start(task, partial(_encoder, recipe, words, model), about)

    found = train_encoder(
        TrainingRun(recipe, folders, resume, report), digests, begin, score=score, alone="a word mover"
    )
    return cast(SupervisedMoverEncoder, found)


def _encoder(
    recipe: MoverRecipe, words: WordVectors, model: WordMap, facts: Mapping[str, Any]
) -> SupervisedMoverEncoder:
    """Return the encoder of the present weights."""
    mapped = (model.vectors @ model.map).detach().cpu().numpy().astype(np.float16)
    weights = model.log_weights.detach().exp().cpu().numpy()
    return SupervisedMoverEncoder(words.words, mapped, weights, trained_on=recipe.data.corpora, facts=facts)
