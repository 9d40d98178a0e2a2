"""A small transformer taught passages: what it begins as, learns, keeps and refuses."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch

from engine.core.errors import StorageError, TrainingError
from engine.encoders.student import StudentEncoder
from engine.training.passages import trainer
from engine.training.processes import Processes
from engine.training.run_folder import Folders
from tests.training.passages.small import recipe


def train(data: Path, run: Path, *settings: str, resume: bool = False) -> StudentEncoder:
    return trainer.train(recipe(data, *settings), Folders(data, run, data / "cache"), resume=resume)


def test_quotes_find_their_passages_more_often(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run", "schedule.epochs=12", "objective.steps=10")
    losses = [one["loss"] for one in encoder.facts["curve"]]
    assert losses[-1] < 0.8 * losses[0]
    assert encoder.card.name == "student-passages" and "taught passages" in encoder.card.summary
    assert encoder.card.trained_on == ("ours", "more")
    assert encoder.facts["documents"] > 20 and encoder.facts["passages"] >= 2 * encoder.facts["documents"]
    assert encoder.facts["related_pairs"] > 10 and encoder.facts["device"] == "cpu"
    assert encoder.facts["source_fingerprint"] != encoder.card.fingerprint
    assert {"commit", "hardware", "seed", "recipe", "sources"} <= encoder.facts.keys()
    assert encoder.facts["corpora_sha256"].keys() == {"ours", "more", "ours/pairs.tsv", "more/pairs.tsv"}


def test_without_a_step_it_stays_what_it_began_as(data: Path, tmp_path: Path) -> None:
    began = StudentEncoder.load(data / "tiny")
    same = train(data, tmp_path / "run", "schedule.epochs=0")
    assert same.facts["source_fingerprint"] == same.card.fingerprint != began.card.fingerprint  # it reads otherwise


def test_a_run_that_was_broken_off_gives_the_same_weights(data: Path, tmp_path: Path) -> None:
    whole = train(data, tmp_path / "whole")
    train(data, tmp_path / "broken", "schedule.epochs=1")
    resumed = train(data, tmp_path / "broken", resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint
    resumed.save(tmp_path / "saved")
    assert StudentEncoder.load(tmp_path / "saved").card == resumed.card


def test_an_encoder_that_is_missing_is_named(data: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="none"):
        train(data, tmp_path / "run", f"source={tmp_path / 'none'}")


def test_several_processes_are_refused(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two = nullcontext((Processes(0, 2), torch.device("cpu")))
    monkeypatch.setattr("engine.training.loop.joined", lambda device: two)
    with pytest.raises(TrainingError, match="Expected one process, got 2: an encoder of passages is small"):
        train(data, tmp_path / "run")


def test_pieces_of_words_are_told_by_their_mark() -> None:
    ids = {"[CLS]": 4, "[SEP]": 5, "boil": 0, "##er": 1, "valve": 2}
    kind = {"type": "WordPiece", "vocab": ids, "continuing_subword_prefix": "##"}
    continues, ends = trainer._words(json.dumps({"model": kind}))
    assert continues.tolist() == [False, True, False, False, False, False] and ends == (4, 5)


@pytest.mark.parametrize("model", [{"type": "Unigram", "vocab": {}}, {"type": "WordPiece", "vocab": {"[CLS]": 0}}])
def test_a_tokenizer_of_another_kind_is_refused(model: dict[str, object]) -> None:
    with pytest.raises(TrainingError, match="Expected an encoder whose tokenizer is of words or word pieces"):
        trainer._words(json.dumps({"model": model}))
