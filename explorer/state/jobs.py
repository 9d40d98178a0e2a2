"""The jobs in the background as this visitor sees them: watched while they are in line, and heard of once when over."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

import streamlit as st

from engine.documents.markup import in_label
from engine.workspace import Job, Work
from explorer.state import handles

WATCHED = "watched_jobs"
_OVER = "over_as_the_page_began"


def start(name: str, work: Work, *, key: Hashable = None) -> Job:
    """Put work, which returns one sentence on what it did, at the end of the line, unless the same waits there."""
    return handles.workspace().jobs.start(name, work, key=key)


def ask(name: str, work: Work, *, key: Hashable = None) -> None:
    """Start work and watch it; say so where the same stands in line already."""
    stood = {job.number for job in in_line()}
    job = start(name, work, key=key)
    watch(job)
    if job.number in stood:
        st.toast(f"“{in_label(job.name)}” stands in line already.")


def last() -> Job | None:
    """The job that runs, or the last that ran."""
    return handles.workspace().jobs.last()


def running() -> Job | None:
    """The job that runs now."""
    return handles.workspace().jobs.running()


def in_line() -> tuple[Job, ...]:
    """The job that runs, then those that wait."""
    return handles.workspace().jobs.in_line()


def is_in_line(key: Hashable) -> bool:
    """Whether a job that does this runs or waits."""
    return any(job.key == key for job in in_line())


def encodes(name: str) -> bool:
    """Whether a job in line encodes the library with an encoder, alone or on the way to something else."""
    return any(isinstance(job.key, tuple) and job.key[:2] == ("encoding", name) for job in in_line())


def encoding(name: str, *what: Hashable) -> Hashable:
    """The key of a job that encodes the library with an encoder, and what else it does."""
    return ("encoding", name, *what)


def drawing(name: str) -> Hashable:
    """The key of a job that draws an encoder's map."""
    return encoding(name, "map")


def move_up(number: int) -> None:
    """Let a waiting job change places with the one before it."""
    handles.workspace().jobs.move_up(number)


def cancel(number: int) -> None:
    """Take a job out of the line, or stop it if it runs."""
    handles.workspace().jobs.cancel(number)


def watch(job: Job) -> None:
    """Remember that this visitor saw the job in line, and so wants to hear how it ended."""
    st.session_state[WATCHED] = tuple(dict.fromkeys((*_watched(), job.number)))


def news() -> list[Job]:
    """The jobs that this visitor watched and that are over, each once."""
    over = _over()
    in_line_ = {job.number for job in in_line()}
    left = tuple(number for number in _watched() if number in in_line_ and number not in {job.number for job in over})
    st.session_state[WATCHED] = left
    if not left:
        del st.session_state[WATCHED]
    return over


def page_begins() -> None:
    """Remember which watched jobs were over as this drawing of the page began."""
    st.session_state[_OVER] = tuple(job.number for job in _over())


def page_ends() -> None:
    """Draw the page again if what stands on it may be of before a job ended."""
    if ended_meanwhile():
        st.rerun()


def ended_meanwhile() -> bool:
    """Whether a job that this visitor watches ended while the page was being drawn: what stands may be of before."""
    return any(job.number not in st.session_state.get(_OVER, ()) for job in _over())


def _watched() -> tuple[int, ...]:
    return cast(tuple[int, ...], st.session_state.get(WATCHED, ()))


def _over() -> list[Job]:
    """Those watched jobs that are over, in the order in which they were asked for."""
    jobs = handles.workspace().jobs
    return [job for number in _watched() if (job := jobs.over(number)) is not None]
