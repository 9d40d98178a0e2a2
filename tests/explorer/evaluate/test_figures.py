"""The figures of rankings, and what may be chance."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.evaluation import Benchmark
from explorer.evaluate.evaluated import Evaluated
from explorer.evaluate.figures import METRICS, lines, measured_when
from tests.explorer.conftest import Start
from tests.explorer.evaluate.measuring import ROWS, held, measured


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("2024-02-29T12:00:30", "Measured on 29 February 2024, 12:00."),
        ("2024-02-29T12:10:00", "Measured on 29 February 2024, 12:00 to 12:10."),
        ("2024-03-01T09:05:00", "Measured between 29 February 2024, 12:00, and 1 March 2024, 09:05."),
    ],
)
def test_when_it_was_measured_is_said_by_this_machines_clock(last: str, said: str) -> None:
    when = {"bm25": "2024-02-29T12:00:00", "tfidf": last}
    local = {row: datetime.fromisoformat(time).astimezone(UTC).isoformat() for row, time in when.items()}
    found = Evaluated(Benchmark("ours", "all", [], [], {}, {}), {}, when=local)
    assert measured_when(found, ROWS) == said
    assert measured_when(found, ["lda"]) == ""


@pytest.mark.usefixtures("library")
def test_lines_say_what_is_more_than_chance(app: Start) -> None:
    measured(app)
    found = held()
    worst = dict.fromkeys(found.benchmark.qrels, dict.fromkeys(METRICS, 0.0))
    bad = replace(found.measured["bm25"], name="bad", by_query=worst)
    drawn = lines(replace(found, measured={**found.measured, "bad": bad}), [*ROWS, "bad"], "nDCG@10", "bm25")
    last = drawn[-1]
    assert (last.row, last.is_different, last.score.mean) == ("bad", True, 0.0)
    assert next(line for line in drawn if line.row == "bm25").p is None
    assert not next(line for line in drawn if line.row == "tfidf").is_different
