"""Trains a KeyVec encoder by its recipe: the sentences of a body that its abstract repeats, and its key words.

What is learnt from comes first: sentences and key words by number, and what each epoch draws of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from engine.core import files
from engine.core.errors import InputError
from engine.core.progress import Report, silent
from engine.core.rows import Positions, TokenIds
from engine.encoders import WordVectors, drawn_by
from engine.encoders.ctpe import WordEmbeddings
from engine.encoders.keyvec import KeyvecEncoder, KeyvecNetwork, read_documents, sentence_vectors
from engine.training import corpora
from engine.training.keyvec.labels import frequent, idf, strongest, weighted
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.keyvec.texts import UNKNOWN, Corpora, NumberedSentences, ReadTexts, read_abstracts, read_full_texts
from engine.training.long_corpus import PAIRS, table_digests
from engine.training.loop import EncoderScore, Start, Surroundings, TrainingRun, adam, autocast, train_encoder
from engine.training.run_folder import Folders, open_words

_SCORED_AT_ONCE = 16  # documents
_COSINES = {"tfidf": "TF-IDF", "dssm": "DSSM"}


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
    """Return an epoch: every abstract comes once and every full text `full_text_passes` times, spread evenly.

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
    """Return what a step reads and predicts: a share `hidden` of an abstract's words, by type, is only predicted.

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
    ends = corpora.bounds([len(part) for part in parts])
    return Examples(texts.chosen(places), np.concatenate([np.zeros(0, np.int32), *parts]), ends)


class KeyvecTask:
    """Documents for the loop: abstracts for L_enc, full texts for both losses."""

    def __init__(
        self, recipe: KeyvecRecipe, corpus: KeyvecCorpus, words: WordEmbeddings, network: KeyvecNetwork
    ) -> None:
        """Take the parts on one device."""
        self._recipe, self._corpus = recipe, corpus
        self.words, self.network = words, network

    @property
    def model(self) -> nn.Module:
        """The network, and the words' vectors where they learn."""
        return nn.ModuleDict({"network": self.network, **({"words": self.words} if self._recipe.words.train else {})})

    def groups(self) -> list[dict[str, Any]]:
        """Return the parameters with their learning rates."""
        rates = self._recipe.optimizer
        groups = [{"params": list(self.network.parameters()), "lr": rates.learning_rate}]
        if self._recipe.words.train:
            rate = rates.words_learning_rate or rates.learning_rate
            groups.append({"params": list(self.words.parameters()), "lr": rate})
        return groups

    def steps(self) -> int:
        """Return the number of batches in an epoch."""
        return step_count(self._corpus, self._recipe)

    def batches(self, epoch: int) -> Sequence[KeyvecBatch]:
        """Return an epoch's batches; each epoch draws its own."""
        return epoch_batches(self._corpus, self._recipe, epoch=epoch)

    def loss(self, batch: KeyvecBatch) -> Tensor:
        """Return L = read L_read + enc L_enc of a batch (KeyVec, section 4)."""
        objective = self._recipe.objective
        texts, wanted, of = step_of(self._corpus, batch, hidden=objective.hidden)
        vectors, logits = self._read(texts, key=batch.key)
        loss = logits.new_zeros(())
        if objective.read:
            document_of = self._tensor(np.repeat(np.arange(len(texts)), np.diff(texts.documents)))
            salient = self._tensor(texts.salient)
            known = salient != UNKNOWN
            loss = loss + objective.read * read_loss(logits[known], salient[known], document_of[known])
        if objective.enc:
            words = self._tensor(wanted.astype(np.int64))
            loss = loss + objective.enc * keyword_loss(self.network.keywords(vectors), words, self._tensor(of))
        return loss

    @torch.no_grad()
    def scores(self) -> dict[str, float]:
        """Score the full texts of valid pairs: the area under the ROC curve of p, and the share of key words found."""
        from sklearn.metrics import roc_auc_score

        examples, objective = self._corpus.valid, self._recipe.objective
        p, found = [], []
        for first in range(0, len(examples.texts), _SCORED_AT_ONCE):
            places = np.arange(first, min(first + _SCORED_AT_ONCE, len(examples.texts)))
            with autocast(self.words.table.device):
                vectors, logits = self._read(examples.texts.chosen(places))
            p.append(logits.float().sigmoid().cpu().numpy())
            found += self._recalls(examples, places, vectors)
        labels = examples.texts.salient
        scores = {}
        if objective.read and 0 < (labels == 1).sum() < len(labels):
            scores["salient sentences, ROC-AUC"] = round(float(roc_auc_score(labels == 1, np.concatenate(p))), 4)
        if objective.enc and found:
            scores["key words, recall"] = round(float(np.mean(found)), 4)
        return scores

    def _recalls(self, examples: Examples, places: Sequence[int] | np.ndarray, vectors: Tensor) -> list[float]:
        """Return the share of each document's key words among as many likeliest ones."""
        logits = self.network.keywords(vectors).float().cpu().numpy()
        shares = []
        for row, place in zip(logits, places, strict=True):
            wanted = examples.keywords(int(place))
            likeliest = np.argsort(-row, kind="stable")[: len(wanted)]
            shares.append(len(np.intersect1d(likeliest, wanted)) / len(wanted))
        return shares

    def _read(self, texts: NumberedSentences, *, key: tuple[int, int, int] | None = None) -> tuple[Tensor, Tensor]:
        """Return documents' vectors (n, dim) and their sentences' logits (m,); with a key e_i has its dropout."""
        held = [texts.sentences(place) for place in range(len(texts))]
        ids = [one for sentences in held for one in sentences]
        with torch.autocast(self.words.table.device.type, enabled=False):
            sentences = sentence_vectors(self.network, self.words.table, ids)  # (m, e)
        share = self._recipe.objective.dropout
        if share and key is not None:
            hidden = np.random.default_rng(key).random(sentences.shape, np.float32) < share
            sentences = sentences.masked_fill(self._tensor(hidden), 0) / (1 - share)
        return read_documents(self.network, sentences, [len(one) for one in held])

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).to(self.words.table.device)


