"""Where transformers read and in which number format, and what a GPU has no memory for."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace

import pytest
import torch

from engine.core.errors import EncoderError
from engine.encoders import processor


@pytest.mark.parametrize("fastest", ["bfloat16", "float32"])
def test_without_a_gpu_the_processor_reads_as_it_is_fastest(monkeypatch: pytest.MonkeyPatch, fastest: str) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(processor, "fastest_precision", lambda: fastest)
    assert processor.reading_device() == torch.device("cpu")
    assert processor.reading_precision() == fastest


@pytest.mark.parametrize(
    ("units", "allowed", "precision"),
    [
        ({"avx512_bf16": True}, "AVX512", "bfloat16"),
        ({"amx_bf16": True}, "AVX512", "bfloat16"),
        ({"avx512_bf16": False}, "AVX512", "float32"),
        ({"avx512_bf16": True}, "AVX2", "float32"),
        ({}, "DEFAULT", "float32"),
    ],
)
def test_bfloat16_is_fastest_where_torch_may_use_the_units_that_multiply_it(
    monkeypatch: pytest.MonkeyPatch, units: dict[str, bool], allowed: str, precision: str
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: units)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: allowed)
    assert processor.fastest_precision() == precision


@pytest.mark.parametrize(("multiplies", "precision"), [(True, "bfloat16"), (False, "float32")])
def test_a_gpu_reads_in_bfloat16_where_it_multiplies_it(
    monkeypatch: pytest.MonkeyPatch, *, multiplies: bool, precision: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(
        torch.cuda, "is_bf16_supported", lambda including_emulation=True: multiplies or including_emulation
    )
    monkeypatch.setattr(processor, "fastest_precision", lambda: "neither")
    assert processor.reading_device().type == "cuda"
    assert processor.reading_precision() == precision


@pytest.mark.parametrize(("platform", "trimmed"), [("linux", [0, 0]), ("darwin", [])])
def test_freed_memory_goes_back_to_the_system_once_a_turn(
    monkeypatch: pytest.MonkeyPatch, platform: str, trimmed: list[int]
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(malloc_trim=asked.append))
    processor.give_back_memory.cache_clear()
    for turn in (1, 1, 2, 2):
        processor.give_back_memory(turn)
    assert asked == trimmed


def test_a_c_library_that_keeps_its_memory_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    processor.give_back_memory.cache_clear()
    processor.give_back_memory(1)
    assert processor.give_back_memory.cache_info().misses == 1


def test_what_is_too_much_for_a_gpu_is_read_in_halves() -> None:
    rows, asked = torch.arange(12.0).reshape(6, 2), []

    def read(part: slice) -> torch.Tensor:
        asked.append((part.start, part.stop))
        if part.stop - part.start > 2:
            raise torch.OutOfMemoryError
        return rows[part] + 1

    assert torch.equal(processor.within_memory(read, 6), rows + 1)
    assert asked == [(0, 6), (0, 3), (0, 1), (1, 3), (3, 6), (3, 4), (4, 6)]


def test_one_text_that_is_too_much_for_a_gpu_is_a_named_error() -> None:
    def read(_: slice) -> torch.Tensor:
        raise torch.OutOfMemoryError

    with pytest.raises(EncoderError, match="GPU memory for one text at a time"):
        processor.within_memory(read, 3)
