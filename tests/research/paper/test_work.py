"""The command that makes tables, what is kept between its runs by what made it, and encoders trained for it alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.encoders import registry
from engine.evaluation import Catalogue
from engine.research.__main__ import main
from engine.research.baselines.rows import BASELINES
from engine.research.paper import command, keyvec
from engine.research.paper import work as works
from engine.research.paper.published import ctpe as published
from engine.research.paper.settings import CtpeSize
from engine.research.paper.work import Cells, Hours, Work, about, by_metric, made_by, named, rounded, there
from engine.training import Recipes
from tests.evaluation.small import write_benchmark
from tests.research.paper.small_keyvec import settings
from tests.training.long import write_long_corpora
from tests.training.small_keyvec import write_data


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
