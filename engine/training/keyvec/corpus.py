"""What KeyVec learns from, ready for its steps: sentences and key words by number, and what each epoch draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engine.core import files
from engine.core.errors import InputError
from engine.core.rows import Positions, TokenIds
from engine.encoders import WordVectors
from engine.training.keyvec.labels import frequent, idf, strongest, weighted
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.keyvec.texts import NumberedSentences, ReadTexts


class KeyvecBatch(NamedTuple):
    """A step's documents (n,), and what seeds its draws."""

    documents: Positions
    key: tuple[int, int, int]


class KeyvecStep(NamedTuple):
    """What a step reads of its documents, and the key words (w,) that it predicts: word i of document `of[i]` (w,)."""

    texts: NumberedSentences
    wanted: TokenIds
    of: Positions


@dataclass(frozen=True)
class Examples:
    """Documents with the key words of their abstracts: document i has `flat[starts[i]:starts[i + 1]]`."""

    texts: NumberedSentences
    flat: TokenIds
    starts: Positions

    def keywords(self, place: int) -> TokenIds:
        """Return the key words of one document, the strongest first."""
        return self.flat[self.starts[place] : self.starts[place + 1]]


@dataclass(frozen=True)
class KeyvecCorpus:
    """Examples to train on and valid ones; their words are places in `words` and `keywords`.

    `words` (V,) are rows of the word vectors that training begins with; `word_of` (K,) is the place in `words` of each
    key word, -1 for one without a vector. `full` are the places of the full texts among
    the examples to train on, `abstracts` the places of the others. `about` holds facts about them.
    """

    train: Examples
    valid: Examples
    abstracts: Positions
    full: Positions
    words: Positions
    keywords: tuple[str, ...]
    word_of: TokenIds
    about: dict[str, Any]


def corpus_of(recipe: KeyvecRecipe, vectors: WordVectors, parts: Sequence[ReadTexts]) -> KeyvecCorpus:
    """Choose what is trained on, the words that have a vector, and the key words of each document.

    `parts` are the abstracts and the full texts that were read. Raises InputError if nothing is left to train on.
    """
    abstracts = _drawn(parts[0], recipe)
    texts = abstracts.joined(parts[1])
    words = _words(texts, recipe, len(vectors.words))
    number_of = np.full(len(vectors.words), -1, np.int32)
    number_of[words] = np.arange(len(words), dtype=np.int32)
    counts = texts.counts[np.flatnonzero(~texts.valid)]
    vocabulary = frequent(counts, recipe.keywords.vocabulary)
    rows = weighted(texts.counts, idf(counts))[:, vocabulary]
    keywords, starts = strongest(rows, recipe.keywords.per_document)
    known = texts.texts.renumbered(number_of)
    usable = (np.diff(known.documents) > 0) & (np.diff(starts) > 0)
    train, valid = np.flatnonzero(usable & ~texts.valid), np.flatnonzero(usable & texts.valid)
    if not len(train):
        raise InputError("Expected documents with known words and an abstract to train on, found none. Give more text.")
    is_full = train >= len(abstracts.names)
    learnt, held = (_examples(known, keywords, starts, places) for places in (train, valid))
    about = {
        "documents": len(train),
        "full_texts": int(is_full.sum()),
        "valid_full_texts": len(valid),
        "sentences": len(learnt.texts.salient),
        "labelled": int((learnt.texts.salient >= 0).sum()),
        "salient": int((learnt.texts.salient == 1).sum()),
        "tokens": len(learnt.texts.flat),
        "words": len(words),
        "keywords": len(vocabulary),
        "left_out": dict(texts.left_out),
    }
    named = tuple(texts.words[column] for column in vocabulary)
    places = {vectors.words[word]: place for place, word in enumerate(words)}
    word_of = np.array([places.get(word, -1) for word in named], np.int32)
    return KeyvecCorpus(learnt, held, np.flatnonzero(~is_full), np.flatnonzero(is_full), words, named, word_of, about)


