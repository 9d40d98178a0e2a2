"""A running piece of work on the screen: its stage, its rate and the time left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from engine.progress import Progress, Report
from explorer.widgets.markup import element, show

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator


def bar() -> Report:
    """A report that draws one bar for the running stage and leaves a line for each that is done."""
    place = st.container(gap="xsmall")
    slots: dict[str, tuple[DeltaGenerator, DeltaGenerator]] = {}

    def report(progress: Progress) -> None:
        if progress.stage not in slots:
            slots[progress.stage] = (place.empty(), place.empty())
        words, track = slots[progress.stage]
        with words:
            show(element("p", sentence(progress), class_="ps-quiet", role="status"))
        track.progress(_share(progress))

    return report


def sentence(progress: Progress) -> str:
    """Progress in words: the stage, the count, the rate, the time left."""
    if progress.total is None:
        count = f"{progress.done:,}"
    else:
        count = f"{progress.done:,} of {progress.total:,}"
    pieces = [f"{progress.stage}: {count}"]
    if progress.rate >= 1:
        pieces.append(f"{progress.rate:,.0f} a second")
    left = progress.seconds_left
    if progress.total is not None and progress.done >= progress.total:
        pieces = [f"{progress.stage}: {count} in {duration(progress.seconds)}"]
    elif left is not None:
        pieces.append(f"about {duration(left)} left")
    return " · ".join(pieces)


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _share(progress: Progress) -> float:
    return min(1.0, progress.done / progress.total) if progress.total else 0.0
