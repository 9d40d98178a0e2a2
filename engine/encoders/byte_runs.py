"""The weights of a transformer as named arrays: big matrices as bytes, with a scale for each run of a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.encoders.quantised import from_bytes, to_bytes
from engine.errors import EncoderError

Arrays = Mapping[str, NDArray[Any]]

_BIG = 1 << 15  # numbers: matrices from here on are kept as bytes
_RUN = 64  # numbers of a row that share a scale: outliers make one scale too coarse for MiniLM's widest rows
_SCALES = ":scales"


def stored(module: nn.Module, prefix: str = "") -> dict[str, NDArray[Any]]:
    """A module's weights by name: big matrices as bytes with a scale a run, everything else in float32."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, part in module.state_dict().items():
        array = part.detach().cpu()
        array = (array.float() if array.is_floating_point() else array).numpy()
        if _as_bytes(part):
            numbers, scales = to_bytes(array.reshape(-1, _run(array.shape[1])))
            arrays[prefix + name] = numbers.reshape(array.shape)  # (n, d)
            arrays[prefix + name + _SCALES] = scales.reshape(len(array), -1)  # (n, d / run)
        else:
            arrays[prefix + name] = array
    return arrays


def expected(made: nn.Module) -> dict[str, int]:
    """The name of every array that `fill` takes for a module, and its number of dimensions."""
    named: dict[str, int] = {}
    for name, part in made.state_dict().items():
        named[name] = part.ndim
        if _as_bytes(part):
            named[name + _SCALES] = 2
    return named


def fill(made: nn.Module, arrays: Arrays) -> None:
    """Put what `stored` gave in place. Raises EncoderError where an array is missing, added, or of another shape."""
    if wrong := sorted(arrays.keys() ^ expected(made).keys()):
        raise EncoderError(
            f"Expected the weights that the settings need, got {len(wrong)} too few or too many: "
            f"{', '.join(wrong[:3])}. Build the encoder of parts that fit its settings."
        )
    with torch.no_grad():
        for name, part in made.state_dict().items():
            shape = tuple(part.shape)
            array = _checked(arrays, name, shape)
            if _as_bytes(part):
                run = _run(shape[1])
                scales = _checked(arrays, name + _SCALES, (shape[0], shape[1] // run))
                array = from_bytes(array.reshape(-1, run), scales.reshape(-1)).reshape(shape)
            part.copy_(torch.from_numpy(array))


def _checked(arrays: Arrays, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    if arrays[name].shape != shape:
        raise EncoderError(
            f"Expected {name} of shape {shape}, got {arrays[name].shape}. Build the encoder of parts that fit it."
        )
    return arrays[name]


def _as_bytes(part: Tensor) -> bool:
    return part.ndim == 2 and part.numel() >= _BIG and part.is_floating_point()


def _run(dim: int) -> int:
    """How many numbers of a row (dim,) share a scale: all, unless the row divides into whole runs."""
    return _RUN if dim % _RUN == 0 else dim
