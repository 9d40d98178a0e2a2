"""`priorscope encoders`: what each encoder is, and how large its vectors are."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.encoders import registry
from tests.encoders.tiny_sentences import write

EXAMPLES = Path(__file__).resolve().parents[2] / "assets" / "examples"


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
