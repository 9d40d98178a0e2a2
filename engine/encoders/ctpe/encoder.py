"""The encoder that ranks by how well one document's halves fit the other's (CTPE, equation 2).

It is made of an embedding, a network and perhaps a reduction, which are kept as arrays by name.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.errors import ConfigError, EncoderError
from engine.core.processes import one_torch_thread
from engine.core.rows import DenseRows, Precision, Rows, TokenIds, unit_length
from engine.documents import Document
from engine.encoders import storage
from engine.encoders.base import Coupling, EncoderCard
from engine.encoders.ctpe.embeddings import EmbeddingModel, SentenceMeans, TransformerTokens, WordEmbeddings, end_to_end
from engine.encoders.ctpe.network import PairNetwork, in_parts, summed_parts
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
from engine.encoders.module_weights import outlined, require_finite
from engine.encoders.processor import reading_device, reading_precision
from engine.encoders.storage import Arrays

_ROWS_AT_ONCE = 2048
_DOCUMENTS_AT_ONCE = 2048  # their halves are sorted by length together, and their token numbers held in memory
_HALVES_ALONE = 2  # of one document: too little to divide between cores
_KINDS: dict[str, type[EmbeddingModel]] = {
    kind.kind: kind for kind in (WordEmbeddings, SentenceMeans, TransformerTokens)
}


@dataclass(frozen=True)
class Reduction:
    """Halves of m numbers to d: subtract the mean (m,), then project on components (m, d) in half precision.

    m is the network's 4 n_f, or more where it has a mean branch. The mean is that of the fitted halves if `centred`,
    else zero. With `summed`, the sums of documents' halves are reduced instead of halves.
    """

    mean: NDArray[np.float32]
    components: NDArray[np.float16]
    centred: bool

    def __post_init__(self) -> None:
        """Lay the numbers out as they are read from disk, so that products are the same to the last bit."""
        object.__setattr__(self, "mean", np.ascontiguousarray(self.mean, np.float32))
        object.__setattr__(self, "components", np.ascontiguousarray(self.components, np.float16))

    @property
    def dim(self) -> int:
        """The length of a reduced half, d."""
        return int(self.components.shape[1])

    @classmethod
    def fit(cls, rows: DenseRows, *more: DenseRows, dim: int, centred: bool = True) -> Self:
        """Find the `dim` directions in which halves (n, m), of all sides together, spread the most (PCA).

        Where `centred` is False the mean stays in, and they are the directions of the largest inner products. Halves
        without text are left out. Raises EncoderError for fewer halves or numbers than directions.
        """
        width, count = rows.shape[1], 0
        total, products = np.zeros(width), np.zeros((width, width))
        for side in (rows, *more):
            for start in range(0, len(side), _ROWS_AT_ONCE):
                part = side[start : start + _ROWS_AT_ONCE]
                part = unit_length(part[part.any(axis=1)])
                count, total, products = count + len(part), total + part.sum(axis=0), products + part.T @ part
        if not 1 <= dim <= min(count, width):
            raise EncoderError(
                f"Expected a dimension from 1 to {min(count, width)}, as {count} halves of {width} numbers allow; got "
                f"{dim}. Ask for fewer or give more documents."
            )
        mean = total / count if centred else np.zeros(width)
        return cls(mean.astype(np.float32), _largest(products / count - np.outer(mean, mean), dim), centred)

    @cached_property
    def _whole(self) -> NDArray[np.float32]:
        """The components (m, d) in float32: widening them for each document would take longer than encoding it."""
        return self.components.astype(np.float32)

    def apply(self, halves: DenseRows) -> DenseRows:
        """Reduce halves (n, m) to rows (n, d) at unit length; a half without text stays zeros."""
        reduced = np.asarray((unit_length(halves) - self.mean) @ self._whole, np.float32)  # (n, d)
        reduced[~halves.any(axis=1)] = 0
        return unit_length(reduced)


@dataclass(frozen=True, slots=True)
class CtpeShape:
    """What a reader must know about an encoder before its arrays: which they are, and what they mean."""

    embedding: str
    widths: tuple[int, ...]
    reduced: bool
    centred: bool
    reading: CtpeSettings
    averaged: bool = False
    embedding_config: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, opened: storage.OpenedEncoder) -> Self:
        """Read the settings of a folder. Raises ConfigError for anything else."""
        config = opened.settings.get("embedding_config")
        if not isinstance(config, dict):
            raise ConfigError(f"{storage.SETTINGS}: embedding_config must be a table, got {config!r}.")
        return replace(opened.settings_as(cls, without="embedding_config"), embedding_config=config)

    def __post_init__(self) -> None:
        """Refuse an unknown embedding, and windows without width."""
        if not self.widths or min(self.widths) < 1:
            raise ValueError(f"widths must be one or more numbers from 1 on, got {self.widths}")
        if self.embedding not in _KINDS:
            raise ValueError(f"embedding must be one of {', '.join(_KINDS)}, got {self.embedding!r}")


@dataclass(frozen=True, slots=True)
class CtpeModel:
    """An embedding, a network in half precision, and perhaps a reduction: what an encoder is made of."""

    embedding: EmbeddingModel
    network: PairNetwork
    reduction: Reduction | None

    def __post_init__(self) -> None:
        """Raise EncoderError where the parts do not fit each other."""
        embedding, network, reduction = self.embedding, self.network, self.reduction
        if embedding.dim != network.dim:
            raise EncoderError(
                f"Expected a network for vectors of {embedding.dim} numbers, as the embedding gives, got one for "
                f"{network.dim}. Build the network with dim={embedding.dim}."
            )
        if reduction is not None and len(reduction.components) != network.out_dim:
            raise EncoderError(
                f"Expected a reduction of {network.out_dim} numbers, as the network gives, got one of "
                f"{len(reduction.components)}. Fit it on this network's halves."
            )

    @classmethod
    def of(cls, embedding: EmbeddingModel, network: PairNetwork, reduction: Reduction | None) -> Self:
        """Copy the parts as they will be read back from disk.

        Raises EncoderError where they do not fit each other or are not finite.
        """
        parts = cls(embedding.as_stored(), _rounded(network), reduction)
        require_finite(parts.arrays)
        return parts

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every array by its name on disk."""
        named = {f"embedding.{name}": array for name, array in self.embedding.arrays.items()}
        for name, key in _keys(self.network).items():
            array = self.network.get_parameter(key).detach().cpu().numpy()
            named[name] = array.astype(np.float16) if array.ndim > 1 else array
        if self.reduction is not None:
            named |= {"reduction.mean": self.reduction.mean, "reduction.components": self.reduction.components}
        return named

    def stored(self, reading: CtpeSettings) -> storage.StoredWeights:
        """Return the stored form, with the encoder's CtpeShape as settings."""
        reduction = self.reduction
        shape = CtpeShape(
            self.embedding.kind,
            self.network.widths,
            reduction is not None,
            reduction is not None and reduction.centred,
            reading,
            self.network.mean_dim > 0,
            self.embedding.config,
        )
        settings = {**asdict(shape), "widths": list(shape.widths)}
        if not reading.part_tokens:  # an encoder from before it keeps its fingerprint
            del settings["reading"]["part_tokens"]
        return storage.StoredWeights(METHOD, self.arrays, self.embedding.words, settings)

    @classmethod
    def build(cls, shape: CtpeShape, arrays: Arrays, words: Sequence[str]) -> Self:
        """Rebuild the parts, ready to read. Raises EncoderError where an array or a part does not fit."""
        held = storage.within(arrays, "embedding.")
        embedding = _KINDS[shape.embedding].build(held, words, shape.embedding_config)
        channels = len(arrays[f"bias.{shape.widths[0]}"])
        mean_dim = len(arrays["mean_map"]) if shape.averaged else 0
        with outlined():
            network = PairNetwork(embedding.dim, channels, shape.widths, mean_dim=mean_dim)
        read = {key: _read(network.get_parameter(key), arrays[name], name) for name, key in _keys(network).items()}
        network.load_state_dict(read, assign=True)
        network.eval().requires_grad_(False)
        reduction = None
        if shape.reduced:
            reduction = Reduction(arrays["reduction.mean"], arrays["reduction.components"], shape.centred)
        return cls(embedding, network, reduction)


