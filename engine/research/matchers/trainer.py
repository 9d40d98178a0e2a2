"""Trains a matcher by its recipe: pairs of long documents in, a run folder and an encoder out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from engine.core.errors import InputError
from engine.core.progress import Meter, Report, silent
from engine.documents import Document
from engine.encoders import TransformerMeanEncoder
from engine.encoders.masked_texts import Read
from engine.research.matchers.build import build
from engine.research.matchers.encoder import MatcherEncoder
from engine.research.matchers.lexicon import Lexicon, frequent_trigrams
from engine.research.matchers.network import MatcherNetwork
from engine.research.matchers.recipe import MatcherRecipe, SBertRecipe
from engine.research.matchers.s_bert import SBertStart
from engine.research.matchers.settings import reads_words
from engine.research.matchers.task import MatcherTask
from engine.training import Folders, corpora
from engine.training.long_corpus import LongCorpus, PlacedPairs, read_long_corpora, table_digests
from engine.training.loop import fit, surroundings
from engine.training.run_folder import open_run, open_words


class Start(Protocol):
    """What a training begins with: an untrained network, and how it reads."""

    @property
    def network(self) -> MatcherNetwork:
        """What learns."""

    def read(self, document: Document) -> Read:
        """What the network reads of a document; nothing of one without known words."""

    def encoder(self, facts: Mapping[str, Any]) -> MatcherEncoder | TransformerMeanEncoder:
        """The encoder of the present weights."""


def train(
    recipe: MatcherRecipe | SBertRecipe, folders: Folders, *, resume: bool = False, report: Report = silent
) -> MatcherEncoder | TransformerMeanEncoder:
    """Train by a recipe; gives the encoder of the epoch that tells valid pairs apart best.

    Raises InputError if a corpus is missing, EncoderError if S-BERT's transformer is, and TrainingError if the run
    folder holds another run.
    """
    with surroundings(recipe.device, folders.run, report, alone="a matcher") as around:
        digests = corpora.digests(recipe.data.corpora, folders.data)
        corpus = read_long_corpora(recipe.data.corpora, folders.data)
        digests |= table_digests(recipe.data.corpora, folders.data)
        facts = open_run(folders.run, recipe, digests, resume=resume)
        learnt, valid = _documents(corpus)
        start: Start = WordStart(recipe, corpus, learnt) if isinstance(recipe, MatcherRecipe) else SBertStart.of(recipe)
        reads = _reads(start, corpus, places={*learnt, *valid}, report=report)
        known = _known(corpus, reads)
        task = MatcherTask(recipe, start.network.to(around.device), corpus=known, reads=reads)
        standing = fit(task, recipe.schedule, around, score=task.scores)
    counts = [sum(len(pairs.related) for pairs in one.train.values()) for one in (corpus, known)]
    facts |= {
        "documents": len(learnt),
        "pairs": counts[1],
        "left_out": {"a document without known words": counts[0] - counts[1]},
        **around.facts(standing),
    }
    return start.encoder(facts)


class WordStart:
    """An untrained matcher that reads the shipped words, or the trigrams of the documents that are trained on."""

    def __init__(self, recipe: MatcherRecipe, corpus: LongCorpus, learnt: Sequence[int]) -> None:
        """Take the places of the documents of train pairs. Raises InputError without words."""
        self._recipe, self._lexicon = recipe, _lexicon(recipe, corpus, learnt)
        self.network = build(recipe.kind, recipe.network, self._lexicon, seed=recipe.seed)

    def read(self, document: Document) -> Read:
        """The known words or trigrams of a document's first words."""
        return self._lexicon.read(document, self._recipe.kind, self._recipe.network)

    def encoder(self, facts: Mapping[str, Any]) -> MatcherEncoder:
        """The encoder of the present weights."""
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


def _reads(start: Start, corpus: LongCorpus, *, places: set[int], report: Report) -> list[Read]:
    """What is read of each document; nothing of those that neither train nor score."""
    meter = Meter("read documents", len(places), report)
    reads = [Read.of([])] * len(corpus.documents)
    for place in sorted(places):
        reads[place] = start.read(corpus.documents[place])
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
