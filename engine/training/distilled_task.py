"""What distilled word vectors learn: to set texts as near to each other as their teacher does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.rows import DenseRows
from engine.training.losses import neighbour_divergence

Places = NDArray[np.int64]
Numbers = NDArray[np.int32]


@dataclass(frozen=True)
class TaughtTexts:
    """n texts, text i's words `flat[starts[i]:starts[i + 1]]`, with their teacher's `rows` (n, e) at unit length."""

    flat: Numbers
    starts: Places
    rows: NDArray[np.float16]

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.rows)

    @classmethod
    def of(cls, numbers: Sequence[Numbers], rows: NDArray[np.float16]) -> TaughtTexts:
        """Texts by the numbers of their words; those without a word are left out."""
        kept = [place for place, words in enumerate(numbers) if len(words)]
        flat = np.concatenate([np.zeros(0, np.int32), *(numbers[place] for place in kept)])
        starts = np.cumsum([0, *(len(numbers[place]) for place in kept)]).astype(np.int64)
        return cls(flat, starts, rows[kept])

    def words_of(self, places: Places) -> tuple[Tensor, Tensor]:
        """The words of some texts end to end, (t,), and where each begins, (n,)."""
        parts = [self.flat[self.starts[place] : self.starts[place + 1]] for place in places.tolist()]
        begins = np.cumsum([0, *map(len, parts[:-1])])
        return torch.from_numpy(np.concatenate(parts).astype(np.int64)), torch.from_numpy(begins.astype(np.int64))


class WeightedWords(nn.Module):
    """One vector a word, (V, dim), and the logarithm of how much it counts, (V, 1)."""

    def __init__(self, rows: DenseRows, log_weights: NDArray[np.float32]) -> None:
        """Begin with vectors (V, dim) and logarithms of weights (V,)."""
        super().__init__()
        self.vectors = nn.Parameter(torch.from_numpy(rows.copy()))
        self.log_weights = nn.Parameter(torch.from_numpy(log_weights[:, None].copy()))

    def forward(self, words: Tensor, begins: Tensor) -> Tensor:
        """The weighted sums of texts' words, (n, dim), from words (t,) and where each text begins, (n,)."""
        weights = nn.functional.embedding(words, self.log_weights, sparse=True)[:, 0].exp()  # (t,)
        return nn.functional.embedding_bag(
            words, self.vectors, begins, mode="sum", sparse=True, per_sample_weights=weights
        )

    def rows(self) -> DenseRows:
        """Each vector as long as its word counts: (V, dim)."""
        with torch.no_grad():
            found: DenseRows = (self.vectors * self.log_weights.exp()).numpy()
        return found


class DistilledBatch(NamedTuple):
    """A step's texts (n,)."""

    places: Places


class DistilledTask:
    """Texts for the loop, in batches drawn afresh each epoch."""

    def __init__(
        self,
        words: WeightedWords,
        texts: TaughtTexts,
        *,
        batch: int,
        temperature: float,
        learning_rate: float,
        seed: int,
    ) -> None:
        """Take the vectors, what they shall place, and how."""
        self.words, self._texts = words, texts
        self._batch, self._temperature, self._rate, self._seed = batch, temperature, learning_rate, seed

    @property
    def model(self) -> nn.Module:
        """The vectors with their weights."""
        return self.words

    def groups(self) -> list[dict[str, Any]]:
        """Parameters with their learning rate."""
        return [{"params": list(self.words.parameters()), "lr": self._rate}]

    def steps(self) -> int:
        """The number of whole batches in an epoch, at least one."""
        return max(1, len(self._texts) // self._batch)

    def batches(self, epoch: int) -> Sequence[DistilledBatch]:
        """An epoch's batches; its last few texts wait for another epoch."""
        order = np.random.default_rng([self._seed, epoch]).permutation(len(self._texts))
        return [
            DistilledBatch(np.sort(order[step * self._batch : (step + 1) * self._batch]))
            for step in range(self.steps())
        ]

    def loss(self, batch: DistilledBatch) -> Tensor:
        """How far the texts' neighbours are from the teacher's."""
        sums = self.words(*self._texts.words_of(batch.places))  # (n, dim)
        rows = torch.from_numpy(self._texts.rows[batch.places].astype(np.float32))  # (n, e)
        return neighbour_divergence(sums, rows, temperature=self._temperature)
