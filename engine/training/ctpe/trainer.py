"""Trains a CTPE encoder by its recipe: a network tells a document's own other half from another document's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize

from engine.core import files
from engine.core.errors import InputError, TrainingError
from engine.core.progress import Report, silent
from engine.core.rows import Positions, TokenIds
from engine.encoders import Transformer, TransformerMeanEncoder, drawn_by
from engine.encoders.ctpe import (
    WHOLE,
    CtpeEncoder,
    CtpeSettings,
    EmbeddingModel,
    PairNetwork,
    Reduction,
    SentenceMeans,
    TransformerTokens,
    WordEmbeddings,
    in_parts,
    summed,
    summed_parts,
)
from engine.training import corpora
from engine.training.ctpe.corpus import (
    CtpeBatch,
    PairTokens,
    Sampling,
    epoch_batches,
    half_lengths,
    halves_of,
    read_nearest,
    read_pairs,
    step_count,
    texts_of,
)
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.loop import (
    ALONE,
    EncoderScore,
    Processes,
    Start,
    Surroundings,
    TrainingRun,
    autocast,
    train_encoder,
)
from engine.training.losses import in_batch_softmax, margin_loss, neighbour_divergence, whole
from engine.training.related import RelatedDocuments, pair_digests
from engine.training.run_folder import Folders, open_words
from engine.training.teacher import open_teacher, read_teacher_rows

_FITTED_AFTERWARDS = frozenset({"reduction.dim", "reduction.centred", "reduction.stored"})
_REDUCED_ON = 10_000  # documents whose halves the reduction is fitted on


class PairTask:
    """Coupled pairs for the loop: the two halves of every tokenised document."""

    def __init__(
        self,
        recipe: CtpeRecipe,
        embedding: EmbeddingModel,
        network: PairNetwork,
        *,
        examples: tuple[PairTokens, Sampling],
        places: NDArray[np.float16] | None = None,
        processes: Processes = ALONE,
    ) -> None:
        """Take the parts, those that are torch modules on one device already.

        `places` (n, e) are a teacher's rows of the documents, where the recipe has one.
        Raises TrainingError if a batch has fewer pairs than there are processes.
        """
        self._recipe, self.embedding, self.network = recipe, embedding, network
        self._tokens, self._sampling = examples
        self._places = places
        self._device, self._processes = next(network.parameters()).device, processes
        self.projection = _projection(network.out_dim, recipe)
        if self.projection is not None:
            self.projection.to(self._device)
        smallest = len(self._tokens) // self.steps()
        if self._sampling.related is not None:
            smallest = min(smallest, recipe.related.batch)
        if smallest < processes.count:
            raise TrainingError(
                f"Expected a pair for each of {processes.count} processes in every batch, the smallest has {smallest}. "
                "Start fewer processes, or raise optimizer.batch."
            )

    @property
    def _lends(self) -> bool:
        """Whether each pair has a negative of its own, which lends it a half; a softmax else has the batch alone."""
        return self._recipe.objective.kind == "margin" or self._recipe.objective.sampling == "tfidf"

    @property
    def model(self) -> nn.Module:
        """The network, and whatever else the recipe trains: a projection of its halves, the word vectors."""
        learnt = {} if self.projection is None else {"projection": self.projection}
        return nn.ModuleDict({"network": self.network, **learnt, **self._trained_words})

    @property
    def _trained_words(self) -> dict[str, nn.Module]:
        """The word vectors by the name "words" where the recipe trains them."""
        if self._recipe.network.train_words and isinstance(self.embedding, nn.Module):
            return {"words": self.embedding}
        return {}

    def groups(self) -> list[dict[str, Any]]:
        """Return the parameters with their learning rates."""
        rates = self._recipe.optimizer
        projection = [] if self.projection is None else [self.projection.weight]
        words = [parameter for module in self._trained_words.values() for parameter in module.parameters()]
        return [
            {"params": [*self.network.parameters(), *projection], "lr": rates.learning_rate},
            *([{"params": words, "lr": rates.words_learning_rate or rates.learning_rate}] if words else []),
        ]

    def steps(self) -> int:
        """Return the number of batches in an epoch."""
        return step_count(len(self._tokens), self._sampling.batch)

    def batches(self, epoch: int) -> Sequence[CtpeBatch]:
        """Return an epoch's batches, with negatives of its own."""
        return epoch_batches(self._tokens, self._sampling, seed=self._recipe.seed, epoch=epoch)

    def loss(self, batch: CtpeBatch) -> Tensor:
        """Return the recipe's losses of a whole batch, whose rows the processes share, in one sum."""
        drawn = self._sampling.related(batch.key) if self._sampling.related else None
        f, b, lent = self._vectors(batch)  # (m, 4 n_f) each, or (m, d)
        loss = self._coupled_loss(batch, f, b, lent)
        if self._places is not None:
            loss = loss + self._recipe.places.weight * self._places_loss(self._places[batch.documents], f, b)
        if drawn is not None:
            loss = loss + self._recipe.related.weight * self._related_loss(drawn)
        return loss

    def _coupled_loss(self, batch: CtpeBatch, f: Tensor, b: Tensor, lent: Tensor) -> Tensor:
        """Return the loss of each document's own halves against others'."""
        objective = self._recipe.objective
        swaps = torch.from_numpy(batch.swaps_former).to(self._device)  # (m,)
        if objective.kind == "softmax":
            strangers = (lent[swaps], lent[~swaps]) if self._lends else None
            return in_batch_softmax(f, b, temperature=objective.temperature, strangers=strangers)
        nf, nb = torch.where(swaps[:, None], lent, f), torch.where(swaps[:, None], b, lent)
        return margin_loss(f, b, nf, nb, margin=objective.margin)

    def _places_loss(self, wanted: NDArray[np.float16], f: Tensor, b: Tensor) -> Tensor:
        """Return how far a batch's documents lie to each other from where the teacher has them, (m, e)."""
        taught = torch.from_numpy(wanted.astype(np.float32)).to(self._device)
        return neighbour_divergence(whole(f, b), taught, temperature=self._recipe.places.temperature)

    @torch.no_grad()
    def halves(self, documents: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the former and the latter halves of at most `documents` documents, evenly drawn: (n, 4 n_f) each."""
        drawn = np.random.default_rng(self._recipe.seed).permutation(len(self._tokens))[:documents]
        with autocast(self._device):
            sides = [self._encode(drawn, np.full(len(drawn), is_former), None) for is_former in (True, False)]
        return sides[0].cpu().numpy(), sides[1].cpu().numpy()

    def _vectors(self, batch: CtpeBatch) -> tuple[Tensor, Tensor, Tensor]:
        """Return vectors of each pair's two halves and of the half that its negative lends, (m, 4 n_f) or (m, d) each.

        Where a softmax finds its negatives in the batch alone, the third is empty.
        """
        pairs, lends = len(batch.documents), self._lends
        documents = np.stack([batch.documents, batch.documents, *([batch.other] if lends else [])])
        kinds = [np.ones(pairs, bool), np.zeros(pairs, bool), *([batch.swaps_former] if lends else [])]
        parts = self._shared(documents, np.stack(kinds), self._hidden(batch, len(documents)))
        return parts[0], parts[1], parts[2] if lends else parts[0][:0]

    def _related_loss(self, pairs: Positions) -> Tensor:
        """Return the loss of a softmax over pairs (m, 2) of whole documents that belong together.

        Pairs with a document in common are not each other's negatives.
        """
        one, other = pairs.T
        is_former = np.array([[True], [False], [True], [False]])
        documents = np.stack([one, one, other, other])
        halves = self._shared(documents, np.broadcast_to(is_former, documents.shape), None)
        return in_batch_softmax(
            whole(*halves[:2]),
            whole(*halves[2:]),
            temperature=self._recipe.related.temperature,
            related=self._sharing(one, other),
        )

    def _shared(self, documents: Positions, is_former: NDArray[np.bool_], hidden: Tensor | None) -> tuple[Tensor, ...]:
        """Return the vectors of k halves in each of m rows, (k, m) documents: k tensors (m, 4 n_f), or (m, d).

        Every process encodes its share of the rows; `hidden` is of this share.
        """
        rows = slice(self._processes.rank, None, self._processes.count)
        found = self._encode(documents[:, rows].ravel(), is_former[:, rows].ravel(), hidden)
        if self.projection is not None:
            found = self.projection(normalize(found)).float()  # (halves, d)
        return tuple(self._processes.gathered(part, documents.shape[1]) for part in found.chunk(len(documents)))

    def _encode(self, documents: Positions, is_former: NDArray[np.bool_], hidden: Tensor | None) -> Tensor:
        """Return one vector a half, (m, 4 n_f); halves of like length go through the network together."""
        lengths = half_lengths(self._tokens, documents, is_former)
        order = np.argsort(lengths, kind="stable")
        found = []
        for first in range(0, len(order), self.embedding.halves_at_once):
            rows = order[first : first + self.embedding.halves_at_once]
            flat, offsets = halves_of(self._tokens, documents[rows], is_former[rows])
            owners = None
            if self._recipe.pairs.part_tokens:
                offsets, owners = in_parts(offsets, self._recipe.pairs.part_tokens)
            vectors, counts = self.embedding.encode_ids(flat, offsets)  # (b, t, dim), (b,)
            vectors = vectors.to(self._device)
            if hidden is not None:
                vectors = vectors.masked_fill(hidden[rows, : vectors.shape[1], None], 0)
            weights = self.embedding.token_weights(flat, offsets) if self._recipe.network.mean_dim else None  # (b, t)
            read = self.network(vectors, counts, weights)  # (b, 4 n_f)
            found.append(read if owners is None else summed_parts(read, owners, len(rows)))
        back = torch.from_numpy(np.argsort(order)).to(self._device)
        return torch.cat(found)[back]  # (m, 4 n_f)

    def _hidden(self, batch: CtpeBatch, halves: int) -> Tensor | None:
        """Tell which tokens this step hides from the network, (halves m, max_tokens) for this process's rows."""
        share = self._recipe.objective.word_dropout
        if not share:
            return None
        drawn = np.random.default_rng(batch.key).random((halves, len(batch.documents), self._recipe.pairs.max_tokens))
        rows = drawn[:, self._processes.rank :: self._processes.count] < share
        return torch.from_numpy(rows).flatten(0, 1).to(self._device)

    def _sharing(self, one: Positions, other: Positions) -> Tensor:
        """Tell which pairs (m,) share a document, and so are not negatives of each other: (m, m)."""
        sides = [torch.from_numpy(side).to(self._device) for side in (one, other)]
        shared = torch.zeros(len(one), len(one), dtype=torch.bool, device=self._device)
        for left in sides:
            for right in sides:
                shared |= left[:, None] == right[None, :]
        return shared


def _projection(width: int, recipe: CtpeRecipe) -> nn.Linear | None:
    """Return where the recipe learns one, a map of halves to fewer dimensions: (d, 4 n_f) weights, drawn from the seed.

    It starts with columns at right angles to each other, so that lengths and angles are kept where they can be.
    """
    dim = recipe.reduction.dim
    if recipe.reduction.kind != "learnt":
        return None
    drawn = np.random.default_rng(recipe.seed).normal(size=(max(width, dim), min(width, dim)))
    columns = np.linalg.qr(drawn)[0]
    linear = nn.Linear(width, dim, bias=False)
    linear.weight.data = torch.from_numpy(np.ascontiguousarray(columns if dim > width else columns.T, np.float32))
    return linear


def train(
    recipe: CtpeRecipe,
    folders: Folders,
    *,
    resume: bool = False,
    score: EncoderScore[CtpeEncoder] | None = None,
    report: Report = silent,
) -> CtpeEncoder | None:
    """Train by a recipe; gives the best epoch's encoder, and None in all but the first of several processes.

    Raises InputError if a corpus is missing, and TrainingError if the run folder holds another run.
    """
    digests = corpora.digests(recipe.data.corpora, folders.data)

    def begin(around: Surroundings) -> Start[CtpeEncoder]:
        embedding = _embedding(recipe, around.device)
        task, about = _task(recipe, embedding, folders, digests, around)
        read = _remembering(task.embedding)

        def encoder(facts: Mapping[str, Any]) -> CtpeEncoder:
            return _encoder(recipe, embedding, task.network, reduction=_reduction(recipe, task), facts=facts)

        def scored() -> CtpeEncoder:
            return _encoder(recipe, read(), task.network, reduction=_learnt(task))

        return Start(task, encoder, about, scored)

    return train_encoder(
        TrainingRun(recipe, folders, resume, report),
        digests | pair_digests(recipe.related.files, folders.data),
        begin,
        score=score,
        may_change=_FITTED_AFTERWARDS if recipe.reduction.kind == "pca" else frozenset(),
    )


def _task(
    recipe: CtpeRecipe, embedding: EmbeddingModel, folders: Folders, digests: Mapping[str, str], around: Surroundings
) -> tuple[PairTask, dict[str, Any]]:
    """Return the task that the corpora give, and facts about them."""
    corpus = read_pairs(recipe, embedding, folders.data, corpora=digests, cache=folders.cache, report=around.report)
    count = len(corpus.tokens)
    if count < 3:
        raise InputError(f"Expected at least 3 documents with two halves to train on, got {count}. Give more text.")
    nearest = None
    if recipe.objective.sampling == "tfidf":
        nearest = read_nearest(corpus, cache=folders.cache, report=around.report)
    names, subjects = corpus.tokens.names, corpus.tokens.subjects
    related = RelatedDocuments.of(recipe.related, folders.data, names=names, subjects=subjects)
    sampling = Sampling(recipe.optimizer.batch, nearest, related.draw if related else None)
    network = _network(recipe, embedding).to(around.device)
    teacher = _teacher(recipe)
    places = None
    if teacher is not None:
        texts = texts_of(corpus.tokens, recipe.data.corpora, folders.data, around.report)
        places = read_teacher_rows(texts, teacher, cache=folders.cache, report=around.report)
    task = PairTask(
        recipe, embedding, network, examples=(corpus.tokens, sampling), places=places, processes=around.processes
    )
    about = {
        "documents": count,
        "tokens": len(corpus.tokens.flat),
        **(related.counts if related else {}),
        "left_out": dict(corpus.left_out),
        "embedding": embedding.fingerprint,
        **({} if teacher is None else {"teacher_fingerprint": teacher.card.fingerprint}),
    }
    return task, about


def _teacher(recipe: CtpeRecipe) -> TransformerMeanEncoder | None:
    """Return the encoder whose places the documents learn, if the recipe names one."""
    settings = recipe.places
    if not settings.source:
        return None
    return TransformerMeanEncoder(open_teacher(settings.source), max_tokens=settings.max_tokens)


def _embedding(recipe: CtpeRecipe, device: torch.device) -> EmbeddingModel:
    """Return what the network reads; word vectors are frozen unless the recipe trains them.

    Raises InputError if the word vectors are missing, EncoderError if the transformer is.
    """
    settings = recipe.network
    if settings.embedding == "transformer":
        return TransformerTokens(Transformer.open(settings.source))
    vectors, weighted = open_words(settings.source), bool(settings.mean_dim)
    words = WordEmbeddings.of(vectors, weighted=weighted).requires_grad_(settings.train_words).to(device)
    return words if settings.embedding == "words" else SentenceMeans(words)


def _network(recipe: CtpeRecipe, embedding: EmbeddingModel) -> PairNetwork:
    """Begin a network; the seed draws the same weights on every machine and leaves torch's own seed alone."""
    with drawn_by(recipe.seed):
        network = PairNetwork(embedding.dim, recipe.network.channels, mean_dim=recipe.network.mean_dim)
    if network.shift is not None and isinstance(embedding, WordEmbeddings):
        network.shift.data.copy_(torch.from_numpy(embedding.mean_occurrence()))
    return network


def _remembering(embedding: EmbeddingModel) -> Callable[[], EmbeddingModel]:
    """Give what the present embedding is scored by; the texts of the benchmarks are read once, not at every epoch."""
    if not isinstance(embedding, WordEmbeddings):
        return lambda: embedding
    read: dict[str, TokenIds] = {}
    return lambda: RememberingWords.like(embedding, read)


def _reduction(recipe: CtpeRecipe, task: PairTask) -> Reduction | None:
    """Return the map that makes rows small: the learnt one, or one fitted on documents that were trained on."""
    settings = recipe.reduction
    if not settings.dim or settings.kind == "learnt":
        return _learnt(task)
    sides = task.halves(_REDUCED_ON)
    if recipe.pairs.similarity == WHOLE:
        return Reduction.fit(summed(*sides), dim=settings.dim, centred=settings.centred)
    return Reduction.fit(*sides, dim=settings.dim, centred=settings.centred)


def _learnt(task: PairTask) -> Reduction | None:
    if task.projection is None:
        return None
    components = task.projection.weight.detach().cpu().numpy().T  # (4 n_f, d)
    return Reduction(np.zeros(len(components), np.float32), components.astype(np.float16), centred=False)


def _encoder(
    recipe: CtpeRecipe,
    embedding: EmbeddingModel,
    network: PairNetwork,
    *,
    reduction: Reduction | None = None,
    facts: Mapping[str, Any] | None = None,
) -> CtpeEncoder:
    """Return an encoder that reads as the recipe says."""
    settings = CtpeSettings(
        recipe.pairs.position,
        max_tokens=recipe.pairs.max_tokens,
        whole_below_tokens=recipe.pairs.whole_below_tokens,
        similarity=recipe.pairs.similarity,
        part_tokens=recipe.pairs.part_tokens,
        stored=recipe.reduction.stored,
    )
    return CtpeEncoder.of(
        embedding, network, settings, reduction=reduction, trained_on=recipe.data.corpora, facts=facts
    )


class RememberingWords(WordEmbeddings):
    """The vectors of other word embeddings, with the ids of every text kept in `read`."""

    read: dict[str, TokenIds]

    @classmethod
    def like(cls, other: WordEmbeddings, read: dict[str, TokenIds]) -> Self:
        """Return the vectors of `other` as they will be stored; `read` is shared with those that come after."""
        made = cls.build(other.arrays, other.words, other.config)
        made.read = read
        return made

    def as_stored(self) -> Self:
        """Return itself: it has the stored vectors, and nothing trains it."""
        return self

    def ids(self, text: str, max_tokens: int) -> TokenIds:
        """Return the numbers of a text's first `max_tokens` tokens that have a vector."""
        key = files.fingerprint(text, str(max_tokens))
        if key not in self.read:
            self.read[key] = super().ids(text, max_tokens)
        return self.read[key]
