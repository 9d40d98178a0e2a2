"""Run files of a work tree: what is written, and that a difference between two trees is told."""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.__main__ import main as research
from engine.research.measures import run_files
from tests.evaluation.small import write_benchmark
from tests.research.matching.small_pairs import write_pairs


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
