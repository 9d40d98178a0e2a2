"""The file of quality is what the reports say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.encoders import registry, storage
from engine.research.measures import quality


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
