"""Whether one passage says what another text says: a small network over the token vectors of both.

Decomposable attention (Parikh et al., "A decomposable attention model for natural language inference", EMNLP 2016,
sections 3.1 to 3.3) over the vectors that the encoder of passages gives for each token in its context: every token of
the text looks for its counterpart in the passage, is compared with it, and the text is said as far as its tokens are.
A rival method on the same subject is not said: its own words have no counterpart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import EncoderError
from engine.core.processes import one_torch_thread
from engine.encoders import storage
from engine.encoders.base import EncoderCard
from engine.encoders.module_weights import HALF, outlined
from engine.encoders.registry import PRETRAINED

if TYPE_CHECKING:
    from engine.encoders.transformer import Transformer

NAME, METHOD = "judge", "judge/1"
_SUMMARY = (
    "Tells whether a passage says what a text says, in other words or not, from what is only on the same subject. "
    "Coverage asks it of the passages that are nearest to each of yours."
)
Numbers = NDArray[np.float64]

_UNSEEN = -1e4
_LARGEST_IDF = 8.0
_PAIRS_AT_ONCE, _TEXTS_AT_ONCE = 32, 16
_NUMBERS = 8
"""How many numbers say how well a text is aligned as a whole."""


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """What changes a judgement besides the weights.

    `fingerprint` names the encoder of passages whose token vectors (t, `token_dim`) are read, the first `max_tokens` of
    each text; they are projected to `dim` numbers.
    """

    fingerprint: str
    token_dim: int = 384
    dim: int = 128
    max_tokens: int = 400
    vocabulary: int = 30_522


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """A text's tokens without start and end: ids (t,) and vectors (t, token_dim)."""

    ids: Tensor
    vectors: Tensor


class AlignmentNetwork(nn.Module):
    """The network: a logit for each pair, and one for each token of the first text."""

    def __init__(self, settings: JudgeSettings, *, dropout: float = 0.0) -> None:
        """Take the sizes; `rarity` (vocabulary,), the logarithm of how rare a token is, is set by the training."""
        super().__init__()
        k = settings.dim
        self.project = nn.Linear(settings.token_dim, k, bias=False)
        self.sharpness = nn.Parameter(torch.tensor([10.0]))
        self.compare = nn.Sequential(nn.Linear(4 * k + 4, k), nn.GELU(), nn.Dropout(dropout), nn.Linear(k, 2))
        self.whole = nn.Sequential(nn.Linear(_NUMBERS, 16), nn.GELU(), nn.Linear(16, 1))
        self.rarity = nn.Parameter(torch.zeros(settings.vocabulary), requires_grad=False)
        self.dropped = nn.Dropout(dropout)

    def forward(self, asked: Tokens, there: Tokens) -> tuple[Tensor, Tensor]:
        """Return the logits (b,) that each passage says its text, and how far each of its tokens is said: (b, t)."""
        ours, theirs = self.dropped(self.project(asked.vectors)), self.dropped(self.project(there.vectors))
        plain = _cosines(asked.vectors, there)  # (b, t, u)
        learnt = (_unit(ours) @ _unit(theirs).transpose(1, 2)).masked_fill(~there.inside[:, None], _UNSEEN)
        counterpart = (self.sharpness * learnt).softmax(-1) @ theirs  # (b, t, k), section 3.1
        same = ((asked.ids[:, :, None] == there.ids[:, None]) & there.inside[:, None]).any(-1).float()
        nearest, best = plain.max(-1).values, learnt.max(-1).values.clamp(min=-1)
        rare = self.rarity[asked.ids] / _LARGEST_IDF
        told = torch.stack([nearest, best, same, rare], -1)
        compared = torch.cat([ours, counterpart, (ours - counterpart).abs(), ours * counterpart, told], -1)
        said, weight = self.compare(compared).unbind(-1)  # section 3.2
        weight = weight.masked_fill(~asked.inside, _UNSEEN).softmax(-1)
        weighed = (said * weight).sum(1)  # section 3.3, with learnt weights
        numbers = torch.stack(_of_text(asked, there, said, weighed, (nearest, best, same), rare), 1)
        return weighed + self.whole(numbers)[:, 0], said


@dataclass(frozen=True, slots=True)
class Tokens:
    """Several texts behind each other: ids (b, t), vectors (b, t, token_dim), and which places hold a token (b, t)."""

    ids: Tensor
    vectors: Tensor
    inside: Tensor

    @classmethod
    def of(cls, texts: Sequence[TokenVectors]) -> Self:
        """Pad texts to one length; one without tokens has a single place."""
        lengths = torch.tensor([max(1, len(one.ids)) for one in texts])
        ids = torch.zeros(len(texts), int(lengths.max()), dtype=torch.long)
        vectors = torch.zeros(*ids.shape, texts[0].vectors.shape[-1])
        for place, one in enumerate(texts):
            ids[place, : len(one.ids)] = one.ids
            vectors[place, : len(one.ids)] = one.vectors
        return cls(ids, vectors, torch.arange(ids.shape[1]) < lengths[:, None])