def step_count(corpus: KeyvecCorpus, recipe: KeyvecRecipe) -> int:
    """Return the number of batches in an epoch."""
    documents = len(corpus.abstracts) + recipe.data.full_text_passes * len(corpus.full)
    return -(-documents // recipe.optimizer.batch)


def epoch_batches(corpus: KeyvecCorpus, recipe: KeyvecRecipe, *, epoch: int) -> list[KeyvecBatch]:
    """An epoch in which every abstract comes once and every full text `full_text_passes` times, spread evenly.

    They follow from the seed and the epoch's number alone.
    """
    generator, steps = np.random.default_rng([recipe.seed, epoch]), step_count(corpus, recipe)
    abstracts = np.array_split(generator.permutation(corpus.abstracts), steps)
    passes = [generator.permutation(corpus.full) for _ in range(recipe.data.full_text_passes)]
    full = np.array_split(np.concatenate(passes), steps)[::-1]  # the longer parts meet the shorter ones
    return [
        KeyvecBatch(np.concatenate(both), (recipe.seed, epoch, number))
        for number, both in enumerate(zip(abstracts, full, strict=True))
    ]


def step_of(corpus: KeyvecCorpus, batch: KeyvecBatch, *, hidden: float = 0.0) -> KeyvecStep:
    """What a step reads and predicts: a share `hidden` of an abstract's words, by type, is predicted and not read.

    A key word without a vector is never read, so it is predicted. Of a full text, whose abstract is not read, every
    key word is.
    """
    texts = corpus.train.texts.chosen(batch.documents)
    wanted = [corpus.train.keywords(int(place)) for place in batch.documents]
    of = np.repeat(np.arange(len(wanted)), [len(one) for one in wanted])
    step = KeyvecStep(texts, np.concatenate([np.zeros(0, np.int32), *wanted]), of)
    if not hidden:
        return step
    words = len(corpus.words)
    tokens = np.diff(texts.starts[texts.documents])  # of each document, (n,)
    types, type_of = np.unique(np.repeat(np.arange(len(tokens)), tokens) * words + texts.flat, return_inverse=True)
    is_abstract = np.isin(batch.documents, corpus.abstracts)
    drawn = np.random.default_rng([*batch.key, 1]).random(len(types)) < hidden
    is_hidden = drawn & is_abstract[types // words]
    word = corpus.word_of[step.wanted]
    is_read = (word >= 0) & np.isin(of * words + word, types[~is_hidden])
    predicted = ~(is_read & is_abstract[of])
    return KeyvecStep(texts.kept(~is_hidden[type_of]), step.wanted[predicted], of[predicted])


def _drawn(abstracts: ReadTexts, recipe: KeyvecRecipe) -> ReadTexts:
    one_in = recipe.data.held_out_one_in
    if one_in:
        places = [place for place, name in enumerate(abstracts.names) if files.spread(name, one_in)]
        abstracts = abstracts.chosen(np.array(places, np.int64))
    most, count = recipe.data.most_abstracts, len(abstracts.names)
    if not most or most >= count:
        return abstracts
    return abstracts.chosen(np.sort(np.random.default_rng(recipe.seed).permutation(count)[:most]))


def _words(texts: ReadTexts, recipe: KeyvecRecipe, known: int) -> Positions:
    """Return the words that training sees often enough, the most frequent first."""
    learnt = texts.texts.chosen(np.flatnonzero(~texts.valid))
    seen = np.bincount(learnt.flat, minlength=known)
    order = np.argsort(-seen, kind="stable")[: recipe.words.most]
    return np.asarray(order[seen[order] >= recipe.words.least], np.int64)


def _examples(texts: NumberedSentences, flat: TokenIds, starts: Positions, places: Positions) -> Examples:
    parts = [flat[starts[place] : starts[place + 1]] for place in places]
    ends = np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)]).astype(np.int64)
    return Examples(texts.chosen(places), np.concatenate([np.zeros(0, np.int32), *parts]), ends)
