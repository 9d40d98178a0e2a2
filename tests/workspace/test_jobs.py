"""One job at a time, and one piece of work that holds the library."""

from __future__ import annotations

import threading

import pytest

from engine.errors import CancelledError, EnoughError, InputError, LibraryError
from engine.progress import Progress, Report
from engine.workspace.jobs import Hold, Job, Jobs


def test_a_job_says_how_far_it_has_come_and_what_it_did() -> None:
    jobs, go = Jobs(), threading.Event()
    assert jobs.last() is None and jobs.running() is None

    def work(report: Report) -> str:
        report(Progress("read", 1, 2, 0.5))
        assert go.wait(30)
        return "Two files are read."

    job = jobs.start("Reading", work)
    assert jobs.last() is jobs.running() is job
    with pytest.raises(LibraryError, match="Expected no other work to be running; “Reading” is"):
        jobs.start("Writing", work)
    go.set()
    assert job.finished.wait(30)
    assert (job.outcome, job.problem) == ("Two files are read.", "") and job.stages["read"].done == 1
    assert jobs.running() is None and jobs.last() is job
    again = jobs.start("Reading again", lambda report: "Done.")
    assert again.finished.wait(30) and again.number == job.number + 1


def test_of_many_files_the_one_that_is_read_is_shown() -> None:
    job = Job(1, "Importing")
    for number in range(3):
        job.report(Progress("import files", number, 3, 1.0))
        job.report(Progress(f"read {number}.pdf", 7, 9, 1.0, passing=True))
    assert list(job.stages) == ["import files", "read 2.pdf"]
    job.report(Progress("encode", 1, 9, 1.0))
    assert list(job.stages) == ["import files", "encode"]


def test_a_job_that_fails_says_why_in_a_sentence() -> None:
    def refuse(report: Report) -> str:
        raise InputError("Expected a file that can be read.")

    job = Jobs().start("Reading", refuse)
    assert job.finished.wait(30)
    assert job.problem == "Expected a file that can be read." and job.outcome == ""


def test_a_job_stops_at_its_next_report_once_it_is_cancelled() -> None:
    begun, go = threading.Event(), threading.Event()

    def work(report: Report) -> str:
        report(Progress("read a.pdf", 1, None, 0.5))
        begun.set()
        assert go.wait(30)
        report(Progress("read a.pdf", 2, None, 1.0))
        return "Read."

    job = Jobs().start("Importing a.pdf", work)
    assert begun.wait(30)
    job.cancel()
    go.set()
    assert job.finished.wait(30)
    assert (job.outcome, job.problem) == ("“Importing a.pdf” was stopped. What was whole by then is kept.", "")
    assert job.stages["read a.pdf"].done == 1


def test_a_job_that_breaks_off_is_over_and_says_so() -> None:
    def break_off(report: Report) -> str:
        raise ZeroDivisionError

    job = Job(1, "Counting")
    with pytest.raises(ZeroDivisionError):
        job.run(break_off)
    assert job.finished.is_set()
    assert job.problem.startswith("Expected the work to finish; it stopped unexpectedly.")


def test_the_library_is_held_by_one_piece_of_work() -> None:
    hold = Hold()
    with hold.working():
        with pytest.raises(LibraryError, match="another window is importing"), hold.working():
            pass
        with hold.idle() as free:
            assert not free
    with hold.idle() as free:
        assert free
        with hold.idle() as again:
            assert not again
    with hold.working():
        pass


def test_a_job_that_is_to_settle_hears_so_once() -> None:
    job = Job(1, "Reading")
    job.settle()
    with pytest.raises(EnoughError, match="“Reading” was stopped"):
        job.report(Progress("read a.pdf", 1, 9, 0.5))
    job.report(Progress("read a.pdf", 1, 9, 0.5))  # what is made of the page reports, too
    job.cancel()
    with pytest.raises(CancelledError):
        job.report(Progress("read a.pdf", 2, 9, 0.5))
