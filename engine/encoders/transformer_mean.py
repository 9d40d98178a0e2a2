"""Means of a transformer's token vectors, of a text's start (what people try first) or of all its chunks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EncoderError, StorageError
from engine.core.rows import DenseRows, batches, unit_length
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import CardedEncoder, EncoderCard
from engine.encoders.colde.long_documents import Cutter
from engine.encoders.processor import ComputePrecision
from engine.encoders.transformer import Transformer, empty_model, tokens_at_once

Lengths = NDArray[np.int64]
Pool = Callable[[DenseRows, Lengths], DenseRows]
"""Vectors (b, t, dim) of texts with lengths (b,), all at least 1, pooled: (b, dim)."""
MAX_TOKENS = 256
_TRAINING = "training"
"""Under which a folder's facts hold those of a training, beside what changes a row."""


def first(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """Return the first token's vector, [CLS] in many models."""
    del lengths
    return vectors[:, 0]


def last(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """Return the last token's vector."""
    return vectors[np.arange(len(vectors)), lengths - 1]


def sums(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """Return the sum of all token vectors."""
    total: DenseRows = np.einsum("btd,bt->bd", vectors, _inside(vectors, lengths).astype(np.float32))
    return total


def means(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """Return the mean of all token vectors."""
    return np.asarray(sums(vectors, lengths) / lengths[:, None], np.float32)


def means_by_root(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """Return the sum of all token vectors over the square root of their number."""
    return np.asarray(sums(vectors, lengths) / np.sqrt(lengths[:, None]), np.float32)


def means_by_place(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """Return the mean of token vectors, the first counted once, the next twice and so on (SGPT, Muennighoff 2022)."""
    places = np.arange(1, vectors.shape[1] + 1, dtype=np.float32) * _inside(vectors, lengths)  # (b, t)
    found: DenseRows = np.einsum("btd,bt->bd", vectors, places / places.sum(axis=1, keepdims=True))
    return np.asarray(found, np.float32)


def largest(vectors: DenseRows, lengths: Lengths) -> DenseRows:
    """Return the maximum of each dimension."""
    hidden = np.where(_inside(vectors, lengths)[:, :, None], vectors, np.float32(-np.inf))
    found: DenseRows = hidden.max(axis=1)
    return found


POOLS: Mapping[str, Pool] = {
    "cls_token": first,
    "max_tokens": largest,
    "mean_tokens": means,
    "mean_sqrt_len_tokens": means_by_root,
    "weightedmean_tokens": means_by_place,
    "lasttoken": last,
}
"""By sentence-transformers' names, in its order of concatenation."""


def _inside(vectors: DenseRows, lengths: Lengths) -> NDArray[np.bool_]:
    """Tell which places hold a token of the text: (b, t)."""
    inside: NDArray[np.bool_] = np.arange(vectors.shape[1]) < lengths[:, None]
    return inside


class TransformerMeanEncoder(CardedEncoder):
    """The mean of the vectors of a text's first tokens, including start and end tokens, at unit length.

    Rows of one text agree between batches to 1e-2 in bfloat16, to 1e-6 in float32.
    """

    name: ClassVar[str] = "transformer-mean"
    method: ClassVar[str] = "transformer-mean/1"
    summary: ClassVar[str] = (
        "The mean of a pre-trained transformer's token vectors over the first words of a document. "
        "Choose it to compare with sentence encoders; it is slow."
    )

    def __init__(
        self,
        model: Transformer,
        *,
        max_tokens: int = MAX_TOKENS,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take a transformer, and facts of its training to keep with it.

        Raises EncoderError where it cannot read `max_tokens` tokens.
        """
        if not 1 <= max_tokens <= (model.max_tokens or max_tokens):
            raise EncoderError(
                f"Expected max_tokens between 1 and {model.max_tokens}, the most that the model reads; "
                f"got {max_tokens}."
            )
        self._model, self._max_tokens = model, max_tokens
        self.facts = storage.notes(facts)
        self._card = self._described(trained_on)

    @classmethod
    def open(
        cls, name: str | Path, *, max_tokens: int | None = None, precision: ComputePrecision | None = None
    ) -> Self:
        """Read a `transformers` folder, or a model by a name that is on this machine already.

        It reads 256 tokens by default, or as many as it can.
        Raises EncoderError where the model is missing or cannot be used.
        """
        model = Transformer.open(name, precision=precision)
        most = min(MAX_TOKENS, model.max_tokens or MAX_TOKENS)
        return cls(model, max_tokens=most if max_tokens is None else max_tokens, trained_on=(Path(name).name,))

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim); zeros for a text without tokens."""
        return self._means(self._tokens(documents))

    def operations(self, documents: Sequence[Document]) -> int:
        """Count the floating point operations for encoding these documents, without padding."""
        return sum(self._model.operations(len(ids)) for ids in self._tokens(documents))

    def save(self, folder: Path) -> None:
        """Write the model and its tokenizer into `folder`, atomically."""
        settings = self._settings()
        storage.write(
            folder,
            method=self.method,
            card=self.card,
            arrays={**self._model.arrays, **self._own_arrays()},
            words=[json.dumps(settings), self._model.tokenizer],
            facts={**settings, **({_TRAINING: self.facts} if self.facts else {})},
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        from torch import device  # slow to import

        with storage.opening(folder, "a transformer", cls.method) as opened:
            settings = dict(opened.value["facts"])
            facts = settings.pop(_TRAINING, {})
            with device("meta"):  # shapes alone
                held = empty_model(settings["config"]).state_dict()
            own = cls._own_dimensions(settings)
            stored = opened.read({name: part.ndim for name, part in held.items()} | own)
            if stored.words[:1] != [json.dumps(settings)]:
                raise StorageError(
                    f"Expected the settings that {folder} was written with, found others. Build it again."
                )
            config, precision = settings["config"], settings["precision"]
            arrays = {name: array for name, array in stored.arrays.items() if name not in own}
            model = Transformer.build(config, stored.words[1], arrays, precision=precision)
        made = cls._from(model, settings, stored.card.trained_on, {name: stored.arrays[name] for name in own})
        made.facts = facts
        return made.called(stored.card)

    def _own_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that are kept beside the transformer's, by name."""
        return {}

    @classmethod
    def _own_dimensions(cls, settings: Mapping[str, Any]) -> dict[str, int]:
        """Return how many dimensions each of those arrays has, from the settings of `_settings`."""
        del settings
        return {}

    @classmethod
    def _from(
        cls,
        model: Transformer,
        settings: Mapping[str, Any],
        trained_on: tuple[str, ...],
        own: Mapping[str, NDArray[Any]],
    ) -> Self:
        """Make the encoder from the settings of `_settings` and the arrays of `_own_arrays`."""
        del own
        return cls(model, max_tokens=settings["max_tokens"], trained_on=trained_on)

    def _described(self, trained_on: tuple[str, ...]) -> EncoderCard:
        """Return the card, from everything that changes a row."""
        return EncoderCard(
            self.name,
            self.summary,
            self._model.dim,
            storage.fingerprint_of(
                self.method,
                {**self._model.arrays, **self._own_arrays()},
                [json.dumps(self._settings()), self._model.tokenizer],
            ),
            max_tokens=self._max_tokens,
            trained_on=trained_on,
        )

    def _settings(self) -> dict[str, Any]:
        """Return what changes a row besides weights and tokenizer."""
        return {"max_tokens": self._max_tokens, "precision": self._model.precision, "config": self._model.config}

    def _tokens(self, documents: Sequence[Document]) -> list[list[int]]:
        return self._model.tokens([document.text for document in documents], self._max_tokens)

    def _means(self, tokens: Sequence[Sequence[int]]) -> DenseRows:
        """Return the mean vector of each of n lists of token ids, at unit length: (n, dim)."""
        return unit_length(self._pooled(tokens, self._model.dim))

    def _pooled(self, tokens: Sequence[Sequence[int]], width: int) -> DenseRows:
        """Return a row for each of n lists of token ids, zeros for an empty one: (n, width)."""
        rows = np.zeros((len(tokens), width), np.float32)
        filled = np.array([place for place, ids in enumerate(tokens) if ids], np.int64)
        for batch in batches([len(tokens[place]) for place in filled], tokens_at_once(self._model.device)):
            places = filled[batch]
            vectors, lengths = self._model.token_vectors([tokens[place] for place in places])  # (b, t, dim), (b,)
            rows[places] = self._pool(vectors.float().numpy(), lengths.numpy())
        return rows

    def _pool(self, vectors: DenseRows, lengths: NDArray[np.int64]) -> DenseRows:
        """Pool the vectors (b, t, dim) of texts with `lengths` (b,): (b, dim)."""
        return sums(vectors, lengths)  # the mean's direction


class TransformerChunksEncoder(TransformerMeanEncoder):
    """The mean of the unit-length vectors of a text's chunks, at unit length.

    Chunks follow each other without overlap, each as long as fits, including the model's start and end tokens. All
    count alike, even a shorter last one.
    """

    name: ClassVar[str] = "transformer-chunks"
    method: ClassVar[str] = "transformer-chunks/1"
    summary: ClassVar[str] = (
        "The mean of a pre-trained transformer's vectors of all chunks of a document. "
        "Choose it to compare with sentence encoders on long documents; it is very slow."
    )

    def __init__(self, model: Transformer, *, max_tokens: int = MAX_TOKENS, trained_on: tuple[str, ...] = ()) -> None:
        """Take a transformer and a chunk's length. Raises EncoderError where it cannot read that many tokens."""
        from tokenizers import Tokenizer

        super().__init__(model, max_tokens=max_tokens, trained_on=trained_on)
        self._cutter = Cutter(Tokenizer.from_str(model.tokenizer), max_tokens, whole_sentences=False)

    @property
    def card(self) -> EncoderCard:
        """What this encoder is: it reads the whole text."""
        return replace(super().card, max_tokens=None)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim); zeros for a text without tokens."""
        chunks = [self._chunks(document) for document in documents]
        of = np.repeat(np.arange(len(documents)), [len(one) for one in chunks])  # (c,)
        rows = np.zeros((len(documents), self.card.dim), np.float32)
        np.add.at(rows, of, self._means([ids for one in chunks for ids in one]))
        return unit_length(rows)

    def _tokens(self, documents: Sequence[Document]) -> list[list[int]]:
        return [list(ids) for document in documents for ids in self._chunks(document)]

    def _chunks(self, document: Document) -> Sequence[Sequence[int]]:
        """Return the token ids of a document's chunks; chunks may span sections."""
        return self._cutter.cut(Document(document.id, abstract=document.text)).tokens
