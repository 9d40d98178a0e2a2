"""The same searches on each store, as one table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.scale.command import main
from tests.evaluation.small import write_benchmark
from tests.servers.milvus import StandaloneMilvus


@pytest.mark.parametrize("more", [[], ["--graph"]])
def test_each_store_answers_as_the_folder_does(
    more: list[str], database: str, milvus: StandaloneMilvus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_benchmark(tmp_path / "small")
    words = ["stores", "--data", str(tmp_path), "--set", "small", "--work", str(tmp_path / "work"), *more]
    main([*words, "--postgres", database, "--milvus", milvus.address, "--save", str(tmp_path / "report.json")])
    report = json.loads((tmp_path / "report.json").read_text())
    assert list(report["stores"]) == ["folder", "PostgreSQL", "Milvus"]
    for one in report["stores"].values():
        assert one["recall"] == 1 and one["apart"] < 1e-4 and one["ms"]["p50"] > 0
        assert one["nDCG@10"] == report["stores"]["folder"]["nDCG@10"] > 0
    assert len(report["first"]) == report["queries"]
    assert all(one[name]["same"] == one["hits"] for one in report["first"] for name in ("PostgreSQL", "Milvus"))
    table = capsys.readouterr().out
    assert "| PostgreSQL | " in table and f"{report['first'][0]['query']} | " in table


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    given = ["--data", str(tmp_path), "--work", str(tmp_path), "--postgres", "postgresql://h/d", "--milvus", "http://h"]
    with pytest.raises(EvaluationError, match=rf"Expected no {tmp_path}, where the libraries go; it is there\."):
        main(["stores", *given])
