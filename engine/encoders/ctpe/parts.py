"""The parts of a CTPE encoder as arrays with names, and back."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from engine.core.errors import ConfigError, EncoderError
from engine.encoders import storage
from engine.encoders.ctpe.embeddings import Arrays, EmbeddingModel, SentenceMeans, WordEmbeddings
from engine.encoders.ctpe.network import PairNetwork
from engine.encoders.ctpe.reduction import Reduction
from engine.encoders.ctpe.settings import CtpeSettings
from engine.encoders.ctpe.transformer_tokens import TransformerTokens
from engine.encoders.module_weights import outlined, require_finite

_KINDS: dict[str, type[EmbeddingModel]] = {
    kind.kind: kind for kind in (WordEmbeddings, SentenceMeans, TransformerTokens)
}


@dataclass(frozen=True, slots=True)
class Shape:
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
        """What Parts.settings gave. Raises ConfigError for anything else."""
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
class Parts:
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
        """Copies of the parts as they will be read back from disk.

        Raises EncoderError where they do not fit each other or are not finite.
        """
        parts = cls(embedding.as_stored(), _rounded(network), reduction)
        require_finite(parts.arrays)
        return parts

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every array by its name on disk."""
        named = {f"embedding.{name}": array for name, array in self.embedding.arrays.items()}
        for name, parameter in _named(self.network).items():
            array = parameter.detach().cpu().numpy()
            named[name] = array.astype(np.float16) if array.ndim > 1 else array
        if self.reduction is not None:
            named |= {"reduction.mean": self.reduction.mean, "reduction.components": self.reduction.components}
        return named

    def settings(self, reading: CtpeSettings) -> dict[str, Any]:
        """The encoder's Shape as JSON."""
        reduction = self.reduction
        shape = Shape(
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
        return settings

    @classmethod
    def build(cls, shape: Shape, arrays: Arrays, words: Sequence[str]) -> Self:
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


def expected_arrays(shape: Shape) -> dict[str, int]:
    """The name of every array of an encoder, and its number of dimensions."""
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


def _named(network: PairNetwork) -> dict[str, torch.nn.Parameter]:
    """The network's parameters by their names on disk; matrices are stored in half precision."""
    return {name: network.get_parameter(key) for name, key in _keys(network).items()}


def _keys(network: PairNetwork) -> dict[str, str]:
    """The name on disk of each of the network's parameters, and its name there."""
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
