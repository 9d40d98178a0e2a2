"""The recipe of supervised word mover's distance: values outside their ranges are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import ConfigError
from tests.research.movers.small import recipe


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("seed=-1", "seed must not be negative, got -1"),
        ("network.most_words=0", "most_words must be at least 1, got 0"),
        ("network.dim=0", "dim must be at least 1, got 0"),
        ("network.max_tokens=0", "max_tokens must be at least 1, got 0"),
        ("objective.gamma=0", "gamma must be above 0, got 0"),
        ("objective.sharpness=0", "sharpness must be above 0, got 0"),
        ("objective.rounds=0", "rounds must be at least 1, got 0"),
    ],
)
def test_a_value_outside_its_range_is_refused(setting: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        recipe(tmp_path, setting)