class CtpeEncoder(storage.TrainedEncoder):
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
        model: CtpeModel,
        settings: CtpeSettings,
        *,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Take a model as it is stored, and facts to keep with it (its recipe, its results)."""
        self.settings, self._model = settings, model
        self._position = Position.parse(settings.position)
        self._whole = settings.similarity == WHOLE
        self._coupled: tuple[Document, DenseRows] | None = None
        width = model.network.out_dim if model.reduction is None else model.reduction.dim
        card = EncoderCard(
            self.name,
            self.summary,
            (1 if self._whole else 2) * width,
            "",
            max_tokens=2 * settings.max_tokens,
            trained_on=trained_on,
            stored=cast(Precision, settings.stored),
        )
        self._keep(model.stored(settings), card, facts)
        model.network.to(reading_device())

    @classmethod
    def of(
        cls,
        embedding: EmbeddingModel,
        network: PairNetwork,
        settings: CtpeSettings | None = None,
        *,
        reduction: Reduction | None = None,
        trained_on: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> Self:
        """Make the encoder of these parts, copied as they will be stored, so that figures hold for the saved encoder.

        Word vectors become bytes, the network's matrices half precision. Raises EncoderError where the parts do not fit
        or are not finite.
        """
        model = CtpeModel.of(embedding, network, reduction)
        return cls(model, settings or CtpeSettings(), trained_on=trained_on, facts=facts)

    @property
    def reduction(self) -> Reduction | None:
        """The reduction of rows, if any."""
        return self._model.reduction

    def with_reduction(self, reduction: Reduction | None) -> Self:
        """Return the same encoder with reduced halves; None removes the reduction."""
        model = replace(self._model, reduction=reduction)
        return type(self)(model, self.settings, trained_on=self.card.trained_on, facts=self.facts)

    def encode_queries(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents as queries, [v_f, v_b] / sqrt(2): (n, dim)."""
        former, latter = self.encode_halves(documents)
        return self._sums(former, latter) if self._whole else _side_by_side(former, latter)

    def encode_documents(self, documents: Sequence[Document]) -> DenseRows:
        """Encode documents, [v_b, v_f] / sqrt(2): (n, dim)."""
        former, latter = self.encode_halves(documents)
        return self._sums(former, latter) if self._whole else _side_by_side(latter, former)

    def as_queries(self, rows: Rows) -> Rows:
        """Return document rows (n, dim) with their halves swapped; "whole" rows unchanged."""
        if self._whole:
            return rows
        former, latter = np.split(cast(DenseRows, rows), 2, axis=1)
        return np.concatenate([latter, former], axis=1)

    def encode_halves(self, documents: Sequence[Document], *, reduced: bool = True) -> tuple[DenseRows, DenseRows]:
        """Return the former and the latter half of each document, (n, d) each, at unit length.

        Where `reduced` is False, d is the network's width, which Reduction.fit takes. That is always so for the
        similarity "whole", which reduces summed halves.
        """
        reduction = self._model.reduction if reduced and not self._whole else None
        dim = self._model.network.out_dim if reduction is None else reduction.dim
        former, latter = (np.zeros((len(documents), dim), np.float32) for _ in range(2))
        for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
            pairs = [self.cut(document) for document in documents[start : start + _DOCUMENTS_AT_ONCE]]
            texts = [pair.former for pair in pairs] + [pair.latter for pair in pairs]
            rows = self._encode(texts, reduction)
            former[start : start + len(pairs)], latter[start : start + len(pairs)] = np.split(rows, 2)
        return former, latter

    def operations(self, documents: Sequence[Document]) -> int:
        """Count the floating point operations of the network and the reduction for documents, without padding."""
        model, most = self._model, self.settings.max_tokens
        texts = [half for document in documents for half in (self.cut(document).former, self.cut(document).latter)]
        lengths = np.array([len(model.embedding.ids(text, most)) for text in texts], np.int64).reshape(-1, 2)
        reduced = 0 if model.reduction is None else 2 * model.network.out_dim * model.reduction.dim
        rows = int(np.count_nonzero(lengths.any(axis=1) if self._whole else lengths))
        return rows * reduced + sum(model.network.operations(length) for length in lengths[lengths > 0].tolist())

    def cut(self, document: Document) -> TextPair:
        """Return the two halves of a document's text."""
        return cut_pair(document, self._position, whole_below_tokens=self.settings.whole_below_tokens)

    def couplings(self, query: Document, documents: Sequence[Document], rows: Rows) -> list[tuple[Coupling, ...]]:
        """Return the cosines of what met, the nearest first.

        Coupled, they are the two terms of equation 2, and their mean is the score. Where the similarity is "whole" a
        row keeps no halves: each half of the query meets the whole document, and the two cosines, before reduction,
        add up to the score times the length of the query's summed halves. A query that is too short to cut gives none.
        """
        asked, theirs = self.cut(query), cast(DenseRows, rows)
        if asked.is_whole:
            return [() for _ in documents]
        halves = self._halves_of(query)
        if self._whole:
            reduced = halves if self._model.reduction is None else self._model.reduction.apply(halves)
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

    def _halves_of(self, query: Document) -> DenseRows:
        """Return a query's halves (2, d), at hand for the last one: it is asked again among other documents."""
        held = self._coupled
        if held is None or held[0] != query:
            held = self._coupled = (query, np.concatenate(self.encode_halves([query])))
        return held[1]

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote. Raises StorageError where the folder is damaged or foreign."""
        with storage.opening(folder, "a CTPE encoder", METHOD) as opened:
            shape = CtpeShape.read(opened)
            stored = opened.read(expected_arrays(shape))
            model = CtpeModel.build(shape, stored.arrays, stored.words)
            return cls(model, shape.reading, trained_on=stored.card.trained_on, facts=stored.facts)

    def _encode(self, texts: Sequence[str], reduction: Reduction | None) -> DenseRows:
        """Return the rows (n, d) of texts at unit length; zeros without a known token."""
        embedding = self._model.embedding
        ids = [embedding.ids(text, self.settings.max_tokens) for text in texts]
        dim = self._model.network.out_dim if reduction is None else reduction.dim
        rows = np.zeros((len(texts), dim), np.float32)
        for places in _batches(ids, embedding.halves_at_once):
            halves = self._network_rows([ids[place] for place in places])
            rows[places] = unit_length(halves) if reduction is None else reduction.apply(halves)
        return rows

    def _sums(self, former: DenseRows, latter: DenseRows) -> DenseRows:
        """Return a row for each document that stands for both halves, (n, dim)."""
        rows, reduction = summed(former, latter), self._model.reduction
        return rows if reduction is None else reduction.apply(rows)

    @torch.inference_mode()
    def _network_rows(self, ids: Sequence[TokenIds]) -> DenseRows:
        """Return the network's vectors for token numbers: (b, out_dim)."""
        embedding, network = self._model.embedding, self._model.network
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


