"""The encoder that ranks by how well one document's halves fit the other's (CTPE, equation 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.rows import DenseRows, Precision, Rows
from engine.core.threads import one_torch_thread
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import CardedEncoder, Coupling, EncoderCard
from engine.encoders.ctpe.embeddings import EmbeddingModel, Numbers, end_to_end
from engine.encoders.ctpe.network import PairNetwork, in_parts, summed_parts
from engine.encoders.ctpe.parts import Parts, Reduction, Shape, expected_arrays, summed
from engine.encoders.ctpe.settings import (
    METHOD,
    NAME,
    SUMMARY,
    WHOLE,
    WHOLE_TEXT,
    CtpeSettings,
    Position,
    TextPair,
    cut_pair,
)
from engine.encoders.processor import reading_device, reading_precision
from engine.encoders.words import unit_length

_DOCUMENTS_AT_ONCE = 2048  # their halves are sorted by length together, and their token numbers held in memory
_HALVES_ALONE = 2  # of one document: too little to divide between cores


class CtpeEncoder(CardedEncoder):
    """Coupled text pair embedding: sim(i, j) = cos(v_fi, v_bj) + cos(v_fj, v_bi) (CTPE, equation 2).

    A query's row is [v_f, v_b] / sqrt(2) and a document's [v_b, v_f] / sqrt(2), the halves at unit length, so that one
    inner product is sim / 2. Beyond the paper, the similarity "whole" makes one row a document, v_f + v_b at unit
    length, the same for queries and documents and half as wide: its inner product adds cos(v_fi, v_fj) and
    cos(v_bi, v_bj) to sim, and divides by the lengths of the sums. A reduction then applies to those rows, not to
    halves.

    A half without a known token is zeros. The convolutions run on a GPU where torch has one. Where the device
    multiplies bfloat16 quickly they run in it, and rows agree to 1e-2 between batches; elsewhere they run in float32,
    to 1e-6.
    """

    name: ClassVar[str] = NAME
    summary: ClassVar[str] = SUMMARY
    reads_sentences: ClassVar[bool] = False

    def __init__(
        self,
        embedding: EmbeddingModel,
        network: PairNetwork,
        settings: CtpeSettings | None = None,
        *,
        reduction: Reduction | None = None,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the parts of an encoder, and facts to keep with it (its recipe, its results).

        The parts are copied as they will be stored, word vectors as bytes and the network in half precision, so
        figures hold for the saved encoder. Raises EncoderError where they do not fit or are not finite.
        """
        parts = Parts.of(embedding, network, reduction)
        self._hold(parts, settings or CtpeSettings(), trained_on=trained_on, facts=facts or {})

    def _hold(
        self, parts: Parts, settings: CtpeSettings, *, trained_on: tuple[str, ...], facts: Mapping[str, Any]
    ) -> None:
        """Take parts as they are stored."""
        self.settings = settings
        self.facts = storage.notes(facts)
        self._parts = parts
        self._position = Position.parse(self.settings.position)
        self._whole = self.settings.similarity == WHOLE
        network, reduction = parts.network, parts.reduction
        arrays, words, shape = parts.arrays, parts.embedding.words, parts.settings(settings)
        self._card = EncoderCard(
            self.name,
            self.summary,
            (1 if self._whole else 2) * (network.out_dim if reduction is None else reduction.dim),
            storage.fingerprint_of(METHOD, arrays, words, settings=shape),
            max_tokens=2 * self.settings.max_tokens,
            trained_on=trained_on,
            stored=cast(Precision, self.settings.stored),
        )
        network.to(reading_device())

    @property
    def reduction(self) -> Reduction | None:
        """The reduction of rows, if any."""
        return self._parts.reduction

    def with_reduction(self, reduction: Reduction | None) -> Self:
        """The same encoder with reduced halves; None removes the reduction."""
        parts = replace(self._parts, reduction=reduction)
        return self._from(parts, self.settings, trained_on=self.card.trained_on, facts=self.facts)

    @classmethod
    def _from(
        cls, parts: Parts, settings: CtpeSettings, *, trained_on: tuple[str, ...], facts: Mapping[str, Any]
    ) -> Self:
        """An encoder of parts as they are stored, which are not copied."""
        made = cls.__new__(cls)
        made._hold(parts, settings, trained_on=trained_on, facts=facts)
        return made

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries, [v_f, v_b] / sqrt(2): (n, dim)."""
        former, latter = self.encode_halves(documents)
        return self._sums(former, latter) if self._whole else _side_by_side(former, latter)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents, [v_b, v_f] / sqrt(2): (n, dim)."""
        former, latter = self.encode_halves(documents)
        return self._sums(former, latter) if self._whole else _side_by_side(latter, former)

    def as_queries(self, rows: Rows) -> Rows:
        """Document rows (n, dim) with their halves swapped; "whole" rows unchanged."""
        if self._whole:
            return rows
        former, latter = np.split(cast(DenseRows, rows), 2, axis=1)
        return np.concatenate([latter, former], axis=1)

    def encode_halves(self, documents: Sequence[Document], *, reduced: bool = True) -> tuple[DenseRows, DenseRows]:
        """The former and the latter half of each document, (n, d) each, at unit length.

        Where `reduced` is False, d is the network's width, which Reduction.fit takes. That is always so for the
        similarity "whole", which reduces summed halves.
        """
        reduction = self._parts.reduction if reduced and not self._whole else None
        dim = self._parts.network.out_dim if reduction is None else reduction.dim
        former, latter = (np.zeros((len(documents), dim), np.float32) for _ in range(2))
        for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
            pairs = [self.cut(document) for document in documents[start : start + _DOCUMENTS_AT_ONCE]]
            texts = [pair.former for pair in pairs] + [pair.latter for pair in pairs]
            rows = self._encode(texts, reduction)
            former[start : start + len(pairs)], latter[start : start + len(pairs)] = np.split(rows, 2)
        return former, latter

    def operations(self, documents: Sequence[Document]) -> int:
        """Floating point operations of the network and the reduction for documents, without padding."""
        parts, most = self._parts, self.settings.max_tokens
        texts = [half for document in documents for half in (self.cut(document).former, self.cut(document).latter)]
        lengths = np.array([len(parts.embedding.ids(text, most)) for text in texts], np.int64).reshape(-1, 2)
        reduced = 0 if parts.reduction is None else 2 * parts.network.out_dim * parts.reduction.dim
        rows = int(np.count_nonzero(lengths.any(axis=1) if self._whole else lengths))
        return rows * reduced + sum(parts.network.operations(length) for length in lengths[lengths > 0].tolist())

    def cut(self, document: Document) -> TextPair:
        """The token numbers of the two halves."""
        return cut_pair(document, self._position, whole_below_tokens=self.settings.whole_below_tokens)

    def couplings(self, query: Document, documents: Sequence[Document], rows: Rows) -> list[tuple[Coupling, ...]]:
        """The cosines of what met, the nearest first.

        Coupled, they are the two terms of equation 2, and their mean is the score. Where the similarity is "whole" a
        row keeps no halves: each half of the query meets the whole document, and the two cosines, before reduction,
        add up to the score times the length of the query's summed halves. A query that is too short to cut gives none.
        """
        asked, theirs = self.cut(query), cast(DenseRows, rows)
        if asked.is_whole:
            return [() for _ in documents]
        halves = np.concatenate(self.encode_halves([query]))  # (2, d)
        if self._whole:
            reduced = halves if self._parts.reduction is None else self._parts.reduction.apply(halves)
            former, latter = reduced @ theirs.T  # (n,) each
            names = [(WHOLE_TEXT, WHOLE_TEXT)] * len(documents)
        else:
            latters, formers = np.split(theirs * np.float32(np.sqrt(2)), 2, axis=1)
            former, latter = latters @ halves[0], formers @ halves[1]  # (n,) each
            pairs = [self.cut(document) for document in documents]
            names = [(pair.latter_name, pair.former_name) for pair in pairs]
        met = []
        for (by_former, by_latter), one, other in zip(names, former.tolist(), latter.tolist(), strict=True):
            both = Coupling(asked.former_name, by_former, one), Coupling(asked.latter_name, by_latter, other)
            met.append(tuple(sorted(both, key=lambda coupling: -coupling.similarity)))
        return met

    def save(self, folder: Path) -> None:
        """Write the encoder into `folder`, atomically."""
        parts = self._parts
        storage.write(
            folder,
            method=METHOD,
            card=self.card,
            arrays=parts.arrays,
            words=parts.embedding.words,
            facts={storage.SETTINGS: parts.settings(self.settings), **self.facts},
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        with storage.opening(folder, "a CTPE encoder", METHOD) as opened:
            shape = Shape.read(opened)
            stored = opened.read(expected_arrays(shape))
            parts = Parts.build(shape, stored.arrays, stored.words)
            return cls._from(parts, shape.reading, trained_on=stored.card.trained_on, facts=stored.facts)

    def _encode(self, texts: Sequence[str], reduction: Reduction | None) -> DenseRows:
        """Texts to unit length rows (n, d); zeros without a known token."""
        embedding = self._parts.embedding
        ids = [embedding.ids(text, self.settings.max_tokens) for text in texts]
        dim = self._parts.network.out_dim if reduction is None else reduction.dim
        rows = np.zeros((len(texts), dim), np.float32)
        for places in _batches(ids, embedding.halves_at_once):
            halves = self._network_rows([ids[place] for place in places])
            rows[places] = unit_length(halves) if reduction is None else reduction.apply(halves)
        return rows

    def _sums(self, former: DenseRows, latter: DenseRows) -> DenseRows:
        """One row a document that stands for both halves, (n, dim)."""
        rows, reduction = summed(former, latter), self._parts.reduction
        return rows if reduction is None else reduction.apply(rows)

    @torch.inference_mode()
    def _network_rows(self, ids: Sequence[Numbers]) -> DenseRows:
        """The network's vectors for token numbers: (b, out_dim)."""
        embedding, network = self._parts.embedding, self._parts.network
        (flat, offsets), owners = end_to_end(ids), None
        if self.settings.part_tokens:
            offsets, owners = in_parts(offsets, self.settings.part_tokens)
        device = network.device
        tokens, lengths = embedding.encode_ids(flat, offsets)  # (b, t, dim), (b,)
        weights = embedding.token_weights(flat, offsets) if network.mean_dim else None  # (b, t)
        alone = one_torch_thread(when=len(ids) <= _HALVES_ALONE)
        with alone, torch.autocast(device.type, torch.bfloat16, enabled=reading_precision() == "bfloat16"):
            found = network(tokens.to(device), lengths, weights)
        rows: DenseRows = (found if owners is None else summed_parts(found, owners, len(ids))).cpu().numpy()
        return rows


def _batches(ids: Sequence[Numbers], size: int) -> Iterator[NDArray[np.int64]]:
    """The places of texts with a token, by length, so that batches have little padding."""
    lengths = np.array([len(one) for one in ids])
    order = np.argsort(lengths, kind="stable")
    order = order[lengths[order] > 0]
    for start in range(0, len(order), size):
        yield order[start : start + size]


def _side_by_side(left: DenseRows, right: DenseRows) -> DenseRows:
    """Two halves (n, d) as one row (n, 2 d) whose inner product with another is the mean of the halves' products."""
    return np.concatenate([left, right], axis=1) * np.float32(np.sqrt(0.5))
