"""What this machine does fastest: its device and the number format of products."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from engine.core.errors import EncoderError

if TYPE_CHECKING:
    import torch

ComputePrecision = Literal["bfloat16", "float32"]
PRECISIONS: tuple[ComputePrecision, ...] = get_args(ComputePrecision)

_BFLOAT16_UNITS = ("avx512_bf16", "amx_bf16")
_BFLOAT16_NEEDS = "AVX512"
_SECONDS_KEPT = 4.0
_STEP = 16


def fastest_precision() -> ComputePrecision:
    """Return bfloat16 where the processor multiplies it quickly, else float32; rows in bfloat16 agree to 1e-2.

    Also float32 where torch is kept from the units that do: by ATEN_CPU_CAPABILITY=avx2 it runs as on an older one.
    """
    from torch import backends, cpu

    found, allowed = cpu.get_capabilities(), backends.cpu.get_cpu_capability()
    fast = allowed.startswith(_BFLOAT16_NEEDS) and any(found.get(unit) for unit in _BFLOAT16_UNITS)
    return "bfloat16" if fast else "float32"


def reading_device() -> torch.device:
    """Return where transformers run: the GPU if torch has one, else the processor."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def reading_precision() -> ComputePrecision:
    """Return the fastest number format for a transformer on its device."""
    import torch

    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
    return fastest_precision()


def in_steps(length: int) -> int:
    """Return a length of at least `length` for products in bfloat16 on a processor: one of few.

    For each length of its own oneDNN makes code, which it keeps: a sixth of a MiB a passage that is read. The few more
    products take no time that can be measured.
    """
    return -(-max(1, length) // _STEP) * _STEP


def within_memory(read: Callable[[slice], torch.Tensor], count: int) -> torch.Tensor:
    """Return the results of `read` for `count` rows, joined: all at once, or halved until they fit the GPU's memory.

    Raises EncoderError where a single row does not fit.
    """
    import torch

    def read_all(first: int, stop: int) -> list[torch.Tensor]:
        try:
            return [read(slice(first, stop))]
        except torch.OutOfMemoryError:
            if stop - first < 2:
                raise EncoderError(
                    "Expected GPU memory for one text at a time, got less. End what else uses the GPU, or read on the "
                    "processor: set CUDA_VISIBLE_DEVICES to nothing."
                ) from None
        half = (first + stop) // 2  # here, because the error would keep the first try's memory alive
        return [*read_all(first, half), *read_all(half, stop)]

    parts = read_all(0, count)
    give_back_memory(int(time.monotonic() / _SECONDS_KEPT))
    return parts[0] if len(parts) == 1 else torch.cat(parts)


@lru_cache(maxsize=1)
def give_back_memory(turn: int) -> None:  # noqa: ARG001  what is asked for again in one turn is done already
    """Give freed memory back to the system, once a turn, where the C library can: that of Linux.

    Batches of many shapes leave gaps, which it keeps otherwise: half a gigabyte after a book.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)


def dtype_of(precision: ComputePrecision) -> torch.dtype:
    """Return torch's name of a precision."""
    import torch

    return torch.bfloat16 if precision == "bfloat16" else torch.float32
