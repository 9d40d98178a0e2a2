"""Trains a C-DSSM encoder by its recipe: related documents lie nearer to each other than to strangers.

The words of the corpora are numbered once and kept, so that a second run starts at once.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from torch import Tensor, nn

from engine.core import files
from engine.core.errors import TrainingError
from engine.core.progress import Report, silent
from engine.core.rows import Positions, TokenIds
from engine.documents import Document
from engine.documents.text import first_tokens, most_frequent, trigrams
from engine.encoders import WordVectors
from engine.encoders.cdssm import (
    TRIGRAMS,
    TWO,
    VECTORS,
    Bags,
    CdssmEncoder,
    CdssmNetwork,
    Lexicon,
    NumberedTexts,
    begin_network,
    distinct,
)
from engine.training import corpora
from engine.training.cdssm.recipe import CdssmDataSettings, CdssmRecipe
from engine.training.corpora import NOTHING, QUERY, TWICE, HeldOut, abstract_of, documents_of, subject_of, to_train_on
from engine.training.loop import ALONE, EncoderScore, Processes, Start, Surroundings, TrainingRun, train_encoder
from engine.training.losses import posterior_loss
from engine.training.related import PairBatch, RelatedPairs, pair_digests, pairs_in
from engine.training.run_folder import Folders, open_words

_HIDDEN = 4  # keeps this draw apart from a step's other draws by its key
_CENTRED_ON = 500  # documents that the network begins around
_PENALTY = 1.0  # on squares: trigrams of few words stay near zero
_ITERATIONS = 30

_VERSION = "words/2"
_ARRAYS, _ABOUT = "words.safetensors", "words.json"
_WORDLESS, _ALONE = "a text without words", "in no subject and no train pair"


@dataclass(frozen=True)
class WordCorpus:
    """The first words of n documents end to end: document i has flat[starts[i]:starts[i + 1]], places in `words`.

    flat is (t,), starts (n + 1,), names the documents' ids. `subjects` (n,) tells documents of other corpora or other
    sets of categories apart, `families` (n,) those of other families; "" is a document without one. `left_out` counts
    documents by the reason they are not in it.
    """

    flat: TokenIds
    starts: Positions
    words: Sequence[str]
    names: Sequence[str]
    subjects: Sequence[str]
    families: Sequence[str]
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.names)

    @property
    def counts(self) -> Positions:
        """How often each word occurs in the corpus: (W,)."""
        return np.bincount(self.flat, minlength=len(self.words))

    def words_of(self, documents: Positions) -> tuple[TokenIds, Positions]:
        """Return the words of some documents (m,) end to end, and the places (m + 1,) between them."""
        return corpora.stretches(self.flat, self.starts[documents], np.diff(self.starts)[documents])


class _Reads(Protocol):
    @property
    def max_tokens(self) -> int:
        """How many tokens of a document are read."""


class ReadsWords(Protocol):
    """A recipe over the words of related documents."""

    @property
    def data(self) -> CdssmDataSettings:
        """Where they come from."""

    @property
    def network(self) -> _Reads:
        """What reads them."""


def read_words(
    recipe: ReadsWords, data: Path, *, digests: Mapping[str, str], cache: Path, report: Report
) -> WordCorpus:
    """Return the documents of a recipe that have a subject or a train pair, from `cache` if an earlier run left them.

    `digests` gives the sha256 of each corpus and file of pairs. Raises InputError if a file of pairs is not as it
    should be.
    """
    settings, held_out = recipe.data, HeldOut.below(data)
    key = files.fingerprint(
        _VERSION,
        *(f"{name}={digest}" for name, digest in digests.items()),
        f"{settings.subjects} {settings.abstracts} {recipe.network.max_tokens}",
        held_out.digest,
    )
    folder = cache / f"words-{key}"
    if not folder.exists():
        paired = {one.corpus: set[str]() for one in settings.files}
        for one in settings.files:
            paired[one.corpus] |= {name for pair in pairs_in(data / one.corpus / one.pairs) for name in pair}
        documents = documents_of(settings.corpora, data, report)
        chosen = Chosen(frozenset(settings.subjects), paired, held_out)
        opened = ((name, abstract_of(one) if name in settings.abstracts else one) for name, one in documents)
        _write(folder, number_words(opened, chosen, max_tokens=recipe.network.max_tokens))
    return _read(folder)


@dataclass(frozen=True)
class Chosen:
    """Which documents are trained on: those with categories in the corpora `subjects`, and the ids `paired` in each."""

    subjects: frozenset[str]
    paired: Mapping[str, set[str]]
    held_out: HeldOut = NOTHING

    def subject(self, corpus: str, document: Document) -> str:
        """Return what the document shares with those of its subject; "" where its corpus's subjects do not count."""
        return subject_of(corpus, document.categories) if corpus in self.subjects else ""


