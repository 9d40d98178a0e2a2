"""`priorscope bake-off`: begun, asked, judged blind, and ended by its verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.workspace import Workspace
from tests.contracts.encoder import corpus


@pytest.fixture
def library(tmp_path: Path) -> list[str]:
    with Workspace(tmp_path / "library", create=True) as workspace:
        workspace.library.add_file("own", "own.jsonl", corpus())
        for name in ("tfidf", "lsa"):
            workspace.prepare(name)
    return ["--library", str(tmp_path / "library")]


def test_the_verdict_comes_after_twenty_judgements_and_no_sooner(
    library: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str, code: int = 0) -> str:
        assert main(["bake-off", *words, *library]) == code
        out = capsys.readouterr()
        return out.out if code == 0 else out.err

    def told(*words: str) -> Any:  # noqa: ANN401  any JSON value
        return json.loads(said(*words, "--json"))

    assert "Begun" in said("start", "tfidf", "lsa")
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
