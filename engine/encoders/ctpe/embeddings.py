"""Texts as sequences of vectors for CTPE's network: one a word, one a sentence, or one a transformer's token.

Training needs a half's vectors in each epoch, for its own document and as a negative, and validation needs them again:
within `remembering` a transformer reads each half once.

"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import EncoderError
from engine.core.provenance import memory_bytes
from engine.core.rows import TokenIds
from engine.documents import text as texts
from engine.documents.text import CHARACTERS_A_TOKEN, first_tokens, stretches
from engine.encoders import storage, word_vectors
from engine.encoders.module_weights import from_bytes, to_bytes
from engine.encoders.storage import Arrays
from engine.encoders.transformer import Transformer, empty_model
from engine.encoders.word_vectors import WordVectors

Offsets = NDArray[np.int64]

_SENTENCE_END = -1
Read = Callable[[Sequence[Sequence[int]]], tuple[Tensor, Tensor]]
"""Token ids of b texts to vectors (b, t, dim) and lengths (b,)."""
_MOST_BYTES, _MOST_SHARE = 8 << 30, 1 / 3


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
        """Return the name of every array of a model with that config, and its number of dimensions."""

    @classmethod
    @abstractmethod
    def build(cls, arrays: Arrays, words: Sequence[str], config: Mapping[str, Any]) -> Self:
        """Build a model from `arrays`, `words` and `config`. Raises EncoderError where they do not fit."""

    @abstractmethod
    def ids(self, text: str, max_tokens: int) -> TokenIds:
        """Return the numbers of a text's first `max_tokens` tokens or sentences; the rest is not read."""

    @abstractmethod
    def encode_ids(self, flat: TokenIds, offsets: Offsets) -> tuple[Tensor, Tensor]:
        """Return the vectors (b, t, dim) of texts with `ids` end to end, cut at offsets (b+1,), and lengths (b,).

        The lengths lie in the processor's memory, wherever the vectors do.
        """

    def token_weights(self, flat: TokenIds, offsets: Offsets) -> Tensor | None:
        """Return what each vector of `encode_ids` weighs in a mean, (b, t), for the same texts; None for all alike."""
        del flat, offsets
        return None

    def encode(self, given: Sequence[str], max_tokens: int) -> tuple[Tensor, Tensor]:
        """Return the vectors (b, t, dim) and lengths (b,) of b texts; vectors beyond a length are padding."""
        return self.encode_ids(*end_to_end([self.ids(text, max_tokens) for text in given]))

    def as_stored(self) -> Self:
        """Return the model as it will be read back from disk; training this one further does not change the copy."""
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
        logs = word_vectors.log_frequency_weights(vectors.frequencies) if weighted else None
        made = cls(vectors.words, vectors.vectors.astype(np.float32), log_weights=logs)
        made._frequencies = vectors.frequencies
        return made

    def mean_occurrence(self) -> NDArray[np.float32]:
        """Return the mean of weight * vector over the words of the training text, PairNetwork.shift at first: (dim,).

        Raises EncoderError for embeddings that `of` did not make: they lack counts.
        """
        if self._frequencies is None:
            raise EncoderError("Expected words with counts, got some without. Make them by WordEmbeddings.of.")
        logs = None if self.log_weights is None else self.log_weights.detach().cpu().numpy()
        return word_vectors.mean_occurrence(self.table.detach().cpu().numpy(), logs, self._frequencies)

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
        """Return the bytes and scales, and weights if any."""
        return {"numbers": 2, "scales": 1, **({"log_weights": 1} if config.get("weighted") else {})}

    @classmethod
    def build(cls, arrays: Arrays, words: Sequence[str], config: Mapping[str, Any]) -> Self:
        """Put together what `arrays` and `words` gave. Raises EncoderError where they do not fit."""
        logs = arrays["log_weights"] if config.get("weighted") else None
        built = cls(words, from_bytes(arrays["numbers"], arrays["scales"]), log_weights=logs)
        built._stored = {name: arrays[name] for name in ("numbers", "scales")}
        return built

    def ids(self, text: str, max_tokens: int) -> TokenIds:
        """Return the numbers of a text's first `max_tokens` tokens that have a vector."""
        found: list[int] = []
        for stretch in stretches(text, max_tokens * CHARACTERS_A_TOKEN):
            found += self.numbers(texts.tokens(stretch))
            if len(found) >= max_tokens:
                break
        return np.array(found[:max_tokens], np.int32)

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """Return the numbers of the tokens that have a vector."""
        return [number for number in map(self._number.get, tokens) if number is not None]

    def encode_ids(self, flat: TokenIds, offsets: Offsets) -> tuple[Tensor, Tensor]:
        """Return the vectors (b, t, dim) and lengths (b,) of b texts."""
        numbers, lengths = padded(flat, offsets)
        return nn.functional.embedding(numbers.to(self.table.device), self.table), lengths

    def token_weights(self, flat: TokenIds, offsets: Offsets) -> Tensor | None:
        """Return each word's weight in a mean, (b, t), aligned with `encode_ids`; None where words are not weighted."""
        if self.log_weights is None:
            return None
        numbers = padded(flat, offsets)[0].to(self.log_weights.device)
        return nn.functional.embedding(numbers, self.log_weights[:, None])[:, :, 0].exp()


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
        """Return those of the words."""
        return WordEmbeddings.expected(config)

    @classmethod
    def build(cls, arrays: Arrays, words: Sequence[str], config: Mapping[str, Any]) -> Self:
        """Put together what `arrays` and `words` gave. Raises EncoderError where they do not fit."""
        return cls(WordEmbeddings.build(arrays, words, config))

    def ids(self, text: str, max_tokens: int) -> TokenIds:
        """Return the words of a text's first `max_tokens` sentences, -1 after each; unknown ones are skipped."""
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

    def encode_ids(self, flat: TokenIds, offsets: Offsets) -> tuple[Tensor, Tensor]:
        """Return the vectors (b, sentences, dim) and the number of sentences (b,) of b texts."""
        ends = flat == _SENTENCE_END
        before = np.concatenate([[0], np.cumsum(ends)])  # sentences that end before each place
        inside, lengths = _inside(np.diff(before[offsets]))
        starts = np.searchsorted(before[:-1][~ends], np.arange(before[-1]))  # each sentence's first word
        table = self.word_embeddings.table
        bags = (torch.from_numpy(one).to(table.device) for one in (flat[~ends].astype(np.int64), starts))
        means = nn.functional.embedding_bag(next(bags), table, next(bags), mode="mean")  # (sentences, dim)
        rows = means.new_zeros(*inside.shape, self.dim)
        rows[torch.from_numpy(inside).to(table.device)] = means
        return rows, lengths


