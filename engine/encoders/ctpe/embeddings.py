"""Texts as sequences of vectors for CTPE's network: one a word, or one a sentence."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import EncoderError
from engine.documents import text as texts
from engine.documents.text import CHARACTERS_A_TOKEN, stretches
from engine.encoders import frequency, storage
from engine.encoders.quantised import from_bytes, to_bytes
from engine.encoders.word_vectors import WordVectors

Numbers = NDArray[np.int32]
Offsets = NDArray[np.int64]
Arrays = Mapping[str, NDArray[Any]]

_SENTENCE_END = -1


class EmbeddingModel(ABC):
    """Texts to vectors in two steps: `ids` reads the text once, `encode_ids` looks the vectors up on each call.

    `arrays`, `words` and `config` determine every vector, and `build` restores a model from them.
    """

    kind: ClassVar[str]
    halves_at_once: ClassVar[int]
    """How many halves fit one `encode_ids` into some 100 MB."""

    @property
    @abstractmethod
    def dim(self) -> int:
        """The length of a token's vector."""

    @property
    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights, by name, as they are stored."""

    @property
    @abstractmethod
    def words(self) -> tuple[str, ...]:
        """The vocabulary that turns text into numbers, one line each."""

    @property
    @abstractmethod
    def config(self) -> dict[str, Any]:
        """The model's other settings, as JSON."""

    @classmethod
    @abstractmethod
    def expected(cls, config: Mapping[str, Any]) -> dict[str, int]:
        """The name of every array of a model with that config, and its number of dimensions."""

    @classmethod
    @abstractmethod
    def build(cls, arrays: Arrays, words: Sequence[str], config: Mapping[str, Any]) -> Self:
        """Build a model from `arrays`, `words` and `config`. Raises EncoderError where they do not fit."""

    @abstractmethod
    def ids(self, text: str, max_tokens: int) -> Numbers:
        """The numbers of a text's first `max_tokens` tokens or sentences; the rest is not read."""

    @abstractmethod
    def encode_ids(self, flat: Numbers, offsets: Offsets) -> tuple[Tensor, Tensor]:
        """Vectors (b, t, dim) of texts with their `ids` end to end, cut at offsets (b+1,), and lengths (b,).

        The lengths lie in the processor's memory, wherever the vectors do.
        """

    def token_weights(self, flat: Numbers, offsets: Offsets) -> Tensor | None:
        """The weight of each vector of `encode_ids` in a mean, (b, t), for the same texts; None weighs all alike."""
        del flat, offsets
        return None

    def encode(self, given: Sequence[str], max_tokens: int) -> tuple[Tensor, Tensor]:
        """Vectors (b, t, dim) and lengths (b,) of b texts; vectors beyond a length are padding."""
        return self.encode_ids(*end_to_end([self.ids(text, max_tokens) for text in given]))

    def as_stored(self) -> Self:
        """The model as it will be read back from disk; training this one further does not change the copy."""
        return self.build(self.arrays, self.words, self.config)

    @property
    def fingerprint(self) -> str:
        """Names everything that changes a vector."""
        return storage.fingerprint_of(f"{self.kind} {json.dumps(self.config)}", self.arrays, self.words)