def _batches(ids: Sequence[TokenIds], size: int) -> Iterator[NDArray[np.int64]]:
    """Return the places of texts with a token, by length, so that batches have little padding."""
    lengths = np.array([len(one) for one in ids])
    order = np.argsort(lengths, kind="stable")
    order = order[lengths[order] > 0]
    for start in range(0, len(order), size):
        yield order[start : start + size]


def _side_by_side(first: DenseRows, then: DenseRows) -> DenseRows:
    """Join two halves (n, d) to a row (n, 2 d) whose inner product with another is the mean of the halves' products."""
    return np.concatenate([first, then], axis=1) * np.float32(np.sqrt(0.5))


def summed(former: DenseRows, latter: DenseRows) -> DenseRows:
    """Sum the halves (n, m) of documents, each at unit length, to rows (n, m) at unit length."""
    return unit_length(unit_length(former) + unit_length(latter))


def _largest(symmetric: NDArray[np.float64], count: int) -> NDArray[np.float16]:
    """Return the eigenvectors (n, count) of the largest eigenvalues of a symmetric matrix (n, n), the largest first."""
    from scipy.linalg import eigh

    size = len(symmetric)
    _, vectors = eigh(symmetric, subset_by_index=[size - count, size - 1])
    return np.asarray(vectors[:, ::-1], np.float16)


