"""A StaticEmbedding folder of sentence-transformers: the mean of a table's rows, one a token, with no network."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import EncoderError, StorageError
from engine.core.rows import DenseRows
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import CardedEncoder, EncoderCard
from engine.encoders.counts import unit_length
from engine.encoders.sentence_settings import SentenceSettings, read_settings

METHOD = "static-embedding/1"
SUMMARY = "The mean of word vectors of another's model. Choose it to compare with a quick model of your own."
_WEIGHTS, _TOKENIZER = "model.safetensors", "tokenizer.json"
_NAMES = ("embedding.weight", "embeddings")
_TABLE = "table"
_MOST_TOKENIZER_BYTES = 64 << 20


class StaticEmbeddingEncoder(CardedEncoder):
    """The mean of the vectors of all tokens of a text, prompted and scaled as the folder says; zeros without any."""

    def __init__(self, table: NDArray[np.float32], tokenizer: str, settings: SentenceSettings) -> None:
        """Take vectors (v, dim) and the tokenizer as JSON, whose ids are their rows. Raises EncoderError if not."""
        from tokenizers import Tokenizer

        self._table, self._how = table, settings
        self._tokenizer = Tokenizer.from_str(tokenizer)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._json: str = self._tokenizer.to_str(pretty=False)
        words = max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=-1) + 1
        if table.ndim != 2 or words > len(table):
            shape = "x".join(map(str, table.shape))
            raise EncoderError(f"Expected a vector for each of {words:,} words, got {shape}. Take the whole folder.")
        fingerprint = storage.fingerprint_of(METHOD, {_TABLE: table}, [json.dumps(self._settings()), self._json])
        self._card = EncoderCard("static-embedding", SUMMARY, table.shape[1], fingerprint)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Read a folder. Raises EncoderError where it holds something else, StorageError where a file is damaged."""
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        places, settings = read_settings(folder)
        path = places.first / _TOKENIZER
        try:
            arrays = load_file(places.first / _WEIGHTS)
            tokenizer = path.read_text("utf-8") if path.stat().st_size <= _MOST_TOKENIZER_BYTES else ""
        except (OSError, SafetensorError, UnicodeDecodeError):
            raise EncoderError(
                f"Expected {_WEIGHTS} and {_TOKENIZER} in {places.first}, found none that can be read. Take a version "
                "of the model with both."
            ) from None
        if len(arrays) != 1 or not set(arrays) <= set(_NAMES):
            raise EncoderError(
                f"Expected one table, {' or '.join(_NAMES)}, in {places.first / _WEIGHTS}, got "
                f"{', '.join(sorted(arrays)[:4])}. Name another model."
            )
        table = next(iter(arrays.values())).float().numpy()
        try:
            return cls(np.ascontiguousarray(table), tokenizer, settings)
        except EncoderError:
            raise
        except Exception as error:  # noqa: BLE001  what the tokenizers library raises has no class of its own
            raise EncoderError(f"Expected a tokenizer in {path}, got {error}. Take the published file.") from None

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim)."""
        return self._rows(documents, self._how.query_prompt)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim)."""
        return self._rows(documents, self._how.document_prompt)

    def save(self, folder: Path) -> None:
        """Write the table and the tokenizer into `folder`, atomically."""
        settings = self._settings()
        storage.write(
            folder,
            method=METHOD,
            card=self.card,
            arrays={_TABLE: self._table},
            words=[json.dumps(settings), self._json],
            facts=settings,
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        card, value = storage.read_card(folder)
        stored = storage.read(folder, method=METHOD, arrays={_TABLE: 2})
        if stored.words[:1] != [json.dumps(value["facts"])]:
            raise StorageError(f"Expected the settings that {folder} was written with, found others. Build it again.")
        given = value["facts"]["sentence"]
        how = SentenceSettings(**{**given, "pools": tuple(given["pools"]), "dense": ()})
        return cls(stored.arrays[_TABLE], stored.words[1], how).called(card)

    def _rows(self, documents: Sequence[Document], prompt: str) -> DenseRows:
        texts = [(prompt + document.text).strip() for document in documents]
        rows = np.zeros((len(texts), self._table.shape[1]), np.float32)
        for place, encoding in enumerate(self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)):
            if encoding.ids:
                rows[place] = self._table[encoding.ids].mean(axis=0)
        return unit_length(rows) if self._how.unit_length else rows

    def _settings(self) -> dict[str, Any]:
        """What changes a row besides the table and the tokenizer."""
        how = dataclasses.asdict(self._how)
        return {"sentence": {**how, "pools": list(self._how.pools), "dense": []}}
