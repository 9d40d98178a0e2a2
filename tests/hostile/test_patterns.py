"""No pattern takes time that grows faster than the text it reads."""

from __future__ import annotations

import re

import pytest

from tests.hostile import patterns
from tests.hostile.patterns import Use


@pytest.mark.parametrize("room", patterns.ROOMS)
def test_no_pattern_is_slow_on_long_runs(room: str) -> None:
    slow = {f"{use.place} ({use.method})": unit for use in patterns.uses((room,)) if (unit := patterns.slow_on(use))}
    assert not slow, f"what stands before, and what is repeated, in texts that take quadratic time: {slow}"


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\s*[,;]\s*", "split"),  # each space of a run begins a search of the rest
        (r"[\d*]+$", "sub"),
        (r"<!--.*?-->", "search"),  # each opening looks for an end that never comes
        (r"(?:.*\bwhat is claimed\b[^.]*?)", "fullmatch"),
        (r"(\w+)*x", "match"),  # exponential
        (r"claims?\s*[:.]?\s*1", "match"),
        (r"[a-c]{1,4}(?:(?: [a-c]{1,3})?[, ]+[a-c]{1,4}){0,50}", "fullmatch"),
    ],
)
def test_a_slow_pattern_is_found(pattern: str, method: str) -> None:
    assert patterns.slow_on(Use(re.compile(pattern), method, "a test")) is not None


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(?:(?<!\s)\s++)?[,;]\s*+", "split"),
        (r"(?<![\d*])[\d*]++$", "sub"),
        (r"<!--[^<>]*-->", "search"),
        (r"\s*[,;]", "match"),
        (r"[A-Z][\w.]*(?: [A-Z][\w.]*){1,5}", "match"),
    ],
)
def test_a_quick_pattern_is_left_alone(pattern: str, method: str) -> None:
    assert patterns.slow_on(Use(re.compile(pattern), method, "a test")) is None


def test_patterns_are_found_wherever_they_stand() -> None:
    places = {use.place.rpartition(".")[2] for use in patterns.uses(("engine.documents.text", "engine.reading.docx"))}
    assert "_SENTENCE_END" in places  # a constant
    assert "_BY_NAME" in places  # in a table
    assert any(":" in place for place in places)  # written where it is applied