def expected_arrays(shape: CtpeShape) -> dict[str, int]:
    """Return the name of every array of an encoder, and its number of dimensions."""
    kind = _KINDS[shape.embedding]
    named = {f"embedding.{name}": count for name, count in kind.expected(shape.embedding_config).items()}
    for width in shape.widths:
        named |= {f"convolution.{width}": 2, f"bias.{width}": 1}
    if shape.averaged:
        named |= {"mean_map": 2, "shift": 1}
    if shape.reduced:
        named |= {"reduction.mean": 1, "reduction.components": 2}
    return named


def _rounded(network: PairNetwork) -> PairNetwork:
    """Copy a network for inference on the processor, its matrices rounded to half precision."""
    copied = copy.deepcopy(network).cpu().eval().requires_grad_(False)
    for parameter in copied.parameters():
        if parameter.ndim > 1:
            parameter.copy_(parameter.half().float())
    return copied


def _keys(network: PairNetwork) -> dict[str, str]:
    """Return the name on disk of each of the network's parameters, and its name there."""
    named: dict[str, str] = {}
    for place, width in enumerate(network.widths):
        named |= {f"convolution.{width}": f"weights.{place}", f"bias.{width}": f"biases.{place}"}
    return named | ({"mean_map": "mean_map", "shift": "shift"} if network.mean_dim else {})


def _read(parameter: torch.Tensor, array: NDArray[Any], name: str) -> torch.Tensor:
    """Read an array as the parameter's numbers, in memory of their own."""
    if parameter.shape != array.shape:
        raise EncoderError(
            f"Expected {name} of shape {tuple(parameter.shape)}, got {array.shape}. Build the folder again."
        )
    read = torch.empty(parameter.shape, dtype=parameter.dtype)
    read.numpy()[...] = array
    return read