def number_words(documents: Iterable[tuple[str, Document]], chosen: Chosen, *, max_tokens: int) -> WordCorpus:
    """Number the first words of documents; what cannot be trained on is counted by reason.

    A document comes with the name of its corpus.
    """
    flat, starts = array("i"), array("q", [0])
    number_of: dict[str, int] = {}
    held: dict[str, tuple[str, str]] = {}  # subject and family by the document's id
    left_out = dict.fromkeys((QUERY, TWICE, _WORDLESS, _ALONE), 0)
    for corpus, document in to_train_on(documents, held_out=chosen.held_out, taken=held, left_out=left_out):
        subject = chosen.subject(corpus, document)
        if not subject and document.id not in chosen.paired.get(corpus, ()):
            left_out[_ALONE] += 1
            continue
        tokens = first_tokens(document.text, max_tokens)
        if not tokens:
            left_out[_WORDLESS] += 1
            continue
        held[document.id] = subject, document.family
        flat.extend(number_of.setdefault(token, len(number_of)) for token in tokens)
        starts.append(len(flat))
    subjects, families = ([one[side] for one in held.values()] for side in range(2))
    arrays = np.array(flat, np.int32), np.array(starts, np.int64)
    return WordCorpus(*arrays, list(number_of), list(held), subjects, families, left_out)


def _write(folder: Path, corpus: WordCorpus) -> None:
    arrays: dict[str, TokenIds | Positions] = {"flat": corpus.flat, "starts": corpus.starts}
    with files.new_folder(folder) as new:
        digest = files.write_arrays(new / _ARRAYS, arrays)
        about = {name: list(getattr(corpus, name)) for name in ("words", "names", "subjects", "families")}
        files.write_json(new / _ABOUT, {"sha256": digest, "left_out": dict(corpus.left_out), **about})


def _read(folder: Path) -> WordCorpus:
    about = files.read_json(folder / _ABOUT)
    arrays = files.read_arrays(folder / _ARRAYS, about.pop("sha256"))
    return WordCorpus(arrays["flat"], arrays["starts"], **about)