def read_loss(logits: Tensor, salient: Tensor, documents: Tensor) -> Tensor:
    """Return L_read = -sum over salient sentences of log p - sum over others of log(1 - p) (KeyVec, section 4).

    `logits` of p and `salient` belong to sentences (m,); sentence i is in document `documents[i]` (m,). Takes the mean
    over documents; 0 without documents.
    """
    with torch.autocast(logits.device.type, enabled=False):
        entropy = binary_cross_entropy_with_logits(logits.float(), salient.float(), reduction="sum")
        return entropy / _count(documents)


def keyword_loss(logits: Tensor, words: Tensor, documents: Tensor) -> Tensor:
    """Return L_enc = -sum over a document's key words of log softmax(U v)[w] (KeyVec, section 4), a scalar.

    `logits` U v are (b, K); key word i is `words[i]` (w,) of document `documents[i]` (w,). The mean over documents
    that have one; 0 if none has.
    """
    with torch.autocast(logits.device.type, enabled=False):
        logs = logits.float().log_softmax(dim=1)  # (b, K)
        return -logs[documents, words].sum() / _count(documents)


def _count(documents: Tensor) -> int:
    """Return how many different documents there are, at least 1."""
    return max(1, len(set(documents.tolist())))


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
    digests = _digests(recipe, folders.data)

    def begin(around: Surroundings) -> Start[KeyvecEncoder]:
        vectors = open_words(recipe.data.words)
        read = Corpora(folders.data, digests, folders.cache, report)
        known = WordEmbeddings.of(vectors)
        corpus = corpus_of(recipe, vectors, [read_abstracts(recipe, known, read), read_full_texts(recipe, known, read)])
        task = _task(recipe, corpus, vectors, around.device)
        labels = (
            f"{_COSINES[recipe.labels.similarity]} cosine above {recipe.labels.threshold}, "
            f"top {recipe.labels.top} a sentence of the abstract"
        )

        def encoder(facts: Mapping[str, Any]) -> KeyvecEncoder:
            return KeyvecEncoder.of(
                task.words, task.network, corpus.keywords, trained_on=recipe.data.corpora, facts=facts
            )

        sgd = partial(torch.optim.SGD, lr=recipe.optimizer.learning_rate)
        optimizes = adam if recipe.optimizer.kind == "adam" else sgd
        return Start(task, encoder, {**corpus.about, "labels": labels}, scores=task.scores, optimizes=optimizes)

    found = train_encoder(TrainingRun(recipe, folders, resume, report), digests, begin, score=score, alone="KeyVec")
    return cast(KeyvecEncoder, found)


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
    """Begin a network; the seed draws the same weights on every machine and leaves torch's own seed alone."""
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
