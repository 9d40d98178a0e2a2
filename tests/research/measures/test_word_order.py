"""`python -m engine.research word_order`, on a small benchmark and a small set of whole papers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.evaluation.benchmarks import from_parts
from engine.research.measures import word_order
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark, write_table


def test_documents_of_one_word_keep_their_order_and_those_without_follow() -> None:
    assert word_order.by_word(["a", "b", "c", "d", "e"], [2, 0, 2, 0]) == ["b", "d", "a", "c", "e"]
    assert word_order.by_word(["a", "b"], []) == ["a", "b"]


def test_both_orders_are_scored_and_lists_out_of_order_counted() -> None:
    documents = corpus()[:4]
    names = [one.id for one in documents]
    queries = [documents[0], documents[1]]
    asked = from_parts("ours", documents, queries, {one.id: {names[3]: 1} for one in queries})
    run = {queries[0].id: names, queries[1].id: names}
    words = {queries[0].id: [4, 3, 2, 0], queries[1].id: [0, 1, 1, 2]}
    found = word_order.compared(run, words, 4, asked)
    assert found["lists out of order"] == 0.5
    assert found["by word"] > found["as fused"] == pytest.approx(0.4307, abs=1e-4)  # at rank 4: 1 / log2(5)
    assert found["difference"] == pytest.approx((1 - 0.4307) / 2, abs=1e-4)
    cut = word_order.compared(run, words, 3, asked)
    assert cut["by word"] == cut["as fused"]


def test_the_command_saves_a_line_a_set_and_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_benchmark(tmp_path / "data" / "small")
    papers = corpus()[:8]
    (tmp_path / "data" / "whole").mkdir()
    write_table(tmp_path / "data" / "whole" / "corpus.parquet", papers)
    pairs = f"id-a\tid-b\tlabel\tsplit\n{papers[0].id}\t{papers[1].id}\t1\ttest\n"
    (tmp_path / "data" / "whole" / "pairs.tsv").write_text(pairs)
    saved = tmp_path / "report.json"
    sets = ["--data", str(tmp_path / "data"), "--sets", "small", "--whole", "whole"]
    word_order.main([*sets, "--shown", "3", "10", "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert {name: list(each) for name, each in report["figures"].items()} == {
        "small": ["3", "10"],
        "whole": ["3", "10"],
    }
    for each in report["figures"].values():
        for one in each.values():
            assert one["difference"] == pytest.approx(one["by word"] - one["as fused"], abs=1e-9)
            assert 0 <= one["lists out of order"] <= 1
    assert "| small | 10 |" in saved.with_suffix(".md").read_text()
    assert "| whole | 3 |" in capsys.readouterr().out
    assert str(tmp_path) not in saved.read_text()