class WordEmbeddings(nn.Module, EmbeddingModel):
    """One vector a word; tokens without one are skipped.

    `table` (V, dim) is a parameter, stored as bytes. Where words are weighted, so is `log_weights` (V,), in half
    precision: the logarithms of their weights in a mean. Both are frozen unless training changes that.
    """

    kind = "words"
    halves_at_once = 256

    log_weights: nn.Parameter | None

    def __init__(
        self, words: Sequence[str], rows: NDArray[np.float32], *, log_weights: NDArray[np.float32] | None = None
    ) -> None:
        """Take words (V), vectors (V, dim) and perhaps weights (V,). Raises EncoderError where they do not fit."""
        super().__init__()
        if not len(words) or rows.ndim != 2 or len(rows) != len(words):
            raise EncoderError(
                f"Expected words and one vector each, got {len(words)} words and vectors of shape {rows.shape}. "
                "Give the words in the order of their vectors."
            )
        if log_weights is not None and log_weights.shape != (len(words),):
            raise EncoderError(f"Expected one weight for each of {len(words)} words, got shape {log_weights.shape}.")
        self._words = tuple(words)
        self._number = {word: number for number, word in enumerate(words)}
        self._stored: dict[str, NDArray[Any]] | None = None
        self._frequencies: NDArray[np.float64] | None = None
        self.table = nn.Parameter(torch.tensor(rows, dtype=torch.float32), requires_grad=False)
        logs = None if log_weights is None else torch.tensor(log_weights, dtype=torch.float32)
        self.log_weights = None if logs is None else nn.Parameter(logs, requires_grad=False)

    @classmethod
    def of(cls, vectors: WordVectors, *, weighted: bool = False) -> Self:
        """Take shipped word vectors; weights start at smooth inverse frequency."""
        logs = frequency.log_weights(vectors.frequencies) if weighted else None
        made = cls(vectors.words, vectors.vectors.astype(np.float32), log_weights=logs)
        made._frequencies = vectors.frequencies
        return made

    def mean_occurrence(self) -> NDArray[np.float32]:
        """The mean of weight * vector over all words of the training text, (dim,): where PairNetwork.shift starts.

        Raises EncoderError for embeddings that `of` did not make: they lack counts.
        """
        if self._frequencies is None:
            raise EncoderError("Expected words with counts, got some without. Make them by WordEmbeddings.of.")
        logs = None if self.log_weights is None else self.log_weights.detach().cpu().numpy()
        return frequency.mean_occurrence(self.table.detach().cpu().numpy(), logs, self._frequencies)

    @property
    def dim(self) -> int:
        """The length of a word's vector."""
        return self.table.shape[1]

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The table as bytes (V, dim) and scales (V,), as it was built unless training moved it; and the weights."""
        rows = self.table.detach().float().cpu().numpy()
        if self._stored is None or not np.array_equal(rows, from_bytes(**self._stored)):
            numbers, scales = to_bytes(rows)
            self._stored = {"numbers": numbers, "scales": scales}
        if self.log_weights is None:
            return self._stored
        return {**self._stored, "log_weights": self.log_weights.detach().cpu().numpy().astype(np.float16)}

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in the order of the table's rows."""
        return self._words

    @property
    def config(self) -> dict[str, Any]:
        """Whether words are weighted."""
        return {} if self.log_weights is None else {"weighted": True}

    @classmethod
    def expected(cls, config: Mapping[str, Any]) -> dict[str, int]:
        """Bytes and scales, and weights if any."""
        return {"numbers": 2, "scales": 1, **({"log_weights": 1} if config.get("weighted") else {})}

    @classmethod
    def build(cls, arrays: Arrays, words: Sequence[str], config: Mapping[str, Any]) -> Self:
        """Put together what `arrays` and `words` gave. Raises EncoderError where they do not fit."""
        logs = arrays["log_weights"] if config.get("weighted") else None
        built = cls(words, from_bytes(arrays["numbers"], arrays["scales"]), log_weights=logs)
        built._stored = {name: arrays[name] for name in ("numbers", "scales")}
        return built

    def ids(self, text: str, max_tokens: int) -> Numbers:
        """The numbers of a text's first `max_tokens` tokens that have a vector."""
        found: list[int] = []
        for stretch in stretches(text, max_tokens * CHARACTERS_A_TOKEN):
            found += self.numbers(texts.tokens(stretch))
            if len(found) >= max_tokens:
                break
        return np.array(found[:max_tokens], np.int32)

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """The numbers of the tokens that have a vector."""
        return [number for number in map(self._number.get, tokens) if number is not None]

    def encode_ids(self, flat: Numbers, offsets: Offsets) -> tuple[Tensor, Tensor]:
        """Vectors (b, t, dim) and lengths (b,) of b texts."""
        padded, lengths = _padded(flat, offsets)
        return nn.functional.embedding(padded.to(self.table.device), self.table), lengths

    def token_weights(self, flat: Numbers, offsets: Offsets) -> Tensor | None:
        """Each word's weight in a mean, (b, t), aligned with `encode_ids`; None where words are not weighted."""
        if self.log_weights is None:
            return None
        padded = _padded(flat, offsets)[0].to(self.log_weights.device)
        return nn.functional.embedding(padded, self.log_weights[:, None])[:, :, 0].exp()


