"""Trains a matcher by its recipe: pairs of long documents in, a run folder and an encoder out.

Cosines of documents that belong together are learned to be near 1, of others near 0. S-BERT is a pre-trained
transformer that reads a document's first tokens and is fine-tuned on the same pairs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize

from engine.core.errors import InputError
from engine.core.progress import Meter, Report, silent
from engine.core.rows import Positions
from engine.documents import Document
from engine.encoders import Transformer, TransformerMeanEncoder, bare_model, source_folder
from engine.encoders.minilm import MINILM
from engine.encoders.processor import reading_precision
from engine.encoders.transformer import without_dropout
from engine.research.matchers.encoder import Lexicon, MatcherEncoder, build, frequent_trigrams
from engine.research.matchers.networks import (
    Kind,
    MatcherNetwork,
    MatcherSettings,
    Read,
    TextBatch,
    encode_reads,
    reads_words,
)
from engine.training import Folders, corpora
from engine.training.long_corpus import (
    LongBatch,
    LongCorpus,
    PlacedPairs,
    pair_batches,
    read_long_corpora,
    step_count,
    table_digests,
)
from engine.training.loop import Start, Surroundings, TrainingRun, train_encoder
from engine.training.losses import cosine_regression
from engine.training.run_folder import open_words
from engine.training.settings import CheckedSettings, CorporaSettings, Recipe, above_0, at_least, from_0_below_1


@dataclass(frozen=True, slots=True)
class MatcherDataSettings(CorporaSettings):
    """Corpora, and the folder of the word vectors in pretrained/ or anywhere; DSSM needs none."""

    words: str = "word2vec"


@dataclass(frozen=True, slots=True)
class MatcherOptimizerSettings(CheckedSettings):
    """Adam's step over about `batch` documents, half as many pairs.

    `word_dropout` is the share of words or trigrams hidden at each step, which the published networks do not do.
    """

    learning_rate: float = above_0(1e-3)
    batch: int = at_least(4, 64)
    word_dropout: float = from_0_below_1(0.0)


@dataclass(frozen=True, slots=True)
class MatcherRecipe(Recipe):
    """How a matcher is trained; the objective is one for all, the cosine's squared distance from the label."""

    kind: Kind = field(kw_only=True)
    data: MatcherDataSettings
    method: Literal["matcher"] = "matcher"
    network: MatcherSettings = field(default_factory=MatcherSettings)
    optimizer: MatcherOptimizerSettings = field(default_factory=MatcherOptimizerSettings)


@dataclass(frozen=True, slots=True)
class SBertSettings(CheckedSettings):
    """The transformer to begin with, "minilm" or any `transformers` folder, and how many tokens it reads.

    `max_tokens` counts the start and end tokens; the published length is 512.
    """

    source: str = MINILM
    max_tokens: int = at_least(4, 512)


@dataclass(frozen=True, slots=True)
class SBertRecipe(Recipe):
    """How S-BERT is fine-tuned: its mean of token vectors, by the same objective as the other matchers.

    That is the regression objective of Reimers and Gurevych (EMNLP 2019, section 3) and the one that CoLDE's authors
    name (section 4.1.3); their classifier over (u, v, |u - v|) would give no vectors to compare by cosine.
    """

    data: CorporaSettings
    method: Literal["s-bert"] = "s-bert"
    network: SBertSettings = field(default_factory=SBertSettings)
    optimizer: MatcherOptimizerSettings = field(default_factory=MatcherOptimizerSettings)


