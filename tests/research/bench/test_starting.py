"""Commands timed from their start."""

from __future__ import annotations

import pytest

from engine.errors import EvaluationError
from engine.research.bench.starting import load, measure_start


def test_a_command_is_timed_in_a_process_of_its_own() -> None:
    taken = measure_start(["--help"], runs=2)
    assert taken.runs == 2 and taken.seconds > 0.01 and taken.processor_seconds > 0.01
    assert load() >= 0


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(EvaluationError, match=r"Expected `priorscope search` to end well, it ended with 2: .*required"):
        measure_start(["search"], runs=1)
