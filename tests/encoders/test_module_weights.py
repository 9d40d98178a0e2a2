"""Weights of a module as small arrays, rows as bytes, and both back."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from engine.core.errors import EncoderError
from engine.encoders import registry
from engine.encoders.module_weights import HALF, RUNS, from_bytes, outlined, to_bytes
from engine.encoders.word_vectors import WordVectors


def test_a_number_is_off_by_half_a_step_at_most() -> None:
    rows = np.random.default_rng(1).normal(size=(50, 20)).astype(np.float32)
    numbers, scales = to_bytes(rows)
    assert (numbers.dtype, scales.dtype) == (np.int8, np.float32)
    assert (np.abs(numbers).max(axis=1) == 127).all()
    assert (np.abs(from_bytes(numbers, scales) - rows) <= 0.5001 * scales[:, None]).all()


def test_a_row_of_zeros_stays_so() -> None:
    rows = np.zeros((2, 3), np.float32)
    np.testing.assert_array_equal(from_bytes(*to_bytes(rows)), rows)


def test_rows_can_be_written_into_an_array() -> None:
    numbers, scales = to_bytes(np.random.default_rng(3).normal(size=(4, 5)).astype(np.float32))
    into = np.empty((4, 5), np.float32)
    assert from_bytes(numbers, scales, into=into) is into
    assert np.array_equal(into, from_bytes(numbers, scales))


def test_the_words_we_ship_keep_their_directions() -> None:
    rows = WordVectors.load(registry.PRETRAINED / "word2vec").vectors.astype(np.float32)
    restored = from_bytes(*to_bytes(rows))
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(restored, axis=1)
    cosines = np.einsum("vd,vd->v", rows, restored)[lengths > 0] / lengths[lengths > 0]
    assert cosines.min() > 0.9998
    assert cosines.mean() > 0.99995


def module() -> nn.Module:
    torch.manual_seed(1)
    return nn.ModuleDict({"big": nn.Linear(256, 256), "small": nn.Linear(256, 255)})


def test_big_matrices_are_bytes_and_all_else_half_precision() -> None:
    arrays = HALF.stored(module())
    assert {name: (array.dtype.name, array.shape) for name, array in arrays.items()} == {
        "big.weight": ("int8", (256, 256)),
        "big.weight:scales": ("float32", (256,)),
        "big.bias": ("float16", (256,)),
        "small.weight": ("float16", (255, 256)),
        "small.bias": ("float16", (255,)),
    }
    assert HALF.expected(module()) == {name: array.ndim for name, array in arrays.items()}


def test_what_is_stored_comes_back_near() -> None:
    made, other = module(), module()
    arrays = HALF.stored(made)
    with torch.no_grad():
        for part in other.parameters():
            part.zero_()
    HALF.fill(other, arrays)
    for name, part in other.state_dict().items():
        torch.testing.assert_close(part, made.state_dict()[name], atol=3e-4, rtol=2e-3, msg=name)


def test_an_outline_is_filled_with_the_same_numbers_in_memory_of_its_own() -> None:
    arrays, usual = RUNS.stored(module()), module()
    with outlined():
        outline = module()
    assert all(part.is_meta for part in outline.parameters())
    assert RUNS.expected(outline) == RUNS.expected(usual)
    RUNS.fill(outline, arrays)
    RUNS.fill(usual, arrays)
    for name, part in outline.state_dict().items():
        assert torch.equal(part, usual.state_dict()[name]), name
    before = arrays["small.bias"].copy()
    with torch.no_grad():
        for part in outline.parameters():
            assert part.requires_grad
            part.zero_()
    assert np.array_equal(arrays["small.bias"], before)
    with outlined(when=False):
        assert not any(part.is_meta for part in module().parameters())


@pytest.mark.parametrize("change", ["missing", "added", "other shape"])
def test_other_arrays_are_refused(change: str) -> None:
    arrays = HALF.stored(module())
    if change == "missing":
        del arrays["big.weight:scales"]
    else:
        arrays["more" if change == "added" else "big.bias"] = np.zeros(3, np.float16)
    told = {
        "missing": r"got 1 too few or too many: big\.weight:scales\. Build the encoder of parts that fit its settings",
        "added": "got 1 too few or too many: more",
        "other shape": r"Expected big\.bias of shape \(256,\), got \(3,\)",
    }
    with pytest.raises(EncoderError, match=told[change]):
        HALF.fill(module(), arrays)


def test_runs_of_a_row_may_have_a_scale_each() -> None:
    layer = nn.Linear(256, 200)
    arrays = RUNS.stored(layer)
    assert {name: array.dtype.name for name, array in arrays.items()} == {
        "weight": "int8",
        "weight:scales": "float32",
        "bias": "float32",
    }
    assert arrays["weight:scales"].shape == (200, 4)
    assert RUNS.stored(nn.Linear(130, 300))["weight:scales"].shape == (300, 1)  # a row is not of whole runs
    again = nn.Linear(256, 200)
    RUNS.fill(again, arrays)
    np.testing.assert_allclose(again.weight.detach(), layer.weight.detach(), atol=1e-3)
    with pytest.raises(EncoderError, match="got 1 too few or too many: more"):
        RUNS.fill(again, {**arrays, "more": arrays["bias"]})
    with pytest.raises(EncoderError, match=r"Expected bias of shape \(200,\), got \(199,\)"):
        RUNS.fill(again, {**arrays, "bias": arrays["bias"][1:]})


@pytest.mark.parametrize("value", [torch.nan, torch.inf, 1e6])
def test_what_is_no_finite_number_on_disk_is_refused(value: float) -> None:
    made = module()
    with torch.no_grad():
        made["small"].bias[0] = value  # type: ignore[index]
    with pytest.raises(EncoderError, match=r"Expected finite numbers in every part, found others in small\.bias\."):
        HALF.stored(made)
