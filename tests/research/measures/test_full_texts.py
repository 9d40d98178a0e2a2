"""Whole papers ask a library of papers and abstracts: who asks, what is relevant, what is whole, what is left out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.documents import Document, Section
from engine.research.baselines.rows import ROWS, WITHOUT_PASSAGES
from engine.research.matching.pair_set import PairSet, load_pair_set
from engine.research.measures import full_texts
from tests.evaluation.small import write_table

WORDS = "boiler valve piston crank gauge rivet flange spindle gasket turbine".split()
BODY = (Section("Trials", "Nobody had measured it for a whole year before."),)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ten papers, each about two neighbouring words; neighbours are related."""
    documents = [
        Document(f"p{n}", title=f"The {word}", abstract=f"{word} and {WORDS[(n + 1) % 10]}", sections=BODY)
        for n, word in enumerate(WORDS)
    ]
    (tmp_path / "ours").mkdir()
    write_table(tmp_path / "ours" / "corpus.parquet", documents)
    rows = ["p0\tp1\t1\ttest", "p2\tp1\t1\ttrain", "p1\tp3\t1\tvalid", "p1\tp5\t0\ttest", "p6\tp7\t1\ttest"]
    (tmp_path / "ours" / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *rows, ""]))
    return tmp_path


@pytest.fixture
def pairs(folder: Path) -> PairSet:
    return load_pair_set(folder / "ours", form=None)


def test_related_pairs_of_the_part_ask_and_those_of_others_are_left_out(pairs: PairSet) -> None:
    benchmark, whole = full_texts.mixed_benchmark(pairs, 1.0, 1, "test")
    assert benchmark.qrels == {"p0": {"p1": 1}, "p1": {"p0": 1}, "p6": {"p7": 1}, "p7": {"p6": 1}}
    assert benchmark.excluded == {"p0": {"p0"}, "p1": {"p1", "p2", "p3"}, "p6": {"p6"}, "p7": {"p7"}}
    assert whole == {f"p{n}" for n in range(10)}


def test_a_share_is_whole_and_the_question_always(pairs: PairSet) -> None:
    benchmark, whole = full_texts.mixed_benchmark(pairs, 0.5, 1, "test")
    assert 0 < len(whole) < 10
    assert {one.id for one in benchmark.corpus if one.sections} == whole
    assert all(query.sections for query in benchmark.queries)
    assert full_texts.mixed_benchmark(pairs, 0.5, 2, "test").whole != whole
    assert not full_texts.mixed_benchmark(pairs, 0.0, 1, "test").whole


def test_the_shares_of_whole_documents_are_counted(pairs: PairSet) -> None:
    mixed = full_texts.mixed_benchmark(pairs, 0.0, 1, "test")
    mixed = mixed._replace(whole=frozenset({"p1", "p6"}))
    found = full_texts.whole_shares({"p0": ["p1", "p5"], "p1": ["p0"], "p6": [], "p7": ["p6"]}, mixed)
    shares = {"whole in the first ten": 0.5, "of the relevant": 0.5}
    assert found == pytest.approx({**shares, "relevant of the whole": 1, "relevant of the cut": 0.5})


def test_the_command_saves_a_table_a_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = folder / "report.json"
    words = ["--data", str(folder), "--sets", "ours", "--rows", "bm25", "tfidf", "--most", "3"]
    full_texts.main([*words, "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert list(report["figures"]["ours"]) == ["1", "0.5", "0.1", "0"]
    assert report["figures"]["ours"]["1"]["bm25"]["R@100"] == 1
    assert report["figures"]["ours"]["0"]["bm25"]["whole in the first ten"] == 0
    assert {(one["ours"], one["theirs"]) for one in report["pooled"]["0.5"]} == {("tfidf", "bm25")}
    assert {one["metric"] for one in report["pooled"]["1"]} == {"nDCG@10", "R@100"}
    assert "| 0.5 | R@100 |" in saved.with_suffix(".md").read_text()
    assert set(report["sha256"]["ours"]) == {"pairs.tsv", "corpus.parquet"}
    (folder / "more").symlink_to(folder / "ours")
    both = folder / "both.json"
    full_texts.main([*words[:2], "--sets", "more", *words[4:], "--kept", str(saved), "--save", str(both)])
    two = json.loads(both.read_text())
    tested = [one["wins"] + one["ties"] + one["losses"] for one in two["pooled"]["1"]]
    assert set(two["scores"]["1"]) == {"ours", "more"} and set(tested) == {6}  # three documents of each ask
    assert two["circumstances"]["command"].endswith("--most 3 --kept report.json")
    with pytest.raises(EvaluationError, match=r"Expected in report.json the scores of .*'most': 2.*, got .*'most': 3"):
        full_texts.main([*words[:-1], "2", "--kept", str(saved)])
    assert "## ours" in saved.with_suffix(".md").read_text() and "| bm25 |" in capsys.readouterr().out
    assert str(folder) not in saved.read_text()


def test_some_of_the_documents_ask_and_always_the_same(pairs: PairSet) -> None:
    whole, half = (full_texts.mixed_benchmark(pairs, share, 1, "test") for share in (1.0, 0.5))
    few = [full_texts.Asking("test", 3).limited(one).benchmark for one in (whole, half)]
    assert [query.id for query in few[0].queries] == [query.id for query in few[1].queries]
    assert len(few[0].queries) == 3 and set(few[0].qrels) == {query.id for query in few[0].queries}
    assert full_texts.Asking("test").limited(whole) is whole and full_texts.Asking("test", 4).limited(whole) is whole


def test_cutting_leaves_title_and_abstract(pairs: PairSet) -> None:
    benchmark, _ = full_texts.mixed_benchmark(pairs, 0.0, 1, "test")
    assert list(benchmark.corpus) == [replace(one, sections=()) for one in pairs.corpus]


def test_the_last_row_is_held_against_the_others_and_p_corrected() -> None:
    queries = [f"q{number}" for number in range(40)]
    scores = [{metric: dict.fromkeys(queries, one) for metric in ("nDCG@10", "R@100")} for one in (0.1, 0.4, 0.4)]
    found = full_texts.against_the_last(dict(zip(("bm25", "meaning", "default"), scores, strict=True)))
    assert [(one.contrast.theirs, one.verdict) for one in found] == 2 * [("bm25", "better"), ("meaning", "the same")]


def test_a_library_whose_passages_were_not_read_is_a_row(pairs: PairSet) -> None:
    benchmark = full_texts.mixed_benchmark(pairs, 1.0, 1, "test").benchmark
    found = ROWS.prepare(WITHOUT_PASSAGES, benchmark.corpus)
    assert found.name == WITHOUT_PASSAGES and len(found.system.rank(benchmark.queries, 3)[0]) == 3
