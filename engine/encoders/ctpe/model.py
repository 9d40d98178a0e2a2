"""What a CTPE encoder is made of: an embedding, a network, perhaps a reduction, and their arrays by name."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.errors import ConfigError, EncoderError
from engine.core.rows import DenseRows, unit_length
from engine.encoders import storage
from engine.encoders.ctpe.embeddings import EmbeddingModel, SentenceMeans, TransformerTokens, WordEmbeddings
from engine.encoders.ctpe.network import PairNetwork
from engine.encoders.ctpe.settings import METHOD, CtpeSettings
from engine.encoders.module_weights import outlined, require_finite
from engine.encoders.storage import Arrays

_ROWS_AT_ONCE = 2048
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
        """Halves (n, m) to unit length rows (n, d); a half without text stays zeros."""
        reduced = np.asarray((unit_length(halves) - self.mean) @ self._whole, np.float32)  # (n, d)
        reduced[~halves.any(axis=1)] = 0
        return unit_length(reduced)


def summed(former: DenseRows, latter: DenseRows) -> DenseRows:
    """One unit length row a document, (n, m), the sum of its halves (n, m) each at unit length."""
    return unit_length(unit_length(former) + unit_length(latter))


def _largest(symmetric: NDArray[np.float64], count: int) -> NDArray[np.float16]:
    """Return the eigenvectors (n, count) of the largest eigenvalues of a symmetric matrix (n, n), the largest first."""
    from scipy.linalg import eigh

    size = len(symmetric)
    _, vectors = eigh(symmetric, subset_by_index=[size - count, size - 1])
    return np.asarray(vectors[:, ::-1], np.float16)


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

    def stored(self, reading: CtpeSettings) -> storage.Weights:
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
        return storage.Weights(METHOD, self.arrays, self.embedding.words, settings)

    @classmethod
    def build(cls, shape: CtpeShape, arrays: Arrays, words: Sequence[str]) -> Self:
        """Rebuild the parts, ready to read. Raises EncoderError where an array or a part does not fit."""
        named = {name.removeprefix("embedding."): array for name, array in arrays.items() if "embedding." in name}
        embedding = _KINDS[shape.embedding].build(named, words, shape.embedding_config)
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
    """A copy for inference on the processor, its matrices rounded to half precision."""
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
    """An array as the parameter's numbers, in memory of their own."""
    if parameter.shape != array.shape:
        raise EncoderError(
            f"Expected {name} of shape {tuple(parameter.shape)}, got {array.shape}. Build the folder again."
        )
    read = torch.empty(parameter.shape, dtype=parameter.dtype)
    read.numpy()[...] = array
    return read
