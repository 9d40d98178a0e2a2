"""Trains a C-DSSM encoder by its recipe: corpora on disk in, a run folder and an encoder out."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from engine.core.progress import Report, silent
from engine.encoders import WordVectors, most_frequent, trigrams
from engine.encoders.cdssm import TRIGRAMS, VECTORS, CdssmEncoder, CdssmNetwork, Lexicon, begin_network
from engine.training import corpora
from engine.training.cdssm.corpus import WordCorpus, read_words
from engine.training.cdssm.recipe import CdssmRecipe
from engine.training.cdssm.task import RelatedTask
from engine.training.loop import EncoderScore, fit, surroundings
from engine.training.related import pair_digests
from engine.training.related_pairs import RelatedPairs
from engine.training.run_folder import Folders, open_run
from engine.training.word_folders import open_words

_CENTRED_ON = 500  # documents that the network begins around
_PENALTY = 1.0  # on squares: trigrams of few words stay near zero
_ITERATIONS = 30


def train(
    recipe: CdssmRecipe,
    folders: Folders,
    *,
    resume: bool = False,
    score: EncoderScore[CdssmEncoder] | None = None,
    words: Path | None = None,
    report: Report = silent,
) -> CdssmEncoder | None:
    """Train by a recipe; gives the best epoch's encoder, and None in all but the first of several processes.

    `words` is a folder of word vectors in place of those that the recipe names. Raises InputError if a corpus or its
    pairs are missing, and TrainingError if the run folder holds another run.
    """
    with surroundings(recipe.device, folders.run, report) as around:
        digests = corpora.digests(recipe.data.corpora, folders.data) | pair_digests(recipe.data.files, folders.data)
        with around.processes.first_before_others():
            facts = open_run(folders.run, recipe, digests, resume=resume, writes=around.processes.is_first)
            corpus = read_words(recipe, folders.data, digests=digests, cache=folders.cache, report=around.report)
        pairs = RelatedPairs.of(recipe.data, corpus, folders.data, batch=recipe.optimizer.batch)
        start = Start.of(recipe, corpus, words)
        bags = start.lexicon.bags(corpus.words)
        task = RelatedTask(recipe, start.network, bags, examples=(corpus, pairs), processes=around.processes)
        drawn = np.random.default_rng(recipe.seed).permutation(len(corpus))[:_CENTRED_ON]
        start.network.centre(task.texts(drawn))
        start.network.to(around.device)
        standing = fit(task, recipe.schedule, around, score=lambda: score(start.encoder()) if score else {})
        if not around.processes.is_first:
            return None
        facts |= {
            "documents": len(corpus),
            "tokens": len(corpus.flat),
            "words": len(corpus.words),
            "queries_a_step": recipe.queries,
            recipe.network.words: len(start.lexicon.entries),
            **pairs.counts,
            "left_out": dict(corpus.left_out),
            **around.facts(standing),
        }
        return start.encoder(facts)


@dataclasses.dataclass(frozen=True)
class Start:
    """What is known of words, and the network that a recipe begins with."""

    recipe: CdssmRecipe
    lexicon: Lexicon
    network: CdssmNetwork

    @classmethod
    def of(cls, recipe: CdssmRecipe, corpus: WordCorpus, folder: Path | None = None) -> Start:
        """Take the corpus's trigrams, or its words that have vectors. Raises InputError if the vectors are missing.

        `folder` holds the vectors, where they are not the recipe's own.
        """
        settings, source = recipe.network, recipe.vectors.source if folder is None else str(folder)
        if settings.words == VECTORS:
            words = open_words(source)
            rows = words.vectors.astype(np.float32)
            network = begin_network(settings, len(words.words), vectors=rows, seed=recipe.seed)
            if network.vectors is not None:
                network.vectors.requires_grad_(recipe.vectors.trained)
            return cls(recipe, Lexicon(settings.words, words.words), network)
        entries = frequent_trigrams(corpus, settings.trigrams)
        letters = fit_letters(open_words(source), entries) if recipe.vectors.begin_letters else None
        network = begin_network(settings, len(entries), vectors=letters, seed=recipe.seed)
        return cls(recipe, Lexicon(settings.words, entries), network)

    def encoder(self, facts: Mapping[str, Any] | None = None) -> CdssmEncoder:
        """The encoder of the present weights."""
        return CdssmEncoder.of(
            self.network,
            self.lexicon.entries,
            self.recipe.network,
            trained_on=self.recipe.data.corpora,
            facts=facts,
        )


def frequent_trigrams(corpus: WordCorpus, most: int) -> tuple[str, ...]:
    """The `most` trigrams that occur most often in the corpus."""
    seen: Counter[str] = Counter()
    for word, count in zip(corpus.words, corpus.counts.tolist(), strict=True):
        for one in trigrams(word):
            seen[one] += count
    return most_frequent(seen, most)


def fit_letters(words: WordVectors, letters: Sequence[str]) -> NDArray[np.float32]:
    """Vectors (T, d) of trigrams: the least squares of (sum of a word's trigrams - its vector), a little penalised.

    A word counts by the root of its count, so that frequent ones come nearest.
    """
    wanted = words.vectors.astype(np.float32)  # (V, d)
    bags = Lexicon(TRIGRAMS, letters).bags(words.words)
    ones = np.ones(len(bags.numbers), np.float32)
    counted = csr_array((ones, bags.numbers, bags.starts), shape=(len(bags), len(letters)))  # (V, T)
    weights = np.sqrt(words.counts / words.counts.mean()).astype(np.float32)  # (V,)
    turned = csr_array(counted.T @ diags_array(weights))  # (T, V)
    return _conjugate_gradients(counted, turned, turned @ wanted)


def _conjugate_gradients(counted: csr_array, turned: csr_array, right: NDArray[np.float32]) -> NDArray[np.float32]:
    """Solve (turned counted + penalty) x = right for every column of `right` (T, d) at once: (T, d)."""
    solved, rest = np.zeros_like(right), right.copy()
    direction, squares = rest.copy(), np.einsum("td,td->d", rest, rest)  # (T, d), (d,)
    for _ in range(_ITERATIONS):
        moved = turned @ (counted @ direction) + _PENALTY * direction  # (T, d)
        step = squares / np.maximum(np.einsum("td,td->d", direction, moved), 1e-30)
        solved += step * direction
        rest -= step * moved
        left = np.einsum("td,td->d", rest, rest)
        direction = rest + left / np.maximum(squares, 1e-30) * direction
        squares = left
    found: NDArray[np.float32] = solved
    return found
