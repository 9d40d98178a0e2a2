"""The encoder that joins the rows of two others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.config import from_mapping
from engine.core.errors import EncoderError, StorageError
from engine.core.rows import DenseRows, Precision, Rows
from engine.documents import Document
from engine.documents.questions import is_citing_passage, is_short
from engine.encoders import registry, storage
from engine.encoders.base import Coupling, Encoder, EncoderCard
from engine.encoders.blend_settings import METHOD, NAME, SUMMARY, BlendSettings, name_of, summary_of

_MARK = np.float32(0.02)  # survives storage as a byte; it never changes a similarity, because a query's is 0
_ASKING = ("passage_weight", "paper_weight")


class BlendEncoder(storage.TrainedEncoder):
    """sim(q, d) = (w_q w cos_c(q, d) + cos_s(q, d)) / (|q| |d|), of a coupled encoder c and a general one, s.

    A document's row is [sqrt(w) c, s, mark] / |d| and a query's [w_q / sqrt(w) c, s, 0] / |q|, c and s at unit length,
    so that one inner product weighs both: w_q is `weight` for a patent, `short_weight` for a question too short to have
    halves, `passage_weight` for a longer passage that cites works and `paper_weight` for any other text. The mark,
    above 0 for short documents and below for patents, tells `as_queries` their weight; passages are never in a library.
    """

    name: ClassVar[str] = NAME
    summary: ClassVar[str] = SUMMARY
    reads_sentences: ClassVar[bool] = False

    def __init__(
        self,
        coupled: Encoder,
        general: Encoder,
        settings: BlendSettings | None = None,
        *,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take two encoders of dense rows at unit length. Raises EncoderError for sparse ones."""
        for part in (coupled, general):
            if part.card.sparse:
                raise EncoderError(
                    f"Expected encoders of dense rows, got {part.card.name} of sparse ones. Name another."
                )
        self.settings = settings or BlendSettings()
        self._coupled, self._general = coupled, general
        self._split = coupled.card.dim
        name = name_of(self.settings.general)
        card = EncoderCard(
            name,
            summary_of(name),
            coupled.card.dim + general.card.dim + 1,
            "",
            max_tokens=_longest(coupled.card.max_tokens, general.card.max_tokens),
            trained_on=tuple(dict.fromkeys([*coupled.card.trained_on, *general.card.trained_on])),
            stored=cast(Precision, self.settings.stored),
        )
        self._keep(storage.StoredWeights(METHOD, self._arrays, self._names, self._shape), card, facts)

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries: (n, dim)."""
        rows = self._coupled.encode_queries(documents), self._general.encode_queries(documents)
        return self._asking(cast(DenseRows, rows[0]), cast(DenseRows, rows[1]), self.query_weights(documents))

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents: (n, dim)."""
        weight = np.float32(self.settings.weight)
        patents = np.array([document.kind == "patent" for document in documents], bool)
        marks = np.where(self._are_short(documents), _MARK, np.where(patents, -_MARK, np.float32(0)))  # (n,)
        parts = [
            np.sqrt(weight) * cast(DenseRows, self._coupled.encode_documents(documents)),
            cast(DenseRows, self._general.encode_documents(documents)),
            marks[:, None],
        ]
        return np.asarray(np.concatenate(parts, axis=1) / np.sqrt(weight + 1), np.float32)  # (n, dim)

    def as_queries(self, rows: Rows) -> Rows:
        """Return the query rows of documents from their document rows: (n, dim)."""
        whole = cast(DenseRows, rows) * np.float32(np.sqrt(self.settings.weight + 1))
        _, general, mark = np.split(whole, [self._split, self._card.dim - 1], axis=1)
        asking = self._coupled.as_queries(self._coupled_rows(cast(DenseRows, rows)))
        kinds = [mark[:, 0] > _MARK / 2, mark[:, 0] < -_MARK / 2]
        weights = np.select(kinds, [self.settings.short_weight, self.settings.weight], self.settings.of_papers)  # (n,)
        return self._asking(cast(DenseRows, asking), general, weights)

    def sentence_rows(self, rows: Rows, fingerprint: str) -> DenseRows | None:
        """Return the general encoder's part of rows, if the fingerprint is that encoder's."""
        return self._general.sentence_rows(cast(DenseRows, rows)[:, self._split : -1], fingerprint)

    def query_weights(self, documents: Sequence[Document]) -> NDArray[np.float64]:
        """Return the weight of the coupled encoder in each query, beside the general one's 1: (n,)."""
        pairs = zip(documents, self._are_short(documents), strict=True)
        return np.array([self._weight_of(document, is_short=short) for document, short in pairs], np.float64)

    def couplings(self, query: Document, documents: Sequence[Document], rows: Rows) -> list[tuple[Coupling, ...]]:
        """Tell which part of the query met which part of each document, by the coupled encoder."""
        return self._coupled.couplings(query, documents, self._coupled_rows(cast(DenseRows, rows)))

    def costs(self, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what documents cost the general encoder, which takes most of the time."""
        return self._general.costs(tokens)

    def operations(self, documents: Sequence[Document]) -> int:
        """Count the floating point operations of both encoders."""
        return sum(cast(Any, part).operations(documents) for part in (self._coupled, self._general))

    def save(self, folder: Path) -> None:
        """Write the encoder and its two parts into `folder`, atomically."""
        with files.new_folder(folder) as new:
            self.save_beside(new)
            for name, part in zip(self._names, (self._coupled, self._general), strict=True):
                part.save(new / name)

    def save_beside(self, folder: Path) -> None:
        """Write the blend's own files into `folder`; its two encoders lie beside it under their names."""
        super().save(folder)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` or `save_beside` wrote.

        Raises StorageError where either of the two is missing, damaged or changed.
        """
        with storage.opening(folder, "a blend", METHOD) as opened:
            stored = opened.read({"weights": 1})
            shape = dict(stored.settings)
            fingerprints = shape.pop("fingerprints", None)
            (coupled, general), (weight, short_weight, *asking) = stored.words, stored.arrays["weights"].tolist()
            shape |= {"coupled": coupled, "general": general, "weight": weight, "short_weight": short_weight}
            shape |= dict(zip(_ASKING[: len(asking)], asking, strict=True))
            settings = from_mapping(shape, BlendSettings, origin=storage.SETTINGS)
        parts = [_part(folder, name) for name in (coupled, general)]
        found = [part.card.fingerprint for part in parts]
        if found != fingerprints:
            raise StorageError(
                f"Expected in {folder} a blend of the encoders {fingerprints}, found {found}. Build the folder again."
            )
        return cls(parts[0], parts[1], settings, facts=stored.facts)

    @property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        settings = self.settings
        weights = [settings.weight, settings.short_weight]
        if settings.paper_weight is not None:
            weights += [settings.of_passages, settings.paper_weight]
        elif settings.passage_weight is not None:
            weights.append(settings.passage_weight)
        return {"weights": np.array(weights, np.float32)}

    @property
    def _names(self) -> tuple[str, str]:
        return self.settings.coupled, self.settings.general

    @property
    def _shape(self) -> dict[str, Any]:
        """What changes a row besides the weights."""
        fingerprints = [part.card.fingerprint for part in (self._coupled, self._general)]
        short, stored = self.settings.short_below_tokens, self.settings.stored
        return {"short_below_tokens": short, "stored": stored, "fingerprints": fingerprints}

    def _asking(self, coupled: DenseRows, general: DenseRows, weights: NDArray[np.floating[Any]]) -> DenseRows:
        """Return query rows (n, dim) from coupled rows (n, c) with `weights` (n,), and general rows (n, s)."""
        counts = (weights / np.sqrt(self.settings.weight))[:, None].astype(np.float32)  # (n, 1)
        rows = np.zeros((len(general), self._card.dim), np.float32)
        np.multiply(coupled, counts, out=rows[:, : self._split])
        rows[:, self._split : -1] = general
        rows /= np.sqrt(counts**2 + 1)
        return rows

    def _coupled_rows(self, rows: DenseRows) -> DenseRows:
        """Return the coupled encoder's rows (n, c) in document rows (n, dim)."""
        weight = self.settings.weight
        return rows[:, : self._split] * np.float32(np.sqrt((weight + 1) / weight))

    def _weight_of(self, document: Document, *, is_short: np.bool_) -> float:
        settings = self.settings
        if is_short:
            return settings.short_weight
        if document.kind == "patent":
            return settings.weight
        return settings.of_passages if is_citing_passage(document) else settings.of_papers

    def _are_short(self, documents: Sequence[Document]) -> NDArray[np.bool_]:
        """Tell which documents have too few tokens for halves: (n,)."""
        below = self.settings.short_below_tokens
        return np.array([is_short(document, below_tokens=below) for document in documents], bool)


def _part(folder: Path, name: str) -> Encoder:
    """Return the encoder in a folder of this name within `folder`, or beside it."""
    if Path(name).name != name:
        raise StorageError(f"Expected the name of a folder in {folder}, got {name!r}. Build the folder again.")
    within = folder / name
    return registry.load_folder(within if within.is_dir() else folder.parent / name)


def _longest(one: int | None, other: int | None) -> int | None:
    """Return the larger of two limits, None where either encoder reads everything."""
    return None if one is None or other is None else max(one, other)
