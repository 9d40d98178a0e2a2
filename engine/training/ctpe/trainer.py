"""Trains a CTPE encoder by its recipe: corpora on disk in, a run folder and an encoder out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
import torch

from engine.core import files
from engine.core.errors import InputError
from engine.core.progress import Report, silent
from engine.encoders import Transformer, TransformerMeanEncoder, drawn_by
from engine.encoders.ctpe import (
    WHOLE,
    CtpeEncoder,
    CtpeSettings,
    EmbeddingModel,
    PairNetwork,
    Reduction,
    SentenceMeans,
    TransformerTokens,
    WordEmbeddings,
    summed,
)
from engine.training import corpora
from engine.training.ctpe.corpus import read_pairs, texts_of
from engine.training.ctpe.nearest import read_nearest
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.ctpe.task import PairTask
from engine.training.examples import Ids, Sampling
from engine.training.loop import EncoderScore, Surroundings, fit, surroundings
from engine.training.related import RelatedDocuments, pair_digests
from engine.training.run_folder import Folders, open_run
from engine.training.student.teacher_rows import open_teacher, read_teacher_rows
from engine.training.word_folders import open_words

_FITTED_AFTERWARDS = frozenset({"reduction.dim", "reduction.centred", "reduction.stored"})
_REDUCED_ON = 10_000  # documents whose halves the reduction is fitted on


def train(
    recipe: CtpeRecipe,
    folders: Folders,
    *,
    resume: bool = False,
    score: EncoderScore[CtpeEncoder] | None = None,
    report: Report = silent,
) -> CtpeEncoder | None:
    """Train by a recipe; gives the best epoch's encoder, and None in all but the first of several processes.

    Raises InputError if a corpus is missing, and TrainingError if the run folder holds another run.
    """
    with surroundings(recipe.device, folders.run, report) as around:
        digests = corpora.digests(recipe.data.corpora, folders.data)
        with around.processes.first_before_others():
            facts = open_run(
                folders.run,
                recipe,
                digests | pair_digests(recipe.related.files, folders.data),
                resume=resume,
                writes=around.processes.is_first,
                may_change=_FITTED_AFTERWARDS if recipe.reduction.kind == "pca" else frozenset(),
            )
            embedding = _embedding(recipe, around.device)
            task, about = _task(recipe, embedding, folders, digests, around)
        standing = fit(task, recipe.schedule, around, score=_scored(score, recipe, task))
        if not around.processes.is_first:
            return None
        facts |= about | around.facts(standing)
        return _encoder(recipe, embedding, task.network, reduction=_reduction(recipe, task), facts=facts)


def _task(
    recipe: CtpeRecipe, embedding: EmbeddingModel, folders: Folders, digests: Mapping[str, str], around: Surroundings
) -> tuple[PairTask, dict[str, Any]]:
    """The task that the corpora give, and facts about them."""
    corpus = read_pairs(recipe, embedding, folders.data, corpora=digests, cache=folders.cache, report=around.report)
    count = len(corpus.tokens)
    if count < 3:
        raise InputError(f"Expected at least 3 documents with two halves to train on, got {count}. Give more text.")
    nearest = None
    if recipe.objective.sampling == "tfidf":
        nearest = read_nearest(corpus, cache=folders.cache, report=around.report)
    related = RelatedDocuments.of(recipe.related, corpus.tokens, folders.data)
    sampling = Sampling(recipe.optimizer.batch, nearest, related.draw if related else None)
    network = _network(recipe, embedding).to(around.device)
    teacher = _teacher(recipe)
    places = None
    if teacher is not None:
        texts = texts_of(corpus.tokens, recipe.data.corpora, folders.data, around.report)
        places = read_teacher_rows(texts, teacher, cache=folders.cache, report=around.report)
    task = PairTask(
        recipe, embedding, network, examples=(corpus.tokens, sampling), places=places, processes=around.processes
    )
    about = {
        "documents": count,
        "tokens": len(corpus.tokens.flat),
        **(related.counts if related else {}),
        "left_out": dict(corpus.left_out),
        "embedding": embedding.fingerprint,
        **({} if teacher is None else {"teacher_fingerprint": teacher.card.fingerprint}),
    }
    return task, about


def _teacher(recipe: CtpeRecipe) -> TransformerMeanEncoder | None:
    """The encoder whose places the documents learn, if the recipe names one."""
    settings = recipe.places
    if not settings.source:
        return None
    return TransformerMeanEncoder(open_teacher(settings.source), max_tokens=settings.max_tokens)


def _embedding(recipe: CtpeRecipe, device: torch.device) -> EmbeddingModel:
    """What the network reads; word vectors are frozen unless the recipe trains them.

    Raises InputError if the word vectors are missing, EncoderError if the transformer is.
    """
    settings = recipe.network
    if settings.embedding == "transformer":
        return TransformerTokens(Transformer.open(settings.source))
    vectors, weighted = open_words(settings.source), bool(settings.mean_dim)
    words = WordEmbeddings.of(vectors, weighted=weighted).requires_grad_(settings.train_words).to(device)
    return words if settings.embedding == "words" else SentenceMeans(words)


def _network(recipe: CtpeRecipe, embedding: EmbeddingModel) -> PairNetwork:
    """An untrained network; the seed draws the same weights on every machine and leaves torch's own seed alone."""
    with drawn_by(recipe.seed):
        network = PairNetwork(embedding.dim, recipe.network.channels, mean_dim=recipe.network.mean_dim)
    if network.shift is not None and isinstance(embedding, WordEmbeddings):
        network.shift.data.copy_(torch.from_numpy(embedding.mean_occurrence()))
    return network


