"""Trains a KeyVec encoder by its recipe: the sentences of a body that its abstract repeats, and its key words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from engine.core.errors import InputError
from engine.core.progress import Report, silent
from engine.encoders import WordVectors, drawn_by
from engine.encoders.ctpe import WordEmbeddings
from engine.encoders.keyvec import KeyvecEncoder, KeyvecNetwork, read_documents, sentence_vectors
from engine.training import corpora
from engine.training.keyvec.corpus import (
    Examples,
    KeyvecBatch,
    KeyvecCorpus,
    corpus_of,
    epoch_batches,
    step_count,
    step_of,
)
from engine.training.keyvec.reading import Corpora, read_abstracts, read_full_texts
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.keyvec.texts import UNKNOWN, NumberedSentences
from engine.training.long_corpus import PAIRS, table_digests
from engine.training.loop import EncoderScore, Start, Surroundings, TrainingRun, adam, autocast, train_encoder
from engine.training.run_folder import Folders, open_words

_SCORED_AT_ONCE = 16  # documents
_COSINES = {"tfidf": "TF-IDF", "dssm": "DSSM"}


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
        """Parameters with their learning rates."""
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
        """An epoch's batches; each epoch draws its own."""
        return epoch_batches(self._corpus, self._recipe, epoch=epoch)

    def loss(self, batch: KeyvecBatch) -> Tensor:
        """L = read L_read + enc L_enc of a batch (KeyVec, section 4)."""
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
        """Of the full texts of valid pairs: the area under the ROC curve of p, and the share of key words found."""
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
        """Vectors (n, dim) of documents, and the logits of their sentences (m,); with a key e_i has its dropout."""
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
    """L_read = -sum over salient sentences of log p - sum over the others of log(1 - p) (KeyVec, section 4), a scalar.

    `logits` of p and `salient` belong to sentences (m,); sentence i is in document `documents[i]` (m,). Takes the mean
    over documents; 0 without documents.
    """
    with torch.autocast(logits.device.type, enabled=False):
        entropy = binary_cross_entropy_with_logits(logits.float(), salient.float(), reduction="sum")
        return entropy / _count(documents)


def keyword_loss(logits: Tensor, words: Tensor, documents: Tensor) -> Tensor:
    """L_enc = -sum over a document's key words of log softmax(U v)[w] (KeyVec, section 4), a scalar.

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
