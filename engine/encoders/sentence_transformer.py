"""A sentence-transformers folder, read as it says without that library."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders.counts import unit_length
from engine.encoders.dense_layers import DenseLayer, as_arrays, dimensions, from_arrays, read_layers
from engine.encoders.pooling import POOLS
from engine.encoders.processor import ComputePrecision
from engine.encoders.sentence_settings import LONGEST_TOKENS, SentenceSettings, read_settings
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import MAX_TOKENS, TransformerMeanEncoder


class SentenceTransformerEncoder(TransformerMeanEncoder):
    """A text's first tokens, prompted, cut, pooled and scaled as the folder says.

    Queries and documents may have different prompts; neighbours of a library's document are sought with its document
    row.
    """

    name: ClassVar[str] = "sentence-transformer"
    method: ClassVar[str] = "sentence-transformer/1"
    summary: ClassVar[str] = (
        "A sentence encoder read as its folder says. Choose it to compare with a model of your own; it is slow."
    )

    def __init__(
        self,
        model: Transformer,
        *,
        max_tokens: int = MAX_TOKENS,
        trained_on: tuple[str, ...] = (),
        settings: SentenceSettings | None = None,
        layers: tuple[DenseLayer, ...] = (),
    ) -> None:
        """Take a transformer and how its token vectors make a row. Raises EncoderError if it reads fewer tokens."""
        self._how, self._layers = settings or SentenceSettings(("mean_tokens",)), layers
        super().__init__(model, max_tokens=max_tokens, trained_on=trained_on)
        self._pooled_dim = model.dim * len(self._how.pools)
        self._card = dataclasses.replace(self._card, dim=len(layers[-1].weight) if layers else self._pooled_dim)

    @classmethod
    def open(
        cls, name: str | Path, *, max_tokens: int | None = None, precision: ComputePrecision | None = None
    ) -> Self:
        """Read a folder; `max_tokens` replaces the folder's limit, within the model's.

        Raises EncoderError where the folder has unsupported parts or cannot be used, and StorageError where a file is
        missing or damaged.
        """
        places, settings = read_settings(Path(name))
        model = Transformer.open(places.first, precision=precision)
        layers = read_layers(places.dense, settings.dense, model.dim * len(settings.pools))
        own = settings.max_tokens or LONGEST_TOKENS
        most = min(own, model.max_tokens or own) if max_tokens is None else max_tokens
        return cls(model, max_tokens=most, trained_on=(Path(name).name,), settings=settings, layers=layers)

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim)."""
        return self._rows(documents, self._how.query_prompt)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim)."""
        return self._rows(documents, self._how.document_prompt)

    def _rows(self, documents: Sequence[Document], prompt: str) -> DenseRows:
        texts = [(prompt + document.text).strip() for document in documents]
        if self._how.lower_case:
            texts = [text.lower() for text in texts]
        rows = self._pooled(self._model.tokens(texts, self._max_tokens), self._pooled_dim)
        for layer in self._layers:
            rows = layer(rows)
        return unit_length(rows) if self._how.unit_length else rows

    def _pool(self, vectors: DenseRows, lengths: NDArray[np.int64]) -> DenseRows:
        return np.concatenate([POOLS[name](vectors, lengths) for name in self._how.pools], axis=1)

    def _settings(self) -> dict[str, Any]:
        how = {**dataclasses.asdict(self._how), "pools": list(self._how.pools), "dense": list(self._how.dense)}
        if not self._how.dense:
            del how["dense"]  # as it was before, so that rows that are kept stay valid
        return {**super()._settings(), "sentence": how}

    def _own_arrays(self) -> dict[str, NDArray[Any]]:
        return as_arrays(self._layers)

    @classmethod
    def _own_dimensions(cls, settings: Mapping[str, Any]) -> dict[str, int]:
        return dimensions(len(settings["sentence"].get("dense", ())))

    @classmethod
    def _from(
        cls,
        model: Transformer,
        settings: Mapping[str, Any],
        trained_on: tuple[str, ...],
        own: Mapping[str, NDArray[Any]],
    ) -> Self:
        given = settings["sentence"]
        dense = tuple(given.get("dense", ()))
        how = SentenceSettings(**{**given, "pools": tuple(given["pools"]), "dense": dense})
        layers = from_arrays(own, dense)
        return cls(model, max_tokens=settings["max_tokens"], trained_on=trained_on, settings=how, layers=layers)
