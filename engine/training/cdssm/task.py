"""What C-DSSM learns: related documents lie nearer to each other than to strangers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from engine.core.errors import TrainingError
from engine.encoders.cdssm import TWO, Bags, CdssmNetwork, Texts, distinct
from engine.training.cdssm.corpus import WordCorpus
from engine.training.cdssm.recipe import CdssmRecipe
from engine.training.examples import Ids, Places
from engine.training.losses import posterior_loss
from engine.training.processes import ALONE, Processes
from engine.training.related_pairs import PairBatch, RelatedPairs

_HIDDEN = 4  # keeps this draw apart from a step's other draws by its key


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
        """Parameters with their learning rates."""
        rates, words = self._recipe.optimizer, self.network.vectors
        groups: list[dict[str, Any]] = [{"params": list(self.network.towers.parameters()), "lr": rates.learning_rate}]
        if words is not None and words.requires_grad:
            groups.append({"params": [words], "lr": rates.words_learning_rate or rates.learning_rate})
        return groups

    def steps(self) -> int:
        """The number of batches in an epoch."""
        return self._recipe.data.steps

    def batches(self, epoch: int) -> Sequence[PairBatch]:
        """An epoch's batches, each drawn by its own key."""
        return [self._pairs.draw((self._recipe.seed, epoch, step)) for step in range(self.steps())]

    def loss(self, batch: PairBatch) -> Tensor:
        """The mean loss of a whole batch, whose documents the processes share."""
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

    def texts(self, documents: Places) -> Texts:
        """Some documents (m,) as the network reads them."""
        return distinct(*self._corpus.words_of(documents), self._bags)

    def _posterior(self, asks: Tensor, answers: Tensor, documents: tuple[Places, Places], right: Places) -> Tensor:
        """The loss of queries (q, dim) over documents (n, dim), whose places in the corpus are given."""
        strangers = torch.from_numpy(~self._pairs.same_label(*documents)).to(asks.device)  # (q, n)
        answer = torch.from_numpy(right).to(asks.device)
        return posterior_loss(asks, answers, answer, gamma=self._recipe.objective.gamma, strangers=strangers)

    def _words(self, documents: Places, key: tuple[int, int, int]) -> tuple[Ids, Places]:
        """The known words of documents (n,) that this step does not hide, and the places (n + 1,) between them.

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

    def _vectors(self, words: Ids, starts: Places, *, asks: bool) -> Tensor:
        """The vectors (n, dim) of documents whose words are given; each process reads its share of the documents."""
        count = len(starts) - 1
        own = range(self._processes.rank, count, self._processes.count)
        parts = [words[starts[place] : starts[place + 1]] for place in own]
        ends = np.cumsum([0, *map(len, parts)])
        texts = distinct(np.concatenate([words[:0], *parts]), ends, self._bags)
        return self._processes.gathered(self.network(texts, asks=asks), count)
