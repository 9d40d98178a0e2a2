"""The settings of a CTPE encoder."""

from __future__ import annotations

from typing import Any

import pytest

from engine.encoders.ctpe.settings import CtpeSettings


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"position": "0%"}, "position must leave both halves some text"),
        ({"position": "front"}, "position must be"),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        ({"whole_below_tokens": -1}, "whole_below_tokens must be 0 or more, got -1"),
        ({"stored": "int4"}, "stored must be one of float32, float16, int8, got 'int4'"),
    ],
)
def test_a_value_outside_its_range_is_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CtpeSettings(**wrong)
