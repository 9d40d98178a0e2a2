"""Trains a KeyVec encoder by its recipe: corpora on disk in, a run folder and an encoder out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from engine.core.errors import InputError
from engine.core.progress import Report, silent
from engine.encoders import WordVectors, drawn_by
from engine.encoders.ctpe import WordEmbeddings
from engine.encoders.keyvec import KeyvecEncoder, KeyvecNetwork
from engine.training import corpora
from engine.training.keyvec.corpus import KeyvecCorpus, corpus_of
from engine.training.keyvec.reading import Corpora, read_abstracts, read_full_texts
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.keyvec.task import KeyvecTask
from engine.training.long_pairs import PAIRS, table_digests
from engine.training.loop import EncoderScore, adam, fit, surroundings
from engine.training.run_folder import Folders, open_run
from engine.training.word_folders import open_words

_COSINES = {"tfidf": "TF-IDF", "dssm": "DSSM"}


def train(
    recipe: KeyvecRecipe,
    folders: Folders,
    *,
    resume: bool = False,
    score: EncoderScore[KeyvecEncoder] | None = None,
    report: Report = silent,
) -> KeyvecEncoder:
    """Train by a recipe; gives the best epoch's encoder.

    Raises InputError if a corpus is missing, and TrainingError if the run folder holds another run.
    """
    with surroundings(recipe.device, folders.run, report, alone="KeyVec") as around:
        digests = _digests(recipe, folders.data)
        facts = open_run(folders.run, recipe, digests, resume=resume)
        vectors = open_words(recipe.data.words)
        read = Corpora(folders.data, digests, folders.cache, report)
        known = WordEmbeddings.of(vectors)
        corpus = corpus_of(recipe, vectors, [read_abstracts(recipe, known, read), read_full_texts(recipe, known, read)])
        task = _task(recipe, corpus, vectors, around.device)
        optimizes = partial(torch.optim.SGD, lr=recipe.optimizer.learning_rate)
        standing = fit(
            task,
            recipe.schedule,
            around,
            score=_scored(score, recipe, task, corpus),
            optimizes=adam if recipe.optimizer.kind == "adam" else optimizes,
        )
    facts |= {
        **corpus.about,
        "labels": f"{_COSINES[recipe.labels.similarity]} cosine above {recipe.labels.threshold}, "
        f"top {recipe.labels.top} a sentence of the abstract",
        **around.facts(standing),
    }
    return _encoder(recipe, task, corpus, facts=facts)


def _digests(recipe: KeyvecRecipe, data: Path) -> dict[str, str]:
    digests = corpora.digests(recipe.data.corpora, data)
    missing = [name for name in recipe.data.full_texts if not (data / name / PAIRS).is_file()]
    if missing:
        raise InputError(
            f"Expected {PAIRS} beside the full texts of {', '.join(recipe.data.full_texts)}; missing: "
            f"{', '.join(missing)}. They say which documents may be trained on."
        )
    return digests | table_digests(recipe.data.full_texts, data)


def _task(recipe: KeyvecRecipe, corpus: KeyvecCorpus, vectors: WordVectors, device: torch.device) -> KeyvecTask:
    """An untrained network; the seed draws the same weights on every machine and leaves torch's own seed alone."""
    rows = vectors.vectors[corpus.words].astype(np.float32)
    words = WordEmbeddings([vectors.words[place] for place in corpus.words], rows)
    with drawn_by(recipe.seed):
        network = KeyvecNetwork(words.dim, recipe.network, keywords=len(corpus.keywords))
    if recipe.keywords.start == "words":
        _start_keywords(network, words, corpus)
    words.requires_grad_(recipe.words.train)
    return KeyvecTask(recipe, corpus, words.to(device), network.to(device))


def _start_keywords(network: KeyvecNetwork, words: WordEmbeddings, corpus: KeyvecCorpus) -> None:
    """Give each key word with a vector that vector as its row of U; the others keep the row that was drawn.

    Raises InputError if a document's vector is not as long as a word's.
    """
    if network.settings.dim != words.dim:
        raise InputError(
            f"Expected document vectors as long as the words' for keywords.start=words, got network.dim="
            f"{network.settings.dim} and words of {words.dim} numbers. Set network.dim={words.dim}."
        )
    known = np.flatnonzero(corpus.word_of >= 0)
    with torch.no_grad():
        network.keywords.weight[torch.from_numpy(known)] = words.table[torch.from_numpy(corpus.word_of[known])]


def _scored(
    score: EncoderScore[KeyvecEncoder] | None, recipe: KeyvecRecipe, task: KeyvecTask, corpus: KeyvecCorpus
) -> Callable[[], Mapping[str, float]]:
    if score is None:
        return task.scores
    return lambda: {**task.scores(), **score(_encoder(recipe, task, corpus))}


def _encoder(
    recipe: KeyvecRecipe, task: KeyvecTask, corpus: KeyvecCorpus, *, facts: Mapping[str, Any] | None = None
) -> KeyvecEncoder:
    """The encoder of the present weights."""
    return KeyvecEncoder.of(task.words, task.network, corpus.keywords, trained_on=recipe.data.corpora, facts=facts)
