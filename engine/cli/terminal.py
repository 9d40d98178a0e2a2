"""A progress bar in the terminal: the count, the rate and the time left, on stderr."""

from __future__ import annotations

import sys

from tqdm import tqdm

from engine.progress import Progress, Report


def bar() -> Report:
    """A report that draws one bar a stage; where stderr is no terminal it prints each stage's end only."""
    bars: dict[str, tqdm[None]] = {}
    ended: dict[str, int] = {}

    def report(progress: Progress) -> None:
        whole = progress.total is not None and progress.done >= progress.total
        shown = bars.get(progress.stage)
        if whole and ended.get(progress.stage) == progress.done:
            return  # a meter's last count and its end say the same
        if shown is None:
            shown = tqdm(total=progress.total, desc=progress.stage, unit="", disable=not sys.stderr.isatty())
            bars[progress.stage] = shown
        shown.total = progress.total
        shown.update(progress.done - shown.n)
        if whole:
            ended[progress.stage] = progress.done
            is_silent = shown.disable  # closing a bar sets it, too
            shown.close()
            if is_silent:
                print(f"{progress.stage}: {progress.done:,} in {progress.seconds:.1f} s", file=sys.stderr)

    return report
