"""Run files of a work tree: what is written, and that a difference between two trees is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engine.errors import EvaluationError
from engine.research.measures import run_files
from tests.evaluation.small import write_benchmark
from tests.research.matching.small_pairs import write_pairs


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
    with pytest.raises(EvaluationError, match=r"to run .*, it ended with 1\. See its error above"):
        run_files.main([*line, "--what", "rankings"])
    with pytest.raises(EvaluationError, match=r"Expected pairs\.tsv in .*acl-long, found none\. Name another"):
        run_files.main([*line, "--what", "pairs"])
    with pytest.raises(SystemExit):
        run_files.main([])
    assert "expected --data DIR and --out DIR, or --compare DIR DIR" in capsys.readouterr().err
