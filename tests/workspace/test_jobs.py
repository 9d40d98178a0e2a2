"""Jobs in line, one at a time, and things that are opened once, kept while there is room, and forgotten on time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from engine.core.errors import CancelledError, EnoughError, InputError, LibraryError
from engine.core.progress import Meter, Progress, Report
from engine.workspace.caches import Cache
from engine.workspace.jobs import Hold, Job, Jobs, JobWork, Rank


def test_a_job_says_how_far_it_has_come_and_what_it_did() -> None:
    jobs, go = Jobs(), threading.Event()
    assert jobs.last() is None and jobs.running() is None

    def work(report: Report) -> str:
        report(Progress("read", 1, 2, 0.5))
        assert go.wait(30)
        return "Two files are read."

    job = jobs.start("Reading", work)
    assert jobs.last() is jobs.running() is job
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
    assert job.stages["read a.pdf"].done == 2


@pytest.mark.parametrize(
    ("last", "counted"),
    [
        (Progress("read passages", 1_200, 25_916, 9.0), " (read passages: 1,200 of 25,916)"),
        (Progress("read a.bib", 700, None, 9.0, passing=True), " (import files: 2 of 3)"),
    ],
)
def test_a_job_that_is_stopped_says_how_far_it_came(last: Progress, counted: str) -> None:
    job = Job(1, "Reading")
    job.report(Progress("import files", 2, 3, 1.0))
    job.cancel()
    with pytest.raises(CancelledError) as told:
        job.report(last)
    assert str(told.value) == f"“Reading” was stopped{counted}. What was whole by then is kept."


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


@dataclass
class Line:
    """Jobs that each wait for a word from the test; `done` is the order in which they were begun."""

    hold: Hold = field(default_factory=Hold)
    jobs: Jobs = field(init=False)
    go: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.jobs = Jobs(self.hold)

    def ask(self, name: str, key: str | None = None) -> Job:
        def work(report: Report) -> str:
            self.done.append(name)
            self.begun.set()
            while not self.go.wait(0.01):
                report(Progress("work", 1, 2, 0.1))
            return f"{name} is done."

        return self.jobs.start(name, work, key=key)

    def names(self) -> list[str]:
        return [job.name for job in self.jobs.in_line()]


@pytest.fixture
def line() -> Iterator[Line]:
    """A line that is let go in the end, whatever the test asserts."""
    line = Line()
    yield line
    line.go.set()
    for job in line.jobs.in_line():
        assert job.finished.wait(30)


def test_jobs_run_one_after_the_other_in_the_order_they_were_asked_for(line: Line) -> None:
    asked = [line.ask(name) for name in ("Import", "Map", "Measure")]
    assert line.names() == ["Import", "Map", "Measure"] and line.jobs.running() is asked[0]
    assert line.begun.wait(30) and line.done == ["Import"]
    line.go.set()
    for job in asked:
        assert job.finished.wait(30)
    assert line.done == ["Import", "Map", "Measure"] and line.jobs.in_line() == ()
    assert [job.outcome for job in asked] == ["Import is done.", "Map is done.", "Measure is done."]
    assert [line.jobs.over(job.number) for job in asked] == asked and line.jobs.last() is asked[2]


def test_a_waiting_job_moves_up_but_not_past_the_one_that_runs(line: Line) -> None:
    *_, last = line.ask("Import"), line.ask("Map"), line.ask("Measure")
    line.jobs.move_up(last.number)
    assert line.names() == ["Import", "Measure", "Map"]
    line.jobs.move_up(last.number)
    line.jobs.move_up(999)
    assert line.names() == ["Import", "Measure", "Map"]
    line.go.set()
    assert last.finished.wait(30)
    assert line.done[:2] == ["Import", "Measure"]


def test_a_waiting_job_that_is_cancelled_never_begins(line: Line) -> None:
    line.ask("Import")
    waiting, after = line.ask("Map"), line.ask("Measure")
    line.jobs.cancel(waiting.number)
    assert line.names() == ["Import", "Measure"]
    assert waiting.finished.is_set() and waiting.outcome == "“Map” was taken out of the line before it began."
    line.go.set()
    assert after.finished.wait(30)
    assert line.done == ["Import", "Measure"]


def test_the_next_job_begins_when_the_running_one_is_cancelled(line: Line) -> None:
    first, second = line.ask("Import"), line.ask("Map")
    assert line.begun.wait(30)
    line.jobs.cancel(first.number)
    assert first.finished.wait(30)
    assert first.outcome == "“Import” was stopped (work: 1 of 2). What was whole by then is kept."
    line.go.set()
    assert second.finished.wait(30)
    assert second.outcome == "Map is done."


def test_the_next_job_begins_when_one_breaks_off(line: Line) -> None:
    begun = threading.Event()

    def refuse(report: Report) -> str:
        assert begun.wait(30)
        raise InputError("Expected a file that can be read.")

    broken, after = line.jobs.start("Reading", refuse), line.ask("Map")
    begun.set()
    line.go.set()
    assert broken.finished.wait(30) and after.finished.wait(30)
    assert broken.problem == "Expected a file that can be read." and after.outcome == "Map is done."


def test_what_a_job_in_line_does_already_is_not_asked_for_twice(line: Line) -> None:
    running = line.ask("Drawing the map", "map")
    assert line.ask("Drawing it again", "map") is running
    waiting = line.ask("Importing 3 files", "import 1")
    other = line.ask("Importing 3 files", "import 2")
    assert line.ask("Importing 3 files", "import 1") is waiting and other is not waiting
    after = line.ask("Drawing the map", "map")
    assert after is not running  # it is drawn again after the imports
    assert line.names() == ["Drawing the map", "Importing 3 files", "Importing 3 files", "Drawing the map"]
    line.jobs.cancel(running.number)
    assert line.ask("Drawing the map", "map") is after


def test_work_that_is_being_stopped_can_be_asked_for_again(line: Line) -> None:
    first = line.ask("Import")
    line.jobs.cancel(first.number)
    assert line.ask("Import") is not first


@dataclass
class Files:
    """A long import: it goes on to the next file where the test says so, and holds the library."""

    line: Line
    next: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    read: list[int] = field(default_factory=list)

    def ask(self) -> Job:
        def work(report: Report) -> str:
            with self.line.hold.working():
                meter = Meter("import files", 3, report)
                for number in range(3):
                    meter.begin()
                    self.line.begun.set()
                    assert self.next.acquire(timeout=30)
                    self.read.append(number)
                    meter.add()
                    meter.let_pass()
            return "3 files"

        return self.line.jobs.start("Importing 3 files", work)

    def short(self, name: str, work: JobWork | None = None) -> Job:
        def plain(report: Report) -> str:
            with self.line.hold.working():
                report(Progress("import files", 1, 1, 0.0, may_wait=True))
                return f"{name} after {len(self.read)} files"

        return self.line.jobs.start(name, work or plain, is_short=True)


def test_short_work_goes_between_the_files_of_a_long_import_and_before_other_work(line: Line) -> None:
    files = Files(line)
    long = files.ask()
    assert line.begun.wait(30)
    map_, first, second = line.ask("Map"), files.short("One"), files.short("Two")
    assert line.names() == ["Importing 3 files", "One", "Two", "Map"]
    files.next.release()
    assert first.finished.wait(30) and second.finished.wait(30) and not long.finished.is_set()
    assert (first.outcome, second.outcome) == ("One after 1 files", "Two after 1 files")
    assert line.names() == ["Importing 3 files", "Map"] and line.jobs.running() is long
    files.next.release(2)
    assert long.finished.wait(30) and long.outcome == "3 files" and files.read == [0, 1, 2]
    line.go.set()
    assert map_.finished.wait(30) and map_.outcome == "Map is done."


def test_short_work_that_fails_or_breaks_off_between_files_leaves_the_long_import_as_it_was(line: Line) -> None:
    files = Files(line)

    def fail(_: Report) -> str:
        raise InputError("Expected a file that can be read.")

    def break_off(_: Report) -> str:
        raise ValueError("nobody expected this")

    long = files.ask()
    assert line.begun.wait(30)
    failed, broken, after = files.short("One", fail), files.short("Two", break_off), files.short("Three")
    files.next.release(3)
    assert long.finished.wait(30) and long.outcome == "3 files" and not long.problem
    assert failed.problem == "Expected a file that can be read." and "stopped unexpectedly" in broken.problem
    assert after.outcome == "Three after 1 files"
    with line.hold.working():
        pass


def test_a_long_import_and_what_it_lets_pass_are_each_cancelled_alone_and_asked_for_once(line: Line) -> None:
    files, begun, go = Files(line), threading.Event(), threading.Event()

    def wait(report: Report) -> str:
        begun.set()
        while not go.wait(0.01):
            report(Progress("import files", 0, 1, 0.0))
        return "done"

    long = files.ask()
    assert line.begun.wait(30)
    short = files.short("One", wait)
    files.next.release()
    assert begun.wait(30) and line.names() == ["One", "Importing 3 files"] and line.jobs.running() is short
    assert files.ask() is long and files.short("One", wait) is short
    line.jobs.cancel(short.number)
    assert short.finished.wait(30) and "was stopped" in short.outcome and not long.finished.is_set()
    begun.clear()
    other = files.short("Two", wait)
    files.next.release()
    assert begun.wait(30)
    line.jobs.cancel(long.number)
    assert not long.finished.is_set()
    go.set()
    assert other.finished.wait(30) and other.outcome == "done"
    files.next.release()
    assert long.finished.wait(30) and "was stopped" in long.outcome and files.read == [0, 1]


@dataclass
class Shelf:
    """Work of a low rank that keeps what it read, and reports beside how much of what was left it has read."""

    line: Line
    read: list[int] = field(default_factory=list)
    came: threading.Event = field(default_factory=threading.Event)
    most: int = 30

    def ask(self, rank: Rank = Rank.PASSAGES, most: int = 30) -> Job:
        self.most = most

        def work(report: Report) -> str:
            with self.line.hold.working():
                left = range(len(self.read), 30)
                for count, number in enumerate(left, start=1):
                    self.read.append(number)
                    report(Progress("read", count, len(left), 0.1 * count, share=count / len(left), uneven=True))
                    self.came.set()
                    while len(self.read) >= self.most and not self.line.go.wait(0.01):
                        report(Progress("read", count, len(left), 0.1 * count, share=count / len(left), uneven=True))
            return "All is read."

        return self.line.jobs.start("Reading passages", work, rank=rank)


@pytest.fixture
def shelf(line: Line) -> Shelf:
    return Shelf(line)


def test_reading_gives_way_to_what_is_asked_for_and_goes_on_where_it_was(line: Line, shelf: Shelf) -> None:
    reading = shelf.ask(most=7)
    assert shelf.came.wait(30)

    def work(report: Report) -> str:
        with line.hold.working():  # which the reading has left
            line.done.append(f"import after {len(shelf.read)}")
            assert line.names() == ["Importing", "Reading passages"]
            assert not reading.finished.is_set() and reading.count() == f"read: {len(shelf.read)} of 30"
            shelf.most = 20
            return "Imported."

    assert line.jobs.start("Importing", work).finished.wait(30) and not reading.outcome
    while len(shelf.read) < 20:
        assert not reading.finished.wait(0.01)
    assert reading.count() in ("read: 19 of 30", "read: 20 of 30") and 0.6 < reading.stages["read"].share < 0.7
    assert reading.stages["read"].rate == pytest.approx(10)
    line.go.set()
    assert reading.finished.wait(30) and reading.outcome == "All is read."
    assert shelf.read == list(range(30)) and len(line.done) == 1


def test_what_is_asked_for_stands_before_what_only_reads(line: Line, shelf: Shelf) -> None:
    first = line.ask("Map")
    passages = shelf.ask()
    vectors = line.jobs.start("Encoding", lambda report: "", rank=Rank.READING)
    line.ask("Measure")
    assert line.names() == ["Map", "Measure", "Encoding", "Reading passages"]
    assert shelf.ask() is passages and line.ask("Map") is not first
    assert line.names() == ["Map", "Measure", "Map", "Encoding", "Reading passages"]
    line.go.set()
    assert passages.finished.wait(30) and vectors.outcome == ""


def test_reading_that_runs_is_not_asked_for_twice_while_others_wait(line: Line, shelf: Shelf) -> None:
    reading = shelf.ask(most=7)
    assert shelf.came.wait(30)
    line.ask("Import")
    assert shelf.ask(most=7) is reading and sorted(line.names()) == ["Import", "Reading passages"]


def test_reading_that_is_paused_leaves_the_line_to_others_until_it_is_to_go_on(line: Line, shelf: Shelf) -> None:
    reading = shelf.ask(most=7)
    assert shelf.came.wait(30)
    line.jobs.pause(reading.number)
    while line.jobs.running() is not None:
        assert not reading.finished.wait(0.01)
    assert line.names() == ["Reading passages"] and reading.paused and len(shelf.read) <= 7
    with line.hold.idle() as free:
        assert free
    line.go.set()
    assert line.ask("Import").finished.wait(30) and not reading.finished.is_set()
    line.jobs.go_on(reading.number)
    assert reading.finished.wait(30) and shelf.read == list(range(30))


def test_what_was_asked_for_is_not_paused_and_what_is_paused_can_be_cancelled(line: Line, shelf: Shelf) -> None:
    asked, reading = line.ask("Import"), shelf.ask()
    line.jobs.pause(asked.number)
    line.jobs.pause(reading.number)
    assert not asked.paused and reading.paused
    line.jobs.cancel(reading.number)
    assert reading.finished.is_set() and line.names() == ["Import"]


def test_reading_that_gave_way_says_how_far_it_came_when_it_is_cancelled(line: Line, shelf: Shelf) -> None:
    reading = shelf.ask(most=7)
    while reading.count() != "read: 7 of 30":
        assert not reading.finished.wait(0.01)
    line.ask("Import")
    assert line.begun.wait(30)
    line.jobs.cancel(reading.number)
    assert reading.outcome == "“Reading passages” was stopped (read: 7 of 30). What was whole by then is kept."


def test_many_windows_ask_at_once_and_every_job_runs_alone() -> None:
    jobs, together = Jobs(), threading.Lock()

    def work(report: Report) -> str:
        assert together.acquire(blocking=False)
        together.release()
        return "Done."

    def ask(number: int) -> Job:
        return jobs.start(f"Import {number}", work)

    with ThreadPoolExecutor(8) as windows:
        asked = list(windows.map(ask, range(40)))
    for job in asked:
        assert job.finished.wait(30)
    assert {job.outcome for job in asked} == {"Done."} and len({job.number for job in asked}) == 40


def test_a_job_waits_until_the_library_is_free_and_says_so() -> None:
    hold = Hold()
    jobs = Jobs(hold)

    def work(report: Report) -> str:
        with hold.working():
            return "Done."

    with hold.working():
        waits, gives_up = jobs.start("Map", work), jobs.start("Import", work)
        while not waits.stages:
            assert not waits.finished.wait(0.01)
        assert list(waits.stages) == ["wait for other work to leave the library"]
    assert waits.finished.wait(30) and gives_up.finished.wait(30)
    assert waits.outcome == gives_up.outcome == "Done."
    with hold.working():
        stopped = jobs.start("Map", work)
        jobs.cancel(stopped.number)
        assert stopped.finished.wait(30)
    assert "was stopped" in stopped.outcome


def test_only_the_last_jobs_that_ended_are_remembered() -> None:
    jobs = Jobs()
    for number in range(60):
        job = jobs.start(f"Import {number}", lambda report: "Done.")
        assert job.finished.wait(30)
    assert jobs.over(1) is None and jobs.over(60) is job


def test_a_thing_is_opened_once_and_the_ones_used_last_stay() -> None:
    opened: list[str] = []
    cache: Cache[str, str] = Cache(2)

    def get(key: str) -> str:
        def opens() -> str:
            opened.append(key)
            return key.upper()

        return cache.get(key, opens)

    assert [get(key) for key in "abab"] == list("ABAB") and opened == ["a", "b"]
    get("a")
    get("c")
    assert cache.held("a") == "A" and cache.held("b") is None
    get("b")
    assert opened == ["a", "b", "c", "b"] and cache.held("c") is None
    cache.forget()
    assert cache.held("a") is None


def test_what_could_not_be_opened_is_tried_again() -> None:
    cache: Cache[str, int] = Cache(2)

    def fails() -> int:
        raise ValueError("not yet")

    for _ in range(2):
        with pytest.raises(ValueError, match="not yet"):
            cache.get("a", fails)
    assert cache.held("a") is None
    assert cache.get("a", lambda: 1) == 1


def test_two_threads_wait_for_one_opening_and_others_do_not() -> None:
    cache: Cache[str, int] = Cache(2)
    started, go, opened = threading.Event(), threading.Event(), []

    def slow() -> int:
        started.set()
        assert go.wait(30)
        opened.append(1)
        return len(opened)

    threads = [threading.Thread(target=cache.get, args=("slow", slow)) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert started.wait(30)
    assert cache.held("slow") is None  # nobody waits who only looks
    assert cache.get("quick", lambda: 7) == 7
    go.set()
    for thread in threads:
        thread.join(30)
    assert opened == [1] and cache.held("slow") == 1


def test_what_was_being_opened_when_the_cache_forgot_is_not_kept() -> None:
    cache: Cache[str, str] = Cache(2)
    started, go = threading.Event(), threading.Event()
    given: list[str] = []

    def slow() -> str:
        started.set()
        assert go.wait(30)
        return "old"

    thread = threading.Thread(target=lambda: given.append(cache.get("a", slow)))
    thread.start()
    assert started.wait(30)
    cache.forget()
    assert cache.get("a", lambda: "new") == "new"
    go.set()
    thread.join(30)
    assert given == ["old"] and cache.held("a") == "new"
