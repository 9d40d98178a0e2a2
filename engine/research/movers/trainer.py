"""Trains supervised word mover's distance by its recipe: related documents in, a run folder and learnt words out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.core.progress import Report, silent
from engine.encoders import WordVectors
from engine.research.movers.encoder import SupervisedMoverEncoder
from engine.research.movers.recipe import MoverRecipe
from engine.research.movers.task import MoverTask, WordMap
from engine.training import Folders, corpora
from engine.training.cdssm.corpus import read_words
from engine.training.loop import EncoderScore, fit, surroundings
from engine.training.related import RelatedPairs, pair_digests
from engine.training.run_folder import open_run, open_words


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
    with surroundings(recipe.device, folders.run, report, alone="a word mover") as around:
        digests = corpora.digests(recipe.data.corpora, folders.data) | pair_digests(recipe.data.files, folders.data)
        facts = open_run(folders.run, recipe, digests, resume=resume)
        corpus = read_words(recipe, folders.data, digests=digests, cache=folders.cache, report=around.report)
        pairs = RelatedPairs.of(recipe.data, corpus, folders.data, batch=recipe.optimizer.batch)
        words = open_words(recipe.words)
        model = WordMap(words, recipe.network.dim, seed=recipe.seed).to(around.device)
        task = MoverTask(recipe, model, words.words, examples=(corpus, pairs))

        def encoder(facts: Mapping[str, Any] | None = None) -> SupervisedMoverEncoder:
            return _encoder(recipe, words, model, facts)

        standing = fit(task, recipe.schedule, around, score=lambda: score(encoder()) if score else {})
        facts |= {
            "documents": len(corpus),
            **pairs.counts,
            "left_out": dict(corpus.left_out),
            **around.facts(standing),
        }
        return encoder(facts)


def _encoder(
    recipe: MoverRecipe, words: WordVectors, model: WordMap, facts: Mapping[str, Any] | None
) -> SupervisedMoverEncoder:
    """The encoder of the present weights."""
    mapped = (model.vectors @ model.map).detach().cpu().numpy().astype(np.float16)
    weights = model.log_weights.detach().exp().cpu().numpy()
    return SupervisedMoverEncoder(words.words, mapped, weights, trained_on=recipe.data.corpora, facts=facts)
