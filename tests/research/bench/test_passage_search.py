"""One passage's search as a library grows: what is held, what is found, what is saved."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.evaluation import kept_rows
from engine.research.__main__ import main
from engine.research.bench.passage_search import measure_search
from engine.vectors import passages
from tests.evaluation.small import write_table
from tests.search.hashed_words import HashedWords, sentences


def rows(count: int) -> np.ndarray:
    """Rows of unit length about twenty subjects."""
    rng = np.random.default_rng(0)
    found = rng.normal(size=(20, 32))[np.arange(count) % 20] + rng.normal(size=(count, 32))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_a_library_grows_and_few_passages_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "_ALL_COMPARED", 2_000)
    first, second = measure_search(rows(1_000), (900, 3_000), 20, 10, 0)
    assert (first.passages, first.made, second.passages, second.made) == (900, 0, 3_000, 3_000 - 975)
    assert first.recall == 1 and 0.9 <= second.recall <= 1
    assert first.bytes_each > 32 and second.segments >= first.segments
    assert first.milliseconds.p95 >= first.milliseconds.p50 > 0


def test_too_few_passages_are_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected more than 26 passages for 20 queries and 5 to warm up, got 9"):
        measure_search(rows(9), (5,), 20, 10, 0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data" / "small").mkdir(parents=True)
    words = ("boiler", "valve", "crank", "piston")
    documents = [
        Document(f"d{n}", sections=(Section("Trials", sentences(120, word=f"{words[n % 4]} {n}")),)) for n in range(8)
    ]
    write_table(tmp_path / "data" / "small" / "corpus.parquet", documents)
    return tmp_path / "data"


def test_the_command_prints_and_saves_the_report(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kept_rows, "_encoder", HashedWords)
    saved = tmp_path / "report.json"
    given = ["bench", "passages", "--data", str(data), "--set", "small", "--sizes", "20", "60", "--queries", "4"]
    assert main([*given, "-k", "3", "--save", str(saved)]) == 0
    assert "4 passages of small ask, one at a time, for 3" in capsys.readouterr().out
    value = json.loads(saved.read_text())
    assert [one["passages"] for one in value["sizes"]] == [20, 60]
    assert main([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == "small"


def test_without_what_reads_passages_nothing_is_measured(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kept_rows.PassageEncoder, "is_installed", lambda: False)
    assert main(["bench", "passages", "--data", str(data), "--set", "small"]) == 2
    assert "Expected what reads passages; it is not installed" in capsys.readouterr().err
