"""The sizes of matchers."""

from __future__ import annotations

import pytest

from engine.research.matchers.settings import MatcherSettings


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"max_words": 0, "window": -1}, "max_words must be at least 1, got 0; window must be at least 1, got -1"),
        ({"width": 12, "heads": 4}, "width must be a multiple of 2 heads = 8, got 12"),
    ],
)
def test_sizes_out_of_range_are_refused(settings: dict[str, int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        MatcherSettings(**settings)
