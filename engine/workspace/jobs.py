"""Long work on a workspace: jobs that run one after the other in the background, and the library held for one of them.

A job runs in a thread of its own, so that no click, reload or other visitor interrupts it; every page, and every
client of a server, can see how far it has come, and which jobs wait for it. Work that can go on where it stopped has a
low rank: it leaves at its next report when other work is asked for, or a person pauses it, and stands in line again.
Short work goes before what is long, and between two files of a long import.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import partial

from engine.core.errors import CancelledError, EngineError, EnoughError, LibraryError
from engine.core.progress import Progress, Report
from engine.workspace.caches import Cache

_LOG = logging.getLogger(__name__)
_REMEMBERED = 50
"""How many jobs that are over can still be asked for."""
_SECONDS_BETWEEN_LOOKS = 0.1
JobWork = Callable[[Report], str]
"""What a job does: it reports how far it has come, and returns a sentence on what it did, and lines of detail.

Work of a low rank is called again after it gave way, and goes on from what it kept; it may have nothing to say.
"""
_STOPPED = (
    "Expected the work to finish; it stopped unexpectedly. The window in which Priorscope was started says why. "
    "What was whole is kept; try again."
)


class Rank(IntEnum):
    """What goes before what: work that waits for a low rank makes one of a higher number give way."""

    ASKED = 0
    READING = 1
    PASSAGES = 2


@dataclass(slots=True)
class Job:
    """One piece of work: how far each stage has come, and in the end what came of it, or what went wrong.

    Two jobs with one `key` would do the same. One that `gave_way` stands in line again, at once or, `paused`, once a
    person lets it go on. One that `is_short` takes seconds.
    """

    number: int
    name: str
    key: Hashable = None
    rank: Rank = Rank.ASKED
    is_short: bool = False
    begun: bool = False
    paused: bool = False
    gave_way: bool = False
    stages: dict[str, Progress] = field(default_factory=dict)
    before: dict[str, Progress] = field(default_factory=dict)
    """How far the stages had come when it last gave way."""
    outcome: str = ""
    problem: str = ""
    finished: threading.Event = field(default_factory=threading.Event)
    stopping: threading.Event = field(default_factory=threading.Event)
    settling: threading.Event = field(default_factory=threading.Event)
    leaving: threading.Event = field(default_factory=threading.Event)
    after: Callable[[], None] | None = None
    """What is called once it is over, whether it was done, failed, or was taken out of the line."""
    waits: Callable[[], None] | None = None
    """What is called where nothing of the work is half done: short work may go first."""

    def report(self, progress: Progress) -> None:
        """Take a report of the work.

        Raises CancelledError to stop it, or to have it give way, and EnoughError once to have it settle.
        """
        if progress.stage not in self.stages:
            self.stages = {stage: one for stage, one in self.stages.items() if not one.passing}
        self.stages[progress.stage] = progress = _in_all(self.before.get(progress.stage), progress)
        if self.stopping.is_set() or self.leaving.is_set():
            raise CancelledError(self.stopped())
        if self.settling.is_set():
            self.settling.clear()  # what is made of the pages so far reports, too
            raise EnoughError(self.stopped())
        if progress.may_wait and self.waits is not None:
            self.waits()

    def count(self) -> str:
        """Return how far the last stage has come that counts something, in words; "" before any."""
        told = [*self.before.values(), *self.stages.values()]
        counted = (one for one in reversed(told) if one.total and not one.passing)
        return next((f"{one.stage}: {one.done:,} of {one.total:,}" for one in counted), "")

    def stopped(self) -> str:
        """Say that the work was stopped, and where."""
        counted = f" ({self.count()})" if self.count() else ""
        return f"“{self.name}” was stopped{counted}. What was whole by then is kept."

    def cancel(self) -> None:
        """Stop the work at its next report."""
        self.stopping.set()

    def settle(self) -> None:
        """Have the work end at its next report with what it has so far, if it can."""
        self.settling.set()

    def begin(self, work: JobWork, end: Callable[[], None] | None = None) -> None:
        """Do the work in a thread of its own."""
        threading.Thread(target=self.run, args=(work, end), name=f"job-{self.number}", daemon=True).start()

    def run(self, work: JobWork, end: Callable[[], None] | None = None) -> None:
        """Do the work in this thread, and keep what came of it; `end` sets `finished`, if given."""
        self.problem = _STOPPED
        try:
            self.outcome = work(self.report)
            self.problem = ""
        except CancelledError as error:
            self.gave_way = not self.stopping.is_set() and self.leaving.is_set()
            self.outcome, self.problem = "" if self.gave_way else str(error), ""
        except EngineError as error:
            self.problem = str(error)
            _LOG.info("%s: %s", self.name, error)
        finally:
            (end or self.finished.set)()


def _order(job: Job) -> tuple[Rank, bool]:
    """Return what sorts jobs: lower goes first."""
    return job.rank, not job.is_short


def _in_all(before: Progress | None, now: Progress) -> Progress:
    """Return how far a stage is that goes on where it stopped, with what was done before then."""
    if before is None or before.total is None or now.total is None or not now.uneven:
        return now
    done, share = before.done + now.done, before.share + (1 - before.share) * now.share
    return replace(now, done=done, total=before.done + now.total, seconds=before.seconds + now.seconds, share=share)


class Hold:
    """Lets one long piece of work at a time hold the library, whoever started it."""

    def __init__(self) -> None:
        """Begin with nobody who holds it."""
        self._lock = threading.Lock()
        self._patient = threading.local()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Hold the library for the length of the block. Raises LibraryError if it is held, unless to be `patient`."""
        report: Report | None = getattr(self._patient, "report", None)
        if getattr(self._patient, "is_lent", False):
            yield
            return
        if report is not None:
            since = time.monotonic()
            while not self._lock.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
                waited = time.monotonic() - since
                report(Progress("wait for other work to leave the library", 0, None, waited, passing=True))
        elif not self._lock.acquire(blocking=False):
            raise LibraryError(
                "Expected the library to be free; another window is importing or encoding right now. "
                "Wait until it has finished, then try again."
            )
        try:
            yield
        finally:
            self._lock.release()

    @contextmanager
    def idle(self) -> Iterator[bool]:
        """Hold the library if nobody does; returns whether it succeeded."""
        free = self._lock.acquire(blocking=False)
        try:
            yield free
        finally:
            if free:
                self._lock.release()

    @contextmanager
    def patient(self, report: Report) -> Iterator[None]:
        """Let this thread wait for the library within the block; `report` hears of it, and may raise to give up."""
        self._patient.report, before = report, getattr(self._patient, "report", None)
        try:
            yield
        finally:
            self._patient.report = before

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let other work of this thread hold the library within the block, which this thread holds already."""
        self._patient.is_lent = True
        try:
            yield
        finally:
            self._patient.is_lent = False


class Jobs:
    """The jobs in line: the first one runs, the others wait in order; what is over is remembered for a while."""

    def __init__(self, hold: Hold | None = None) -> None:
        """Begin with no job; each waits until what `hold` guards is free."""
        self._hold = hold or Hold()
        self._lock = threading.Lock()
        self._count = 0
        self._running: Job | None = None
        self._lets_pass: Job | None = None
        self._waiting: list[tuple[Job, JobWork]] = []
        self._over: deque[Job] = deque(maxlen=_REMEMBERED)

    def start(
        self,
        name: str,
        work: JobWork,
        *,
        key: Hashable = None,
        rank: Rank = Rank.ASKED,
        is_short: bool = False,
        after: Callable[[], None] | None = None,
    ) -> Job:
        """Put work in line behind all of its rank; it begins at once if nothing runs, or once what gives way has left.

        What `is_short` goes before what is not, and between two files of an import that runs.

        Returns the job that does the same already, if one is waiting, or runs as the last in line. `key` says what is
        done, to what; the name does if it is None. `after` is called once the job that it started is over.
        """
        key = name if key is None else key
        with self._lock:
            if (same := self._same(key)) is not None:
                return same
            self._count += 1
            job = Job(self._count, name, key, rank, is_short, after=after)
            self._put_in_line(job, work, last=True)
            self._go_on()
        return job

    def last(self) -> Job | None:
        """Return the job that runs, or the last that ran."""
        with self._lock:
            ran = (job for job in reversed(self._over) if job.begun)
            return self._running or next(ran, None)

    def running(self) -> Job | None:
        """Return the job that runs now."""
        return self._running

    def in_line(self) -> tuple[Job, ...]:
        """Return the job that runs, then those that wait or are paused, in their order."""
        with self._lock:
            return self._all()

    def over(self, number: int) -> Job | None:
        """Return a job that has ended or was taken out of the line; None if it has not, or was long ago."""
        with self._lock:
            return next((job for job in self._over if job.number == number), None)

    def move_up(self, number: int) -> None:
        """Let a waiting job change places with the waiting one before it."""
        with self._lock:
            place = self._place(number)
            if place:
                waiting = self._waiting
                waiting[place - 1], waiting[place] = waiting[place], waiting[place - 1]

    def cancel(self, number: int) -> None:
        """Take a waiting job out of the line, or stop the running one at its next report."""
        with self._lock:
            place = self._place(number)
            if place is not None:
                job, _ = self._waiting.pop(place)
                before = f"“{job.name}” was taken out of the line before it began."
                job.outcome = job.stopped() if job.begun else before
                self._end(job)
            for begun in (self._running, self._lets_pass):
                if begun is not None and begun.number == number:
                    begun.cancel()

    def pause(self, number: int) -> None:
        """Keep a job of a low rank from running, which leaves at its next report, until it is to `go_on`."""
        with self._lock:
            for job in (one for one in self._all() if one.number == number and one.rank):
                job.paused = True
                if job is self._running:
                    job.leaving.set()

    def go_on(self, number: int) -> None:
        """Let a paused job run again, when it is first in line."""
        with self._lock:
            for job in (one for one in self._all() if one.number == number):
                job.paused = False
            self._go_on()

    def _all(self) -> tuple[Job, ...]:
        begun = (job for job in (self._running, self._lets_pass) if job is not None)
        return (*begun, *(job for job, _ in self._waiting))

    def _place(self, number: int) -> int | None:
        return next((place for place, (job, _) in enumerate(self._waiting) if job.number == number), None)

    def _put_in_line(self, job: Job, work: JobWork, *, last: bool) -> None:
        """Put a job behind those that go before it, and behind those of its own rank or, in place, before them."""
        own, others = _order(job), [_order(one) for one, _ in self._waiting]
        behind = [own < order or (own == order and not last) for order in others]
        self._waiting.insert(behind.index(True) if True in behind else len(behind), (job, work))

    def _same(self, key: Hashable) -> Job | None:
        """Return the job that will do, or does, this; one that runs before others may come too early for them.

        Work of a low rank that runs leaves before them, and comes again.
        """
        if (waiting := next((job for job, _ in self._waiting if job.key == key), None)) is not None:
            return waiting
        begun = (one for one in (self._running, self._lets_pass) if one is not None)
        running = next((one for one in begun if one.key == key and not one.stopping.is_set()), None)
        if running is None:
            return None
        return running if running.rank or not any(not job.rank for job, _ in self._waiting) else None

    def _go_on(self) -> None:
        """Begin the next job where none runs; have the one that runs leave where another goes before it."""
        if self._running is None:
            self._begin_next()
        elif any(job.rank < self._running.rank and not job.paused for job, _ in self._waiting):
            self._running.leaving.set()

    def _begin_next(self) -> None:
        place = next((place for place, (job, _) in enumerate(self._waiting) if not job.paused), None)
        if place is None:
            self._running = None
            return
        job, work = self._waiting.pop(place)
        self._running, job.begun, job.gave_way = job, True, False
        job.before, job.stages = {**job.before, **job.stages}, {}
        job.leaving.clear()
        job.waits = None if job.is_short else partial(self._let_pass, job)

        def patiently(report: Report) -> str:
            with self._hold.patient(report):
                return work(report)

        def end() -> None:
            with self._lock:
                if job.gave_way:
                    self._put_in_line(job, work, last=False)
                self._begin_next()
                if not job.gave_way:
                    self._end(job)

        job.begin(patiently, end)

    def _let_pass(self, long: Job) -> None:
        """Do the short work that waits, in the thread of a long job that has nothing half done."""
        while True:
            with self._lock:
                short = (place for place, (one, _) in enumerate(self._waiting) if one.is_short)
                place = next(short, None)
                if place is None:
                    return
                job, work = self._waiting.pop(place)
                self._running, self._lets_pass, job.begun = job, long, True

            def end(job: Job = job) -> None:
                with self._lock:
                    self._running, self._lets_pass = long, None
                    self._end(job)

            try:
                with self._hold.lent(), self._hold.patient(job.report):
                    job.run(work, end)
            except Exception:  # noqa: BLE001  the long job goes on, and the short one says that it broke off
                _LOG.warning("%s broke off", job.name, exc_info=True)

    def _end(self, job: Job) -> None:
        if job.after is not None:
            job.after()
        self._over.append(job)
        job.finished.set()


class Background:
    """Threads for work that nobody waits for, such as loading what is needed next: each is started once for its key."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._threads: Cache[tuple[str, Hashable], threading.Thread] = Cache(8)

    def start(self, name: str, key: Hashable, work: Callable[[], None]) -> threading.Thread:
        """Do the work in a thread of this name, unless it was started for this key before; returns the thread."""

        def started() -> threading.Thread:
            thread = threading.Thread(target=work, name=name, daemon=True)
            thread.start()
            return thread

        return self._threads.get((name, key), started)

    def forget(self) -> None:
        """Start everything again when it is next asked for."""
        self._threads.forget()
