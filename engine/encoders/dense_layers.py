"""The Dense modules of a sentence-transformers folder: a row times a matrix, plus a bias, through an activation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import EncoderError
from engine.core.rows import DenseRows

WEIGHTS = "model.safetensors"
_WEIGHT, _BIAS = "linear.weight", "linear.bias"


def _gelu(rows: DenseRows) -> DenseRows:
    from scipy.special import erf

    return np.asarray(rows * 0.5 * (1.0 + erf(rows / np.sqrt(2.0))), np.float32)


ACTIVATIONS: Mapping[str, Callable[[DenseRows], DenseRows]] = {
    "Identity": lambda rows: rows,
    "Tanh": np.tanh,
    "ReLU": lambda rows: np.maximum(rows, 0),
    "GELU": _gelu,
}
"""By the last word of torch's class; a folder's class is never imported."""


@dataclass(frozen=True, slots=True)
class DenseLayer:
    """One layer: weight (out, in), bias (out,) or None, and the activation's name."""

    weight: NDArray[np.float32]
    bias: NDArray[np.float32] | None
    activation: str

    def __call__(self, rows: DenseRows) -> DenseRows:
        """Rows (n, in) to (n, out)."""
        found = rows @ self.weight.T
        return np.asarray(ACTIVATIONS[self.activation](found if self.bias is None else found + self.bias), np.float32)


def activation_of(folder: Path) -> str:
    """The activation that a module's config names. Raises EncoderError for an unknown one, or StorageError."""
    config: Any = files.read_json(folder / "config.json")
    named = config.get("activation_function", "Tanh") if isinstance(config, dict) else ""
    name = str(named).rpartition(".")[2]
    if name not in ACTIVATIONS:
        raise EncoderError(f"Expected an activation among {', '.join(ACTIVATIONS)} in {folder}, got {named!r:.60}.")
    return name


def read_layers(folders: Sequence[Path], activations: Sequence[str], width: int) -> tuple[DenseLayer, ...]:
    """Read the layers that follow a pooled row of `width` numbers; weights are safetensors.

    Raises EncoderError where weights are missing or do not follow one another.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    made = []
    for folder, activation in zip(folders, activations, strict=True):
        try:
            arrays = {name: array.float().numpy() for name, array in load_file(folder / WEIGHTS).items()}
        except (OSError, SafetensorError):
            raise EncoderError(
                f"Expected {WEIGHTS} in {folder}, found none that can be read. Take a version of the model with "
                "safetensors."
            ) from None
        made.append(_layer(arrays, activation, width, folder))
        width = len(made[-1].weight)
    return tuple(made)


def as_arrays(layers: Sequence[DenseLayer]) -> dict[str, NDArray[Any]]:
    """The layers' arrays, by name, to be kept beside a transformer's."""
    found: dict[str, NDArray[Any]] = {}
    for number, layer in enumerate(layers):
        found[f"dense.{number}.weight"] = layer.weight
        found[f"dense.{number}.bias"] = np.zeros(len(layer.weight), np.float32) if layer.bias is None else layer.bias
    return found


def from_arrays(arrays: Mapping[str, NDArray[Any]], activations: Sequence[str]) -> tuple[DenseLayer, ...]:
    """The layers of `as_arrays`."""
    return tuple(
        DenseLayer(arrays[f"dense.{number}.weight"], arrays[f"dense.{number}.bias"], activation)
        for number, activation in enumerate(activations)
    )


def dimensions(count: int) -> dict[str, int]:
    """How many dimensions each array of `as_arrays` has, for `count` layers."""
    return {f"dense.{number}.{name}": of for number in range(count) for name, of in (("weight", 2), ("bias", 1))}


def _layer(arrays: Mapping[str, NDArray[Any]], activation: str, width: int, folder: Path) -> DenseLayer:
    weight, bias = arrays.get(_WEIGHT), arrays.get(_BIAS)
    fits = weight is not None and weight.ndim == 2 and weight.shape[1] == width
    if weight is None or not fits or (bias is not None and bias.shape != weight.shape[:1]):
        shape = "none" if weight is None else "x".join(map(str, weight.shape))
        raise EncoderError(f"Expected a matrix for rows of {width} numbers in {folder}, got {shape}. Copy it again.")
    return DenseLayer(
        np.ascontiguousarray(weight, np.float32), None if bias is None else np.asarray(bias, np.float32), activation
    )
