"""Counts, rates and the time left."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engine.core.progress import Meter, Progress, duration, silent, time_left


def test_rate_and_time_left() -> None:
    progress = Progress("encode", 30, 120, 10.0)
    assert progress.rate == pytest.approx(3.0)
    assert progress.seconds_left == pytest.approx(30.0)


def test_time_left_is_unknown_without_a_total_or_a_start() -> None:
    assert Progress("read", 5, None, 1.0).seconds_left is None
    assert Progress("read", 0, 10, 1.0).seconds_left is None


def test_a_meter_reports_seldom_and_at_the_end() -> None:
    seen: list[Progress] = []
    meter = Meter("count", 3, seen.append, interval_seconds=1000.0)
    for _ in range(3):
        meter.add()
    assert seen == []
    meter.finish()
    assert [(progress.done, progress.total) for progress in seen] == [(3, 3)]
    silent(seen[0])


def test_a_meter_can_say_that_it_begins() -> None:
    seen: list[Progress] = []
    Meter("count", 3, seen.append).begin()
    assert [(progress.stage, progress.done, progress.total) for progress in seen] == [("count", 0, 3)]


def test_words_stand_beside_the_count() -> None:
    seen: list[Progress] = []
    meter = Meter("count", 3, seen.append, interval_seconds=0.0)
    meter.say("12 documents")
    meter.add()
    assert [(progress.done, progress.note) for progress in seen] == [(0, "12 documents"), (1, "12 documents")]


def test_a_duration_is_said_as_people_do() -> None:
    assert [duration(seconds) for seconds in (0.2, 45, 300, 7200)] == ["under a second", "45 s", "5 min", "2.0 h"]


def test_uneven_items_tell_nothing_of_time() -> None:
    assert time_left(Progress("import files", 30, 120, 10.0)) == "about 30 s left"
    assert time_left(Progress("import files", 30, 120, 10.0, uneven=True)) == ""
    assert time_left(Progress("import files", 30, 120, 10.0, uneven=True, left=0.5)) == "under a second left"


def test_a_meter_asks_what_is_left_and_tells_its_share() -> None:
    seen: list[Progress] = []
    meter = Meter("import files", 3, seen.append, interval_seconds=0.0, left=lambda: 7.0)
    meter.reach(0.25)
    meter.add()
    assert [(one.share, one.uneven, one.seconds_left) for one in seen] == [(0.25, True, 7.0)]


def test_items_that_cost_more_count_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("engine.core.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    seen: list[Progress] = []
    meter = Meter("read", 3, seen.append, interval_seconds=0.0)
    meter.expect(3, work=100)
    meter.begin()
    for seconds, cost in ((10.0, 10), (90.0, 80), (100.0, 10)):
        now[0] = seconds
        meter.add(1, cost)
    assert [one.seconds_left for one in seen] == [None, pytest.approx(90.0), pytest.approx(10.0), 0.0]
    assert [one.share for one in seen] == [0.0, 0.1, 0.9, 1.0] and seen[1].uneven
