"""What a matcher learns: cosines of documents that belong together near 1, of others near 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize

from engine.encoders.masked_texts import Read
from engine.research.matchers.network import MatcherNetwork, encode_reads
from engine.research.matchers.recipe import MatcherRecipe, SBertRecipe
from engine.training.corpora import Places
from engine.training.long_corpus import LongBatch, LongCorpus, pair_batches, step_count
from engine.training.losses import cosine_regression


class MatcherTask:
    """Pairs of documents for the loop; the two of a pair go through one network."""

    def __init__(
        self,
        recipe: MatcherRecipe | SBertRecipe,
        network: MatcherNetwork,
        *,
        corpus: LongCorpus,
        reads: Sequence[Read],
    ) -> None:
        """Take what was read of each of the corpus's documents."""
        self._recipe, self._network, self._corpus, self._reads = recipe, network, corpus, reads

    @property
    def model(self) -> nn.Module:
        """The network; it neither learns nor keeps word vectors."""
        return self._network

    def groups(self) -> list[dict[str, Any]]:
        """Parameters with their learning rate."""
        return [{"params": list(self._network.parameters()), "lr": self._recipe.optimizer.learning_rate}]

    def steps(self) -> int:
        """The number of batches in an epoch."""
        return step_count(self._corpus, self._recipe.optimizer.batch, related_only=False)

    def batches(self, epoch: int) -> Sequence[LongBatch]:
        """An epoch's batches, in which every train pair comes once."""
        return pair_batches(self._corpus, self._recipe.optimizer.batch, seed=self._recipe.seed, epoch=epoch)

    def loss(self, batch: LongBatch) -> Tensor:
        """The mean squared distance of the cosines from the labels; a document of several pairs is read once."""
        rows = encode_reads(self._network, self._thinned(batch))  # (n, dim)
        one, other = (torch.from_numpy(side).to(rows.device) for side in batch.pairs.places.T)
        related = torch.from_numpy(batch.pairs.related).to(rows.device)
        return cosine_regression(rows[one], rows[other], related)

    def scores(self) -> dict[str, float]:
        """The area under the ROC curve of the valid pairs' cosines, by corpus; none if all have one label."""
        from sklearn.metrics import roc_auc_score

        return {
            name: float(roc_auc_score(pairs.related, self._cosines(pairs.places)))
            for name, pairs in self._corpus.valid.items()
            if 0 < pairs.related.sum() < len(pairs.related)
        }

    @torch.no_grad()
    def _cosines(self, pairs: Places) -> NDArray[np.float32]:
        """The cosine of the documents of each pair (m, 2): (m,)."""
        documents, places = np.unique(pairs, return_inverse=True)
        rows = encode_reads(self._network, [self._reads[place] for place in documents])  # (n, dim)
        one, other = normalize(rows)[torch.from_numpy(places.reshape(-1, 2).T).to(rows.device)]
        cosines: NDArray[np.float32] = (one * other).sum(1).cpu().numpy()
        return cosines

    def _thinned(self, batch: LongBatch) -> list[Read]:
        """The documents of a batch without the words that this step hides."""
        reads = [self._reads[place] for place in batch.documents]
        share = self._recipe.optimizer.word_dropout
        if not share:
            return reads
        generator = np.random.default_rng(batch.key)
        return [one.thinned(generator.random(len(one)) >= share) for one in reads]
