"""A small transformer taught by a larger one of our own: what it begins with, learns, keeps and refuses."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array

from engine.cli import train as command
from engine.core.errors import ConfigError, TrainingError
from engine.encoders import Transformer, TransformerMeanEncoder
from engine.encoders.student import StudentEncoder
from engine.training.loop import Processes
from engine.training.related import RelatedDocuments, RelatedPairs
from engine.training.run_folder import Folders
from engine.training.settings import RelatedSettings
from engine.training.student import trainer
from engine.training.student.texts import RelatedTexts
from engine.training.student.trainer import PlacedTexts, StudentTask
from tests.contracts.encoder import corpus
from tests.evaluation.small import write_table
from tests.training.small import write_data
from tests.training.student.small import RELATED, recipe


def test_every_text_comes_once_before_one_comes_again(data: Path, teacher: Path) -> None:
    given = recipe(data, teacher, "optimizer.batch=4", "objective.steps=3")
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(10)], np.ones((10, 32), np.float16))
    task = StudentTask(given, trainer.begin_model(Transformer.open(teacher), given), texts)
    seen = [place for epoch in range(5) for batch in task.batches(epoch) for place in batch.places.tolist()]
    assert len(seen) == 60 and all(seen.count(place) == 6 for place in range(10))
    again = [batch.places.tolist() for batch in task.batches(1)]
    assert again == [batch.places.tolist() for batch in task.batches(1)]
    assert all(batch == sorted(batch) for batch in again)  # lengths rise with the number here


def test_what_belongs_together_is_learnt_beside_the_teacher_s_places(data: Path, teacher: Path) -> None:
    given, transformer = recipe(data, teacher, RELATED, "seed=3"), Transformer.open(teacher)
    model = trainer.begin_model(transformer, given)
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(6)], np.ones((6, 32), np.float16))
    related = RelatedTexts.of(given.related, transformer, data, max_tokens=64)
    assert related is not None
    alone, both = StudentTask(given, model, texts), StudentTask(given, model, texts, related=related)
    for batch in both.batches(0):
        one, other = related.draw(batch.key).pairs.T
        rows = [_placed(model, [related.tokens[place] for place in side]) for side in (one, other)]
        logits = rows[0] @ rows[1].T / 0.1
        logits[related.pairs.same_label(one, other) & ~np.eye(3, dtype=bool)] = -np.inf
        shares = [logits - np.log(np.exp(logits).sum(axis, keepdims=True)) for axis in (0, 1)]
        by_hand = -np.mean([np.diag(share) for share in shares])
        added = float(both.loss(batch).detach()) - float(alone.loss(batch).detach())
        assert added == pytest.approx(2 * by_hand, rel=1e-3, abs=1e-3)


def test_related_texts_of_one_subject_or_family_are_no_negatives(data: Path, teacher: Path) -> None:
    given = recipe(data, teacher, "related={weight = 2.0, batch = 5, temperature = 0.1, titles = ['ours']}")
    transformer = Transformer.open(teacher)
    model = trainer.begin_model(transformer, given)
    texts = PlacedTexts([[2, *range(5, 5 + number), 3] for number in range(6)], np.ones((6, 32), np.float16))
    related = RelatedTexts(transformer.tokens([one.text for one in corpus()[:10]], 64), _five_pairs())
    alone, both = StudentTask(given, model, texts), StudentTask(given, model, texts, related=related)
    for batch in both.batches(0):
        one, other = related.draw(batch.key).pairs.T
        rows = [_placed(model, [related.tokens[place] for place in side]) for side in (one, other)]
        drawn = (one // 2).tolist()  # which of the five pairs
        counted = [[{this, that} not in ({0, 2}, {3, 4}) for that in drawn] for this in drawn]
        scores = np.exp(rows[0] @ rows[1].T / 0.1)
        sums = [(scores * counted).sum(axis) for axis in (0, 1)]
        by_hand = np.mean([np.log(total / scores.diagonal()) for total in sums])
        added = float(both.loss(batch).detach()) - float(alone.loss(batch).detach())
        assert added == pytest.approx(2 * by_hand, rel=1e-4, abs=1e-4)


def _five_pairs() -> RelatedPairs:
    """Of ten texts each with the next; the first and third pair are of one subject, the last two of one family."""
    every = RelatedSettings(share=1.0, batch=5, subjects=("ours",), subject_share=0.0)
    source = RelatedDocuments(every, [], np.arange(10).reshape(-1, 2))
    subjects, families = np.array([0, 0, -1, -1, 0, 0, -1, -1, -1, -1]), np.array([-1] * 6 + [0] * 4)
    return RelatedPairs([source], np.ones(1), csr_array((10, 10), dtype=bool), subjects, families)


def _placed(model: Any, texts: list[Any]) -> Any:  # noqa: ANN401  a module without types, arrays
    rows = []
    for ids in texts:
        with torch.no_grad():
            row = model(input_ids=torch.tensor([list(ids)])).last_hidden_state[0].sum(0).numpy()
        rows.append(row / np.linalg.norm(row))
    return np.array(rows, np.float64)


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
        trainer.begin_model(model, recipe(data, teacher, f"train_words={value}")) for value in ("false", "true")
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
        ("objective.places=-1", "places must be 0 or more, got -1"),
        ("objective.steps=0", "steps must be at least 1, got 0"),
        ("objective.shorts_most=-1", "shorts_most must be 0 or more, got -1"),
        ("objective.wholes_share=2", "wholes_share must be from 0 to 1, got 2"),
        ("data.sentence_share=2", "data: sentence_share must be from 0 to 1, got 2"),
        ("teacher.max_tokens=0", "teacher: max_tokens must be at least 1, got 0"),
        ("reading.max_tokens=0", "reading: max_tokens must be at least 1, got 0"),
        ("reading.stored=int3", "reading: stored must be one of .*, got 'int3'"),
        ("layers=[]", "layers must name at least one, from 0"),
        ("seed=-1", "seed must be 0 or more, got -1"),
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
    command.add_train(parser.add_subparsers())
    arguments = parser.parse_args(["train", str(path), "--data", str(data), "--out", str(tmp_path / "out"), "--json"])
    arguments.run(arguments)
    said = json.loads(capsys.readouterr().out)
    assert said["best_epoch"] == 1 and "small" in said["curve"][0]["scores"]
    assert StudentEncoder.load(tmp_path / "out").card.max_tokens == 64
