"""A running piece of work on the screen: its stages, their rate and the time left."""

from __future__ import annotations

import streamlit as st

from engine.markup import Markup, element
from engine.progress import Progress, duration, time_left
from engine.workspace import Job
from explorer.shared import notices
from explorer.shared.markup import show
from explorer.state import jobs
from explorer.state.uploads import Upload

_SECONDS_BETWEEN_LOOKS = 0.5
_BYTES = "download"  # stages whose name begins with it count bytes


def job_panel() -> bool:
    """Show the job that runs, or once the news of the last one; returns whether one runs."""
    job = jobs.running()
    if job is not None:
        jobs.watch(job)
        _watch(job.number)
        return True
    if jobs.ended_meanwhile():
        st.rerun()
    finished = jobs.news()
    if finished is not None and finished.problem:
        notices.problem(finished.problem)
    elif finished is not None:
        sentence_, *details = finished.outcome.split("\n")
        notices.done(sentence_, details)
    return False


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _watch(number: int) -> None:
    """Redraw the job's stages; draw the whole page when it has ended."""
    job = jobs.running()
    if job is None or job.number != number:
        st.rerun()
    with st.container(border=True, key="job"):
        _job(job, "You can leave this page; the work goes on.")
        _cancel(job, "job-cancel")


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def upload_panel(upload: Upload, key: str) -> None:
    """Redraw how far a file is read; draw the whole page when it is."""
    if upload.job.finished.is_set():
        st.rerun()
    with st.container(border=True, key=f"{key}-panel"):
        _job(upload.job, "A scanned page takes some seconds. You can go on with the pages that have been read.")
        with st.container(horizontal=True):
            settling = upload.job.settling.is_set()
            st.button(
                "Go on with these pages",
                key=f"{key}-enough",
                on_click=upload.job.settle,
                disabled=settling or not upload.pages,
            )
            _cancel(upload.job, f"{key}-cancel")


def _job(job: Job, lead: str) -> None:
    stages = [_stage(progress) for progress in list(job.stages.values())]
    title, said = element("h2", job.name, class_="ps-title"), element("p", lead, class_="ps-quiet")
    show(element("div", title, said, *stages, role="status"))


def _cancel(job: Job, key: str) -> None:
    stopping = job.stopping.is_set()
    st.button("Stopping" if stopping else "Cancel", key=key, on_click=job.cancel, disabled=stopping)


def _stage(progress: Progress) -> Markup:
    said = element("p", sentence(progress), class_="ps-quiet")
    if progress.total is None:  # an empty track would look like work that has not begun
        return element("div", said, class_="ps-stage")
    fill = element("span", class_="ps-fill", style=f"width:{_share(progress):.1%}")
    return element("div", said, element("div", fill, class_="ps-track ps-wide", aria_hidden="true"), class_="ps-stage")


def sentence(progress: Progress) -> str:
    """Progress in words: the stage, the count and its note, the rate, the time left."""
    stage = progress.stage[:1].upper() + progress.stage[1:]
    amount = _megabytes if progress.stage.startswith(_BYTES) else _count
    total = "" if progress.total is None else f" of {amount(progress.total)}"
    pieces = [f"{stage}: {amount(progress.done)}{total}", *([progress.note] if progress.note else [])]
    if progress.total is not None and progress.done >= progress.total:
        return f"{' · '.join(pieces)} in {duration(progress.seconds)}"
    if progress.rate >= 1:
        pieces.append(f"{amount(progress.rate)} a second")
    pieces += filter(None, (time_left(progress),))
    return " · ".join(pieces)


def rough(seconds: float) -> str:
    """An estimated duration, as rough as the estimate."""
    if seconds < 5:
        return "5 s"
    return duration(5 * round(seconds / 5)) if seconds < 90 else duration(seconds)


def _count(number: float) -> str:
    return f"{number:,.0f}"


def _megabytes(number: float) -> str:
    return f"{number / 1e6:,.1f} MB"


def _share(progress: Progress) -> float:
    return min(1.0, progress.done / progress.total) if progress.total else 0.0
