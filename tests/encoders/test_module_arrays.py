"""Weights of a module as small arrays, and back."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from engine.encoders import module_arrays
from engine.errors import EncoderError


def module() -> nn.Module:
    torch.manual_seed(1)
    return nn.ModuleDict({"big": nn.Linear(256, 256), "small": nn.Linear(256, 255)})


def test_big_matrices_are_bytes_and_all_else_half_precision() -> None:
    arrays = module_arrays.stored(module())
    assert {name: (array.dtype.name, array.shape) for name, array in arrays.items()} == {
        "big.weight": ("int8", (256, 256)),
        "big.weight:scales": ("float32", (256,)),
        "big.bias": ("float16", (256,)),
        "small.weight": ("float16", (255, 256)),
        "small.bias": ("float16", (255,)),
    }
    assert module_arrays.expected(module()) == {name: array.ndim for name, array in arrays.items()}


def test_what_is_stored_comes_back_near() -> None:
    made, other = module(), module()
    arrays = module_arrays.stored(made)
    with torch.no_grad():
        for part in other.parameters():
            part.zero_()
    module_arrays.fill(other, arrays)
    for name, part in other.state_dict().items():
        torch.testing.assert_close(part, made.state_dict()[name], atol=3e-4, rtol=2e-3, msg=name)


@pytest.mark.parametrize("change", ["missing", "added", "other shape"])
def test_other_arrays_are_refused(change: str) -> None:
    arrays = module_arrays.stored(module())
    if change == "missing":
        del arrays["big.weight:scales"]
    else:
        arrays["more" if change == "added" else "big.bias"] = np.zeros(3, np.float16)
    with pytest.raises(EncoderError, match=r"Expected weights of the shapes .*, got .*Build the folder anew"):
        module_arrays.fill(module(), arrays)


@pytest.mark.parametrize("value", [torch.nan, torch.inf, 1e6])
def test_what_is_no_finite_number_on_disk_is_refused(value: float) -> None:
    made = module()
    with torch.no_grad():
        made["small"].bias[0] = value  # type: ignore[index]
    with pytest.raises(EncoderError, match=r"Expected finite numbers in every part, found others in small\.bias\."):
        module_arrays.stored(made)