def _of_text(
    asked: Tokens, there: Tokens, said: Tensor, weighed: Tensor, near: tuple[Tensor, ...], rare: Tensor
) -> list[Tensor]:
    """Return numbers (b,) on how well each text is said: by its tokens' weights, its worst ones, all, and the rare."""
    inside = asked.inside.float()
    count, weight = inside.sum(1), rare * inside
    worst = -torch.logsumexp((-said).masked_fill(~asked.inside, _UNSEEN), 1) + count.log()  # a soft minimum
    by_rarity = [(one * weight).sum(1) / weight.sum(1).clamp(min=1e-6) for one in near]
    lengths = [count.log() / 5, there.inside.float().sum(1).log() / 5]
    return [weighed, worst, (said * inside).sum(1) / count, *by_rarity, *lengths]


def _unit(rows: Tensor) -> Tensor:
    return nn.functional.normalize(rows, dim=-1)


def _cosines(ours: Tensor, there: Tokens) -> Tensor:
    return (_unit(ours) @ _unit(there.vectors).transpose(1, 2)).masked_fill(~there.inside[:, None], -1)


class Judge:
    """A trained network with the transformer whose token vectors it reads; may be used from several threads."""

    def __init__(self, network: AlignmentNetwork, settings: JudgeSettings, transformer: Transformer) -> None:
        """Take the parts; `transformer` belongs to the encoder that the settings name."""
        self.settings = settings
        self._network, self._transformer = network.eval().requires_grad_(False), transformer

    @classmethod
    def shipped(cls, transformer: Transformer, fingerprint: str) -> Self:
        """Load the shipped judge, for the encoder of passages with this fingerprint. Raises as `load` does."""
        return cls.load(PRETRAINED / NAME, transformer, fingerprint)

    @classmethod
    def load(cls, folder: Path, transformer: Transformer, fingerprint: str) -> Self:
        """Read what `save` wrote, for the encoder of passages with this fingerprint.

        Raises StorageError where the folder is damaged or foreign, EncoderError for another encoder.
        """
        with storage.opening(folder, "a judge of passages", METHOD) as opened:
            settings = opened.settings_as(JudgeSettings)
            with outlined():
                network = AlignmentNetwork(settings)
            HALF.fill(network, opened.read(HALF.expected(network)).arrays)
        if settings.fingerprint != fingerprint:
            raise EncoderError(
                f"Expected the encoder of passages {settings.fingerprint}, which the judge was trained on; "
                f"got {fingerprint}. Install Priorscope again."
            )
        return cls(network, settings, transformer)

    def save(self, folder: Path, facts: Mapping[str, Any]) -> None:
        """Write the network into a folder, atomically, with facts on its training."""
        arrays, settings = HALF.stored(self._network), asdict(self.settings)
        weights = storage.StoredWeights(METHOD, arrays, [], settings)
        card = EncoderCard(NAME, _SUMMARY, 1, weights.fingerprint, max_tokens=self.settings.max_tokens)
        facts = {storage.SETTINGS: settings, **facts}
        storage.write(folder, method=METHOD, card=card, arrays=arrays, words=[], facts=facts)

    def judge(
        self, asked: Sequence[str], there: Sequence[str], pairs: Sequence[tuple[int, int]]
    ) -> NDArray[np.float64]:
        """Return the logits (p,) that the second text of each pair says what the first says; each text is read once.

        A pair names one of the texts that are asked and one of those that are there, by their places.
        """
        with one_torch_thread(when=len(pairs) == 1), torch.inference_mode():
            ours, theirs = self.read(asked), self.read(there)
            found = np.zeros(len(pairs))
            order = sorted(range(len(pairs)), key=lambda n: len(ours[pairs[n][0]].ids) + len(theirs[pairs[n][1]].ids))
            for first in range(0, len(order), _PAIRS_AT_ONCE):
                some = order[first : first + _PAIRS_AT_ONCE]
                given = [Tokens.of([texts[pairs[n][side]] for n in some]) for side, texts in enumerate((ours, theirs))]
                found[some] = self._network(*given)[0].numpy()
        return found

    def read(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the token vectors of texts, without those of start and end."""
        return read_tokens(self._transformer, texts, self.settings.max_tokens)


def read_tokens(transformer: Transformer, texts: Sequence[str], most: int) -> list[TokenVectors]:
    """Return the vectors of the first `most` tokens of each text, without those of start and end."""
    tokens = transformer.tokens(texts, most)
    order = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    found = [TokenVectors(torch.zeros(0), torch.zeros(0))] * len(texts)
    for first in range(0, len(order), _TEXTS_AT_ONCE):
        some = order[first : first + _TEXTS_AT_ONCE]
        vectors, lengths = transformer.token_vectors([tokens[place] for place in some])
        for place, own, length in zip(some, vectors, lengths.tolist(), strict=True):
            found[place] = TokenVectors(
                torch.tensor(tokens[place][1:-1], dtype=torch.long), own[1 : length - 1].float()
            )
    return found


def rarity(texts: Sequence[Sequence[int]], vocabulary: int) -> Tensor:
    """Return the logarithm of how rare each token is among the token ids of texts: (vocabulary,)."""
    held = torch.zeros(vocabulary)
    for ids in texts:
        held[sorted(set(ids))] += 1
    return math.log(len(texts) + 1) - (held + 1).log()