def end_to_end(ids: Sequence[TokenIds]) -> tuple[TokenIds, Offsets]:
    """Return the numbers of n texts in one array, and the places (n+1,) to cut it at."""
    offsets = np.zeros(len(ids) + 1, np.int64)
    np.cumsum([len(one) for one in ids], out=offsets[1:])
    return np.concatenate([np.empty(0, np.int32), *ids]), offsets


def padded(flat: TokenIds, offsets: Offsets) -> tuple[Tensor, Tensor]:
    """Return numbers end to end as one padded row a text, (b, t), and the length of each (b,)."""
    inside, lengths = _inside(np.diff(offsets))
    rows = np.zeros(inside.shape, np.int32)  # (b, t)
    rows[inside] = flat
    return torch.from_numpy(rows), lengths


def _inside(lengths: NDArray[Any]) -> tuple[NDArray[np.bool_], Tensor]:
    """Tell which places of a padded batch are not padding, (b, t), and the lengths (b,) as a tensor."""
    return np.arange(lengths.max(initial=0)) < lengths[:, None], torch.from_numpy(lengths.astype(np.int64))


class RememberedVectors:
    """Vectors by model and text, in half precision; beyond `most_bytes` the oldest are dropped."""

    def __init__(self, most_bytes: int) -> None:
        """Take the most that may be held."""
        self._most, self._bytes = most_bytes, 0
        self._held: dict[tuple[str, bytes], Tensor] = {}  # each (t, dim), the oldest first

    def vectors(self, model: str, texts: Sequence[TokenIds], read: Read) -> tuple[Tensor, Tensor]:
        """Return the vectors (b, t, dim) and lengths (b,) of token numbers; only new texts are read; t >= 1."""
        keys = [(model, ids.tobytes()) for ids in texts]
        wanted = {key: ids for key, ids in zip(keys, texts, strict=True) if key not in self._held}
        found = {key: self._held[key] for key in keys if key not in wanted}
        if wanted:
            vectors, lengths = read([ids.tolist() for ids in wanted.values()])
            half = torch.float16 if vectors.dtype == torch.float32 else vectors.dtype
            for key, row, length in zip(wanted, vectors, lengths.tolist(), strict=True):
                found[key] = row[:length].to(half, copy=True)
                self._keep(key, found[key])
        return _stacked([found[key] for key in keys])

    def _keep(self, key: tuple[str, bytes], vectors: Tensor) -> None:
        self._held[key] = vectors
        self._bytes += vectors.nbytes
        while self._bytes > self._most:
            self._bytes -= self._held.pop(next(iter(self._held))).nbytes


