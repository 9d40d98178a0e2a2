"""`priorscope evaluate`, `encoders` and `bake-off`: what an encoder is, and how well it ranks."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import build_parser, main
from engine.core.errors import EvaluationError, StorageError
from engine.documents import Document
from engine.encoders import registry
from engine.evaluation.measure import METRIC_SETS
from engine.evaluation.metrics import METRICS, TREC
from engine.workspace import Workspace
from tests.contracts.encoder import corpus
from tests.encoders.tiny_sentences import write
from tests.evaluation.small import QUERIES, write_benchmark

EXAMPLES = Path(__file__).resolve().parents[2] / "assets" / "examples"


def run(*arguments: str) -> None:
    namespace = build_parser(arguments[0]).parse_args(arguments)
    namespace.run(namespace)


def test_json_has_every_metric_of_every_encoder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "small")
    run("evaluate", "--benchmark", str(folder), "--encoders", "tfidf,bm25,default", "--json")
    value = json.loads(capsys.readouterr().out)
    assert value["benchmark"] == "small"
    assert list(value["encoders"]) == ["tfidf", "bm25", "default"]
    for figures in value["encoders"].values():
        assert {*METRICS, "documents_per_second"} <= figures.keys()


@pytest.mark.parametrize(("given", "named"), [("tfidf,bert", "got bert"), (",", "got none")])
def test_an_unknown_name_is_refused_before_any_work(given: str, named: str, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=f"Expected encoders among blend, .*NAME=FOLDER; {named}"):
        run("evaluate", "--benchmark", str(tmp_path), "--encoders", given)


def test_an_encoders_folder_is_a_row_under_the_name_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "small")
    registry.fit("lsa", corpus()[:20]).save(tmp_path / "runs" / "half")
    row = f"lsa-half={tmp_path / 'runs' / 'half'}"
    saved = tmp_path / "report.json"
    run("evaluate", "--benchmark", str(folder), "--encoders", f"lsa,{row}", "--save", str(saved))
    assert "lsa-half" in capsys.readouterr().out
    value = json.loads(saved.read_text())
    assert list(value["encoders"]) == ["lsa", "lsa-half"]
    assert value["encoders"]["lsa"]["fingerprint"] != value["encoders"]["lsa-half"]["fingerprint"]
    assert "lsa,lsa-half=half" in value["command"]
    assert str(tmp_path) not in saved.read_text()


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("a=nowhere", "Expected an encoder's folder, got nowhere; there is none"),
        ("tfidf,tfidf=.", "a name of its own for each row, got 'tfidf' more than once"),
        ("=.", "a name of its own for each row, got '' more than once or empty"),
    ],
)
def test_rows_that_cannot_be_are_refused_before_any_work(rows: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=told):
        run("evaluate", "--benchmark", str(tmp_path), "--encoders", rows)


def test_a_report_that_could_not_be_saved_is_told_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.md").mkdir()
    nothing = str(tmp_path / "no-benchmark")
    for place in (tmp_path / "file" / "report.json", tmp_path, tmp_path / "folder.json"):
        with pytest.raises(StorageError, match="Expected to write"):
            run("evaluate", "--benchmark", nothing, "--encoders", "tfidf", "--save", str(place))
    with pytest.raises(StorageError, match="Expected to write"):
        run("evaluate", "--benchmark", nothing, "--encoders", "tfidf", "--cache", str(tmp_path / "file"))
    with pytest.raises(EvaluationError, match=r"a name for the JSON, got report\.md; the table goes beside it as \.md"):
        run("evaluate", "--benchmark", nothing, "--encoders", "tfidf", "--save", str(tmp_path / "report.md"))


def test_rows_kept_from_an_earlier_run_are_used_and_claim_no_speed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_benchmark(tmp_path / "small")
    line = [
        "evaluate",
        "--benchmark",
        str(folder),
        "--encoders",
        "word2vec-mean,lsa",
        "--cache",
        str(tmp_path / "kept"),
    ]
    figures = []
    for _ in range(2):
        run(*line, "--json")
        figures.append(json.loads(capsys.readouterr().out)["encoders"])
    for name in ("word2vec-mean", "lsa"):
        assert {metric: figures[0][name][metric] for metric in METRICS} == {
            metric: figures[1][name][metric] for metric in METRICS
        }
    speed = "documents_per_second"
    assert [speed in one["word2vec-mean"] for one in figures] == [True, False]
    assert all(speed in one["lsa"] for one in figures), "an encoder that learns from the corpus is fitted again"
    run(*line)
    assert [row.split()[-1] for row in capsys.readouterr().out.splitlines() if row.startswith("word2vec")] == ["kept"]


def test_a_run_file_is_a_row_and_rows_are_written_as_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, runs = write_benchmark(tmp_path / "small"), tmp_path / "runs"
    run("evaluate", "--benchmark", str(folder), "--encoders", "tfidf,bm25", "--runs", str(runs))
    assert sorted(path.name for path in runs.iterdir()) == ["bm25.run", "tfidf.run"]
    capsys.readouterr()
    given = ["--run", str(runs / "bm25.run"), "--run", f"mine={runs / 'tfidf.run'}"]
    run("evaluate", "--benchmark", str(folder), *given, "--against", "bm25", "--save", str(tmp_path / "report.json"))
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:4]]
    assert [(row[0], row[-2:]) for row in rows] == [("bm25", ["a", "file"]), ("mine", ["a", "file"])]
    value = json.loads((tmp_path / "report.json").read_text())
    assert list(value["encoders"]) == ["bm25", "mine"]
    assert str(tmp_path) not in json.dumps(value)
    assert "--run bm25=bm25.run --run mine=tfidf.run --against bm25" in value["command"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--run", "none.run"], "Expected a TREC run as \\[NAME=\\]FILE, each with its own name, got 'none.run'"),
        (["--run", "={run}"], "each with its own name, got '="),
        (["--run", "a={run}", "--run", "a={run}"], "each with its own name, got 'a="),
        (["--encoders", "bm25", "--run", "bm25={run}"], "a name of its own for each row, got 'bm25' for a run, too"),
        (["--against", "strange"], "Expected encoders among .*; got strange"),
        (["--runs", "{run}"], "Expected to write"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_any_work(given: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "a.run").touch()
    options = [text.format(run=tmp_path / "a.run") for text in given]
    with pytest.raises((EvaluationError, StorageError), match=told):
        run("evaluate", "--benchmark", str(tmp_path / "no-benchmark"), *options)


def test_a_benchmark_is_needed() -> None:
    with pytest.raises(EvaluationError, match=r"Expected --benchmark DIR, got none\. Name the folder of a benchmark"):
        run("evaluate")


@pytest.mark.parametrize("row", ["lda", "wmd", "minilm"])
def test_a_row_of_the_papers_is_no_row_of_the_product(row: str, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=f"got {row}. Separate the names by commas.$"):
        run("evaluate", "--benchmark", str(tmp_path), "--encoders", row)


def test_trec_evals_metrics_are_shown_where_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "small")
    run("evaluate", "--benchmark", str(folder), "--encoders", "bm25", "--metrics", "trec", "--json")
    assert set(TREC) <= json.loads(capsys.readouterr().out)["encoders"]["bm25"].keys()


def test_encoders_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    run("encoders")
    printed = capsys.readouterr().out
    assert f"{registry.DEFAULT} (default)" in printed
    assert "learns from your library" in printed
    run("encoders", "--json")
    value = json.loads(capsys.readouterr().out)
    assert value["default"] == registry.DEFAULT
    assert [one["name"] for one in value["encoders"]] == list(registry.encoder_names())
    assert {"fingerprint", "dim", "summary", "trained_on", "licence", "fitted"} <= value["encoders"][0].keys()


@pytest.mark.parametrize("metrics", METRIC_SETS)
def test_rows_that_were_written_as_runs_have_the_same_figures_when_read(
    metrics: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strange = Document("q-graph", kind="query", abstract="zyzzyva")
    folder = write_benchmark(tmp_path / "small", queries=[*QUERIES[:1], strange])
    line = ("evaluate", "--benchmark", str(folder), "--metrics", metrics)
    run(*line, "--encoders", "bm25", "--runs", str(tmp_path / "runs"), "--save", str(tmp_path / "ours.json"))
    assert "bm25: found nothing for 1 of 2 queries, scored as empty rankings" in capsys.readouterr().out
    saved = ["--run", str(tmp_path / "runs" / "bm25.run"), "--by-query", "--save", str(tmp_path / "theirs.json")]
    run(*line, *saved, "--complete-runs")
    assert "--complete-runs" in json.loads((tmp_path / "theirs.json").read_text())["command"]
    ours, theirs = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("ours", "theirs"))
    assert ours["queries_that_found_nothing"] == theirs["queries_that_found_nothing"] == {"bm25": 1}
    figures = [{name: one["encoders"]["bm25"][name] for name in METRIC_SETS[metrics].metrics} for one in (ours, theirs)]
    assert figures[0] == figures[1]


def test_the_table_is_printed_and_the_report_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("q-steam\tvalid\n")
    saved = tmp_path / "report.json"
    run("evaluate", "--benchmark", str(folder), "--encoders", "tfidf", "--queries", "valid", "--save", str(saved))
    printed = capsys.readouterr().out
    assert "small: 1 queries, 40 documents" in printed
    assert "nDCG@10" in printed
    value = json.loads(saved.read_text())
    assert value["part"] == "valid"
    assert value["command"] == "priorscope evaluate --benchmark small --encoders tfidf --queries valid"
    assert str(tmp_path) not in saved.read_text()


def test_rows_are_held_to_one_of_them_which_is_measured_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, saved = write_benchmark(tmp_path / "small"), tmp_path / "report.json"
    run("evaluate", "--benchmark", str(folder), "--encoders", "tfidf", "--against", "bm25", "--save", str(saved))
    printed = capsys.readouterr().out
    assert "nDCG@10 against bm25; 95 % interval, p by paired randomisation, corrected after Holm" in printed
    assert "R@100 against bm25" in printed
    value = json.loads(saved.read_text())
    assert list(value["encoders"]) == ["bm25", "tfidf"]
    assert {(one["ours"], one["theirs"]) for one in value["contrasts"]} == {("tfidf", "bm25")}
    assert value["command"].endswith("--encoders bm25,tfidf --queries all --against bm25")


def test_each_encoder_is_listed_with_the_size_of_its_vectors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = registry.ENTRIES["word2vec-sif"]
    card = dataclasses.replace(entry.card, stored="int8")
    monkeypatch.setitem(registry.ENTRIES, entry.name, dataclasses.replace(entry, card_from=lambda _: card))
    monkeypatch.setattr(registry, "encoder_names", lambda: ("lsa", "word2vec-mean", "word2vec-sif"))
    assert main(["encoders"]) == 0
    said = capsys.readouterr().out
    assert "word2vec-mean\n" in said and "100 numbers a document, 4 bytes each, trained on " in said
    assert "100 numbers a document, 1 byte each, trained on " in said
    assert "learns from your library when it is indexed" in said
    assert main(["encoders", "--json"]) == 0
    described = {one["name"]: one for one in json.loads(capsys.readouterr().out)["encoders"]}
    assert (described["word2vec-sif"]["stored"], described["lsa"]["fitted"]) == ("int8", True)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:  # noqa: ANN401  any JSON value
    assert main(["encoders", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_model_of_ones_own_is_looked_at_measured_offered_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PRIORSCOPE_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr(registry, "DEFAULT", "word2vec-mean")
    folder, library = str(write(tmp_path / "tiny")), str(tmp_path / "library")
    assert printed(capsys, "look", folder)["weight_bytes"] > 0
    assert main(["encoders", "look", folder]) == 0
    assert "Licence: its README names none" in capsys.readouterr().out
    saved = tmp_path / "figures.json"
    found = printed(capsys, "measure", folder, "--save", str(saved))
    assert found["command"] == "priorscope encoders measure tiny --questions small"
    assert json.loads(saved.read_text())["differences"] == found["differences"]
    assert f"* command: {found['command']}\n" in saved.with_suffix(".md").read_text()
    assert printed(capsys)["not_offered"] == ["tiny"]
    assert main(["encoders", "measure", "tiny"]) == 0  # by its name now
    assert "To search with it: priorscope encoders offer tiny" in capsys.readouterr().out
    assert printed(capsys, "offer", "tiny") == {"offered": "tiny"}
    assert printed(capsys)["encoders"][-1]["own"]
    assert main(["import", str(EXAMPLES), "--library", library, "--encoder", "tiny"]) == 0
    capsys.readouterr()
    assert main(["search", str(next(EXAMPLES.glob("*.md"))), "--library", library, "--encoder", "tiny"]) == 0
    assert "results by tiny" in capsys.readouterr().out
    assert (Path(library) / "vectors" / "tiny").is_dir()
    assert printed(capsys, "remove", "tiny", "--library", library) == {"removed": "tiny"}
    assert not (Path(library) / "vectors" / "tiny").exists() and "tiny" not in registry.encoder_names()


def test_a_place_without_a_model_is_told_in_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["encoders", "look", str(tmp_path)]) == 2
    assert "is neither. Check how it is spelled." in capsys.readouterr().err


@pytest.fixture
def on_library(tmp_path: Path) -> list[str]:
    with Workspace(tmp_path / "library", create=True) as workspace:
        workspace.library.add_file("own", "own.jsonl", corpus())
        for name in ("tfidf", "lsa"):
            workspace.prepare(name)
    return ["--library", str(tmp_path / "library")]


def test_the_verdict_comes_after_twenty_judgements_and_no_sooner(
    on_library: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str, code: int = 0) -> str:
        assert main(["bake-off", *words, *on_library]) == code
        out = capsys.readouterr()
        return out.out if code == 0 else out.err

    def told(*words: str) -> Any:  # noqa: ANN401  any JSON value
        return json.loads(said(*words, "--json"))

    assert "Started" in said("start", "tfidf", "lsa")
    for number, document in enumerate(corpus()[:2]):
        question = tmp_path / f"{number}.txt"
        question.write_text(document.text)
        assert len(told("ask", str(question))["documents"]) == 10
        assert told("judge", "relevant", "1", "2", "3")["judged"] == 10 * number + 3
        said("judge", "not", *map(str, range(4, 11)))
        if not number:
            assert "Too early to say: 10 of at least 20 documents judged" in said("show")
            assert "too early to say" in said("reveal", code=2)
            shown = said("show", "--json")
            assert "tfidf" not in shown and "lsa" not in shown  # blind to the end
    assert "Expected numbers of the list" in said("judge", "not", "11", code=2)
    assert said("judge", "back", "10").startswith("Too early to say: 19")
    said("judge", "not", "10")
    found = told("reveal")
    assert sum(found["relevant"]) == 6 and found["judged"] == 20
    assert "tfidf" in said("show") and told("show")["running"] is None
