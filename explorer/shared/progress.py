"""Work on the screen: the jobs in line with their stages, rate and time left, and a file that is being read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from engine.core.progress import Progress, duration, time_left
from engine.documents.markup import Markup, element, in_label
from engine.workspace import Job
from explorer.shared import notices
from explorer.shared.markup import name_groups, show
from explorer.state import background, handles
from explorer.state.drafts import FileUpload

_SECONDS_BETWEEN_LOOKS = 0.5
_ENOUGH = "Stop reading, and take the pages that have been read"
_GOES_ON = "What is read is kept; it goes on where it stopped"
_SETTLING = "The page that is being read is finished first"
_NO_PAGE = "No page has been read yet"
_BYTES = "download"  # stages whose name begins with it count bytes


def job_line() -> None:
    """On every page: the job that runs and the list of those in line; once, how those that the visitor saw ended."""
    with st.container(key="jobs", gap="small"):
        for job in background.news():
            if job.problem:
                notices.problem(job.problem)
            elif job.outcome:
                told, *details = job.outcome.split("\n")
                notices.done(told, details)
        if background.in_line():
            _line()


def at_the_top(text: str) -> None:
    """Say what is awaited here; how far it has come stands in the line at the top of the page."""
    show(element("p", f"{text} The line at the top of this page says how far that has come.", class_="ps-quiet"))


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def _line() -> None:
    """Redraw the line; draw the whole page when a job in it has ended."""
    line = background.in_line()
    if not line or background.ended_meanwhile():
        background.draw_again()
    for job in line:
        background.watch(job)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", border=True, key="job-line"):
        show(_now(line[0]))
        with st.popover(_how_many(line), key="job-list", help="All jobs, in order", width="content"):
            for place, job in enumerate(line):
                _in_list(job, line[place - 1] if place else None, is_second=place == 1)
            show(element("p", "You can leave this page: the jobs go on.", class_="ps-quiet"))
    name_groups("jobs", _names(line))


def _how_many(line: Sequence[Job]) -> str:
    """Say how many jobs run, wait and are paused; the first runs unless it is paused."""
    paused, running = sum(job.paused for job in line), 0 if line[0].paused else 1
    counts = {"running": running, "waiting": len(line) - paused - running, "paused": paused}
    return ", ".join(f"{count:,} {said}" for said, count in counts.items() if count)


def _names(line: Sequence[Job]) -> dict[str, str]:
    """Name the buttons of the list apart, by their keys; jobs of one name have their places in it, too."""
    names: dict[str, str] = {}
    alike = Counter(job.name for job in line)
    for place, job in enumerate(line, start=1):
        said = f"“{job.name}”" + (f", number {place} in line" if alike[job.name] > 1 else "")
        names[f"job-{job.number}"] = f"Job {place}: {job.name}"
        names[f"job-{job.number}-cancel"] = f"{_cancel_label(job)} {said}"
        if job.rank:
            names[f"job-{job.number}-pause"] = f"Go on with {said}" if job.paused else f"Pause {said}"
        if place > 2:
            names[f"job-{job.number}-up"] = f"Move up {said}"
    return names


def _now(job: Job) -> Markup:
    """Return the job that runs, in one line."""
    stages = list(job.stages.values())
    said = _standing(job, "Paused") if job.paused else progress_sentence(stages[-1]) if stages else "Beginning"
    words = element("p", element("strong", job.name), " ", element("span", said, class_="ps-quiet"))
    track = _track(stages[-1]) if stages and stages[-1].total is not None and not job.paused else ""
    return element("div", words, track, class_="ps-now", role="status")


def _in_list(job: Job, before: Job | None, *, is_second: bool) -> None:
    """Draw a job in line: its stages, or what it waits for, and how far it came; the second cannot move up."""
    with st.container(key=f"job-{job.number}", gap="xsmall", border=True):
        if before is None and not job.paused:
            said = [_stage(progress) for progress in list(job.stages.values())]
        else:
            why = "Paused" if job.paused or before is None else f"Waits for “{before.name}”"
            said = [element("p", _standing(job, why), class_="ps-quiet")]
        show(element("div", element("h2", job.name, class_="ps-title"), *said))
        with st.container(horizontal=True, gap="small"):
            if job.rank:
                jobs, key = handles.workspace().jobs, f"job-{job.number}-pause"
                label, press = ("Go on", jobs.go_on) if job.paused else ("Pause", jobs.pause)
                st.button(label, key=key, on_click=press, args=(job.number,), help=_GOES_ON)
            if before is not None and not is_second and not job.paused:
                up = f"Do “{in_label(job.name)}” before “{in_label(before.name)}”"
                key = f"job-{job.number}-up"
                st.button("Move up", key=key, help=up, on_click=handles.workspace().jobs.move_up, args=(job.number,))
            _cancel(job, f"job-{job.number}-cancel", lambda: handles.workspace().jobs.cancel(job.number))


def _standing(job: Job, why: str) -> str:
    """Say why a job does not run, and how far it came before."""
    count = job.count()
    return f"{why}. {count[:1].upper()}{count[1:]}." if count else f"{why}."


@st.fragment(run_every=_SECONDS_BETWEEN_LOOKS)
def upload_panel(upload: FileUpload, key: str) -> None:
    """Redraw how far a file is read; draw the whole page when it is."""
    if upload.job.finished.is_set():
        st.rerun()
    with st.container(border=True, key=f"{key}-panel"):
        lead = "A scanned page takes some seconds. You can go on with the pages that have been read."
        title, said = element("h2", upload.job.name, class_="ps-title"), element("p", lead, class_="ps-quiet")
        show(element("div", title, said, *map(_stage, list(upload.job.stages.values())), role="status"))
        with st.container(horizontal=True):
            settling = upload.job.settling.is_set()
            st.button(
                "Go on with these pages",
                key=f"{key}-enough",
                on_click=upload.job.settle,
                disabled=settling or not upload.pages,
                help=_ENOUGH if upload.pages and not settling else _SETTLING if settling else _NO_PAGE,
            )
            _cancel(upload.job, f"{key}-cancel", upload.job.cancel)
    name_groups(key, {f"{key}-cancel": f"{_cancel_label(upload.job)} “{upload.job.name}”"})


def _cancel(job: Job, key: str, cancel: Callable[[], None]) -> None:
    stopping = job.stopping.is_set()
    why = "It stops as soon as its present step is done" if stopping else f"Stop “{in_label(job.name)}”"
    st.button(_cancel_label(job), key=key, on_click=cancel, disabled=stopping, help=why)


def _cancel_label(job: Job) -> str:
    return "Stopping" if job.stopping.is_set() else "Cancel"


def _stage(progress: Progress) -> Markup:
    said = element("p", progress_sentence(progress), class_="ps-quiet")
    if progress.total is None:  # an empty track would look like work that has not begun
        return element("div", said, class_="ps-stage")
    return element("div", said, _track(progress), class_="ps-stage")


def _track(progress: Progress) -> Markup:
    """Return how much of the work is done as a bar; of uneven items by what they cost, where that is known."""
    share = progress.share or (min(1.0, progress.done / progress.total) if progress.total else 0.0)
    fill = element("span", class_="ps-fill", style=f"width:{share:.1%}")
    return element("div", fill, class_="ps-track ps-wide", aria_hidden="true")


def progress_sentence(progress: Progress) -> str:
    """Progress in words: the stage, the count and its note, the rate, the time left."""
    stage = progress.stage[:1].upper() + progress.stage[1:]
    amount = _megabytes if progress.stage.startswith(_BYTES) else _count
    total = "" if progress.total is None else f" of {amount(progress.total)}"
    count = f": {amount(progress.done)}{total}" if progress.done or total else ""
    pieces = [f"{stage}{count}", *([progress.note] if progress.note else [])]
    if progress.total is not None and progress.done >= progress.total:
        return f"{' · '.join(pieces)} in {duration(progress.seconds)}"
    if progress.rate >= 1:
        pieces.append(f"{amount(progress.rate)} a second")
    pieces += filter(None, (time_left(progress),))
    return " · ".join(pieces)


def rough(seconds: float) -> str:
    """Write an estimated duration as roughly as it is known."""
    if seconds < 5:
        return "5 s"
    return duration(5 * round(seconds / 5)) if seconds < 90 else duration(seconds)


def _count(number: float) -> str:
    return f"{number:,.0f}"


def _megabytes(number: float) -> str:
    return f"{number / 1e6:,.1f} MB"
