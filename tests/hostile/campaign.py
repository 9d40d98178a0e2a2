"""Reads hostile inputs, each in a process of its own, and measures seconds and memory against the pass mark."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.hostile.inputs import Input

MOST_SECONDS, MOST_BYTES = 15.0, 1_500_000_000
_ROOT = Path(__file__).resolve().parents[2]
_BETWEEN_LOOKS = 0.05
_ATTEMPTS_STOPPED = 20 * MOST_SECONDS


@dataclass(frozen=True)
class Outcome:
    """What came of an input: read, refused by name, or over the mark, and why."""

    kind: str
    name: str
    result: str
    seconds: float
    peak_bytes: int
    said: str = ""


def tried(one: Input, folder: Path) -> Outcome:
    """Read one input as `priorscope read` does; the file stays in the folder if it is over the mark."""
    path = folder / one.name
    path.write_bytes(one.data)
    process = subprocess.Popen(
        [sys.executable, "-m", "engine.cli.main", "read", str(path)],
        cwd=_ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    seconds, peak = _watched(process)
    _, error = process.communicate()
    said = error.decode("utf-8", "replace").strip()
    result = _result(process.returncode, said, seconds, peak)
    if result in ("read", "refused"):
        path.unlink()
    return Outcome(one.kind, one.name, result, seconds, peak, said[-300:])


def _watched(process: subprocess.Popen[bytes]) -> tuple[float, int]:
    """The seconds until a process ends, and the most that it and its children held; it is stopped far over the mark.

    On a busy machine, seconds are those of the processor where they are fewer: others' work is not the file's.
    """
    began, peak, worked = time.monotonic(), 0, 0.0
    tree = psutil.Process(process.pid)
    while process.poll() is None:
        try:
            family = [tree, *tree.children(recursive=True)]
            peak = max(peak, sum(one.memory_info().rss for one in family))
            worked = max(worked, sum(sum(one.cpu_times()[:2]) for one in family))
        except psutil.Error:  # one of them has ended meanwhile
            pass
        if worked > MOST_SECONDS or time.monotonic() - began > _ATTEMPTS_STOPPED:
            for one in [*tree.children(recursive=True), tree]:
                one.kill()
            break
        with suppress(subprocess.TimeoutExpired):
            process.wait(_BETWEEN_LOOKS)
    return min(time.monotonic() - began, max(worked, 0.01)), peak


def _result(code: int, said: str, seconds: float, peak: int) -> str:
    if seconds > MOST_SECONDS:
        return "too slow"
    if peak > MOST_BYTES:
        return "too much memory"
    if "Traceback" in said or code not in (0, 2):
        return "a traceback" if "Traceback" in said else f"ended with {code}"
    return "read" if code == 0 else "refused"


def table(outcomes: Iterable[Outcome]) -> str:
    """How many inputs of each kind were read, refused by name, and over the mark, with the slowest and the largest."""
    kept = list(outcomes)
    lines = [f"{'kind':<36}{'read':>7}{'refused':>9}{'over':>6}{'seconds':>9}{'MB':>7}"]
    for kind in [*dict.fromkeys(one.kind for one in kept), "all"]:
        of_kind = [one for one in kept if kind in (one.kind, "all")]
        counts = Counter(one.result for one in of_kind)
        over = len(of_kind) - counts["read"] - counts["refused"]
        slowest, largest = max(one.seconds for one in of_kind), max(one.peak_bytes for one in of_kind) / 1e6
        lines.append(f"{kind:<36}{counts['read']:>7}{counts['refused']:>9}{over:>6}{slowest:>9.1f}{largest:>7.0f}")
    lines += [
        f"over the mark: {one.name}: {one.result}, {one.seconds:.1f} s, {one.peak_bytes / 1e6:.0f} MB. {one.said}"
        for one in kept
        if is_over(one)
    ]
    return "\n".join(lines)


def is_over(outcome: Outcome) -> bool:
    """Whether an outcome is over the pass mark."""
    return outcome.result not in ("read", "refused")