class MatcherTask:
    """Pairs of documents for the loop; the two of a pair go through one network."""

    def __init__(
        self,
        recipe: MatcherRecipe | SBertRecipe,
        network: MatcherNetwork,
        *,
        corpus: LongCorpus,
        reads: Sequence[Read],
    ) -> None:
        """Take what was read of each of the corpus's documents."""
        self._recipe, self._network, self._corpus, self._reads = recipe, network, corpus, reads

    @property
    def model(self) -> nn.Module:
        """The network; it neither learns nor keeps word vectors."""
        return self._network

    def groups(self) -> list[dict[str, Any]]:
        """Return parameters with their learning rate."""
        return [{"params": list(self._network.parameters()), "lr": self._recipe.optimizer.learning_rate}]

    def steps(self) -> int:
        """Return the number of batches in an epoch."""
        return step_count(self._corpus, self._recipe.optimizer.batch, related_only=False)

    def batches(self, epoch: int) -> Sequence[LongBatch]:
        """Return an epoch's batches, in which every train pair comes once."""
        return pair_batches(self._corpus, self._recipe.optimizer.batch, seed=self._recipe.seed, epoch=epoch)

    def loss(self, batch: LongBatch) -> Tensor:
        """Return the mean squared distance of the cosines from the labels; a document of several pairs is read once."""
        rows = encode_reads(self._network, self._thinned(batch))  # (n, dim)
        one, other = (torch.from_numpy(side).to(rows.device) for side in batch.pairs.places.T)
        related = torch.from_numpy(batch.pairs.related).to(rows.device)
        return cosine_regression(rows[one], rows[other], related)

    def scores(self) -> dict[str, float]:
        """Return the area under the ROC curve of the valid pairs' cosines, by corpus; none if all have one label."""
        from sklearn.metrics import roc_auc_score

        return {
            name: float(roc_auc_score(pairs.related, self._cosines(pairs.places)))
            for name, pairs in self._corpus.valid.items()
            if 0 < pairs.related.sum() < len(pairs.related)
        }

    @torch.no_grad()
    def _cosines(self, pairs: Positions) -> NDArray[np.float32]:
        """Return the cosine of the documents of each pair (m, 2): (m,)."""
        documents, places = np.unique(pairs, return_inverse=True)
        rows = encode_reads(self._network, [self._reads[place] for place in documents])  # (n, dim)
        one, other = normalize(rows)[torch.from_numpy(places.reshape(-1, 2).T).to(rows.device)]
        cosines: NDArray[np.float32] = (one * other).sum(1).cpu().numpy()
        return cosines

    def _thinned(self, batch: LongBatch) -> list[Read]:
        """Return the documents of a batch without the words that this step hides."""
        reads = [self._reads[place] for place in batch.documents]
        share = self._recipe.optimizer.word_dropout
        if not share:
            return reads
        generator = np.random.default_rng(batch.key)
        return [one.thinned(generator.random(len(one)) >= share) for one in reads]


class SBert(MatcherNetwork):
    """The mean of a transformer's token vectors (Reimers and Gurevych, EMNLP 2019, section 3)."""

    def __init__(self, model: nn.Module, dim: int) -> None:
        """Take a `transformers` model with vectors of length `dim`."""
        super().__init__()
        self.model, self._dim = model, dim

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self._dim

    def forward(self, texts: TextBatch) -> Tensor:
        """Return documents, each a row of token ids, as vectors: (b, dim)."""
        inside = texts.inside
        states = self.model(input_ids=texts.numbers, attention_mask=inside.long()).last_hidden_state  # (b, t, dim)
        means: Tensor = (states.float() * inside[..., None]).sum(1) / texts.lengths[:, None]
        return means


class SBertStart:
    """A transformer as a recipe begins with it.

    It learns without dropout, whose scores of attention take gigabytes; the recipe's `word_dropout` hides tokens.
    """

    def __init__(self, recipe: SBertRecipe, opened: Transformer) -> None:
        """Take an opened transformer. Raises EncoderError where it cannot read as many tokens as the recipe says."""
        self._recipe, self._opened = recipe, opened
        self._before = TransformerMeanEncoder(opened, max_tokens=recipe.network.max_tokens)  # checks the length
        self.network = SBert(bare_model(without_dropout(opened.config)), opened.dim)
        held = opened.arrays
        weights = {name: torch.from_numpy(held[name]) for name in self.network.model.state_dict()}
        self.network.model.load_state_dict(weights, strict=True)

    @classmethod
    def of(cls, recipe: SBertRecipe) -> Self:
        """Open the recipe's transformer. Raises EncoderError, MissingExtraError or ChecksumError if it is not there."""
        return cls(recipe, Transformer.open(source_folder(recipe.network.source), precision="float32"))

    def read(self, document: Document) -> Read:
        """Return the first tokens of a document in one row; nothing of one without text."""
        ids = self._opened.tokens([document.text], self._recipe.network.max_tokens) if document.text.strip() else []
        return Read.of(ids)

    def encoder(self, facts: Mapping[str, Any]) -> TransformerMeanEncoder:
        """Return the encoder of the present weights, which any command reads as it reads other transformers."""
        weights = {name: tensor.numpy() for name, tensor in self.network.cpu().model.state_dict().items()}
        model = Transformer.build(
            self._opened.config,
            self._opened.tokenizer,
            {**self._opened.arrays, **weights},
            precision=reading_precision(),
        )
        return TransformerMeanEncoder(
            model,
            max_tokens=self._recipe.network.max_tokens,
            trained_on=(Path(self._recipe.network.source).name, *self._recipe.data.corpora),
            facts=facts,
        )


class Untrained(Protocol):
    """What a training begins with: an untrained network, and how it reads."""

    @property
    def network(self) -> MatcherNetwork:
        """What learns."""

    def read(self, document: Document) -> Read:
        """Return what the network reads of a document; nothing of one without known words."""

    def encoder(self, facts: Mapping[str, Any]) -> MatcherEncoder | TransformerMeanEncoder:
        """Return the encoder of the present weights."""


