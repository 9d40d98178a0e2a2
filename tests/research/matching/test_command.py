"""The command that judges pairs, and its saved table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError, StorageError
from engine.research.matching import command
from engine.research.matching.command import MatchReport
from engine.research.matching.judging import FIGURES, judge
from engine.research.matching.rows import parse_rows
from engine.research.matching.scoring import score
from tests.research.matching.small_pairs import lines, pair_set, write_pairs

COLUMNS = {"precision", "recall", "f1", "accuracy", "auc", "threshold"}


def run(*arguments: str) -> None:
    command.main(arguments)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "small")


def test_json_has_every_figure_of_every_row(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("--pairs", str(table), "--encoders", "tfidf,lsa,bm25,mix(tfidf,bm25)", "--json")
    value = json.loads(capsys.readouterr().out)
    assert value["pairs"] == "small"
    assert list(value["encoders"]) == ["tfidf", "lsa", "bm25", "mix(tfidf,bm25)"]
    assert all(set(row) == COLUMNS for row in value["encoders"].values())


def test_the_table_is_printed_and_the_report_saved(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text(table.read_text() + "steam0\tlost\t0\tvalid\n")
    saved = tmp_path / "report.json"
    run(
        *("--pairs", str(table), "--encoders", "tfidf,bm25", "--save", str(saved)),
        *("--shuffle-sections", "3", "--max-tokens", "12"),
    )
    printed = capsys.readouterr().out
    assert "small: 16 test pairs, threshold from 8 valid ones" in printed
    assert "Left out: 1 pairs (valid 1) for want of 1 documents: lost" in printed
    assert "p: how likely such a difference from tfidf is by chance" in printed
    value = json.loads(saved.read_text())
    assert value["command"] == (
        "python -m engine.research match --pairs small/pairs.tsv --encoders tfidf,bm25 "
        "--shuffle-sections 3 --max-tokens 12"
    )
    assert str(tmp_path) not in saved.read_text()
    assert (tmp_path / "report.md").is_file()


def test_rows_of_an_earlier_run_are_taken_and_mixed(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, saved = tmp_path / "scores.json", tmp_path / "report.json"
    run("--pairs", str(table), "--encoders", "tfidf,bm25", "--scores", str(kept), "--json")
    first = json.loads(capsys.readouterr().out)
    value = json.loads(kept.read_text())
    value["columns"][-2], value["rows"]["earlier"] = "earlier", value["rows"].pop("tfidf")
    value["rows"] = {name: value["rows"][name] for name in ("earlier", "bm25")}
    kept.write_text(json.dumps(value))
    run(
        *("--pairs", str(table), "--encoders", "earlier,mix(earlier,bm25)", "--take", str(kept)),
        *("--mix-on", "valid", "--save", str(saved), "--json"),
    )
    second = json.loads(capsys.readouterr().out)
    assert second["encoders"]["earlier"] == first["encoders"]["tfidf"]
    assert json.loads(saved.read_text())["command"].endswith(
        "--encoders 'earlier,mix(earlier,bm25)' --mix-on valid --take scores.json"
    )


def test_rows_of_texts_are_kept_for_later_runs(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ("--pairs", str(table), "--encoders", "word2vec-sif", "--cache", str(tmp_path / "kept"), "--json")
    run(*line)
    first = capsys.readouterr().out
    assert list((tmp_path / "kept").rglob("*.safetensors"))
    run(*line)
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--encoders", "tfidf,bert"), "got bert"),
        (("--max-tokens", "0"), "max-tokens of at least 1"),
        (("--sections", "2"), "a row that CoLDE reads"),
        (("--save", "report.md"), r"a name for the JSON, got report\.md"),
        (
            ("--save", "same.json", "--scores", "same.json"),
            r"two files for --save and --scores, got same\.json for both",
        ),
    ],
)
def test_what_cannot_be_done_is_told(
    option: tuple[str, ...], told: str, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    with pytest.raises(EvaluationError, match=told):
        run("--pairs", str(table), *option)


def test_places_that_cannot_be_written_are_told_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for option in ("--save", "--scores", "--cache"):
        with pytest.raises(StorageError, match="Expected to write"):
            run("--pairs", str(tmp_path / "none.tsv"), option, str(tmp_path / "file" / "there.json"))


def test_splits_without_both_classes_are_told_before_any_work(tmp_path: Path) -> None:
    table = write_pairs(tmp_path / "small", [row for row in lines() if not row.endswith("valid")])
    with pytest.raises(EvaluationError, match="in the split valid, got 0 and 0"):
        run("--pairs", str(table), "--encoders", "ctpe")


@pytest.fixture
def report(tmp_path: Path) -> MatchReport:
    pairs = pair_set(tmp_path / "small", [*lines(), "steam0\tlost\t1\ttest"])
    judged = [judge(one, pairs) for one in score(parse_rows("tfidf,bm25,mix(tfidf,bm25)"), pairs)]
    return MatchReport(pairs, judged, command="python -m engine.research match")


def test_the_figures_are_of_test_with_the_threshold_of_valid(report: MatchReport) -> None:
    value = report.figures()
    assert value["pairs"] == "small"
    assert list(value["encoders"]) == ["tfidf", "bm25", "mix(tfidf,bm25)"]
    assert all(list(row) == [*FIGURES, "threshold"] for row in value["encoders"].values())
    assert value["counts"]["test"] == {"related": 8, "unrelated": 8, "left_out": 1}


def test_the_json_keeps_figures_and_circumstances(report: MatchReport, tmp_path: Path) -> None:
    report.save(tmp_path / "saved" / "small.json")
    value = json.loads((tmp_path / "saved" / "small.json").read_text())
    assert {"command", "sha256", "commit", "hardware", "seed", "threshold", "documents", "corpus"} <= value.keys()
    assert set(value["sha256"]) == {"pairs.tsv", "corpus.parquet"}
    row = value["encoders"]["bm25"]
    assert {"valid", "fingerprint", "seconds", "mcnemar"} <= row.keys()
    assert row["mcnemar"]["against"] == "tfidf"
    assert "mcnemar" not in value["encoders"]["tfidf"]
    assert set(value["encoders"]["mix(tfidf,bm25)"]["weights"]) == {"tfidf", "bm25"}


def test_the_table_has_a_row_a_system_and_says_what_is_left_out(report: MatchReport, tmp_path: Path) -> None:
    report.save(tmp_path / "small.json")
    table = (tmp_path / "small.md").read_text().splitlines()
    rows = [line for line in table if line.startswith(("| |", "| tfidf", "| bm25", "| mix"))]
    assert len(rows) == 4
    assert len({row.count("|") for row in rows}) == 1
    assert any(line.startswith("* command: python -m engine.research match") for line in table)
    assert "* left out: 1 pairs (test 1) for want of 1 documents: lost" in table
    assert any(line.startswith("* mix(tfidf,bm25): weights tfidf ") for line in table)
