"""What KeyVec learns from, ready for its steps: documents by numbers, key words, and what each epoch draws.

Documents as the numbers of the words of their sentences, end to end, with what is known of each.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.core import files
from engine.core.errors import InputError
from engine.core.rows import SparseRows
from engine.encoders import WordVectors
from engine.training.keyvec.labels import frequent, idf, strongest, weighted
from engine.training.keyvec.recipe import KeyvecRecipe

Ids = NDArray[np.int32]
Places = NDArray[np.int64]
Labels = NDArray[np.int8]

UNKNOWN = -1
"""The label of a sentence without a judgement."""


@dataclass(frozen=True)
class Texts:
    """The m sentences of n documents: `flat` (t,) numbers of words, each sentence at `starts` (m + 1,) in it.

    Document i has the sentences `documents[i]` to `documents[i + 1]` (n + 1,). `salient` (m,) is 1, 0, or UNKNOWN.
    """

    flat: Ids
    starts: Places
    documents: Places
    salient: Labels

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.documents) - 1

    @classmethod
    def of(cls, documents: Sequence[Sequence[Ids]], salient: Labels | None = None) -> Texts:
        """Documents given as the numbers of each sentence."""
        sentences = [one for sentences in documents for one in sentences]
        flat = np.concatenate([np.zeros(0, np.int32), *sentences]).astype(np.int32)
        labels = np.full(len(sentences), UNKNOWN, np.int8) if salient is None else salient
        return cls(flat, _starts([len(one) for one in sentences]), _starts([len(one) for one in documents]), labels)

    def sentences(self, place: int) -> list[Ids]:
        """The sentences of one document."""
        bounds = self.starts[self.documents[place] : self.documents[place + 1] + 1]
        return [self.flat[start:stop] for start, stop in pairwise(bounds)]

    def chosen(self, places: Places) -> Texts:
        """Some of the documents, in the order given."""
        counts = np.diff(self.documents)[places]
        sentences = _stretches(self.documents[places], counts)  # (m',)
        lengths = np.diff(self.starts)[sentences]
        words = _stretches(self.starts[sentences], lengths)
        return Texts(self.flat[words], _starts(lengths), _starts(counts), self.salient[sentences])

    def renumbered(self, number_of: Ids) -> Texts:
        """Words by other numbers (V,), below 0 if one is dropped; sentences without a word are dropped too."""
        flat = number_of[self.flat]
        return replace(self, flat=flat).kept(flat >= 0)

    def kept(self, words: NDArray[np.bool_]) -> Texts:
        """Only some of the words (t,); sentences without one are dropped too."""
        before = np.concatenate([[0], words.cumsum()])
        lengths = np.diff(before[self.starts])
        kept = lengths > 0
        counts = np.diff(np.concatenate([[0], kept.cumsum()])[self.documents])
        return Texts(self.flat[words], _starts(lengths[kept]), _starts(counts), self.salient[kept])


@dataclass(frozen=True)
class ReadTexts:
    """What was read of n documents: their sentences, and the content words of their abstracts by count (n, W).

    `words` are those W words, `valid` (n,) marks documents that are not trained on, `left_out` counts documents by the
    reason they are not here.
    """

    names: Sequence[str]
    texts: Texts
    counts: SparseRows
    words: Sequence[str]
    valid: NDArray[np.bool_]
    left_out: Mapping[str, int]

    def chosen(self, places: Places) -> ReadTexts:
        """Some of the documents, in the order given."""
        return replace(
            self,
            names=[self.names[place] for place in places],
            texts=self.texts.chosen(places),
            counts=self.counts[places],
            valid=self.valid[places],
        )

    def joined(self, other: ReadTexts) -> ReadTexts:
        """These documents, then the other ones."""
        column_of = {word: number for number, word in enumerate(self.words)}
        columns = np.array([column_of.setdefault(word, len(column_of)) for word in other.words], np.int64)
        moved = columns[other.counts.indices] if len(columns) else other.counts.indices
        indices = np.concatenate([self.counts.indices, moved])
        indptr = np.concatenate([self.counts.indptr, len(self.counts.indices) + other.counts.indptr[1:]])
        counts = csr_array(
            (np.concatenate([self.counts.data, other.counts.data]), indices, indptr),
            shape=(len(self.names) + len(other.names), len(column_of)),
        )
        return ReadTexts(
            [*self.names, *other.names],
            _behind(self.texts, other.texts),
            counts,
            list(column_of),
            np.concatenate([self.valid, other.valid]),
            {**self.left_out, **other.left_out},
        )


class WordCounts:
    """Counts the words of texts, one row a text, each new word in a column of its own."""

    def __init__(self) -> None:
        """Begin with no text."""
        self.column_of: dict[str, int] = {}
        self._indices, self._counts, self._starts = array("i"), array("f"), array("q", [0])

    def add(self, words: Iterable[str]) -> None:
        """Count the words of one text."""
        found = Counter(words)
        self._indices.extend(self.column_of.setdefault(word, len(self.column_of)) for word in found)
        self._counts.extend(found.values())
        self._starts.append(len(self._indices))

    def rows(self) -> SparseRows:
        """The counts (n, V) of the texts so far."""
        parts = np.array(self._counts, np.float32), np.array(self._indices, np.int32), np.array(self._starts, np.int64)
        rows = csr_array(parts, shape=(len(self._starts) - 1, len(self.column_of)))
        rows.sort_indices()
        return rows


def _starts(lengths: Sequence[int] | Places) -> Places:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _stretches(starts: Places, lengths: Places) -> Places:
    """The places start, start + 1, ... of each stretch, end to end."""
    offsets = _starts(lengths)
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)


def _behind(one: Texts, other: Texts) -> Texts:
    return Texts(
        np.concatenate([one.flat, other.flat]),
        np.concatenate([one.starts, len(one.flat) + other.starts[1:]]),
        np.concatenate([one.documents, len(one.salient) + other.documents[1:]]),
        np.concatenate([one.salient, other.salient]),
    )


class KeyvecBatch(NamedTuple):
    """A step's documents (n,), and what seeds its draws."""

    documents: Places
    key: tuple[int, int, int]


class KeyvecStep(NamedTuple):
    """What a step reads of its documents, and the key words (w,) that it predicts: word i of document `of[i]` (w,)."""

    texts: Texts
    wanted: Ids
    of: Places


@dataclass(frozen=True)
class Examples:
    """Documents with the key words of their abstracts: document i has `flat[starts[i]:starts[i + 1]]`."""

    texts: Texts
    flat: Ids
    starts: Places

    def keywords(self, place: int) -> Ids:
        """The key words of one document, the strongest first."""
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
    abstracts: Places
    full: Places
    words: Places
    keywords: tuple[str, ...]
    word_of: Ids
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
    """The number of batches in an epoch."""
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


def _words(texts: ReadTexts, recipe: KeyvecRecipe, known: int) -> Places:
    """The words that training sees often enough, the most frequent first."""
    learnt = texts.texts.chosen(np.flatnonzero(~texts.valid))
    seen = np.bincount(learnt.flat, minlength=known)
    order = np.argsort(-seen, kind="stable")[: recipe.words.most]
    return np.asarray(order[seen[order] >= recipe.words.least], np.int64)


def _examples(texts: Texts, flat: Ids, starts: Places, places: Places) -> Examples:
    parts = [flat[starts[place] : starts[place + 1]] for place in places]
    ends = np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)]).astype(np.int64)
    return Examples(texts.chosen(places), np.concatenate([np.zeros(0, np.int32), *parts]), ends)
