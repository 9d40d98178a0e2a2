"""What was measured, kept as JSON: the same when it is read again, nothing damaged, not without end."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import StorageError
from engine.documents import Document, Section
from engine.evaluation.benchmarks import Benchmark, from_parts
from engine.evaluation.measure import measure_systems
from engine.evaluation.results import Result, keep, kept, names_only
from tests.contracts.encoder import corpus

WHEN = "2024-02-29T12:00:00+00:00"
QUERY = Document(
    "q1",
    "patent",
    "A “valve”",
    "steam",
    (Section("Field", "Pumps of steam."),),
    year=1890,
    categories=("F16K",),
    claims=("A valve.",),
)


@pytest.fixture(scope="module")
def benchmark() -> Benchmark:
    made = from_parts("ours", corpus(), [QUERY], {"q1": {"steam0": 1, "graph1": 0}})
    own, excluded = {"q1": frozenset({"steam9"})}, {"q1": frozenset({"graph2"})}
    return replace(made, left_out=3, others=frozenset({"q2"}), own_works=own, excluded=excluded)


@pytest.fixture(scope="module")
def result(benchmark: Benchmark) -> Result:
    return Result(measure_systems(benchmark, "bm25"), WHEN)


def test_what_was_kept_comes_back_the_same(tmp_path: Path, benchmark: Benchmark, result: Result) -> None:
    keep(tmp_path, "a set", benchmark, result)
    found = kept(tmp_path, "a set")
    assert found == (names_only(benchmark), {"bm25": result})
    assert found[0].queries == [QUERY]
    assert {document.abstract for document in found[0].corpus} == {""}


def test_results_come_together_and_a_newer_one_replaces(tmp_path: Path, benchmark: Benchmark, result: Result) -> None:
    keep(tmp_path, "a set", benchmark, result)
    keep(tmp_path, "a set", benchmark, Result(replace(result.measured, name="other"), WHEN))
    keep(tmp_path, "a set", benchmark, replace(result, when="2025-01-01T00:00:00+00:00"))
    found = kept(tmp_path, "a set")
    assert found is not None
    assert {name: one.when[:4] for name, one in found[1].items()} == {"bm25": "2025", "other": "2024"}
    assert kept(tmp_path, "another set") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda fields: fields.update(format=99),
        lambda fields: fields["measured"].pop("run"),
        lambda fields: fields["measured"]["metrics"].pop("nDCG@10"),
        lambda fields: fields.update(measured=[]),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, benchmark: Benchmark, result: Result, damage: object) -> None:
    keep(tmp_path, "a set", benchmark, result)
    path = next(tmp_path.rglob("row-*.json"))
    fields = json.loads(path.read_text("utf-8"))
    damage(fields)  # type: ignore[operator]
    path.write_text(json.dumps(fields))
    with pytest.raises(StorageError, match=r"Expected what was measured in .* Measure it again"):
        kept(tmp_path, "a set")
    again = Result(replace(result.measured, name="other"), WHEN)
    keep(tmp_path, "a set", benchmark, again)  # what cannot be read must not stand in the way of what comes after
    assert kept(tmp_path, "a set") == (names_only(benchmark), {"other": again})


def test_damaged_questions_give_way_too(tmp_path: Path, benchmark: Benchmark, result: Result) -> None:
    keep(tmp_path, "a set", benchmark, result)
    next(tmp_path.rglob("benchmark.json")).write_text("{")
    with pytest.raises(StorageError):
        kept(tmp_path, "a set")
    keep(tmp_path, "a set", benchmark, result)
    assert kept(tmp_path, "a set") == (names_only(benchmark), {"bm25": result})


def test_the_oldest_sets_give_way(tmp_path: Path, benchmark: Benchmark, result: Result) -> None:
    for number in range(9):
        keep(tmp_path, f"set {number}", benchmark, result)
        for folder in tmp_path.iterdir():  # make what is there older, whatever this file system's clock can tell apart
            os.utime(folder, (folder.stat().st_mtime - 10,) * 2)
    assert kept(tmp_path, "set 0") is None
    assert all(kept(tmp_path, f"set {number}") for number in range(1, 9))
