"""A network's weights as arrays that take little room, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.encoders.quantised import from_bytes, to_bytes
from engine.errors import EncoderError

Arrays = Mapping[str, NDArray[Any]]

_BIG = 1 << 16  # numbers: matrices from here on are kept as bytes
_SCALES = ":scales"


def to_arrays(module: nn.Module) -> dict[str, NDArray[Any]]:
    """Weights by name: big matrices as bytes with a scale a row, everything else in half precision.

    Raises EncoderError where one is no number, or too large for half precision.
    """
    arrays: dict[str, NDArray[Any]] = {}
    for name, part in module.state_dict().items():
        array = part.detach().float().cpu().numpy()
        if _as_bytes(part):
            arrays[name], arrays[name + _SCALES] = to_bytes(array)
        else:
            with np.errstate(over="ignore"):
                arrays[name] = array.astype(np.float16)
    if broken := [name for name, array in arrays.items() if not np.isfinite(array).all()]:
        raise EncoderError(
            f"Expected finite numbers in every part, found others in {', '.join(broken[:3])}. "
            "The training went astray: take an earlier checkpoint or a smaller learning rate."
        )
    return arrays


def expected_arrays(module: nn.Module) -> dict[str, int]:
    """The name of every array that `to_arrays` makes of a module, and its number of dimensions."""
    named: dict[str, int] = {}
    for name, part in module.state_dict().items():
        named[name] = part.ndim
        if _as_bytes(part):
            named[name + _SCALES] = 1
    return named


def fill(module: nn.Module, arrays: Arrays) -> None:
    """Put weights in place. Raises EncoderError where one is missing, added, or of another shape."""
    if wrong := sorted(arrays.keys() ^ expected_arrays(module).keys()):
        raise EncoderError(
            f"Expected the weights that the settings need, got {len(wrong)} too few or too many: "
            f"{', '.join(wrong[:3])}. Build the encoder of parts that fit its settings."
        )
    with torch.no_grad():
        for name, part in module.state_dict().items():
            array = _checked(arrays, name, tuple(part.shape))
            if _as_bytes(part):
                array = from_bytes(array, _checked(arrays, name + _SCALES, (len(part),)))
            part.copy_(torch.from_numpy(array))


def _checked(arrays: Arrays, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    if arrays[name].shape != shape:
        raise EncoderError(
            f"Expected {name} of shape {shape}, got {arrays[name].shape}. Build the encoder of parts that fit it."
        )
    return arrays[name]


def _as_bytes(part: Tensor) -> bool:
    return part.ndim == 2 and part.numel() >= _BIG
