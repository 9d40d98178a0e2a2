"""`python -m engine.research tables` on a small benchmark of our own."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.encoders.tfidf import TfidfEncoder
from engine.research.__main__ import main
from engine.research.paper import suite
from engine.research.paper.settings import ColdeTables, CtpeTables, PaperSettings
from engine.research.paper.work import Cells, Work
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark

SETTINGS = PaperSettings(
    ctpe=CtpeTables(sets=("one", "two"), small_sets=("one", "three")),
    colde=ColdeTables(sets=("long",), read_sets=(), matcher_sets=(), figure_sets=(), shuffled_sets=()),
)


def test_a_part_asks_for_one_set_of_a_paper_that_trains_by_set() -> None:
    found = suite.parts_of(["ctpe-2", "ctpe-5", "colde-2", "keyvec-1", "cdssm-2", "cdssm-6"], SETTINGS)
    assert [(part.tables, part.data) for part in found] == [
        (("cdssm-2", "cdssm-6"), ""),
        (("keyvec-1",), ""),
        (("ctpe-2", "ctpe-5"), "one"),
        (("ctpe-2", "ctpe-5"), "two"),
        (("ctpe-2", "ctpe-5"), "three"),
        (("colde-2",), "long"),
    ]
    assert [(part.settings.ctpe.sets, part.settings.ctpe.small_sets) for part in found[2:5]] == [
        (("one",), ("one",)),
        (("two",), ()),
        ((), ("three",)),
    ]
    assert replace(found[2].settings, ctpe=SETTINGS.ctpe) == SETTINGS and found[0].settings == SETTINGS


def test_the_parts_that_take_longest_are_begun_first() -> None:
    found = suite.parts_of(list(suite.TABLES), PaperSettings())
    assert [(part.tables[0].partition("-")[0], part.data) for part in found] == list(suite.LONGEST_FIRST)


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    """The command on two small sets, two parts of which can be made."""
    for name in ("one", "two"):
        write_benchmark(tmp_path / "data" / name)
    TfidfEncoder.fit(corpus()).save(tmp_path / "words")
    rows = [
        "random",
        "random-words",
        "lda-ctpe",
        "glove-own",
        "glove-full",
        "word2vec-own",
        "wmd",
        "rwmd",
        "doc2vec-ctpe",
    ]
    rows += ["doc2vecc", "sentence-mean", "minilm", "CTPE", "CTPE_T", "CTPE_0", "ctpe", "word2vec-sif", "lsa"]
    rows += ["wmd(glove-own)", "wmd(glove-full)", "wmd(word2vec-own)"]
    settings = [
        f"ctpe.leave_out={json.dumps([*rows, 'word2vec-mean'])}",
        'ctpe.sets=["one","two"]',
        "ctpe.small_sets=[]",
        'cdssm.sets=["one"]',
        'cdssm.peers=["tfidf"]',
    ]
    given = [word for setting in settings for word in ("--set", setting)]
    given += ["--trained", f"cdssm-words={tmp_path / 'words'}", "--tables", "ctpe-2,cdssm-5"]
    return ["tables", "--data", str(tmp_path / "data"), *given]


def test_parts_made_side_by_side_give_the_tables_of_one_process(line: list[str], tmp_path: Path) -> None:
    reports = {}
    for jobs in ("1", "2"):
        save, cache = tmp_path / f"by-{jobs}.json", tmp_path / f"cache-{jobs}"
        assert main([*line, "--cache", str(cache), "--save", str(save), "--jobs", jobs]) == 0
        reports[jobs] = json.loads(save.read_text())
    measured = [
        [(line["name"], line["ours"]) for panel in table["panels"] for line in panel["lines"]]
        for report in reports.values()
        for table in report["tables"].values()
    ]
    assert measured[:2] == measured[2:] and [name for name, _ in measured[0]].count("tfidf") == 2
    assert "seconds of parts made side by side" not in reports["1"]
    assert [" --jobs 2 " in reports[jobs]["command"] for jobs in ("1", "2")] == [False, True]
    assert set(reports["2"]["seconds of parts made side by side"]) == {"ctpe-2 one", "ctpe-2 two", "cdssm-5"}
    assert "seconds of parts made side by side: " in (tmp_path / "by-2.md").read_text()
    lines = (tmp_path / "cache-2" / "paper" / "hours.jsonl").read_text().splitlines()
    tables = [one["table"] for one in map(json.loads, lines) if "table" in one]
    assert tables == ["2 parts at once", "ctpe-2", "cdssm-5"]


def test_what_fails_in_a_part_ends_the_run(tmp_path: Path) -> None:
    jobs = [suite.Job(part, tmp_path, tmp_path, "all", {}) for part in suite.parts_of(["colde-2", "cdssm-2"], SETTINGS)]
    before = dict(os.environ)
    with pytest.raises(EvaluationError, match="no such part"):
        suite.make_side_by_side(jobs, refuse, at_once=2, work=Work(tmp_path, tmp_path))
    assert dict(os.environ) == before


def refuse(_: suite.Job) -> None:
    """Stands for a part that cannot be made."""
    raise EvaluationError("no such part")


def test_each_process_has_its_share_of_the_cores_and_waits_for_a_cell_that_another_makes(tmp_path: Path) -> None:
    jobs = [suite.Job(part, tmp_path, tmp_path, "all", {}) for part in suite.parts_of(["colde-2", "cdssm-2"], SETTINGS)]
    os.mkfifo(tmp_path / "meeting")
    suite.make_side_by_side(jobs, make_same_cell, at_once=2, work=Work(tmp_path, tmp_path))
    share = max(1, (os.cpu_count() or 1) // 2)
    assert {path.name: path.read_text() for path in tmp_path.glob("threads-*")} == {
        "threads-colde-2": f"{share} {share}",
        "threads-cdssm-2": f"{share} {share}",
    }
    assert len(list(tmp_path.glob("made-*"))) == 1


def make_same_cell(job: suite.Job) -> None:
    """Writes how many threads torch and others have; makes a cell so slowly that the other process asks for it, too."""
    import torch

    threads = f"{torch.get_num_threads()} {os.environ['OMP_NUM_THREADS']}"
    (job.cache / f"threads-{job.part.tables[0]}").write_text(threads)
    with (job.cache / "meeting").open("w" if job.part.tables[0] == "colde-2" else "r"):
        pass  # each waits here until the other opens it, too

    def make() -> dict[str, int]:
        (job.cache / f"made-{os.getpid()}").touch()
        return {"value": 1}

    assert Cells(job.cache / "cells").find("same", {}, make) == {"value": 1}


@pytest.mark.parametrize("jobs", ["0", "-2"])
def test_a_number_of_processes_below_one_is_refused(
    line: list[str], tmp_path: Path, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line, "--cache", str(tmp_path / "cache"), "--jobs", jobs]) != 0
    assert f"Expected at least one process for --jobs, got {jobs}" in capsys.readouterr().err


def test_parts_are_of_tables_that_are_known() -> None:
    assert {table for part in suite.parts_of(list(suite.TABLES), PaperSettings()) for table in part.tables} == set(
        suite.TABLES
    )


def test_what_cannot_be_had_is_said(cdssm_line: list[str], tmp_path: Path) -> None:
    main([*cdssm_line, "--tables", "cdssm-6"])
    (panel,) = json.loads((tmp_path / "report.json").read_text())["tables"]["cdssm-6"]["panels"]
    assert [one["name"] for one in panel["lines"]] == ["lda", "cdssm-words", "tfidf"]
    assert [one["name"] for one in panel["skipped"]] == ["cdssm-two-towers", "cdssm-trigrams"]
    assert "arxiv-abstracts" in panel["skipped"][0]["why"]


def test_a_set_that_is_not_there_is_skipped(cdssm_line: list[str], tmp_path: Path) -> None:
    main([*cdssm_line, "--tables", "cdssm-2,cdssm-6", "--set", 'cdssm.sets=["nowhere"]'])
    tables = json.loads((tmp_path / "report.json").read_text())["tables"]
    for table in tables.values():
        (panel,) = table["panels"]
        assert panel["lines"] == [] and "missing" in panel["skipped"][0]["why"]
    assert "left out" in (tmp_path / "report.md").read_text()


def test_tables_are_picked_by_name_and_by_paper() -> None:
    assert suite.tables_of("cdssm-6, cdssm-2") == ["cdssm-2", "cdssm-6"]
    assert suite.tables_of("cdssm") == [f"cdssm-{number}" for number in (1, 2, 3, 4, 5, 6)]
    assert suite.tables_of("all") == list(suite.TABLES) and suite.tables_of("none") == []
    with pytest.raises(EvaluationError, match=r"Expected tables among .*; got table-9\. Separate"):
        suite.tables_of("cdssm-2,table-9")
    with pytest.raises(EvaluationError, match="got none"):
        suite.tables_of(" ")


def test_every_table_says_what_it_lacks_where_no_data_are(tmp_path: Path) -> None:
    made = suite.run(suite.tables_of("all"), Work(tmp_path / "nowhere", tmp_path / "cache"))
    assert [table.name for table in made] == list(suite.TABLES)
    assert all(panel.skipped and not panel.lines for table in made for panel in table.panels)
