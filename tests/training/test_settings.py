"""The tables that recipes of several methods share."""

from __future__ import annotations

import pytest

from engine.training.settings import ScheduleSettings


def test_the_rate_rises_then_falls() -> None:
    linear = ScheduleSettings(epochs=1, decay="linear", warmup=4, lowest=0.15)
    assert [linear.rate_at(step, 10) for step in range(10)] == pytest.approx(
        [0.25, 0.45, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15]
    )
    assert ScheduleSettings(epochs=1).rate_at(7, 10) == 1.0
    assert ScheduleSettings(epochs=1, warmup=4).rate_at(1, 10) == 0.5
