"""Which precision this processor multiplies matrices in fastest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import torch

ComputePrecision = Literal["bfloat16", "float32"]

_BFLOAT16_UNITS = ("avx512_bf16", "amx_bf16")


def fastest_precision() -> ComputePrecision:
    """bfloat16 where the processor multiplies matrices of it, else float32; bfloat16 holds rows to 1e-2."""
    from torch import cpu

    found = cpu.get_capabilities()
    return "bfloat16" if any(found.get(unit) for unit in _BFLOAT16_UNITS) else "float32"


def dtype_of(precision: ComputePrecision) -> torch.dtype:
    """Torch's name of a precision."""
    import torch

    return torch.bfloat16 if precision == "bfloat16" else torch.float32
