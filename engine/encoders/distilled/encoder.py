"""The encoder that adds up word vectors which a sentence transformer taught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.config import from_mapping
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import Encoder, EncoderCard
from engine.encoders.counts import unit_length
from engine.encoders.distilled.lexicon import Lexicon
from engine.encoders.distilled.settings import METHOD, NAME, SUMMARY, DistilledSettings
from engine.encoders.quantised import from_bytes, to_bytes
from engine.errors import ConfigError, EncoderError, StorageError
from engine.rows import DenseRows, Precision

_DOCUMENTS_AT_ONCE = 2_048
_PARTS = ("words", "pieces")
_ARRAYS = {"words": 2, "words:scales": 1, "pieces": 2, "pieces:scales": 1}


class DistilledEncoder(Encoder):
    """The sum of a text's word vectors at unit length, each vector as long as its word counts.

    The vectors began as a sentence transformer's of each word alone, and were moved until the sums lay where the
    transformer puts whole texts (`engine.training.distilled`). A word that is not known is read by its pieces, so that
    a text of any field has a row; a text without a letter is a row of zeros.
    """

    name: ClassVar[str] = NAME
    summary: ClassVar[str] = SUMMARY

    def __init__(
        self,
        lexicon: Lexicon,
        arrays: Mapping[str, NDArray[Any]],
        settings: DistilledSettings | None = None,
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take words and pieces with their vectors as they are stored, and facts to keep (the recipe, the results).

        Raises EncoderError where they do not fit.
        """
        self.settings = settings or DistilledSettings()
        self.facts = {key: value for key, value in (facts or {}).items() if key != storage.SETTINGS}
        self.lexicon, self._arrays = lexicon, dict(arrays)
        self._rows = _restored(arrays)  # (V, dim)
        _require(self._rows, len(lexicon))
        self._card = EncoderCard(
            self.name,
            self.summary,
            self._rows.shape[1],
            storage.fingerprint_of(METHOD, self._arrays, self._entries, settings=self._shape),
            max_tokens=self.settings.max_tokens,
            trained_on=trained_on,
            stored=cast(Precision, self.settings.stored),
        )

    @classmethod
    def of(
        cls,
        lexicon: Lexicon,
        rows: DenseRows,
        settings: DistilledSettings | None = None,
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> Self:
        """An encoder of vectors (V, dim), words first and pieces behind them; they are made bytes, as they are kept.

        Raises EncoderError where one is not finite, or there are not as many as words and pieces.
        """
        _require(rows, len(lexicon))
        arrays: dict[str, NDArray[Any]] = {}
        for name, part in zip(_PARTS, np.split(rows, [len(lexicon.words)]), strict=True):
            arrays[name], arrays[f"{name}:scales"] = to_bytes(part)
        return cls(lexicon, arrays, settings, trained_on=trained_on, facts=facts)

    @property
    def card(self) -> EncoderCard:
        """What this encoder is."""
        return self._card

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents that ask: (n, dim)."""
        return self.encode_documents(documents)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents that answer: (n, dim)."""
        rows = np.zeros((len(documents), self._card.dim), np.float32)
        for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
            part = documents[start : start + _DOCUMENTS_AT_ONCE]
            rows[start : start + len(part)] = self._sums([document.text for document in part])
        return rows

    def operations(self, documents: Sequence[Document]) -> int:
        """Floating point operations that encoding these documents takes: two for each number of each vector added."""
        numbers = [self.lexicon.numbers(document.text, self.settings.max_tokens) for document in documents]
        return 2 * self._card.dim * sum(map(len, numbers))

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        storage.write(
            folder,
            method=METHOD,
            card=self.card,
            arrays=self._arrays,
            words=self._entries,
            facts={storage.SETTINGS: self._shape, **self.facts},
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        stored = storage.read(folder, method=METHOD, arrays=_ARRAYS)
        given = dict(stored.settings)
        words = len(stored.arrays["words"])
        try:
            settings = from_mapping(given, DistilledSettings, origin=storage.SETTINGS)
            lexicon = Lexicon(stored.words[:words], stored.words[words:])
            return cls(lexicon, stored.arrays, settings, trained_on=stored.card.trained_on, facts=stored.facts)
        except (ConfigError, EncoderError, ValueError) as error:
            raise StorageError(f"Expected word vectors in {folder}: {error} Build the folder anew.") from None

    def _sums(self, texts: Sequence[str]) -> DenseRows:
        """The sums of the vectors of each text's words, at unit length: (n, dim)."""
        numbers = [self.lexicon.numbers(text, self.settings.max_tokens) for text in texts]
        ends = np.cumsum([0, *map(len, numbers)])
        flat = np.concatenate([np.zeros(0, np.int32), *numbers])
        counted = csr_array((np.ones(len(flat), np.float32), flat, ends), shape=(len(texts), len(self.lexicon)))
        return unit_length(np.asarray(counted @ self._rows))

    @property
    def _entries(self) -> tuple[str, ...]:
        return (*self.lexicon.words, *self.lexicon.pieces)

    @property
    def _shape(self) -> dict[str, Any]:
        return {"max_tokens": self.settings.max_tokens, "stored": self.settings.stored}


def _require(rows: DenseRows, count: int) -> None:
    if rows.ndim != 2 or len(rows) != count or not np.isfinite(rows).all():
        raise EncoderError(
            f"Expected one finite vector for each of {count} words and pieces, got shape {rows.shape} or a number that "
            "is none. Give them in the order of the lexicon."
        )


def _restored(arrays: Mapping[str, NDArray[Any]]) -> DenseRows:
    """The vectors of words and of pieces, (V, dim)."""
    return np.concatenate([from_bytes(arrays[name], arrays[f"{name}:scales"]) for name in _PARTS])
