"""The default as it ships: against its peers, in run files of two work trees, and in the file of quality."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core import files
from engine.core.errors import EvaluationError
from engine.encoders import TransformerMeanEncoder, registry, storage
from engine.evaluation import EvaluationReport, load_benchmark
from engine.evaluation.significance import contrast_runs
from engine.evaluation.systems import PRODUCT
from engine.research.__main__ import main as research
from engine.research.measures import default_ranking, quality, run_files
from engine.search import ranking_fingerprint
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.evaluation.small import QUERIES, write_benchmark
from tests.research.matching.small_pairs import write_pairs


def test_each_row_of_ours_is_held_against_each_peer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_benchmark(tmp_path / "small")
    saved = tmp_path / "report.json"
    words = ["--data", str(tmp_path), "--sets", "small", "--encoder", "lsa", "--peers", "bm25", "tfidf"]
    default_ranking.main([*words, "--hide-itself", "--save", str(saved)])
    report = json.loads(saved.read_text())
    found = [(one["ours"], one["metric"], one["theirs"]) for one in report["contrasts"]]
    assert found == [
        (row, metric, peer)
        for row in ("default(lsa)", "lsa")
        for metric in ("nDCG@10", "R@100")
        for peer in ("bm25", "tfidf")
    ]
    assert {one["queries"] for one in report["contrasts"]} == {4}
    assert report["command"].endswith("--peers bm25 tfidf --hide-itself")
    assert set(report["sets"]["small"]["fingerprints"]) == {"default(lsa)", "lsa", "bm25", "tfidf"}
    table = saved.with_suffix(".md").read_text()
    assert "## default(lsa), nDCG@10" in table and "| small | 4 | bm25 |" in table
    assert table in capsys.readouterr().out


def test_a_peers_scores_are_taken_from_a_report_of_the_same_data(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    benchmark, kept = load_benchmark(folder), tmp_path / "small-word2vec-mean.json"
    measured = PRODUCT.measure(benchmark, "word2vec-mean")
    EvaluationReport(benchmark, [measured]).save(kept, by_query=True)
    words = ["--data", str(tmp_path), "--sets", "small", "--encoder", "lsa", "--peers", "word2vec-mean"]
    for name in ("now", "then"):
        default_ranking.main(
            [
                *words,
                "--save",
                str(tmp_path / name / "r.json"),
                "--kept",
                str(tmp_path if name == "then" else tmp_path / "none"),
            ]
        )
    now, then = (files.read_json(tmp_path / name / "r.json") for name in ("now", "then"))
    assert (now["sets"]["small"]["kept"], then["sets"]["small"]["kept"]) == ({}, {"word2vec-mean": kept.name})
    assert now["contrasts"] == then["contrasts"]  # scores that were rounded tie with those that were not

    report = files.read_json(kept)
    assert default_ranking.kept_row(kept, "word2vec-mean", benchmark) is not None
    assert default_ranking.kept_row(tmp_path / "none.json", "word2vec-mean", benchmark) is None
    for change in ({"part": "test"}, {"sha256": {}}, {"queries_own_works_hidden": 3}):
        files.write_json(kept, {**report, **change})
        assert default_ranking.kept_row(kept, "word2vec-mean", benchmark) is None
    for key, value in (("fingerprint", "another"), ("by_query", None)):
        row = {name: held for name, held in {**report["encoders"]["word2vec-mean"], key: value}.items() if held}
        files.write_json(kept, {**report, "encoders": {"word2vec-mean": row}})
        assert default_ranking.kept_row(kept, "word2vec-mean", benchmark) is None


def test_a_fused_rankings_scores_are_taken_whatever_kinds_a_set_holds(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    measured = PRODUCT.measure(benchmark, "default(word2vec-sif)")
    for mixed in (False, True):
        fingerprint = ranking_fingerprint(registry.find("word2vec-sif").card, mixed=mixed)
        EvaluationReport(benchmark, [replace(measured, fingerprint=fingerprint)]).save(
            tmp_path / "small-x.json", by_query=True
        )
        assert default_ranking.kept_row(tmp_path / "small-x.json", "default(word2vec-sif)", benchmark) is not None


def test_of_a_report_on_all_queries_those_that_are_asked_are_taken(tmp_path: Path) -> None:
    folder = write_benchmark(tmp_path / "small")
    (folder / "query-splits.tsv").write_text("".join(f"{query.id}\tvalid\n" for query in QUERIES[:2]))
    every, some = load_benchmark(folder), load_benchmark(folder, part="valid")
    measured, kept = PRODUCT.measure(every, "word2vec-mean"), tmp_path / "small-word2vec-mean.json"
    EvaluationReport(every, [measured]).save(kept, by_query=True)
    row = default_ranking.kept_row(kept, "word2vec-mean", some)
    assert row is not None and list(row.by_query) == [query.id for query in QUERIES[:2]]
    assert row.mean("nDCG@10") == pytest.approx(PRODUCT.measure(some, "word2vec-mean").metrics["nDCG@10"], abs=1e-4)
    EvaluationReport(some, [PRODUCT.measure(some, "word2vec-mean")]).save(kept, by_query=True)
    assert default_ranking.kept_row(kept, "word2vec-mean", every) is None  # some are not all
    report = files.read_json(kept)
    files.write_json(kept, {**report, "part": "all"})
    assert default_ranking.kept_row(kept, "word2vec-mean", every) is None  # scores are missing


def test_verdicts_follow_the_corrected_p() -> None:
    queries = [f"q{number}" for number in range(30)]
    low, high = dict.fromkeys(queries, 0.1), dict.fromkeys(queries, 0.4)
    one = contrast_runs(high, low, names=("default", "bm25"), metric="nDCG@10")
    other = contrast_runs(low, high, names=("default", "minilm"), metric="nDCG@10")
    same = contrast_runs(low, low, names=("default", "twin"), metric="nDCG@10")
    assert [row["verdict"] for row in default_ranking.corrected({"ours": [one, other, same]})] == [
        "better",
        "worse",
        "the same",
    ]


def test_minilm_s_scores_count_in_either_number_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = TransformerMeanEncoder.open(write_tiny_transformer(tmp_path / "tiny"), precision="float32")
    other = TransformerMeanEncoder.open(tmp_path / "tiny", precision="bfloat16")
    made = {"float32": opened, "bfloat16": other}
    monkeypatch.setattr(default_ranking.minilm, "load", lambda precision: made[precision])
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    measured = PRODUCT.measure(benchmark, "bm25")
    for encoder, counts in ((opened, True), (other, True), (None, False)):
        fingerprint = "another" if encoder is None else encoder.card.fingerprint
        EvaluationReport(benchmark, [replace(measured, name="minilm", fingerprint=fingerprint)]).save(
            tmp_path / "kept.json", by_query=True
        )
        assert (default_ranking.kept_row(tmp_path / "kept.json", "minilm", benchmark) is not None) == counts


def test_a_set_is_ranked_by_the_weights_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_benchmark(tmp_path / "small")
    chosen = {"keywords": 0.25, "patents": 2.0, "questions": 0.0, "papers": 0.5}
    monkeypatch.setattr(default_ranking.blend_weights, "chosen_without", lambda path, name: chosen)
    saved = tmp_path / "report.json"
    words = ["--data", str(tmp_path), "--sets", "small", "--peers", "bm25"]
    default_ranking.main([*words, "--left-out", str(tmp_path / "weights.json"), "--save", str(saved)])
    report = json.loads(saved.read_text())
    assert {one["ours"] for one in report["contrasts"]} == {default_ranking.LEFT_OUT}
    assert report["sets"]["small"]["choice"] == chosen and "--left-out weights.json" in report["command"]
    with pytest.raises(SystemExit):
        default_ranking.main([*words, "--left-out", "weights.json", "--encoder", "lsa"])
    assert "expected --left-out without --encoder: it weighs the parts of blend" in capsys.readouterr().err


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """This tree's code runs here: a process of its own would load the default encoder's libraries once more."""

    def run(tree: Path, kind: str, code: str, *words: str) -> str:
        assert (tree / "engine" / "research" / "__main__.py").is_file()
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            if kind == "-c":
                monkeypatch.setattr(sys, "argv", [kind, *words])
                exec(code, {})
            else:
                assert (kind, code, research([*words])) == ("-m", "engine.research", 0)
        return printed.getvalue()

    monkeypatch.setattr(run_files, "_run", run)


def tree(folder: Path, ranks: str) -> Path:
    """A work tree of before there was a catalogue of systems: its engine ranks by one line of code."""
    rooms = {
        "__init__": "",
        "evaluation/__init__": "",
        "evaluation/benchmarks": "def load_benchmark(path):\n    return Benchmark()\n\n\n"
        "class Named:\n    id, score = 'q1', 0.5\n\n\nclass Benchmark:\n    corpus, queries = (), [Named()]\n",
        "evaluation/systems": "from engine.evaluation.benchmarks import Named\n\n\n"
        "def prepare(name, corpus):\n    return Prepared()\n\n\n"
        f"class Prepared:\n    @property\n    def system(self):\n        return self\n\n"
        f"    def rank(self, queries, k):\n        {ranks}\n",
    }
    for name, code in rooms.items():
        path = folder / "engine" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    return folder


def test_another_tree_ranks_by_its_own_code(tmp_path: Path) -> None:
    other = tree(tmp_path / "tree", "return [[Named()]]")
    line = ["--data", str(tmp_path), "--sets", "small", "--what", "rankings", "--out", str(tmp_path / "out")]
    run_files.main([*line, "--tree", str(other)])
    assert (tmp_path / "out" / "small.run").read_text() == "q1\tQ0\tq1\t1\t0.5\tdefault\n"


@pytest.mark.usefixtures("in_this_process")
def test_a_tree_s_rankings_and_scores_are_written_and_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_benchmark(tmp_path / "data" / "small")
    write_pairs(tmp_path / "data" / "long")
    line = ["--data", str(tmp_path / "data"), "--sets", "small", "--pair-set", "long", "--pairs", "4"]
    out = tmp_path / "one"
    run_files.main([*line, "--matcher", "tfidf", "--what", "rankings,pairs", "--out", str(out)])
    assert sorted(path.name for path in out.iterdir()) == ["long.run", "small.run"]
    query, q0, document, rank, score, tag = (out / "small.run").read_text().splitlines()[0].split("\t")
    assert (query, q0, rank, tag) == ("q-steam", "Q0", "1", "default") and document.startswith("steam")
    assert float(score) > 0
    assert len((out / "long.run").read_text().splitlines()) == 8
    shutil.copytree(out, tmp_path / "other")
    capsys.readouterr()
    run_files.main(["--compare", str(out), str(tmp_path / "other")])
    assert capsys.readouterr().out.splitlines() == [
        "long.run: same rankings, scores apart by 0",
        "small.run: same rankings, scores apart by 0",
    ]


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        ("q\tQ0\ta\t1\t0.5\tx\nq\tQ0\tb\t2\t0.40002\tx\n", "r.run: same rankings, scores apart by 2e-05"),
        ("q\tQ0\tb\t1\t0.5\tx\nq\tQ0\ta\t2\t0.4\tx\n", "r.run: OTHER rankings, scores apart by 0.1"),
        ("q\tQ0\ta\t1\t0.5\tx\n", "r.run: OTHER rankings, scores apart by 0"),
    ],
)
def test_a_difference_fails(theirs: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("one", "q\tQ0\ta\t1\t0.5\tx\nq\tQ0\tb\t2\t0.4\tx\n"), ("other", theirs)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "r.run").write_text(text)
    with pytest.raises(EvaluationError, match=r"with scores within 1e-05; r\.run differ"):
        run_files.main(["--compare", str(tmp_path / "one"), str(tmp_path / "other")])
    assert capsys.readouterr().out == f"{said}\n"


def test_what_cannot_be_compared_or_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EvaluationError, match=r"Expected the same run files in .*, got no file at all in one"):
        run_files.main(["--compare", str(tmp_path), str(tmp_path)])
    line = ["--data", str(tmp_path), "--out", str(tmp_path / "out")]
    with pytest.raises(EvaluationError, match="Expected files among rankings, pairs, searches, got songs"):
        run_files.main([*line, "--what", "songs"])
    broken = tree(tmp_path / "tree", "raise SystemExit(1)")
    with pytest.raises(EvaluationError, match=r"to run .*, it ended with 1\. See its error above"):
        run_files.main([*line, "--what", "rankings", "--tree", str(broken)])
    with pytest.raises(EvaluationError, match=r"Expected pairs\.tsv in .*acl-long, found none\. Name another"):
        run_files.main([*line, "--what", "pairs"])
    with pytest.raises(SystemExit):
        run_files.main([])
    assert "expected --data DIR and --out DIR, or --compare DIR DIR" in capsys.readouterr().err


def test_the_shipped_file_is_what_the_reports_say(capsys: pytest.CaptureFixture[str]) -> None:
    quality.main([])
    assert "is what the reports say" in capsys.readouterr().out


def test_another_file_is_refused_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    present = quality.FILE.read_text("utf-8")
    monkeypatch.setattr(quality, "FILE", tmp_path / "quality.json")
    quality.FILE.write_text("{}")
    with pytest.raises(EvaluationError, match="to hold what the reports say; it differs"):
        quality.main([])
    quality.main(["--write"])
    assert quality.FILE.read_text("utf-8") == present
    assert "Wrote" in capsys.readouterr().out


def test_reports_of_rankings_are_gathered(tmp_path: Path) -> None:
    figures = {"tfidf": {"nDCG@10": 0.349, "documents_per_second": 90}, "bm25": {"nDCG@10": 0.35}}
    report = {"benchmark": "cranfield", "part": "all", "queries": 1225, "encoders": figures}
    slower = {**report, "encoders": {**figures, "tfidf": {"nDCG@10": 0.3492, "documents_per_second": 80.5}}}
    pairs = {"encoders": {"tfidf": {"accuracy": 0.847, "documents_per_second": 1}}}  # of pairs, not of a search
    old = {**report, "encoders": {"student": {"nDCG@10": 0.3, "fingerprint": "of other weights"}}}
    for number, content in enumerate((report, slower, pairs, old, [1, 2])):
        (tmp_path / f"{number}.json").write_text(json.dumps(content))
    gathered = quality.gathered(tmp_path)
    ((name, (result,)),) = gathered.results.items()  # the second report is of another processor
    assert (name, result.benchmark, result.queries, result.bm25) == ("tfidf", "cranfield", 1225, 0.35)
    assert gathered.documents_per_second == {"tfidf": 80.5}


def test_no_one_command_trains_weights_between_two() -> None:
    folder = registry.find("student").folder
    assert folder is not None and "between" in storage.read_head(folder)[1]["facts"]
    assert quality.recipe_command("student") == ""
    assert quality.recipe_command("tfidf") == ""


@pytest.mark.parametrize(
    ("name", "recipe"), [("ctpe", "ctpe-cpu"), ("colde", "colde-gpu"), ("keyvec", "keyvec-cpu"), ("cdssm", "cdssm-cpu")]
)
def test_shipped_weights_name_the_recipe_that_made_them(name: str, recipe: str) -> None:
    assert quality.recipe_command(name).startswith(f"priorscope train {recipe} --data DIR --out pretrained/{name}")
