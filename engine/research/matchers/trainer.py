"""Trains a matcher by its recipe: pairs of long documents in, a run folder and an encoder out."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from engine.encoders.masked_texts import Read
from engine.errors import InputError
from engine.progress import Meter, Report, silent
from engine.research.matchers.build import build
from engine.research.matchers.encoder import MatcherEncoder
from engine.research.matchers.lexicon import Lexicon, frequent_trigrams
from engine.research.matchers.recipe import MatcherRecipe
from engine.research.matchers.settings import reads_words
from engine.research.matchers.task import MatcherTask
from engine.training import corpora
from engine.training.long_corpus import LongCorpus, PlacedPairs, read_long_corpora
from engine.training.long_pairs import table_digests
from engine.training.loop import fit, surroundings
from engine.training.run_folder import Folders, open_run
from engine.training.word_folders import open_words


def train(recipe: MatcherRecipe, folders: Folders, *, resume: bool = False, report: Report = silent) -> MatcherEncoder:
    """Train by a recipe; gives the encoder of the epoch that tells valid pairs apart best.

    Raises InputError if a corpus is missing, and TrainingError if the run folder holds another run.
    """
    with surroundings(recipe.device, folders.run, report, alone="a matcher") as around:
        digests = corpora.digests(recipe.data.corpora, folders.data)
        corpus = read_long_corpora(recipe.data.corpora, folders.data)
        digests |= table_digests(recipe.data.corpora, folders.data)
        facts = open_run(folders.run, recipe, digests, resume=resume)
        learnt, valid = _documents(corpus)
        lexicon = _lexicon(recipe, corpus, learnt)
        reads = _reads(recipe, corpus, lexicon, places={*learnt, *valid}, report=report)
        known = _known(corpus, reads)
        network = build(recipe.kind, recipe.network, lexicon, seed=recipe.seed).to(around.device)
        task = MatcherTask(recipe, network, corpus=known, reads=reads)
        standing = fit(task, recipe.schedule, around, score=task.scores)
    counts = [sum(len(pairs.related) for pairs in one.train.values()) for one in (corpus, known)]
    facts |= {
        "documents": len(learnt),
        "pairs": counts[1],
        "left_out": {"a document without known words": counts[0] - counts[1]},
        **around.facts(standing),
    }
    corpora_read = recipe.data.corpora
    return MatcherEncoder(
        recipe.kind, recipe.network, lexicon, network=network.cpu(), trained_on=corpora_read, facts=facts
    )


def _documents(corpus: LongCorpus) -> tuple[list[int], list[int]]:
    """The places of the documents of train pairs, and of valid ones."""
    sides = (corpus.train.values(), corpus.valid.values())
    learnt, valid = (sorted({place for pairs in side for place in pairs.places.ravel().tolist()}) for side in sides)
    return learnt, valid


def _lexicon(recipe: MatcherRecipe, corpus: LongCorpus, learnt: Sequence[int]) -> Lexicon:
    """The shipped words, or the trigrams of the documents that are trained on. Raises InputError without words."""
    if not reads_words(recipe.kind):
        return Lexicon(frequent_trigrams((corpus.documents[place] for place in learnt), recipe.network))
    words = open_words(recipe.data.words)
    return Lexicon(words.words, words.vectors)


def _reads(
    recipe: MatcherRecipe, corpus: LongCorpus, lexicon: Lexicon, *, places: set[int], report: Report
) -> list[Read]:
    """What is read of each document; nothing of those that neither train nor score."""
    meter = Meter("read documents", len(places), report)
    reads = [Read.of([])] * len(corpus.documents)
    for place in sorted(places):
        reads[place] = lexicon.read(corpus.documents[place], recipe.kind, recipe.network)
        meter.add()
    meter.finish()
    return reads


def _known(corpus: LongCorpus, reads: Sequence[Read]) -> LongCorpus:
    """The corpus without train pairs where one document has no known word.

    Raises InputError if no pair is left.
    """
    has_words = np.array([len(one) > 0 for one in reads])
    kept = {name: has_words[pairs.places].all(axis=1) for name, pairs in corpus.train.items()}
    if not any(one.any() for one in kept.values()):
        raise InputError("Expected train pairs of documents with known words, found none. Give other documents.")
    train = {name: PlacedPairs(old.places[kept[name]], old.related[kept[name]]) for name, old in corpus.train.items()}
    return dataclasses.replace(corpus, train=train)
