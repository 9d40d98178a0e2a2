"""`python -m engine.research tables` on a small benchmark of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.encoders.tfidf import TfidfEncoder
from engine.errors import EvaluationError
from engine.evaluation.metrics import harmonic_mean
from engine.evaluation.systems import Catalogue
from engine.research.__main__ import main
from engine.research.paper import plots, suite
from engine.research.paper.published import cdssm as published
from engine.research.paper.tables import Line, Panel, Table
from engine.research.paper.work import Work
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark

NAME = "ours"


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    """The command on a small set, with an encoder of ours in the place of one that is trained."""
    write_benchmark(tmp_path / "data" / NAME)
    TfidfEncoder.fit(corpus()).save(tmp_path / "words")
    places = ["--data", str(tmp_path / "data"), "--cache", str(tmp_path / "cache")]
    given = [
        "--trained",
        f"cdssm-words={tmp_path / 'words'}",
        "--set",
        f'cdssm.sets=["{NAME}"]',
        "--set",
        'cdssm.peers=["tfidf"]',
    ]
    return ["tables", *places, *given, "--save", str(tmp_path / "report.json")]


def test_a_table_is_made_saved_and_printed(line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*line, "--tables", "cdssm-5"]) == 0
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
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main([*line, "--tables", "cdssm-5"])
    files = {path.name: path.read_bytes() for path in tmp_path.glob("report*")}
    assert len(files) == 3
    monkeypatch.setattr(Catalogue, "prepare", None)
    main([*line, "--tables", "cdssm-5"])
    assert {path.name: path.read_bytes() for path in tmp_path.glob("report*")} == files


def test_what_cannot_be_had_is_said(line: list[str], tmp_path: Path) -> None:
    main([*line, "--tables", "cdssm-6"])
    (panel,) = json.loads((tmp_path / "report.json").read_text())["tables"]["cdssm-6"]["panels"]
    assert [one["name"] for one in panel["lines"]] == ["lda", "cdssm-words", "tfidf"]
    assert [one["name"] for one in panel["skipped"]] == ["cdssm-two-towers", "cdssm-trigrams"]
    assert "arxiv-abstracts" in panel["skipped"][0]["why"]


def test_a_set_that_is_not_there_is_skipped(line: list[str], tmp_path: Path) -> None:
    main([*line, "--tables", "cdssm-2,cdssm-6", "--set", 'cdssm.sets=["nowhere"]'])
    tables = json.loads((tmp_path / "report.json").read_text())["tables"]
    for table in tables.values():
        (panel,) = table["panels"]
        assert panel["lines"] == [] and "missing" in panel["skipped"][0]["why"]
    assert "left out" in (tmp_path / "report.md").read_text()


def test_tables_are_picked_by_name_and_by_paper() -> None:
    assert suite.tables_of("cdssm-6, cdssm-2") == ["cdssm-2", "cdssm-6"]
    assert suite.tables_of("cdssm") == [f"cdssm-{number}" for number in (2, 3, 4, 5, 6)]
    assert suite.tables_of("all") == list(suite.TABLES)
    with pytest.raises(EvaluationError, match=r"Expected tables among .*; got table-9\. Separate"):
        suite.tables_of("cdssm-2,table-9")
    with pytest.raises(EvaluationError, match="got none"):
        suite.tables_of(" ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--trained", "cdssm-words"], "Expected NAME=DIR with an encoder's folder for --trained, got 'cdssm-words'"),
        (["--set", "ctpe.channels=0"], "channels must be at least 1, got 0"),
        (["--set", "seed=-1"], "seed must not be negative, got -1"),
    ],
)
def test_wrong_settings_are_refused(
    line: list[str], words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, *words]) != 0
    assert said in capsys.readouterr().err


def test_data_and_cache_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["tables"])
    assert exit_.value.code == 2
    assert "the following arguments are required: --data, --cache. `python" in capsys.readouterr().err


def test_the_published_order_is_the_published_order() -> None:
    figures = published.FIGURES
    for metric in ("f1@1-cdssm", "f1@5-cdssm", "f1@10-cdssm"):
        values = [figures[row][metric] for row in published.ROWS]
        assert values == sorted(values)
    for row in figures.values():
        for k in (1, 5, 10, 20, 30, 40, 50):
            wanted = harmonic_mean(row[f"precision@{k}-cdssm"], row[f"recall@{k}-cdssm"])
            assert row[f"f1@{k}-cdssm"] == pytest.approx(wanted, abs=1.6e-3)


def test_every_table_says_what_it_lacks_where_no_data_are(tmp_path: Path) -> None:
    made = suite.run(suite.tables_of("all"), Work(tmp_path / "nowhere", tmp_path / "cache"))
    assert [table.name for table in made] == list(suite.TABLES)
    assert all(panel.skipped and not panel.lines for table in made for panel in table.panels)


def test_a_plot_has_no_date_and_an_empty_panel_no_plot() -> None:
    line = Line("CTPE", {"P@20": 0.3}, {"P@20": 0.31})
    panel = Panel("ours", "arXiv", ("P@20",), [line, Line("bm25", {"P@20": 0.2})], drawn=("P@20",))
    table = Table("ctpe-2", "CTPE, table 2", "As in the paper.", [panel])
    picture = plots.draw(table, panel)
    assert picture is not None and picture == plots.draw(table, panel)
    assert b"the paper" in picture and b"bm25" in picture and b"<dc:date>" not in picture
    assert plots.draw(table, Panel("ours", "", ("P@20",), [], drawn=("P@20",))) is None
