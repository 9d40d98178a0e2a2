"""The encoders of a benchmark's table that no search offers: the papers' baselines, each by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np

from engine import encoders
from engine.core.progress import Report
from engine.documents import Document
from engine.encoders import Encoder, SentenceMeanEncoder, Word2vecMeanEncoder, WordVectors, minilm
from engine.evaluation import DEFAULT_ROW, PRODUCT, Catalogue
from engine.evaluation.measure import PreparedSystem
from engine.evaluation.systems import AsSearched, BaselineRow
from engine.research.baselines import doc2vec, doc2vecc, glove, lda, random_rows, word_mover
from engine.research.baselines.glove import GloveRecipe
from engine.research.baselines.passage_rows import MINILM_PASSAGES, PASSAGE_BASELINES
from engine.research.matchers import networks as matchers
from engine.search import ranking_fingerprint
from engine.training import word2vec
from engine.training.word2vec import TrainedWords, Word2vecRecipe

OWN_WORDS, WITHOUT_PASSAGES = "word2vec-own", "default-without-passages"
CTPE_LDA, CTPE_DOC2VEC = "lda-ctpe", "doc2vec-ctpe"
SENTENCES, MINILM_SENTENCES = "sentence-mean", "sentence-mean-minilm"
MOVED = Word2vecMeanEncoder.name
"""The row whose words `wmd` and `rwmd` move; wmd(ROW) moves those of another."""

OWN_CORPUS = ("the benchmark's corpus",)
OWN_RECIPE = Word2vecRecipe(corpora=OWN_CORPUS, workers=1)
"""The recipe of the shipped vectors, with one worker so that two runs agree.