def train(
    recipe: MatcherRecipe | SBertRecipe, folders: Folders, *, resume: bool = False, report: Report = silent
) -> MatcherEncoder | TransformerMeanEncoder:
    """Train by a recipe; gives the encoder of the epoch that tells valid pairs apart best.

    Raises InputError if a corpus is missing, EncoderError if S-BERT's transformer is, and TrainingError if the run
    folder holds another run.
    """
    digests = corpora.digests(recipe.data.corpora, folders.data) | table_digests(recipe.data.corpora, folders.data)

    def begin(around: Surroundings) -> Start[MatcherEncoder | TransformerMeanEncoder]:
        corpus = read_long_corpora(recipe.data.corpora, folders.data)
        learnt, valid = _documents(corpus)
        untrained: Untrained = (
            WordStart(recipe, corpus, learnt) if isinstance(recipe, MatcherRecipe) else SBertStart.of(recipe)
        )
        reads = _reads(untrained, corpus, places={*learnt, *valid}, report=report)
        known = _known(corpus, reads)
        task = MatcherTask(recipe, untrained.network.to(around.device), corpus=known, reads=reads)
        counts = [sum(len(pairs.related) for pairs in one.train.values()) for one in (corpus, known)]
        about = {
            "documents": len(learnt),
            "pairs": counts[1],
            "left_out": {"a document without known words": counts[0] - counts[1]},
        }
        return Start(task, untrained.encoder, about, scores=task.scores)

    found = train_encoder(TrainingRun(recipe, folders, resume, report), digests, begin, alone="a matcher")
    return cast(MatcherEncoder | TransformerMeanEncoder, found)


class WordStart:
    """An untrained matcher that reads the shipped words, or the trigrams of the documents that are trained on."""

    def __init__(self, recipe: MatcherRecipe, corpus: LongCorpus, learnt: Sequence[int]) -> None:
        """Take the places of the documents of train pairs. Raises InputError without words."""
        self._recipe, self._lexicon = recipe, _lexicon(recipe, corpus, learnt)
        self.network = build(recipe.kind, recipe.network, self._lexicon, seed=recipe.seed)

    def read(self, document: Document) -> Read:
        """Return the known words or trigrams of a document's first words."""
        return self._lexicon.read(document, self._recipe.kind, self._recipe.network)

    def encoder(self, facts: Mapping[str, Any]) -> MatcherEncoder:
        """Return the encoder of the present weights."""
        recipe = self._recipe
        return MatcherEncoder(
            recipe.kind,
            recipe.network,
            self._lexicon,
            network=self.network.cpu(),
            trained_on=recipe.data.corpora,
            facts=facts,
        )


def _documents(corpus: LongCorpus) -> tuple[list[int], list[int]]:
    """Return the places of the documents of train pairs, and of valid ones."""
    sides = (corpus.train.values(), corpus.valid.values())
    learnt, valid = (sorted({place for pairs in side for place in pairs.places.ravel().tolist()}) for side in sides)
    return learnt, valid


def _lexicon(recipe: MatcherRecipe, corpus: LongCorpus, learnt: Sequence[int]) -> Lexicon:
    """Return the shipped words, or the trigrams of documents that are trained on. Raises InputError without words."""
    if not reads_words(recipe.kind):
        return Lexicon(frequent_trigrams((corpus.documents[place] for place in learnt), recipe.network))
    words = open_words(recipe.data.words)
    return Lexicon(words.words, words.vectors)


def _reads(start: Untrained, corpus: LongCorpus, *, places: set[int], report: Report) -> list[Read]:
    """Return what is read of each document; nothing of those that neither train nor score."""
    meter = Meter("read documents", len(places), report)
    reads = [Read.of([])] * len(corpus.documents)
    for place in sorted(places):
        reads[place] = start.read(corpus.documents[place])
        meter.add()
    meter.finish()
    return reads


def _known(corpus: LongCorpus, reads: Sequence[Read]) -> LongCorpus:
    """Return the corpus without train pairs where one document has no known word.

    Raises InputError if no pair is left.
    """
    has_words = np.array([len(one) > 0 for one in reads])
    kept = {name: has_words[pairs.places].all(axis=1) for name, pairs in corpus.train.items()}
    if not any(one.any() for one in kept.values()):
        raise InputError("Expected train pairs of documents with known words, found none. Give other documents.")
    train = {name: PlacedPairs(old.places[kept[name]], old.related[kept[name]]) for name, old in corpus.train.items()}
    return dataclasses.replace(corpus, train=train)
