"""What CTPE learns: a network that tells a document's own other half from another document's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize

from engine.core.errors import TrainingError
from engine.encoders.ctpe import EmbeddingModel, PairNetwork, in_parts, summed_parts
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.examples import (
    Batch,
    PairTokens,
    Places,
    Sampling,
    epoch_batches,
    half_lengths,
    halves_of,
    step_count,
)
from engine.training.loop import autocast
from engine.training.losses import in_batch_softmax, margin_loss, neighbour_divergence, whole
from engine.training.processes import ALONE, Processes


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
        """Parameters with their learning rates."""
        rates = self._recipe.optimizer
        projection = [] if self.projection is None else [self.projection.weight]
        words = [parameter for module in self._trained_words.values() for parameter in module.parameters()]
        return [
            {"params": [*self.network.parameters(), *projection], "lr": rates.learning_rate},
            *([{"params": words, "lr": rates.words_learning_rate or rates.learning_rate}] if words else []),
        ]

    def steps(self) -> int:
        """The number of batches in an epoch."""
        return step_count(len(self._tokens), self._sampling.batch)

    def batches(self, epoch: int) -> Sequence[Batch]:
        """An epoch's batches, with negatives of its own."""
        return epoch_batches(self._tokens, self._sampling, seed=self._recipe.seed, epoch=epoch)

    def loss(self, batch: Batch) -> Tensor:
        """The recipe's losses of a whole batch, whose rows the processes share, in one sum."""
        drawn = self._sampling.related(batch.key) if self._sampling.related else None
        f, b, lent = self._vectors(batch)  # (m, 4 n_f) each, or (m, d)
        loss = self._coupled_loss(batch, f, b, lent)
        if self._places is not None:
            loss = loss + self._recipe.places.weight * self._places_loss(self._places[batch.documents], f, b)
        if drawn is not None:
            loss = loss + self._recipe.related.weight * self._related_loss(drawn)
        return loss

    def _coupled_loss(self, batch: Batch, f: Tensor, b: Tensor, lent: Tensor) -> Tensor:
        """The loss of each document's own halves against others'."""
        objective = self._recipe.objective
        swaps = torch.from_numpy(batch.swaps_former).to(self._device)  # (m,)
        if objective.kind == "softmax":
            strangers = (lent[swaps], lent[~swaps]) if self._lends else None
            return in_batch_softmax(f, b, temperature=objective.temperature, strangers=strangers)
        nf, nb = torch.where(swaps[:, None], lent, f), torch.where(swaps[:, None], b, lent)
        return margin_loss(f, b, nf, nb, margin=objective.margin)

    def _places_loss(self, wanted: NDArray[np.float16], f: Tensor, b: Tensor) -> Tensor:
        """How far a batch's documents lie to each other from where the teacher has them, (m, e)."""
        taught = torch.from_numpy(wanted.astype(np.float32)).to(self._device)
        return neighbour_divergence(whole(f, b), taught, temperature=self._recipe.places.temperature)

    @torch.no_grad()
    def halves(self, documents: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The former and the latter halves of at most `documents` documents, evenly drawn: (n, 4 n_f) each."""
        drawn = np.random.default_rng(self._recipe.seed).permutation(len(self._tokens))[:documents]
        with autocast(self._device):
            sides = [self._encode(drawn, np.full(len(drawn), is_former), None) for is_former in (True, False)]
        return sides[0].cpu().numpy(), sides[1].cpu().numpy()

    def _vectors(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """The vectors of each pair's two halves and of the half that its negative lends, (m, 4 n_f) or (m, d) each.

        Where a softmax finds its negatives in the batch alone, the third is empty.
        """
        pairs, lends = len(batch.documents), self._lends
        documents = np.stack([batch.documents, batch.documents, *([batch.other] if lends else [])])
        kinds = [np.ones(pairs, bool), np.zeros(pairs, bool), *([batch.swaps_former] if lends else [])]
        parts = self._shared(documents, np.stack(kinds), self._hidden(batch, len(documents)))
        return parts[0], parts[1], parts[2] if lends else parts[0][:0]

    def _related_loss(self, pairs: Places) -> Tensor:
        """A softmax over pairs (m, 2) of whole documents that belong together.

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

    def _shared(self, documents: Places, is_former: NDArray[np.bool_], hidden: Tensor | None) -> tuple[Tensor, ...]:
        """The vectors of k halves in each of m rows, (k, m) documents: k tensors (m, 4 n_f), or (m, d).

        Every process encodes its share of the rows; `hidden` is of this share.
        """
        rows = slice(self._processes.rank, None, self._processes.count)
        found = self._encode(documents[:, rows].ravel(), is_former[:, rows].ravel(), hidden)
        if self.projection is not None:
            found = self.projection(normalize(found)).float()  # (halves, d)
        return tuple(self._processes.gathered(part, documents.shape[1]) for part in found.chunk(len(documents)))

    def _encode(self, documents: Places, is_former: NDArray[np.bool_], hidden: Tensor | None) -> Tensor:
        """One vector a half, (m, 4 n_f); halves of like length go through the network together."""
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

    def _hidden(self, batch: Batch, halves: int) -> Tensor | None:
        """Which tokens this step hides from the network, (halves m, max_tokens) for this process's rows."""
        share = self._recipe.objective.word_dropout
        if not share:
            return None
        drawn = np.random.default_rng(batch.key).random((halves, len(batch.documents), self._recipe.pairs.max_tokens))
        rows = drawn[:, self._processes.rank :: self._processes.count] < share
        return torch.from_numpy(rows).flatten(0, 1).to(self._device)

    def _sharing(self, one: Places, other: Places) -> Tensor:
        """Which pairs (m,) share a document, and so are not negatives of each other: (m, m)."""
        sides = [torch.from_numpy(side).to(self._device) for side in (one, other)]
        shared = torch.zeros(len(one), len(one), dtype=torch.bool, device=self._device)
        for left in sides:
            for right in sides:
                shared |= left[:, None] == right[None, :]
        return shared


def _projection(width: int, recipe: CtpeRecipe) -> nn.Linear | None:
    """Where the recipe learns one, a map of halves to fewer dimensions: (d, 4 n_f) weights, drawn from the seed.

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
