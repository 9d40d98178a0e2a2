"""The job in the background as this visitor sees it: watched while it runs, and heard of once when it has ended."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from engine.progress import Report
from engine.workspace import Job
from explorer.state import handles

WATCHED = "watched_job"
_OVER = "over_as_the_page_began"


def start(name: str, work: Callable[[Report], str]) -> Job:
    """Run `work`, which returns one sentence on what it did, in the background.

    Raises LibraryError while another job runs.
    """
    return handles.workspace().jobs.start(name, work)


def last() -> Job | None:
    """The job that runs, or the last that ran."""
    return handles.workspace().jobs.last()


def running() -> Job | None:
    """The job that runs now."""
    return handles.workspace().jobs.running()


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
