"""Long work in the background: one job at a time for the whole app, which goes on when its page is left or closed.

A job runs in a thread of its own, so that no click, reload or other visitor interrupts it; every
page that wants to can show how far it has come.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from engine.errors import EngineError, LibraryError
from engine.progress import Progress, Report

WATCHED = "watched_job"
_OVER = "over_as_the_page_began"
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

    def report(self, progress: Progress) -> None:
        """Take a report of the running work."""
        self.stages[progress.stage] = progress


@dataclass(slots=True)
class _Desk:
    """The last job, and the lock under which it is replaced."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    job: Job | None = None


def start(name: str, work: Callable[[Report], str]) -> Job:
    """Run `work`, which returns one sentence on what it did, in the background.

    Raises LibraryError while another job runs.
    """
    desk = _desk()
    with desk.lock:
        last = desk.job
        if last is not None and not last.finished.is_set():
            raise LibraryError(
                f"Expected no other work to be running; “{last.name}” is. Wait until it has finished, then try again."
            )
        job = desk.job = Job((last.number if last else 0) + 1, name)
    threading.Thread(target=_run, args=(job, work), name=f"job-{job.number}", daemon=True).start()
    return job


def last() -> Job | None:
    """The job that runs, or the last that ran."""
    return _desk().job


def running() -> Job | None:
    """The job that runs now."""
    job = last()
    return job if job is not None and not job.finished.is_set() else None


def watch(job: Job) -> None:
    """Remember that this visitor saw the job run, and so wants to hear how it ended."""
    st.session_state[WATCHED] = job.number


def news() -> Job | None:
    """The job that this visitor watched, once, after it has finished."""
    job = last()
    if job is None or not job.finished.is_set() or st.session_state.get(WATCHED) != job.number:
        return None
    del st.session_state[WATCHED]
    return job


def page_begins() -> None:
    """Remember which job was over as this drawing of the page began."""
    job = last()
    st.session_state[_OVER] = job.number if job is not None and job.finished.is_set() else 0


def ended_meanwhile() -> bool:
    """Whether the job that this visitor watches ended while the page was being drawn: what stands may be of before."""
    job = last()
    if job is None or not job.finished.is_set() or st.session_state.get(WATCHED) != job.number:
        return False
    return st.session_state.get(_OVER, job.number) != job.number


def _run(job: Job, work: Callable[[Report], str]) -> None:
    job.problem = _STOPPED
    try:
        job.outcome = work(job.report)
        job.problem = ""
    except EngineError as error:
        job.problem = str(error)
        _LOG.info("%s: %s", job.name, error)
    finally:
        job.finished.set()


@st.cache_resource(show_spinner=False)
def _desk() -> _Desk:
    return _Desk()
