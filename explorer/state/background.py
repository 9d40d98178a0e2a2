"""Work in the background as this visitor sees it: a value that a page waits for, and the jobs in line.

A page that needs what takes long asks `value`, which starts a job and draws the page again when it is over. `ask`
starts work whose result is not needed here. Jobs are watched while they are in line, and heard of once when over.
Reading the library and its passages are jobs that give way to all others (`read_on`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import NoReturn, TypeVar, cast

import streamlit as st

from engine import encoders, workspace
from engine.core.errors import EngineError
from engine.core.progress import Report, silent
from engine.documents.markup import in_label
from engine.workspace import Job, JobWork, Rank
from explorer.state import handles

T = TypeVar("T")

WATCHED = "watched_jobs"
BY_ITSELF, _OVER, _TOLD = "drawn_again_by_itself", "over_as_the_page_began", "jobs_told_of"
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
    tried = f"tried-{said.job}"
    if any(job.name == said.job for job in in_line()):
        return None
    if beside and not is_busy() and st.session_state.get(tried) != key:
        st.session_state[tried] = key

        def work(report: Report) -> str:
            make(report)
            return said.done

        begin(said.job, work, key=key)
        st.rerun()
    with st.spinner(said.here):
        return make(silent)


def ask(name: str, work: JobWork, *, key: Hashable) -> NoReturn:
    """Begin work from within a page, and draw the page again."""
    begin(name, work, key=key)
    st.rerun()


def begin(name: str, work: JobWork, *, key: Hashable) -> None:
    """Put work at the end of the line in a button's callback, unless the same waits there: then say so.

    The work returns one sentence on what it did, which this visitor hears when it is over.
    """
    follow(lambda: handles.workspace().jobs.start(name, work, key=key))


def follow(start: Callable[[], Job]) -> None:
    """Watch the job that a call puts in line, unless it waits there already: then say so."""
    stood = {job.number for job in in_line()}
    job = start()
    watch(job)
    if job.number in stood:
        st.toast(f"“{in_label(job.name)}” is already in line.")


def is_busy() -> bool:
    """Tell whether work that somebody asked for runs or waits, which does not give way."""
    return any(job.rank == Rank.ASKED for job in in_line())


def in_line() -> tuple[Job, ...]:
    """Return the job that runs, then those that wait or are paused."""
    return handles.workspace().jobs.in_line()


def encodes(name: str) -> bool:
    """Tell whether a job in line encodes the library with an encoder, alone, with a map, or after an import."""
    return any(isinstance(job.key, tuple) and job.key[:2] == ("encoding", name) for job in _going_on())


def reads_passages() -> bool:
    """Tell whether a job in line reads passages."""
    return any(workspace.is_of_passages(job) for job in _going_on())


def _going_on() -> list[Job]:
    return [job for job in in_line() if not job.paused]


def read_on(name: str, *, again: bool = False) -> list[Job]:
    """Put in line what an encoder has left to read; returns the jobs. Vectors that are damaged are made `again`."""
    return workspace.read_on(handles.workspace(), name, again=again)


def watch(job: Job) -> None:
    """Remember that this visitor saw the job in line, and so wants to hear how it ended."""
    st.session_state[WATCHED] = tuple(dict.fromkeys((*_watched(), job.number)))


def news() -> list[Job]:
    """Return the jobs that this visitor watched and that are over, each once, or until the visitor does something."""
    waiting = {job.number for job in in_line()}  # before the look at what is over: one may end in between
    over = [*(st.session_state.pop(_TOLD, ()) if st.session_state.pop(BY_ITSELF, False) else ()), *_over()]
    st.session_state[_TOLD] = over
    ended = {job.number for job in over}
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
        draw_again()


def draw_again() -> NoReturn:
    """Draw the page again because a job ended; what was told about others stays."""
    st.session_state[BY_ITSELF] = True
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
    opened = handles.workspace()

    def work(report: Report) -> str:
        opened.draw_map(name, report=report)
        workspace.read_on(opened, name)
        return "Your library is read, and its map is drawn."

    try:
        workspace.resume_imports(opened)
        if len(opened.library) and not opened.is_mapped(name):
            key = workspace.encoding_key(name, "map")
            opened.jobs.start("Reading your library", work, key=key, rank=Rank.READING)
        elif len(opened.library):  # what a stopped reading or import has left
            workspace.read_on(opened, name, begun=True)
    except EngineError as error:
        _LOG.info("reading the library at the start: %s", error)  # the page shows it when it needs the library


def _watched() -> tuple[int, ...]:
    return cast(tuple[int, ...], st.session_state.get(WATCHED, ()))


def _over() -> list[Job]:
    """Return those watched jobs that are over, in the order in which they were asked for."""
    jobs = handles.workspace().jobs
    return [job for number in _watched() if (job := jobs.over(number)) is not None]