A word must come up five times even in a small corpus (engine/research/reports/choices.md).
"""
OWN_GLOVE, OWN_DOC2VECC = GloveRecipe(corpora=OWN_CORPUS), doc2vecc.Doc2veccRecipe()


def _lda(settings: lda.LdaSettings, corpus: Sequence[Document], _: Report) -> Encoder:
    return lda.LdaEncoder.fit(corpus, settings)


def _doc2vec(settings: doc2vec.Doc2vecSettings, corpus: Sequence[Document], _: Report) -> Encoder:
    return doc2vec.Doc2vecEncoder.fit(corpus, settings)


def _word2vec(corpus: Sequence[Document], report: Report) -> Encoder:
    return _mean_of(word2vec.train((document.text for document in corpus), OWN_RECIPE, report=report))


def _glove(corpus: Sequence[Document], report: Report) -> Encoder:
    return _mean_of(glove.train((document.text for document in corpus), OWN_GLOVE, report=report))


def _doc2vecc(corpus: Sequence[Document], report: Report) -> Encoder:
    texts = (document.text for document in corpus)
    return _mean_of(doc2vecc.train(texts, OWN_DOC2VECC, report=report))


def _random_words(corpus: Sequence[Document], _: Report) -> Encoder:
    return Word2vecMeanEncoder(random_rows.random_words(corpus))


def _minilm() -> Encoder:
    return minilm.load()


def _sentences() -> Encoder:
    return SentenceMeanEncoder(encoders.load(Word2vecMeanEncoder.name))


def _minilm_sentences() -> Encoder:
    return SentenceMeanEncoder(minilm.load())


def _word_mover(kind: str, corpus: Sequence[Document], keep: Path | None, report: Report) -> PreparedSystem:
    """Return word mover's distance over the first hits of the shipped vectors' plain mean."""
    first = PRODUCT.prepare(MOVED, corpus, keep=keep, report=report)
    return replace(word_mover.again(kind, first, corpus), name=kind)


def _without_passages(corpus: Sequence[Document], keep: Path | None, report: Report) -> PreparedSystem:
    """Return the default ranking by document vectors and keywords alone."""
    found = PRODUCT.prepare(DEFAULT_ROW, corpus, keep=keep, report=report)
    system = cast(AsSearched, found.system)
    held = replace(system.corpus, passages=None)
    fingerprint = ranking_fingerprint(held.encoder.card, mixed=len(held.kinds) > 1)
    return PreparedSystem(WITHOUT_PASSAGES, replace(system, corpus=held), fingerprint, found.seconds)


def _mean_of(trained: TrainedWords) -> Encoder:
    """Return the plain mean of word vectors, in half precision as those that are shipped."""
    vectors = trained.vectors.astype(np.float16)
    return Word2vecMeanEncoder(WordVectors(trained.words, vectors, trained.counts, trained.tokens))


BASELINES: Mapping[str, BaselineRow] = {
    random_rows.NAME: BaselineRow(random_rows.SUMMARY, load=random_rows.RandomEncoder),
    random_rows.WORDS: BaselineRow(random_rows.WORDS_SUMMARY, learn=_random_words),
    OWN_WORDS: BaselineRow(
        "The plain mean of word2vec vectors trained on the benchmark's own corpus.", learn=_word2vec
    ),
    "glove-own": BaselineRow("The plain mean of GloVe vectors trained on the benchmark's own corpus.", learn=_glove),
    "doc2vecc": BaselineRow(
        "The plain mean of word vectors trained, on the benchmark's own corpus, to stand for texts by their mean.",
        learn=_doc2vecc,
    ),
    lda.NAME: BaselineRow(lda.SUMMARY, learn=partial(_lda, lda.USUAL)),
    CTPE_LDA: BaselineRow("LDA with CTPE's settings: one pass over every word.", learn=partial(_lda, lda.OF_CTPE)),
    doc2vec.NAME: BaselineRow(doc2vec.SUMMARY, learn=partial(_doc2vec, doc2vec.USUAL)),
    CTPE_DOC2VEC: BaselineRow(
        "Doc2vec with CTPE's settings: window 10, 50 epochs.", learn=partial(_doc2vec, doc2vec.OF_CTPE)
    ),
    SENTENCES: BaselineRow("The mean of a document's sentences, each the mean of word2vec vectors.", load=_sentences),
    MINILM_SENTENCES: BaselineRow("The mean of MiniLM's vectors of each sentence; very slow.", load=_minilm_sentences),
    minilm.MINILM: BaselineRow("all-MiniLM-L6-v2, which a user would pick instead.", load=_minilm),
    WITHOUT_PASSAGES: BaselineRow(
        "The default ranking of a library whose passages were not read: document vectors and keywords.",
        prepare=_without_passages,
    ),
    **PASSAGE_BASELINES,
    **{
        kind: BaselineRow(word_mover.summary(kind, MOVED), prepare=partial(_word_mover, kind))
        for kind in word_mover.KINDS
    },
}
"""Rows of the papers' tables by name, and the sentence encoder that every user would try."""

LEARNT_BY: Mapping[str, str] = {
    random_rows.WORDS: random_rows.METHOD,
    OWN_WORDS: f"{OWN_RECIPE}",
    "glove-own": f"{OWN_GLOVE}",
    "doc2vecc": f"{OWN_DOC2VECC}",
    lda.NAME: f"{lda.METHOD} {lda.USUAL}",
    CTPE_LDA: f"{lda.METHOD} {lda.OF_CTPE}",
    doc2vec.NAME: f"{doc2vec.METHOD} {doc2vec.USUAL}",
    CTPE_DOC2VEC: f"{doc2vec.METHOD} {doc2vec.OF_CTPE}",
}
"""By row, what names how it learns from a corpus, so that figures of another way are not taken for its own."""

FETCHED = frozenset({minilm.MINILM, MINILM_SENTENCES, MINILM_PASSAGES})
"""Rows that need a package that Priorscope does not install."""

ROWS = Catalogue(
    BASELINES,
    {
        **dict.fromkeys(matchers.KIND_OF, "engine.research.matchers.encoder.MatcherEncoder"),
        "elmo/1": "engine.research.baselines.elmo.ElmoEncoder",
        "skip-thoughts/1": "engine.research.baselines.skip_thoughts.SkipThoughtsEncoder",
        "swmd/1": "engine.research.baselines.supervised_mover.SupervisedMoverEncoder",
    },
    {kind: partial(word_mover.again, kind) for kind in word_mover.KINDS},
)
"""Every row: the product's, the papers' baselines, folders that only tables need, and rows ranked again."""
