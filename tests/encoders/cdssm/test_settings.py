"""What a C-DSSM encoder may be set to."""

from __future__ import annotations

import pytest

from engine.encoders.cdssm.settings import CdssmSettings


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"window": 0, "dim": -1}, "window must be at least 1, got 0; dim must be at least 1, got -1"),
        ({"window": 4}, "window must be odd, a word with as many on either side, got 4"),
        ({"words": "letters", "towers": "three"}, "words must be one of trigrams, vectors, got 'letters'; towers must"),
        ({"padding": "ones"}, "padding must be one of zeros, none, got 'ones'"),
        ({"stored": "int4"}, "stored must be one of float32, float16, int8, got 'int4'"),
    ],
)
def test_values_out_of_range_are_refused(settings: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CdssmSettings(**settings)  # type: ignore[arg-type]
