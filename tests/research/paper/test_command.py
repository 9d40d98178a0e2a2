"""The command that makes tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.evaluation import Catalogue
from engine.research.__main__ import main
from engine.research.paper import command
from engine.research.paper.published import ctpe as published
from engine.research.paper.settings import CtpeSize


def test_a_table_is_made_saved_and_printed(
    cdssm_line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*cdssm_line, "--tables", "cdssm-5"]) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    (panel,) = report["tables"]["cdssm-5"]["panels"]
    assert [one["name"] for one in panel["lines"]] == ["recall", "precision", "f1"]
    assert panel["lines"][2]["theirs"]["@1"] == 0.41
    assert panel["facts"]["documents"] == 40 and "corpus.parquet" in panel["facts"]["sha256"]
    assert panel["orders"][0]["pairs"] == 21
    assert {"command", "commit", "hardware", "part", "seed"} <= report.keys()
    assert report["hours of every run with this cache"] == 0  # to a tenth
    assert (tmp_path / "cache" / "paper" / "hours.jsonl").read_text().count("cdssm-5") == 1
    text = (tmp_path / "report.md").read_text()
    assert "(0.41)" in text and "![cdssm-5 on ours](report-cdssm-5-ours.svg)" in text
    assert "(0.41)" in capsys.readouterr().out
    assert str(tmp_path) not in text + json.dumps(report)


def test_a_second_run_measures_nothing_and_draws_the_same_bytes(
    cdssm_line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main([*cdssm_line, "--tables", "cdssm-5"])
    files = {path.name: path.read_bytes() for path in tmp_path.glob("report*")}
    assert len(files) == 3
    monkeypatch.setattr(Catalogue, "prepare", None)
    main([*cdssm_line, "--tables", "cdssm-5"])
    assert {path.name: path.read_bytes() for path in tmp_path.glob("report*")} == files


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--trained", "cdssm-words"], "Expected NAME=DIR with an encoder's folder for --trained, got 'cdssm-words'"),
        (["--set", "ctpe.size.channels=0"], "channels must be at least 1, got 0"),
        (["--set", "ctpe.epochs_of.ours=0"], "epochs_of.ours must be at least 1, got 0"),
        (["--settings", "nowhere.toml"], "Expected a TOML file at nowhere.toml; there is none"),
        (["--set", "seed=-1"], "seed must be 0 or more, got -1"),
    ],
)
def test_wrong_settings_are_refused(
    cdssm_line: list[str], words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*cdssm_line, *words]) != 0
    assert said in capsys.readouterr().err


def test_settings_come_from_a_file_and_single_ones_change_them(cdssm_line: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[cdssm]\nsets = ["nowhere"]\npeers = ["tfidf"]\n')
    given = ["--tables", "cdssm-6", "--settings", str(tmp_path / "mine.toml")]
    assert main([*cdssm_line, *given, "--set", 'cdssm.sets=["elsewhere"]']) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert [panel["data"] for panel in report["tables"]["cdssm-6"]["panels"]] == ["elsewhere"]
    assert "--settings mine.toml" in report["command"] and str(tmp_path) not in report["command"]


def test_the_papers_size_is_known_by_its_name() -> None:
    settings = command._settings(
        command._parser().parse_args(["--data", ".", "--cache", ".", "--settings", "papers-size"])
    )
    assert settings.ctpe.size_on("arxiv-subject", small=False).epochs == published.TABLE_6["CTPE"]["arXiv"].epochs
    assert settings.ctpe.size_on("arxiv-subject", small=True) == CtpeSize()
    assert settings.ctpe.size_on("elsewhere", small=False) == CtpeSize(1024, CtpeSize().epochs, 10)


def test_data_and_cache_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["tables"])
    assert exit_.value.code == 2
    assert "the following arguments are required: --data, --cache. `python" in capsys.readouterr().err
