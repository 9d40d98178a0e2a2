"""`python -m engine.research colde_memory`, on short documents and an untrained encoder of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.errors import EvaluationError
from engine.research.measures import colde_memory
from tests.encoders.colde import tiny
from tests.encoders.tiny_transformer import write_tiny_transformer


def test_the_peak_is_told_for_documents_of_rising_length(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    encoder = tiny.encoder(write_tiny_transformer(tmp_path / "model"))
    encoder.save(tmp_path / "encoder")
    line = ["--encoder", str(tmp_path / "encoder"), "--tokens", "575", "58", "--save", str(tmp_path / "report.json")]
    colde_memory.main(line)
    report = json.loads((tmp_path / "report.json").read_text())
    assert report == json.loads(capsys.readouterr().out)
    assert report["fingerprint"] == encoder.card.fingerprint
    assert report["precision"] == "float32"
    short, long = report["readings"]
    assert (short["words"], long["words"]) == (50, 500)
    assert short["tokens"] < 100 < long["tokens"]
    assert long["chunks"] > short["chunks"] > 1
    assert 50 < report["peak_mib_before"] <= short["peak_mib"] <= long["peak_mib"]
    assert {"commit", "hardware", "threads", "seed"} <= report.keys()


def test_a_document_has_sections_of_2000_words() -> None:
    document = colde_memory.drawn_document(4_500, 1)
    assert [len(section.text.split()) for section in document.sections] == [2_000, 2_000, 500]
    assert document == colde_memory.drawn_document(4_500, 1)


def test_a_document_without_words_is_refused() -> None:
    with pytest.raises(EvaluationError, match="Expected documents of 1 token or more, got 0"):
        colde_memory.main(["--tokens", "0"])
