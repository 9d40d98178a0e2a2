"""How far a long piece of work has come: a count, a rate and the time left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a running piece of work; `total` is None while it is not known.

    `note` says in words what else has come of it: the documents in the files that are counted, for example. A stage
    that is `passing`, such as one file of many, goes when another begins. Where items are `uneven`, their number says
    nothing of the time: `share` is how much of the work is done, by its cost or size, and `left` the seconds left.
    Where nothing is half done, such as between two files, the work `may_wait`: short work can go first.
    """

    stage: str
    done: int
    total: int | None
    seconds: float
    note: str = ""
    passing: bool = False
    share: float = 0.0
    uneven: bool = False
    left: float | None = None
    may_wait: bool = False

    @property
    def rate(self) -> float:
        """Items a second since the stage began."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the stage ends, by what is left or at the rate so far; None while that cannot be told."""
        if self.uneven:
            return self.left
        if self.total is None or self.done == 0:
            return None
        return max(0.0, (self.total - self.done) / self.rate) if self.rate else None


Report = Callable[[Progress], None]
"""Where progress goes: the terminal's bar, the screen's bar, or nowhere."""


def silent(_: Progress) -> None:
    """Report nowhere."""


class Meter:
    """Counts the items of one stage and reports at most every `interval_seconds`, and at the end.

    Items that differ in what they cost, as an abstract and a whole paper do, are added with their cost, in any unit
    that time is in proportion to.
    """

    def __init__(
        self,
        stage: str,
        total: int | None,
        report: Report,
        *,
        interval_seconds: float = 0.2,
        passing: bool = False,
        left: Callable[[], float | None] | None = None,
    ) -> None:
        """Start the stage's clock; nothing is reported yet. Where items are uneven, `left` gives the seconds left."""
        self._stage, self._total, self._report = stage, total, report
        self._interval, self._passing = interval_seconds, passing
        self._started = self._reported = time.monotonic()
        self._done = 0
        self._note = ""
        self._share = 0.0
        self._left = left
        self._work: float | None = None
        self._worked = 0.0

    def begin(self) -> None:
        """Report that nothing is done yet, for a stage whose first item takes long."""
        self._emit(time.monotonic())

    def expect(self, total: int, work: float | None = None) -> None:
        """Say how many items the stage has, once that is known, and what they cost together if they differ in it."""
        self._total, self._work = total, work

    def add(self, items: int = 1, work: float = 0.0) -> None:
        """Count items that are done, and what they cost together."""
        self._done += items
        self._worked += work
        if self._work:
            self._share = min(1.0, self._worked / self._work)
        self._emit_in_time()

    def within(self, work: float) -> None:
        """Report how much of the next item is done, by its cost: one may take long."""
        if self._work:
            self._share = min(1.0, (self._worked + work) / self._work)
        self._emit_in_time()

    def say(self, note: str) -> None:
        """Put words beside the count, which stays as it is."""
        self._note = note
        self._emit_in_time()

    def reach(self, share: float) -> None:
        """Say how far the stage is by size; the next report tells."""
        self._share = share

    def finish(self) -> None:
        """Report the final count."""
        self._emit(time.monotonic())

    def let_pass(self) -> None:
        """Report that nothing is half done, so that short work can go first."""
        self._emit(time.monotonic(), may_wait=True)

    def _emit_in_time(self) -> None:
        now = time.monotonic()
        if now - self._reported >= self._interval:
            self._reported = now
            self._emit(now)

    def _emit(self, now: float, *, may_wait: bool = False) -> None:
        seconds, uneven = now - self._started, self._left is not None or self._work is not None
        left = self._left() if self._left is not None else self._by_cost(seconds)
        count = (self._stage, self._done, self._total, seconds, self._note)
        self._report(Progress(*count, self._passing, self._share, uneven, left, may_wait))

    def _by_cost(self, seconds: float) -> float | None:
        """Return the seconds left at the rate so far, in cost; None while that cannot be told."""
        return seconds * (1 - self._share) / self._share if self._work and self._share else None


def duration(seconds: float) -> str:
    """Say seconds as a person does."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def time_left(progress: Progress) -> str:
    """Say how long a stage still takes, in words; empty while that cannot be told."""
    if progress.seconds_left is None:
        return ""
    left = duration(progress.seconds_left)
    return f"{left} left" if left.startswith("under") else f"about {left} left"
