"""A small part of the campaign: inputs of every kind are read or refused by name, and none leaves a traceback."""

from __future__ import annotations

import pytest

from engine.core.errors import InputError
from engine.reading import read_bytes
from tests.hostile.inputs import KINDS, inputs

_SMALL = 400_000
"""Bytes of the inputs that are read here; larger ones are for the campaign."""


def test_the_same_seed_gives_the_same_inputs() -> None:
    quick = [one for one in KINDS if one not in ("pdf", "docx", "parquet")]
    first, again = ([one for one in inputs(len(KINDS), 4) if one.kind in quick] for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert (one.kind, one.name) == (other.kind, other.name)
        assert one.data == other.data or one.data.startswith(b"PK")  # an archive holds the time
    assert {one.kind for one in first} == set(quick)


@pytest.mark.parametrize("seed", range(4))
def test_small_inputs_are_read_or_refused_by_name(seed: int) -> None:
    small = (one for one in inputs(66, seed) if len(one.data) < _SMALL and one.kind not in ("pdf", "docx", "parquet"))
    refused = 0
    for one in small:
        try:
            read_bytes(one.data, one.name)
        except InputError as error:
            refused += 1
            assert str(error).rstrip().endswith((".", "NEW")), one.name
    assert refused