def _scored(
    score: EncoderScore[CtpeEncoder] | None, recipe: CtpeRecipe, task: PairTask
) -> Callable[[], Mapping[str, float]]:
    """Scores the present weights; the texts of the benchmarks are read once, not at every epoch."""
    if score is None:
        return dict
    embedding = task.embedding
    if not isinstance(embedding, WordEmbeddings):
        return lambda: score(_encoder(recipe, embedding, task.network, reduction=_learnt(task)))
    read: dict[str, Ids] = {}
    return lambda: score(
        _encoder(recipe, RememberingWords.like(embedding, read), task.network, reduction=_learnt(task))
    )


def _reduction(recipe: CtpeRecipe, task: PairTask) -> Reduction | None:
    """The map that makes rows small: the one that was learnt, or one fitted on documents that were trained on."""
    settings = recipe.reduction
    if not settings.dim or settings.kind == "learnt":
        return _learnt(task)
    sides = task.halves(_REDUCED_ON)
    if recipe.pairs.similarity == WHOLE:
        return Reduction.fit(summed(*sides), dim=settings.dim, centred=settings.centred)
    return Reduction.fit(*sides, dim=settings.dim, centred=settings.centred)


def _learnt(task: PairTask) -> Reduction | None:
    if task.projection is None:
        return None
    components = task.projection.weight.detach().cpu().numpy().T  # (4 n_f, d)
    return Reduction(np.zeros(len(components), np.float32), components.astype(np.float16), centred=False)


def _encoder(
    recipe: CtpeRecipe,
    embedding: EmbeddingModel,
    network: PairNetwork,
    *,
    reduction: Reduction | None = None,
    facts: Mapping[str, Any] | None = None,
) -> CtpeEncoder:
    """An encoder that reads as the recipe says."""
    settings = CtpeSettings(
        recipe.pairs.position,
        max_tokens=recipe.pairs.max_tokens,
        whole_below_tokens=recipe.pairs.whole_below_tokens,
        similarity=recipe.pairs.similarity,
        part_tokens=recipe.pairs.part_tokens,
        stored=recipe.reduction.stored,
    )
    return CtpeEncoder.of(
        embedding, network, settings, reduction=reduction, trained_on=recipe.data.corpora, facts=facts
    )


class RememberingWords(WordEmbeddings):
    """The vectors of other word embeddings, with the ids of every text kept in `read`."""

    read: dict[str, Ids]

    @classmethod
    def like(cls, other: WordEmbeddings, read: dict[str, Ids]) -> Self:
        """The vectors of `other` as they will be stored; `read` is shared with those that come after."""
        made = cls.build(other.arrays, other.words, other.config)
        made.read = read
        return made

    def as_stored(self) -> Self:
        """Itself: it has the stored vectors, and nothing trains it."""
        return self

    def ids(self, text: str, max_tokens: int) -> Ids:
        """The numbers of a text's first `max_tokens` tokens that have a vector."""
        key = files.fingerprint(text, str(max_tokens))
        if key not in self.read:
            self.read[key] = super().ids(text, max_tokens)
        return self.read[key]
