"""A small transformer taught by a larger one of our own: what it begins with, learns, keeps and refuses."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.cli import train as command
from engine.core.errors import ConfigError, TrainingError
from engine.encoders import Transformer, TransformerMeanEncoder
from engine.encoders.student import StudentEncoder
from engine.training.processes import Processes
from engine.training.run_folder import Folders
from engine.training.student import trainer
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_table
from tests.training.small import write_data
from tests.training.student.small import RELATED, recipe


def train(data: Path, teacher: Path, run: Path, *settings: str, resume: bool = False) -> StudentEncoder:
    return trainer.train(recipe(data, teacher, *settings), Folders(data, run, data / "cache"), resume=resume)


def test_a_student_of_all_layers_places_texts_as_its_teacher_at_once(data: Path, teacher: Path, tmp_path: Path) -> None:
    encoder = train(data, teacher, tmp_path / "run", "layers=[0, 1]", "schedule.epochs=0")
    placed = TransformerMeanEncoder.open(teacher, max_tokens=64).encode_documents(corpus())
    np.testing.assert_allclose(encoder.encode_documents(corpus()), placed, atol=3e-2)


def test_a_student_of_fewer_layers_comes_nearer_to_its_teacher(data: Path, teacher: Path, tmp_path: Path) -> None:
    placed = TransformerMeanEncoder.open(teacher, max_tokens=64).encode_documents(corpus())
    first = train(data, teacher, tmp_path / "none", "schedule.epochs=0")
    taught = train(data, teacher, tmp_path / "run", "schedule.epochs=6")
    near = [float((one.encode_documents(corpus()) * placed).sum(1).mean()) for one in (first, taught)]
    assert near[1] > near[0]
    losses = [one["loss"] for one in taught.facts["curve"]]
    assert losses[-1] < 0.8 * losses[0]
    assert taught.card.trained_on == ("ours",)
    assert taught.facts["documents"] > 40 and taught.facts["device"] == "cpu"
    assert {"commit", "hardware", "seed", "recipe", "corpora_sha256"} <= taught.facts.keys()


def test_word_vectors_stay_unless_the_recipe_trains_them(data: Path, teacher: Path) -> None:
    model = Transformer.open(teacher)
    frozen, learnt = (
        trainer.begun(model, recipe(data, teacher, f"train_words={value}")) for value in ("false", "true")
    )
    words = "embeddings.word_embeddings.weight"
    assert not dict(frozen.named_parameters())[words].requires_grad
    assert dict(learnt.named_parameters())[words].requires_grad


def test_a_run_that_was_broken_off_gives_the_same_weights(data: Path, teacher: Path, tmp_path: Path) -> None:
    whole = train(data, teacher, tmp_path / "whole")
    train(data, teacher, tmp_path / "broken", "schedule.epochs=1")
    resumed = train(data, teacher, tmp_path / "broken", resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint


def test_a_run_with_related_texts_says_so_and_goes_on_where_it_stood(data: Path, teacher: Path, tmp_path: Path) -> None:
    whole = train(data, teacher, tmp_path / "whole", RELATED, "data.shorts=[]")
    assert whole.facts["subjects"] > 2 and whole.facts["related_pairs"] > 3
    assert "ours/train-pairs.tsv" in whole.facts["corpora_sha256"]
    train(data, teacher, tmp_path / "broken", RELATED, "data.shorts=[]", "schedule.epochs=1")
    resumed = train(data, teacher, tmp_path / "broken", RELATED, "data.shorts=[]", resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint
    unlike = train(data, teacher, tmp_path / "unlike", "data.shorts=[]")
    assert unlike.card.fingerprint != whole.card.fingerprint


def test_of_short_texts_only_so_many_are_placed(data: Path, teacher: Path, tmp_path: Path) -> None:
    given = ("data.wholes=[]", "schedule.epochs=0")
    every, some = (
        train(data, teacher, tmp_path / "a", *given),
        train(data, teacher, tmp_path / "b", *given, "objective.shorts_most=7"),
    )
    assert every.facts["documents"] > 7 and some.facts["documents"] == 7


def test_corpora_of_related_texts_are_trained_on_too(teacher: Path, tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    (data / "theirs").mkdir()
    write_table(data / "theirs" / "corpus.parquet", [replace(one, id=f"their {one.id}") for one in corpus()[:8]])
    related = "related={weight = 1.0, batch = 3, subjects = ['ours'], titles = ['theirs']}"
    encoder = train(data, teacher, tmp_path / "run", related, "data.shorts=[]", "schedule.epochs=0")
    assert encoder.card.trained_on == ("ours", "theirs")
    assert encoder.facts["corpora_sha256"].keys() == {"ours", "theirs"}
    assert (encoder.facts["subjects"], encoder.facts["related_pairs"]) == (4, 8)
    without = train(data, teacher, tmp_path / "without", "data.shorts=[]", "schedule.epochs=0")
    assert without.card.trained_on == ("ours",)
    assert not {"subjects", "related_pairs"} & without.facts.keys()


def test_layers_that_the_teacher_lacks_are_refused(data: Path, teacher: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="Expected a teacher like BERT with the layers 0, 7, got one of 2"):
        train(data, teacher, tmp_path / "run", "layers=[0, 7]")


def test_several_processes_are_refused(
    data: Path, teacher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextlib import nullcontext

    two = nullcontext((Processes(0, 2), torch.device("cpu")))
    monkeypatch.setattr("engine.training.loop.joined", lambda device: two)
    with pytest.raises(TrainingError, match="Expected one process, got 2"):
        train(data, teacher, tmp_path / "run")


def test_every_wrong_key_is_named(data: Path, teacher: Path) -> None:
    for setting, said in (
        ("objective.temperature=0", "temperature must be above 0, got 0"),
        ("objective.places=-1", "places must not be negative, got -1"),
        ("objective.steps=0", "steps must be at least 1, got 0"),
        ("objective.shorts_most=-1", "shorts_most must not be negative, got -1"),
        ("objective.wholes_share=2", "wholes_share must be from 0 to 1, got 2"),
        ("data.sentence_share=2", "data: sentence_share must be from 0 to 1, got 2"),
        ("teacher.max_tokens=0", "teacher: max_tokens must be at least 1, got 0"),
        ("reading.max_tokens=0", "reading: max_tokens must be at least 1, got 0"),
        ("reading.stored=int3", "reading: stored must be one of .*, got 'int3'"),
        ("layers=[]", "layers must name at least one, from 0"),
        ("seed=-1", "seed must not be negative, got -1"),
    ):
        with pytest.raises(ConfigError, match=said):
            recipe(data, teacher, setting)
    with pytest.raises(ConfigError, match="shorts or wholes must name at least one corpus"):
        recipe(data, teacher, "data.shorts=[]", "data.wholes=[]")


def test_the_command_trains_by_a_recipe_file(
    data: Path, teacher: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        f'method = "student"\ndevice = "cpu"\nlayers = [0]\n[data]\nshorts = ["ours"]\nvalid = ["small"]\n'
        f'[teacher]\nsource = "{teacher}"\nmax_tokens = 64\n[reading]\nmax_tokens = 64\n[objective]\nsteps = 2\n'
        "[optimizer]\nbatch = 8\n[schedule]\nepochs = 1\n"
    )
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["train", str(path), "--data", str(data), "--out", str(tmp_path / "out"), "--json"])
    arguments.run(arguments)
    said = json.loads(capsys.readouterr().out)
    assert said["best_epoch"] == 1 and "small" in said["curve"][0]["scores"]
    assert StudentEncoder.load(tmp_path / "out").card.max_tokens == 64
