"""Work in the background as this visitor sees it: a value that a page waits for, and the jobs in line.

A page that needs what takes long asks `value`, which starts a job and draws the page again when it is over. `ask`
starts work whose result is not needed here. Jobs are watched while they are in line, and heard of once when over.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import NoReturn, TypeVar, cast

import streamlit as st

from engine import encoders
from engine.core.errors import EngineError
from engine.core.progress import Report, silent
from engine.documents.markup import in_label
from engine.workspace import Job, JobWork
from explorer.state import handles

T = TypeVar("T")

WATCHED = "watched_jobs"
_OVER = "over_as_the_page_began"
READ_AT_START = "PRIORSCOPE_READ_AT_START"
"""An environment variable: "1" lets the app read a library that lacks a map under the default encoder, or passages."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JobWords:
    """What a page says of a value that takes long: `job` names the job that makes it, `done` tells that it is over.

    `here` stands under the spinner where the page itself makes the value.
    """

    job: str
    done: str
    here: str


def value(
    said: JobWords, key: Hashable, make: Callable[[Report], T], *, kept: Callable[[], T | None], beside: bool = True
) -> T | None:
    """Return what `kept` holds; else `make` it in a job, after which the page is drawn again. None while that runs.

    `make` keeps what it returns where `kept` finds it. It is called here if the value need not be made `beside` the
    page, while other work runs, and after the job for this `key` failed: what fails there fails here too, and raises
    its EngineError where the page shows it.
    """
    if (found := kept()) is not None:
        return found
    job, tried = running(), f"tried-{said.job}"
    if job is not None and job.name == said.job:
        return None
    if beside and job is None and st.session_state.get(tried) != key:
        st.session_state[tried] = key

        def work(report: Report) -> str:
            make(report)
            return said.done

        ask(said.job, work, key=key)
    with st.spinner(said.here):
        return make(silent)


def ask(name: str, work: JobWork, *, key: Hashable) -> NoReturn:
    """Put work at the end of the line and draw the page again, unless the same waits there: then say so, too.

    The work returns one sentence on what it did, which this visitor hears when it is over.
    """
    stood = {job.number for job in in_line()}
    job = handles.workspace().jobs.start(name, work, key=key)
    watch(job)
    if job.number in stood:
        st.toast(f"“{in_label(job.name)}” is already in line.")
    st.rerun()


def running() -> Job | None:
    """Return the job that runs now."""
    return handles.workspace().jobs.running()


def in_line() -> tuple[Job, ...]:
    """Return the job that runs, then those that wait."""
    return handles.workspace().jobs.in_line()


def encodes(name: str) -> bool:
    """Tell whether a job in line encodes the library with an encoder, alone or on the way to something else."""
    return any(isinstance(job.key, tuple) and job.key[:2] == ("encoding", name) for job in in_line())


def encoding(name: str, *what: Hashable) -> Hashable:
    """Return the key of a job that encodes the library with an encoder, and of what else it does: "map" draws one."""
    return ("encoding", name, *what)


def watch(job: Job) -> None:
    """Remember that this visitor saw the job in line, and so wants to hear how it ended."""
    st.session_state[WATCHED] = tuple(dict.fromkeys((*_watched(), job.number)))


def news() -> list[Job]:
    """Return the jobs that this visitor watched and that are over, each once."""
    over = _over()
    ended, waiting = {job.number for job in over}, {job.number for job in in_line()}
    st.session_state[WATCHED] = left = tuple(number for number in _watched() if number in waiting - ended)
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
    """Tell whether a watched job ended while the page was drawn, so that the page may be out of date."""
    return any(job.number not in st.session_state.get(_OVER, ()) for job in _over())


def begin_first_reading() -> None:
    """Read and map the library in the background, once, if the app was told to; interrupted work continues."""
    if os.environ.get(READ_AT_START) != "1":
        return
    jobs = handles.workspace().jobs
    before = jobs.last()
    _begin_first_reading()
    begun = jobs.last()
    if begun is not None and begun is not before:
        watch(begun)


@st.cache_resource(show_spinner=False)
def _begin_first_reading() -> None:
    name = encoders.encoder_names()[0]
    workspace = handles.workspace()

    def work(report: Report) -> str:
        if not workspace.is_mapped(name):
            workspace.draw_map(name, report=report)
        workspace.prepare(name, report=report)  # what a stopped reading or import has left, and passages
        return "Your library is read, and its map is drawn."

    try:
        library = workspace.library
        is_left = not workspace.is_mapped(name) or workspace.unread_count(name) or workspace.has_passages_left()
        if len(library) and is_left:
            workspace.jobs.start("Reading your library", work, key=encoding(name, "map"))
    except EngineError as error:
        _LOG.info("reading the library at the start: %s", error)  # the page shows it when it needs the library


def _watched() -> tuple[int, ...]:
    return cast(tuple[int, ...], st.session_state.get(WATCHED, ()))


def _over() -> list[Job]:
    """Return those watched jobs that are over, in the order in which they were asked for."""
    jobs = handles.workspace().jobs
    return [job for number in _watched() if (job := jobs.over(number)) is not None]
