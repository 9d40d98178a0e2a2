"""Measures what a command takes from its start to its end, in a process of its own."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import EvaluationError

REPEATS = 5


@dataclass(frozen=True, slots=True)
class StartTimes:
    """The middle of several runs, in seconds: by the clock, and of the processor, which other work delays less."""

    seconds: float
    processor_seconds: float
    runs: int


def measure_start(arguments: Sequence[str], *, text: str = "", runs: int = REPEATS) -> StartTimes:
    """Run `priorscope` with these arguments and a text as its standard input; one more run first warms the files up.

    Raises EvaluationError where it ends with an error.
    """
    command = [sys.executable, "-m", "engine.cli.main", *arguments]
    taken = []
    for _ in range(runs + 1):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        if run.returncode:
            said = (run.stderr.strip() or "nothing").splitlines()[-1]
            raise EvaluationError(
                f"Expected `priorscope {' '.join(arguments)}` to end well, it ended with {run.returncode}: {said}"
            )
        taken.append((seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    middle, processor = np.median(taken[1:], axis=0).tolist()
    return StartTimes(round(middle, 3), round(processor, 3), runs)


def load() -> float:
    """How many processes wanted the processor in the last minute: above the cores, figures are of a busy machine."""
    return round(os.getloadavg()[0], 2)