class RelatedTask:
    """Related pairs for the loop: the documents of a batch's other pairs are each query's sampled strangers.

    Either the first document of each of m pairs asks and the second ones answer, or each of the 2 m documents asks once
    and all others answer, as `objective.asks` has it.
    """

    def __init__(
        self,
        recipe: CdssmRecipe,
        network: CdssmNetwork,
        bags: Bags,
        *,
        examples: tuple[WordCorpus, RelatedPairs],
        processes: Processes = ALONE,
    ) -> None:
        """Take the network on its device, and the bags of every word of the corpus.

        Raises TrainingError if a batch has fewer pairs than there are processes.
        """
        self._recipe, self.network, self._bags = recipe, network, bags
        self._corpus, self._pairs = examples
        self._processes = processes
        if recipe.optimizer.batch < processes.count:
            raise TrainingError(
                f"Expected a pair for each of {processes.count} processes in every batch, got optimizer.batch = "
                f"{recipe.optimizer.batch}. Raise it, or start fewer processes."
            )

    @property
    def model(self) -> nn.Module:
        """The network, with the word vectors where it reads them."""
        return self.network

    def groups(self) -> list[dict[str, Any]]:
        """Return the parameters with their learning rates."""
        rates, words = self._recipe.optimizer, self.network.vectors
        groups: list[dict[str, Any]] = [{"params": list(self.network.towers.parameters()), "lr": rates.learning_rate}]
        if words is not None and words.requires_grad:
            groups.append({"params": [words], "lr": rates.words_learning_rate or rates.learning_rate})
        return groups

    def steps(self) -> int:
        """Return the number of batches in an epoch."""
        return self._recipe.data.steps

    def batches(self, epoch: int) -> Sequence[PairBatch]:
        """Return an epoch's batches, each drawn by its own key."""
        return [self._pairs.draw((self._recipe.seed, epoch, step)) for step in range(self.steps())]

    def loss(self, batch: PairBatch) -> Tensor:
        """Return the mean loss of a whole batch, whose documents the processes share."""
        documents, m = batch.pairs.T.ravel(), len(batch.pairs)  # (2 m,) the first ones, then their partners
        words, starts = self._words(documents, batch.key)
        both = self._recipe.both_ask
        asking, answering = (slice(0, 2 * m), slice(0, 2 * m)) if both else (slice(0, m), slice(m, 2 * m))
        if self._recipe.network.towers == TWO:
            asks = self._vectors(words, starts[asking.start : asking.stop + 1], asks=True)  # (q, dim)
            answers = self._vectors(words, starts[answering.start : answering.stop + 1], asks=False)  # (n, dim)
        else:
            vectors = self._vectors(words, starts, asks=True)  # (2 m, dim)
            asks, answers = vectors[asking], vectors[answering]
        right = np.roll(np.arange(2 * m), m) if both else np.arange(m)
        return self._posterior(asks, answers, (documents[asking], documents[answering]), right)

    def texts(self, documents: Positions) -> NumberedTexts:
        """Return some documents (m,) as the network reads them."""
        return distinct(*self._corpus.words_of(documents), self._bags)

    def _posterior(
        self, asks: Tensor, answers: Tensor, documents: tuple[Positions, Positions], right: Positions
    ) -> Tensor:
        """Return the loss of queries (q, dim) over documents (n, dim), whose places in the corpus are given."""
        strangers = torch.from_numpy(~self._pairs.same_label(*documents)).to(asks.device)  # (q, n)
        answer = torch.from_numpy(right).to(asks.device)
        return posterior_loss(asks, answers, answer, gamma=self._recipe.objective.gamma, strangers=strangers)

    def _words(self, documents: Positions, key: tuple[int, int, int]) -> tuple[TokenIds, Positions]:
        """Return the known words of documents (n,) that this step does not hide, and the places (n + 1,) between them.

        If all words of a document would be hidden, it keeps them.
        """
        words, starts = self._corpus.words_of(documents)
        share = self._recipe.objective.word_dropout
        if not share:
            return words, starts
        kept = np.random.default_rng([*key, _HIDDEN]).random(len(words)) >= share  # (t,)
        counts = np.add.reduceat(kept, starts[:-1], dtype=np.int64)  # (n,), no document is empty
        kept |= np.repeat(counts == 0, np.diff(starts))
        return words[kept], np.concatenate([[0], kept.cumsum()])[starts]

    def _vectors(self, words: TokenIds, starts: Positions, *, asks: bool) -> Tensor:
        """Return vectors (n, dim) of documents whose words are given; each process reads its share of the documents."""
        count = len(starts) - 1
        own = range(self._processes.rank, count, self._processes.count)
        parts = [words[starts[place] : starts[place + 1]] for place in own]
        ends = np.cumsum([0, *map(len, parts)])
        texts = distinct(np.concatenate([words[:0], *parts]), ends, self._bags)
        return self._processes.gathered(self.network(texts, asks=asks), count)


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
    digests = corpora.digests(recipe.data.corpora, folders.data) | pair_digests(recipe.data.files, folders.data)

    def begin(around: Surroundings) -> Start[CdssmEncoder]:
        corpus = read_words(recipe, folders.data, digests=digests, cache=folders.cache, report=around.report)
        pairs = RelatedPairs.of(recipe.data, corpus, folders.data, batch=recipe.optimizer.batch)
        lexicon, network = _network(recipe, corpus, words)
        examples = corpus, pairs
        task = RelatedTask(recipe, network, lexicon.bags(corpus.words), examples=examples, processes=around.processes)
        drawn = np.random.default_rng(recipe.seed).permutation(len(corpus))[:_CENTRED_ON]
        network.centre(task.texts(drawn))
        network.to(around.device)
        about = {
            "documents": len(corpus),
            "tokens": len(corpus.flat),
            "words": len(corpus.words),
            "queries_a_step": recipe.queries,
            recipe.network.words: len(lexicon.entries),
            **pairs.counts,
            "left_out": dict(corpus.left_out),
        }

        def encoder(facts: Mapping[str, Any]) -> CdssmEncoder:
            return CdssmEncoder.of(
                network, lexicon.entries, recipe.network, trained_on=recipe.data.corpora, facts=facts
            )

        return Start(task, encoder, about)

    return train_encoder(TrainingRun(recipe, folders, resume, report), digests, begin, score=score)


def _network(recipe: CdssmRecipe, corpus: WordCorpus, folder: Path | None) -> tuple[Lexicon, CdssmNetwork]:
    """Take the corpus's trigrams, or its words that have vectors, and begin a network of them.

    `folder` holds the vectors, where they are not the recipe's own. Raises InputError if the vectors are missing.
    """
    settings, source = recipe.network, recipe.vectors.source if folder is None else str(folder)
    if settings.words == VECTORS:
        words = open_words(source)
        rows = words.vectors.astype(np.float32)
        network = begin_network(settings, len(words.words), vectors=rows, seed=recipe.seed)
        if network.vectors is not None:
            network.vectors.requires_grad_(recipe.vectors.trained)
        return Lexicon(settings.words, words.words), network
    entries = frequent_trigrams(corpus, settings.trigrams)
    letters = fit_letters(open_words(source), entries) if recipe.vectors.begin_letters else None
    network = begin_network(settings, len(entries), vectors=letters, seed=recipe.seed)
    return Lexicon(settings.words, entries), network


def frequent_trigrams(corpus: WordCorpus, most: int) -> tuple[str, ...]:
    """Return the `most` trigrams that occur most often in the corpus."""
    seen: Counter[str] = Counter()
    for word, count in zip(corpus.words, corpus.counts.tolist(), strict=True):
        for one in trigrams(word):
            seen[one] += count
    return most_frequent(seen, most)


def fit_letters(words: WordVectors, letters: Sequence[str]) -> NDArray[np.float32]:
    """Return vectors (T, d) of trigrams: least squares of (sum of a word's trigrams - its vector), a little penalised.

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
