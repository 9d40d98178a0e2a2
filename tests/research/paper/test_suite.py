"""The command that makes tables: its parts side by side, what is kept between runs, and what cannot be had."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.encoders import registry
from engine.encoders.tfidf import TfidfEncoder
from engine.evaluation import Catalogue
from engine.research.__main__ import main
from engine.research.baselines.rows import BASELINES
from engine.research.paper import command, keyvec, suite
from engine.research.paper import work as works
from engine.research.paper.published import ctpe as published
from engine.research.paper.settings import ColdeTables, CtpeSize, CtpeTables, PaperSettings
from engine.research.paper.work import Cells, Hours, Work, about, by_metric, made_by, named, rounded, there
from engine.training import Recipes
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_benchmark
from tests.research.paper.small_keyvec import settings
from tests.training.keyvec.small import write_data
from tests.training.long import write_long_corpora


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
    assert suite.tables_of("all") == list(suite.TABLES)
    with pytest.raises(EvaluationError, match=r"Expected tables among .*; got table-9\. Separate"):
        suite.tables_of("cdssm-2,table-9")
    with pytest.raises(EvaluationError, match="got none"):
        suite.tables_of(" ")


def test_every_table_says_what_it_lacks_where_no_data_are(tmp_path: Path) -> None:
    made = suite.run(suite.tables_of("all"), Work(tmp_path / "nowhere", tmp_path / "cache"))
    assert [table.name for table in made] == list(suite.TABLES)
    assert all(panel.skipped and not panel.lines for table in made for panel in table.panels)


def test_a_cell_is_made_once(tmp_path: Path) -> None:
    cells, made = Cells(tmp_path / "cells"), []

    def make() -> dict[str, float]:
        made.append(1)
        return {"F1": 0.25}

    for _ in range(2):
        assert cells.find("set/row one", {"sha256": "a"}, make) == {"F1": 0.25}
    assert len(made) == 1
    cells.find("set/row one", {"sha256": "b"}, make)
    assert len(made) == 2
    kept = json.loads(min((tmp_path / "cells").iterdir()).read_text())
    assert kept["key"]["sha256"] in "ab" and {"commit", "hardware", "value"} <= kept.keys()
    assert all(path.name.startswith("set-row-one-") for path in (tmp_path / "cells").iterdir())


def test_hours_are_added_up_over_runs_also_of_what_was_broken_off(tmp_path: Path) -> None:
    path = tmp_path / "paper" / "hours.jsonl"
    assert Hours(path).total() == 0
    with Hours(path).of("ctpe-2"):
        pass
    with pytest.raises(KeyboardInterrupt), Hours(path).of("ctpe-3"):
        raise KeyboardInterrupt
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["table"] for line in lines] == ["ctpe-2", "ctpe-3"] and all(line["seconds"] >= 0 for line in lines)
    path.write_text("".join(json.dumps({**line, "seconds": 1000}) + "\n" for line in [*lines, *lines]))
    assert Hours(path).total() == 1.1


def test_parts_are_noted_beside_the_total(tmp_path: Path) -> None:
    hours = Hours(tmp_path / "paper" / "hours.jsonl")
    assert hours.parts() == {}
    for table, data in (("ctpe-2", "arxiv-subject"), ("cdssm-2", ""), ("ctpe-2", "arxiv-subject")):
        with hours.of_part(table, data):
            pass
    lines = [json.loads(line) for line in hours.path.read_text().splitlines()]
    assert [line["part"] for line in lines] == ["ctpe-2 arxiv-subject", "cdssm-2", "ctpe-2 arxiv-subject"]
    hours.path.write_text("".join(json.dumps({**line, "seconds": 1000}) + "\n" for line in lines))
    assert hours.parts() == {"ctpe-2 arxiv-subject": 2000.0, "cdssm-2": 1000.0}
    assert hours.total() == 0


def test_a_row_is_asked_for_by_its_name_or_by_the_folder_given_for_it(tmp_path: Path) -> None:
    work = Work(tmp_path, tmp_path, trained={"glove-full": tmp_path / "glove"})
    assert work.row_of("tfidf") == "tfidf"
    assert work.row_of("glove-full") == f"glove-full={tmp_path / 'glove'}"
    assert work.row_of("wmd(glove-own)") == "wmd(glove-own)"
    told = r"Expected a row of `.* evaluate`, got skip-thoughts\. Give its folder by --trained skip-thoughts=DIR\."
    with pytest.raises(EvaluationError, match=told):
        work.row_of("skip-thoughts")


def test_a_set_without_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "acl").mkdir()
    with pytest.raises(EvaluationError, match=r"Expected corpus\.parquet in the set acl; .* Name another --data"):
        there(tmp_path / "acl" / "corpus.parquet")
    (tmp_path / "acl" / "corpus.parquet").touch()
    assert there(tmp_path / "acl" / "corpus.parquet") == tmp_path / "acl" / "corpus.parquet"


def test_a_row_that_is_shipped_has_a_fingerprint_before_it_ranks() -> None:
    assert made_by("keyvec") == registry.find("keyvec").card.fingerprint != ""
    assert made_by("tfidf") == ""  # it learns from the corpus
    assert made_by("bm25") != made_by("bm25-stems")
    assert made_by("wmd(tfidf)") == ""  # so does what it ranks again
    assert made_by("wmd(glove-own)") != made_by("wmd(word2vec-own)")
    assert made_by("wmd(word2vec-mean)") == made_by("wmd") != made_by("rwmd")


def test_how_a_baseline_learns_from_the_corpus_names_its_figures() -> None:
    learnt = {name for name, one in BASELINES.items() if one.learn is not None}
    assert {"lda", "lda-ctpe", "random-words", "glove-own"} < learnt
    assert len({made_by(name) for name in learnt}) == len(learnt)
    assert all(map(made_by, learnt))


def test_a_row_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_benchmark(tmp_path / "data" / "small")
    work = Work(tmp_path / "data", tmp_path / "cache")
    benchmark = work.benchmark("small")
    assert work.benchmark("small") is benchmark
    first = work.ranked("bm25", benchmark)
    assert first["figures"]["nDCG@10"] > 0 and len(first["by_query"]["nDCG@10"]) == len(benchmark.queries)
    monkeypatch.setattr(Work, "_measure", None)
    assert work.ranked("bm25", benchmark) == first


def test_a_benchmark_is_named_by_its_files_and_the_part_that_asks(tmp_path: Path) -> None:
    write_benchmark(tmp_path / "small")
    benchmark = Work(tmp_path, tmp_path).benchmark("small")
    assert named(benchmark) == {"sha256": dict(benchmark.sha256), "part": "all"}
    told = about(benchmark)
    assert (told["queries"], told["documents"]) == (len(benchmark.queries), len(benchmark.corpus))


def test_figures_are_kept_to_four_decimals_in_the_order_of_the_queries() -> None:
    assert rounded({"P@20": 1 / 3, "R@20": 1.0}) == {"P@20": 0.3333, "R@20": 1.0}
    scores = {"q2": {"P@20": 0.123456, "R@20": 0.0}, "q1": {"P@20": 0.5, "R@20": 1.0}}
    assert by_metric(scores) == {"P@20": [0.5, 0.1235], "R@20": [1.0, 0.0]}


def test_a_setting_that_does_nothing_makes_no_other_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that counts all chunks is found by its recipe from before it could count a share of them."""
    write_long_corpora(tmp_path)
    work, folders, named = Work(tmp_path, tmp_path / "cache"), [], []
    monkeypatch.setattr(Recipes, "train", lambda self, recipe, around, **more: folders.append(around.run))
    fingerprint = works.files.fingerprint
    monkeypatch.setattr(works.files, "fingerprint", lambda text: named.append(text) or fingerprint(text))
    for share in (1, 0.5):
        work.train("CoLDE", "colde-cpu", ['data.corpora=["ours"]', f"head.late_best={share}"])
    assert ["late_best" in json.loads(text)[0]["head"] for text in named] == [False, True]
    assert folders[0] != folders[1]


def test_ablations_are_trained_once_and_clustered(keyvec_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    write_data(keyvec_work.data / "small")
    for name in ("ours", "full"):
        (keyvec_work.data / "small" / name).rename(keyvec_work.data / name)
    words = keyvec_work.data / "small" / "words"
    small = [
        f"data.words={words}",
        'data.full_texts=["full"]',
        "words.least=1",
        "network.channels=2",
        "schedule.epochs=1",
    ]
    row, other = keyvec.ABLATIONS
    own = Work(
        keyvec_work.data, keyvec_work.cache, settings(f'keyvec.rows=["{row}", "lsa"]', f"keyvec.settings={small}")
    )
    table = keyvec.clustering(own)
    (panel,) = table.panels
    assert [line.name for line in panel.lines] == [row, "lsa"]
    assert (own.encoders / panel.lines[0].name).parent.is_dir() and not panel.skipped
    monkeypatch.setattr(Recipes, "train", None)
    assert keyvec.clustering(own) == table
    given = Work(
        keyvec_work.data, keyvec_work.cache, own.settings, trained={other: next(own.encoders.glob(f"{row}-*[!n]"))}
    )
    assert keyvec.row_of(given, other).startswith(f"{other}=")