class SentenceMeans(EmbeddingModel):
    """One vector a sentence, the mean of its words' vectors; text is cut into sentences first (CTPE, section 4.1)."""

    kind = "sentences"
    halves_at_once = 256

    def __init__(self, words: WordEmbeddings) -> None:
        """Take word embeddings."""
        self.word_embeddings = words

    @property
    def dim(self) -> int:
        """The length of a sentence's vector."""
        return self.word_embeddings.dim

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Those of the words."""
        return self.word_embeddings.arrays

    @property
    def words(self) -> tuple[str, ...]:
        """The words."""
        return self.word_embeddings.words

    @property
    def config(self) -> dict[str, Any]:
        """That of the words."""
        return self.word_embeddings.config

    @classmethod
    def expected(cls, config: Mapping[str, Any]) -> dict[str, int]:
        """Those of the words."""
        return WordEmbeddings.expected(config)

    @classmethod
    def build(cls, arrays: Arrays, words: Sequence[str], config: Mapping[str, Any]) -> Self:
        """Put together what `arrays` and `words` gave. Raises EncoderError where they do not fit."""
        return cls(WordEmbeddings.build(arrays, words, config))

    def ids(self, text: str, max_tokens: int) -> Numbers:
        """The words of a text's first `max_tokens` sentences, -1 after each; sentences of unknown words are skipped."""
        found: list[int] = []
        count = 0
        for span in texts.sentences(text):
            numbers = self.word_embeddings.numbers(texts.tokens(text[span.start : span.stop]))
            if numbers:
                found += [*numbers, _SENTENCE_END]
                count += 1
            if count == max_tokens:
                break
        return np.array(found, np.int32)

    def encode_ids(self, flat: Numbers, offsets: Offsets) -> tuple[Tensor, Tensor]:
        """Vectors (b, sentences, dim) and the number of sentences (b,) of b texts."""
        ends = flat == _SENTENCE_END
        before = np.concatenate([[0], np.cumsum(ends)])  # sentences that end before each place
        inside, lengths = _inside(np.diff(before[offsets]))
        starts = np.searchsorted(before[:-1][~ends], np.arange(before[-1]))  # each sentence's first word
        table = self.word_embeddings.table
        bags = (torch.from_numpy(one).to(table.device) for one in (flat[~ends].astype(np.int64), starts))
        means = nn.functional.embedding_bag(next(bags), table, next(bags), mode="mean")  # (sentences, dim)
        padded = means.new_zeros(*inside.shape, self.dim)
        padded[torch.from_numpy(inside).to(table.device)] = means
        return padded, lengths


def end_to_end(ids: Sequence[Numbers]) -> tuple[Numbers, Offsets]:
    """The numbers of n texts in one array, and the places (n+1,) to cut it at."""
    offsets = np.zeros(len(ids) + 1, np.int64)
    np.cumsum([len(one) for one in ids], out=offsets[1:])
    return np.concatenate([np.empty(0, np.int32), *ids]), offsets


def _padded(flat: Numbers, offsets: Offsets) -> tuple[Tensor, Tensor]:
    """Numbers end to end as one padded row a text, (b, t), and the length of each (b,)."""
    inside, lengths = _inside(np.diff(offsets))
    padded = np.zeros(inside.shape, np.int32)  # (b, t)
    padded[inside] = flat
    return torch.from_numpy(padded), lengths


def _inside(lengths: NDArray[Any]) -> tuple[NDArray[np.bool_], Tensor]:
    """Which places of a padded batch are not padding, (b, t), and the lengths (b,) as a tensor."""
    return np.arange(lengths.max(initial=0)) < lengths[:, None], torch.from_numpy(lengths.astype(np.int64))
