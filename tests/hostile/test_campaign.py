"""The campaign measures what it should; inputs of every kind are read or refused by name, without a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.core.errors import InputError
from engine.reading import read_bytes
from tests.hostile import campaign, many
from tests.hostile.campaign import Outcome, is_over, table, tried
from tests.hostile.inputs import KINDS, Input, inputs
from tests.hostile.many import FAMILIES

_SMALL = 400_000
"""Bytes of the inputs that are read here; larger ones are for the campaign."""

_FEW = 30


def test_what_is_read_and_what_is_refused(tmp_path: Path) -> None:
    read = tried(Input("text", "a.txt", b"A Kite\n\nAbstract\n\nKites fly.\n"), tmp_path)
    refused = tried(Input("text", "b.txt", b""), tmp_path)
    assert (read.result, refused.result) == ("read", "refused") and "found nothing in it" in refused.said
    assert 10e6 < read.peak_bytes < 500e6 and 0 < read.seconds < 15
    assert not list(tmp_path.iterdir())


def test_what_is_over_the_mark_is_kept_and_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "MOST_BYTES", 1_000_000)
    outcome = tried(Input("text", "a.txt", b"A Kite\n\nKites fly.\n"), tmp_path)
    assert outcome.result == "too much memory" and is_over(outcome)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    told = table([outcome, Outcome("pdf", "b.pdf", "read", 1.0, 100_000_000)])
    assert "over the mark: a.txt: too much memory" in told
    assert told.splitlines()[3].split() == ["all", "1", "0", "1", f"{max(1.0, outcome.seconds):.1f}", "100"]


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("raise ValueError('x')", "a traceback"),
        ("raise SystemExit(3)", "ended with 3"),
        ("while True: pass", "too slow"),
    ],
)
def test_what_breaks_off(code: str, result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine" / "cli").mkdir(parents=True)
    (tmp_path / "engine" / "__init__.py").touch()
    (tmp_path / "engine" / "cli" / "__init__.py").touch()
    (tmp_path / "engine" / "cli" / "main.py").write_text(code)
    monkeypatch.setattr(campaign, "_ROOT", tmp_path)
    monkeypatch.setattr(campaign, "MOST_SECONDS", 2.0)
    assert tried(Input("text", "a.txt", b"A"), tmp_path).result == result


def test_the_same_seed_gives_the_same_inputs() -> None:
    quick = [one for one in KINDS if one not in ("pdf", "docx", "parquet")]
    first, again = ([one for one in inputs(len(KINDS), 4) if one.kind in quick] for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert (one.kind, one.name) == (other.kind, other.name)
        assert one.data == other.data or one.data.startswith(b"PK")  # an archive holds the time
    assert {one.kind for one in first} == set(quick)


@pytest.mark.parametrize("seed", range(4))
def test_small_inputs_are_read_or_refused_by_name(seed: int) -> None:
    small = (one for one in inputs(66, seed) if len(one.data) < _SMALL and one.kind not in ("pdf", "docx", "parquet"))
    refused = 0
    for one in small:
        try:
            read_bytes(one.data, one.name)
        except InputError as error:
            refused += 1
            assert str(error).rstrip().endswith((".", "NEW")), one.name
    assert refused


@pytest.mark.parametrize("family", FAMILIES)
def test_a_few_of_each_are_read_or_refused_by_name(family: str) -> None:
    ending, makers = FAMILIES[family]
    read = 0
    for what, maker in makers.items():
        name = f"a.{what.partition('.')[2] or ending}"
        try:
            read += bool(read_bytes(maker(_FEW), name).document.id)
        except InputError as error:
            assert str(error).rstrip().endswith((".", "NEW")), what
    assert read > len(makers) / 3


def test_an_input_says_in_its_name_what_it_holds_and_how_many() -> None:
    name, data = many.drawn_from("many in references")(random.Random(3))
    what, _, rest = name.rpartition("-")
    assert what and rest.split(".")[1] in ("ris", "bib", "nbib", "enw", "ciw") and data
    assert rest.split(".")[0] in {str(size) for size in (500, 20_000, 800_000)}


def test_the_largest_are_below_the_size_of_a_file() -> None:
    sizes = [len(data) for _, data in many.largest("many in tables")]
    assert len(sizes) == len(FAMILIES["many in tables"][1]) and max(sizes) < 9_500_000 and min(sizes) > 300_000
