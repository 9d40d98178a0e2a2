"""Patterns that are compiled at their first use."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from engine.core.patterns import LatePattern


def test_a_late_pattern_finds_what_the_same_pattern_finds() -> None:
    late, plain = LatePattern(r"(ab?)+", re.IGNORECASE), re.compile(r"(ab?)+", re.IGNORECASE)
    for text in ("", "ABab", "AB ab", "c ab"):
        for found, wanted in ((late.match(text), plain.match(text)), (late.fullmatch(text), plain.fullmatch(text))):
            assert (found and (found.span(), found[1])) == (wanted and (wanted.span(), wanted[1]))
        assert late.sub("-", text) == plain.sub("-", text)


def test_it_is_compiled_once_and_not_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_ = re.compile
    monkeypatch.setattr(re, "compile", lambda source, flags=0: compiled.append(source) or compile_(source, flags))
    late = LatePattern("a+")
    assert compiled == []
    assert late.match("aa") and late.match("ab")
    assert compiled == ["a+"]


def test_a_start_compiles_no_pattern_of_many_words() -> None:
    """The names of headings and the orders of authors' names are known to each command that reads files."""
    code = (
        "from engine.core.patterns import LatePattern; import engine.cli.read; "
        "import engine.search.citations.entries as entries; "
        "from engine.reading import heading_names as names; "
        "held = [one for one in (*vars(names).values(), *entries._ORDERS) if isinstance(one, LatePattern)]; "
        "print(len(held), sum('compiled' in vars(one) for one in held))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    held, compiled = map(int, run.stdout.split())
    assert held > 10 and compiled == 0
