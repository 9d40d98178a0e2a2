"""The limits of the readers."""

from __future__ import annotations

import pytest

from engine.core.errors import CancelledError, InputTooLargeError
from engine.core.progress import Progress
from engine.reading import dispatch, limits
from engine.reading.limits import LIMITS, Budget, Limits, record_too_large


def test_a_record_that_is_too_large_is_named() -> None:
    said = str(record_too_large("the record of line 7 of a.ris", 2 << 20))
    assert said == (
        "Expected at most 2 MiB in the record of line 7 of a.ris; it is larger. Take it out, or cut it into "
        "smaller ones."
    )


def test_a_limit_of_nothing() -> None:
    with pytest.raises(ValueError, match=r"max_pages must be at least 1, got 0"):
        Limits(max_pages=0)


def test_limits_stand_in_one_place() -> None:
    assert dispatch.LIMITS is LIMITS
    assert LIMITS.max_file_bytes == 64 << 20


class Clock:
    """A clock that a test turns on by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.works = 100.0, True
        monkeypatch.setattr(limits.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(limits.time, "process_time", lambda: self.now if self.works else 0.0)


def test_a_document_spends_from_one_budget_whatever_reads_it() -> None:
    budget = Budget.of_file(Limits(max_elements=10), "a.docx")
    assert Budget.within(budget, "word/document.xml of a.docx") is budget
    budget.spend("elements", 6)
    Budget.within(budget, "word/notes.xml of a.docx").spend("elements", 4)
    with pytest.raises(InputTooLargeError, match=r"Expected at most 10 elements in a\.docx, found 11\. Split it, or"):
        budget.spend("elements")


def test_a_reader_that_is_called_alone_opens_its_own_budget() -> None:
    plain = Limits(max_elements=10)
    Budget.within(plain, "a.xml").spend("elements", 10)
    Budget.within(plain, "b.xml").spend("elements", 10)


def test_what_is_unpacked_is_told_in_mebibytes() -> None:
    said = r"Expected at most 2 MiB once unpacked in a\.docx, it holds more\. Split it, or paste a part\."
    with pytest.raises(InputTooLargeError, match=said):
        Budget.of_file(Limits(max_decoded_bytes=2 << 20), "a.docx").spend("decoded bytes", 3 << 20)


def test_each_record_has_the_whole_budget() -> None:
    budget = Budget.of_file(Limits(max_elements=10), "week.xml")
    for _ in range(3):
        budget.spend("elements", 10)
        budget.renew()
    budget.spend("elements", 10)
    budget.forget_entry()
    budget.spend("elements", 10)


def test_a_file_ends_that_delivers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    budget = Budget.of_file(Limits(max_seconds=12), "a.xml")
    clock.now += 11
    budget.forget_entry()  # an entry left out does not count as delivered
    clock.now += 2
    said = r"Expected a page or a document from a\.xml within 12 seconds; it takes longer than a paper or a patent does"
    with pytest.raises(InputTooLargeError, match=said):
        budget.spend("elements")
    with pytest.raises(InputTooLargeError, match=said):
        budget.forget_entry()
    with pytest.raises(InputTooLargeError, match=said):
        budget.delivered()


def test_the_time_of_a_busy_machine_is_not_the_file_s(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    clock.works = False  # this process waits for its turn
    budget = Budget.of_file(Limits(max_seconds=12), "a.xml")
    clock.now += 100
    budget.check()
    clock.now += 30  # but what waits for ever ends
    with pytest.raises(InputTooLargeError, match=r"a\.xml within 12 seconds"):
        budget.check()


def test_another_process_has_a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    budget = Budget.of_file(Limits(max_seconds=12), "a.pdf")
    with budget.by(lambda: 0.0):
        clock.now += 100
        budget.check()
    clock.now += 11
    budget.check()
    clock.now += 2
    with pytest.raises(InputTooLargeError, match=r"a\.pdf within 12 seconds"):
        budget.check()


def test_a_file_goes_on_while_it_delivers(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    budget = Budget.of_file(Limits(max_seconds=12), "a.pdf")
    for _ in range(1_000):
        clock.now += 0.24
        budget.delivered()
    for _ in range(3):  # recognised pages take long
        clock.now += 11
        budget.delivered(free_seconds=10.9)
    clock.now += 11  # of which all but a quarter is spent
    budget.renew()
    clock.now += 60  # while the library writes
    budget.resume()
    clock.now += 2
    with pytest.raises(InputTooLargeError, match=r"a\.pdf within 12 seconds"):
        budget.check()


def test_each_step_of_work_on_a_page_has_free_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    budget = Budget.of_file(Limits(max_seconds=12), "a.pdf")
    seconds = [0.24] * 1_000 + [14.0, 0.0]
    worked = []
    with pytest.raises(InputTooLargeError, match=r"a\.pdf within 12 seconds"):
        for one in budget.passing(seconds):
            clock.now += one
            worked.append(one)
    assert worked == seconds[:-1]


def test_cancel_works_while_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    heard: list[int] = []

    def report(progress: Progress) -> None:
        heard.append(progress.done)
        if clock.now > 103:
            raise CancelledError("Stopped.")

    monkeypatch.setattr("engine.core.progress.time.monotonic", lambda: clock.now)
    budget = Budget.of_file(Limits(), "a.pdf", report)
    budget.check()
    clock.now += 2
    budget.delivered(7)
    assert heard == [7]
    clock.now += 2
    with pytest.raises(CancelledError, match="Stopped"):
        budget.spend("elements")
