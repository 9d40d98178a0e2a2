"""Planted paragraphs, roles of sections and speed, measured on a few documents of our own."""

from __future__ import annotations

import pytest

from engine.compare import Words
from engine.core.errors import EvaluationError
from engine.research.bench.comparing import measure_comparing
from tests.compare.texts import StandIn
from tests.research.bench.written import written


def test_the_two_documents_of_the_wanted_length_are_timed(words: Words) -> None:
    documents = [written(f"d{n}", "steam", sentences=n) for n in (2, 8, 9, 20)]
    report = measure_comparing(documents, StandIn(), words=words, length=440, rounds=2, source="ours")
    assert set(report.documents) == {"d8", "d9"} and report.source == "ours"
    assert set(report.milliseconds) == {"cold", "kept_vectors", "kept_sides", "read", "plain"}
    assert all(0 < times.p50 <= times.max for times in report.milliseconds.values())
    assert report.peak_memory_mib > 10 and report.times_plain > 0 and len(report.chunks) == 2
    for few, rounds in ((documents[:1], 2), (documents, 0)):
        with pytest.raises(
            EvaluationError, match=r"Expected two documents to compare, and at least 1 round; got \d and \d"
        ):
            measure_comparing(few, StandIn(), words=words, rounds=rounds)
