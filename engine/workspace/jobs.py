"""Long work on a workspace: one job at a time in the background, and the library held for one piece of work.

A job runs in a thread of its own, so that no click, reload or other visitor interrupts it; every page, and every
client of a server, can see how far it has come.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from engine.errors import CancelledError, EngineError, EnoughError, LibraryError
from engine.progress import Progress, Report

_LOG = logging.getLogger(__name__)
_STOPPED = (
    "Expected the work to finish; it stopped unexpectedly. The window in which Priorscope was started says why. "
    "What was whole is kept; try again."
)


@dataclass(slots=True)
class Job:
    """One piece of work: how far each stage has come, and in the end what came of it, or what went wrong."""

    number: int
    name: str
    stages: dict[str, Progress] = field(default_factory=dict)
    outcome: str = ""
    problem: str = ""
    finished: threading.Event = field(default_factory=threading.Event)
    stopping: threading.Event = field(default_factory=threading.Event)
    settling: threading.Event = field(default_factory=threading.Event)

    def report(self, progress: Progress) -> None:
        """Take a report of the work. Raises CancelledError to stop it, and EnoughError once to have it settle."""
        stopped = f"“{self.name}” was stopped. What was whole by then is kept."
        if self.stopping.is_set():
            raise CancelledError(stopped)
        if self.settling.is_set():
            self.settling.clear()  # what is made of the pages so far reports, too
            raise EnoughError(stopped)
        if progress.stage not in self.stages:
            self.stages = {stage: one for stage, one in self.stages.items() if not one.passing}
        self.stages[progress.stage] = progress

    def cancel(self) -> None:
        """Stop the work at its next report."""
        self.stopping.set()

    def settle(self) -> None:
        """Have the work end at its next report with what it has so far, if it can."""
        self.settling.set()

    def begin(self, work: Callable[[Report], str]) -> None:
        """Do the work in a thread of its own."""
        threading.Thread(target=self.run, args=(work,), name=f"job-{self.number}", daemon=True).start()

    def run(self, work: Callable[[Report], str]) -> None:
        """Do the work in this thread, and keep what came of it."""
        self.problem = _STOPPED
        try:
            self.outcome = work(self.report)
            self.problem = ""
        except CancelledError as error:
            self.outcome, self.problem = str(error), ""
        except EngineError as error:
            self.problem = str(error)
            _LOG.info("%s: %s", self.name, error)
        finally:
            self.finished.set()


class Jobs:
    """The last job, and the way to start the next when it has finished."""

    def __init__(self) -> None:
        """No job has run yet."""
        self._lock = threading.Lock()
        self._job: Job | None = None

    def start(self, name: str, work: Callable[[Report], str]) -> Job:
        """Run `work`, which returns one sentence on what it did, in the background.

        Raises LibraryError while another job runs.
        """
        with self._lock:
            last = self._job
            if last is not None and not last.finished.is_set():
                raise LibraryError(
                    f"Expected no other work to be running; “{last.name}” is. Wait until it has finished, then try "
                    "again."
                )
            job = self._job = Job((last.number if last else 0) + 1, name)
        job.begin(work)
        return job

    def last(self) -> Job | None:
        """The job that runs, or the last that ran."""
        return self._job

    def running(self) -> Job | None:
        """The job that runs now."""
        job = self._job
        return job if job is not None and not job.finished.is_set() else None


class Hold:
    """Lets one long piece of work at a time hold the library, whoever started it."""

    def __init__(self) -> None:
        """Nobody holds it yet."""
        self._lock = threading.Lock()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Hold the library for the length of the block. Raises LibraryError if it is held already."""
        with self.idle() as free:
            if not free:
                raise LibraryError(
                    "Expected the library to be free; another window is importing or encoding right now. "
                    "Wait until it has finished, then try again."
                )
            yield

    @contextmanager
    def idle(self) -> Iterator[bool]:
        """Hold the library if nobody does; returns whether it succeeded."""
        free = self._lock.acquire(blocking=False)
        try:
            yield free
        finally:
            if free:
                self._lock.release()
