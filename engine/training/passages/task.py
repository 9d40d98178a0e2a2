"""What an encoder of passages learns: which passage a quote is from, and which documents match."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.training.examples import Ids, Places
from engine.training.losses import contrastive, late_interaction, placing_distance, posterior_loss
from engine.training.passages.cut_documents import CutDocuments
from engine.training.passages.recipe import PassagesRecipe
from engine.training.passages.stretches import Quoting, Stretches
from engine.training.related_pairs import RelatedPairs

_QUOTES, _PASSAGES = 4, 5  # keep these draws apart from whatever else a step draws by its key


class PassageBatch(NamedTuple):
    """A step's documents (d,), and what seeds its other draws."""

    documents: Places
    key: tuple[int, int, int]


@dataclass(frozen=True)
class PassageTexts:
    """Documents in passages, which of them are related, the stretches that ask for them, and a text's two ends."""

    documents: CutDocuments
    pairs: RelatedPairs
    quoting: Quoting
    ends: tuple[int, int]


class PassageTask:
    """Related documents for the loop; each step reads some passages of theirs."""

    def __init__(self, recipe: PassagesRecipe, model: nn.Module, texts: PassageTexts) -> None:
        """Take a transformer on its device, which also says where passages were in the beginning."""
        self._recipe, self._model, self._texts = recipe, model, texts
        self._before = copy.deepcopy(model).eval().requires_grad_(False)
        self._device = next(model.parameters()).device

    @property
    def model(self) -> nn.Module:
        """The transformer."""
        return self._model

    def groups(self) -> list[dict[str, Any]]:
        """Parameters with their learning rate."""
        return [{"params": list(self._model.parameters()), "lr": self._recipe.optimizer.learning_rate}]

    def steps(self) -> int:
        """The number of batches in an epoch."""
        return self._recipe.objective.steps

    def batches(self, epoch: int) -> Sequence[PassageBatch]:
        """An epoch's batches: the documents of related pairs, each once."""
        keys = [(self._recipe.seed, epoch, number) for number in range(self.steps())]
        return [PassageBatch(np.unique(self._texts.pairs.draw(key).pairs), key) for key in keys]

    def loss(self, batch: PassageBatch) -> Tensor:
        """How badly quotes find their passages and documents those related to them, and what has moved."""
        settings = self._recipe.objective
        drawn = self._passages(batch)
        passages = np.concatenate(drawn)
        texts = [self._texts.documents.tokens(passage) for passage in passages.tolist()]
        rows = self._encode(texts, self._model)  # (n, dim)
        total = torch.zeros((), device=self._device)
        if settings.places:
            with torch.no_grad():
                before = self._encode(texts, self._before)
            total = total + settings.places * placing_distance(rows, before)
        if settings.quotes.weight:
            total = total + settings.quotes.weight * self._quotes(rows, passages, batch.key)
        if settings.matches.weight:
            similarity = late_interaction(torch.split(rows, [len(part) for part in drawn]))  # (d, d)
            same = self._texts.pairs.same_label(batch.documents, batch.documents)
            found = contrastive(similarity, self._moved(same), temperature=settings.matches.temperature)
            total = total + settings.matches.weight * found
        return total

    def _quotes(self, rows: Tensor, passages: Places, key: tuple[int, int, int]) -> Tensor:
        """How badly stretches of the passages (n,) with rows (n, dim) find them."""
        settings = self._recipe.objective.quotes
        drawn = self._texts.quoting.draw(passages, np.random.default_rng([*key, _QUOTES]))
        asked = self._encode(drawn.tokens, self._model)  # (m, dim)
        return posterior_loss(
            asked,
            rows,
            self._moved(drawn.own),
            gamma=1 / settings.temperature,
            strangers=self._moved(_strangers(drawn, len(passages))),
        )

    def _passages(self, batch: PassageBatch) -> list[Places]:
        """Some passages of each document of a batch."""
        generator = np.random.default_rng([*batch.key, _PASSAGES])
        held = [self._texts.documents.passages(document) for document in batch.documents.tolist()]
        return [generator.permutation(one)[: self._recipe.data.each] for one in held]

    def _encode(self, texts: Sequence[Ids], model: nn.Module) -> Tensor:
        """The sums of n texts' token vectors: (n, dim)."""
        first, last = self._texts.ends
        lengths = np.array([len(ids) + 2 for ids in texts])
        padded = np.zeros((len(texts), lengths.max()), np.int64)
        inside = np.arange(lengths.max()) < lengths[:, None]  # (n, t)
        padded[inside] = np.concatenate([part for ids in texts for part in ([first], ids, [last])])
        mask = self._moved(inside)
        vectors: Tensor = model(input_ids=self._moved(padded), attention_mask=mask.long()).last_hidden_state
        return (vectors.float() * mask[:, :, None]).sum(1)

    def _moved(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self._device)


def _strangers(drawn: Stretches, count: int) -> NDArray[np.bool_]:
    """Which of `count` passages are wrong answers to each of m stretches: (m, count)."""
    found = np.ones((len(drawn.own), count), np.bool_)
    over = np.flatnonzero(drawn.beside >= 0)
    found[over, drawn.beside[over]] = False
    return found