def _stacked(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Return vectors (b, t, dim), zeros beyond each length, and lengths (b,), in the precision that was kept."""
    lengths = torch.tensor([len(row) for row in rows])
    precision = torch.float32 if rows[0].dtype == torch.float16 else rows[0].dtype
    vectors = torch.zeros(len(rows), max(1, int(lengths.max())), rows[0].shape[1], dtype=precision)
    for row, place in zip(rows, vectors, strict=True):
        place[: len(row)] = row
    return vectors, lengths


_remembered: ContextVar[RememberedVectors | None] = ContextVar("remembered_vectors", default=None)


@contextmanager
def remembering(most_bytes: int | None = None) -> Iterator[None]:
    """Let a transformer read each text once for CTPE's network while inside, as far as memory allows.

    By default that is 8 GiB, or a third of the machine's memory where that is less.
    """
    if most_bytes is None:
        most_bytes = min(_MOST_BYTES, int(_MOST_SHARE * memory_bytes()))
    token = _remembered.set(RememberedVectors(most_bytes))
    try:
        yield
    finally:
        _remembered.reset(token)


def remembered() -> RememberedVectors | None:
    """Return the vectors in memory; None outside `remembering`."""
    return _remembered.get()


class TransformerTokens(EmbeddingModel):
    """One vector a token from a frozen transformer, including its start and end tokens."""

    kind = "transformer"
    halves_at_once = 32

    def __init__(self, transformer: Transformer) -> None:
        """Take a transformer, such as `Transformer.open(folder_or_name)` reads from this machine."""
        self.transformer = transformer

    @property
    def dim(self) -> int:
        """The length of a token's vector."""
        return self.transformer.dim

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The transformer's weights."""
        return self.transformer.arrays

    @property
    def words(self) -> tuple[str, ...]:
        """The tokenizer, as one line of JSON."""
        return (self.transformer.tokenizer,)

    @property
    def config(self) -> dict[str, Any]:
        """The transformer's settings, and the number format that it runs in."""
        return {"model": self.transformer.config, "precision": self.transformer.precision}

    @classmethod
    def expected(cls, config: Mapping[str, Any]) -> dict[str, int]:
        """Return the weights of a transformer of these settings. Raises EncoderError for an unknown model."""
        return {name: tensor.ndim for name, tensor in empty_model(config["model"]).state_dict().items()}

    @classmethod
    def build(cls, arrays: Arrays, words: Sequence[str], config: Mapping[str, Any]) -> Self:
        """Put together what `arrays`, `words` and `config` gave."""
        return cls(Transformer.build(config["model"], words[0], arrays, precision=config["precision"]))

    def as_stored(self) -> Self:
        """Return itself: a transformer is never trained here."""
        return self

    def ids(self, text: str, max_tokens: int) -> TokenIds:
        """Return the numbers of a text's first `max_tokens` tokens; empty for a text without words."""
        if not first_tokens(text, 1):
            return np.empty(0, np.int32)
        opening = " ".join(text.split(maxsplit=max_tokens)[:max_tokens])  # a word is one token or more
        most = min(max_tokens, self.transformer.max_tokens or max_tokens)
        return np.array(self.transformer.tokens([opening], most)[0], np.int32)

    def encode_ids(self, flat: TokenIds, offsets: Offsets) -> tuple[Tensor, Tensor]:
        """Return the vectors (b, t, dim) and lengths (b,) of b texts."""
        texts = [flat[start:stop] for start, stop in pairwise(offsets)]
        read, memory = self.transformer.token_vectors, remembered()
        return read([ids.tolist() for ids in texts]) if memory is None else memory.vectors(self._model, texts, read)

    @cached_property
    def _model(self) -> str:
        """Identifies the transformer among remembered vectors."""
        return self.fingerprint
