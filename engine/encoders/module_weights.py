"""The weights of torch modules: drawn by a seed, kept as small arrays by name, and put back.

A row of bytes has a scale beside it, and a quarter of float32's size.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.core.errors import EncoderError
from engine.encoders.storage import Arrays

_LARGEST = 127
_SCALES = ":scales"


def to_bytes(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return rows (n, dim) as integers (n, dim) from -127 to 127, and the value of one step in each row (n,).

    The shipped word vectors of 100 dimensions keep a cosine of at least 0.9998 to themselves.
    """
    scales = (np.abs(rows).max(axis=1, initial=0) / _LARGEST).astype(np.float32)
    divisors = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(rows / divisors).clip(-_LARGEST, _LARGEST).astype(np.int8), scales


def from_bytes(
    numbers: NDArray[np.int8], scales: NDArray[np.float32], *, into: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Return the rows (n, dim) of bytes (n, dim) and scales (n,), written `into` an array if there is one."""
    rows: NDArray[np.float32] = np.multiply(numbers, scales[:, None], out=into)
    return rows


@contextmanager
def drawn_by(seed: int) -> Iterator[None]:
    """Let modules that are made inside draw the same weights on every machine; torch's own seed stays as it is."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


@contextmanager
def outlined(*, when: bool = True) -> Iterator[None]:
    """Give modules that are made inside shapes and no numbers, so that they cost nothing until `ModuleForm.fill`.

    Only for modules with nothing to keep beside their weights: other buffers would be lost. They should not call
    normal_ or empty_like, for which torch would import sympy in a second.
    """
    with torch.device("meta") if when else nullcontext():
        yield


@dataclass(frozen=True, slots=True)
class ModuleForm:
    """How a module's weights are kept: matrices of `big` numbers or more as bytes, other numbers as `small`.

    `run` numbers of a row share a scale where a row (dim,) is of whole runs, else all of them do (0 = always all).
    """

    big: int
    small: type[np.float16 | np.float32]
    run: int = 0

    def stored(self, module: nn.Module, prefix: str = "") -> dict[str, NDArray[Any]]:
        """Return a module's weights by name, a matrix (n, d) of bytes with its scales beside it: (n,), or (n, d / run).

        Raises EncoderError where a weight is not finite in this form.
        """
        state = {prefix + name: part.detach().cpu() for name, part in module.state_dict().items()}
        floats = {name: part.float().numpy() for name, part in state.items() if part.is_floating_point()}
        require_finite(floats, most=float(np.finfo(self.small).max))
        arrays: dict[str, NDArray[Any]] = {}
        for name, part in state.items():
            if self._as_bytes(part):
                rows, scales = to_bytes(floats[name].reshape(-1, self._run(part)))
                arrays[name] = rows.reshape(part.shape)
                arrays[name + _SCALES] = scales.reshape(self._scales(part))
            else:
                arrays[name] = floats[name].astype(self.small) if name in floats else part.numpy()
        return arrays

    def expected(self, module: nn.Module) -> dict[str, int]:
        """Name every array that `fill` takes for a module, with its number of dimensions."""
        return {name: len(shape) for name, shape in self._shapes(module).items()}

    def fill(self, module: nn.Module, arrays: Arrays) -> None:
        """Put what `stored` gave in place of the module's weights, which may be outlines.

        Raises EncoderError where an array is missing, added, or of another shape.
        """
        shapes = self._shapes(module)
        if wrong := sorted(arrays.keys() ^ shapes.keys()):
            raise EncoderError(
                f"Expected the weights that the settings need, got {len(wrong)} too few or too many: "
                f"{', '.join(wrong[:3])}. Build the encoder of parts that fit its settings."
            )
        for name, shape in shapes.items():
            if arrays[name].shape != shape:
                raise EncoderError(
                    f"Expected {name} of shape {shape}, got {arrays[name].shape}. "
                    "Build the encoder of parts that fit it."
                )
        made = {name: self._read(part, name, arrays) for name, part in module.state_dict().items()}
        module.load_state_dict(made, assign=True)

    def _read(self, part: Tensor, name: str, arrays: Arrays) -> Tensor:
        """Read a part's numbers into memory of their own: numpy writes them, as torch would begin threads for it."""
        read, array = torch.empty(part.shape, dtype=part.dtype), arrays[name]
        if self._as_bytes(part):
            run = self._run(part)
            from_bytes(array.reshape(-1, run), arrays[name + _SCALES].reshape(-1), into=read.view(-1, run).numpy())
        else:
            read.numpy()[...] = array
        return read if part.is_meta else read.to(part.device)

    def _shapes(self, module: nn.Module) -> dict[str, tuple[int, ...]]:
        state = module.state_dict()
        scales = {name + _SCALES: self._scales(part) for name, part in state.items() if self._as_bytes(part)}
        return {name: tuple(part.shape) for name, part in state.items()} | scales

    def _as_bytes(self, part: Tensor) -> bool:
        return part.ndim == 2 and part.numel() >= self.big and part.is_floating_point()

    def _run(self, part: Tensor) -> int:
        return self.run if self.run and part.shape[1] % self.run == 0 else part.shape[1]

    def _scales(self, part: Tensor) -> tuple[int, ...]:
        return (part.shape[0], part.shape[1] // self._run(part)) if self.run else (part.shape[0],)


HALF = ModuleForm(big=1 << 16, small=np.float16)
"""A scale a row, all else in half precision: for networks over word vectors."""

RUNS = ModuleForm(big=1 << 15, small=np.float32, run=64)
"""A scale a run: a whole row of MiniLM's widest matrices loses too much by its outliers."""


def require_finite(arrays: Arrays, most: float = np.inf) -> None:
    """Raise EncoderError where an array has a number that is not finite, or is above `most` in size."""
    broken = [
        name
        for name, array in arrays.items()
        if array.size and not (np.isfinite(array).all() and np.abs(array).max() <= most)
    ]
    if broken:
        raise EncoderError(
            f"Expected finite numbers in every part, found others in {', '.join(broken[:3])}. "
            "The training went astray: take an earlier checkpoint or a smaller learning rate."
        )
