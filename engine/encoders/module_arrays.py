"""The weights of a torch module as small named arrays, and back."""

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

_BIG = 65_536  # numbers: a matrix this large is kept as bytes, and all else in half precision
_SCALES = ":scales"


def stored(module: nn.Module) -> dict[str, NDArray[Any]]:
    """A module's weights: big matrices (n, d) as bytes with a float32 scale a row (n,), all else in half precision.

    Raises EncoderError where a weight is not finite in its form on disk.
    """
    arrays: dict[str, NDArray[Any]] = {}
    broken: list[str] = []
    for name, part in module.state_dict().items():
        rows = part.detach().cpu().float().numpy()
        if not np.isfinite(rows).all() or np.abs(rows).max(initial=0) > np.finfo(np.float16).max:
            broken.append(name)
        elif _is_big(part):
            arrays[name], arrays[name + _SCALES] = to_bytes(rows)
        else:
            arrays[name] = rows.astype(np.float16)
    if broken:
        raise EncoderError(
            f"Expected finite numbers in every part, found others in {', '.join(broken[:3])}. "
            "The training went astray: take an earlier checkpoint or a smaller learning rate."
        )
    return arrays


def expected(module: nn.Module) -> dict[str, int]:
    """The name of every array that `stored` gives of such a module, and its number of dimensions."""
    state = module.state_dict()
    return {name: part.ndim for name, part in state.items()} | {
        name + _SCALES: 1 for name, part in state.items() if _is_big(part)
    }


def fill(module: nn.Module, arrays: Arrays) -> None:
    """Put what `stored` gave in place. Raises EncoderError where an array is missing, added, or of another shape."""
    state = module.state_dict()
    wanted = {name: tuple(part.shape) for name, part in state.items()}
    wanted |= {name + _SCALES: wanted[name][:1] for name, part in state.items() if _is_big(part)}
    found = {name: array.shape for name, array in arrays.items()}
    if found != wanted:
        raise EncoderError(f"Expected weights of the shapes {wanted}, got {found}. Build the folder anew.")
    with torch.no_grad():
        for name, part in state.items():
            rows = from_bytes(arrays[name], arrays[name + _SCALES]) if _is_big(part) else arrays[name]
            part.copy_(torch.from_numpy(np.ascontiguousarray(rows, np.float32)))


def _is_big(part: Tensor) -> bool:
    return part.ndim == 2 and part.numel() >= _BIG
