"""`priorscope encoders`: what each encoder is, and how large its vectors are."""

from __future__ import annotations

import dataclasses
import json

import pytest

from engine.cli.main import main
from engine.encoders import registry


def test_each_encoder_is_listed_with_the_size_of_its_vectors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card = registry.card
    monkeypatch.setattr(registry, "names", lambda: ("lsa", "word2vec-mean", "word2vec-sif"))
    monkeypatch.setattr(
        registry,
        "card",
        lambda name: dataclasses.replace(card(name), stored="int8" if name.endswith("sif") else "float32"),
    )
    assert main(["encoders"]) == 0
    said = capsys.readouterr().out
    assert "word2vec-mean\n" in said and "100 numbers a document, 4 bytes each, trained on " in said
    assert "100 numbers a document, 1 byte each, trained on " in said
    assert "learns from your library when it is indexed" in said
    assert main(["encoders", "--json"]) == 0
    described = {one["name"]: one for one in json.loads(capsys.readouterr().out)["encoders"]}
    assert (described["word2vec-sif"]["stored"], described["lsa"]["fitted"]) == ("int8", True)
