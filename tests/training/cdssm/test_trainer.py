"""C-DSSM trained by a recipe: what lies in the run folder, what comes out, and how a broken run goes on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from torch import Tensor

from engine.cli import train as command
from engine.core.errors import InputError, TrainingError
from engine.encoders.cdssm import CdssmEncoder, CdssmSettings
from engine.evaluation import Validation
from engine.training.cdssm import trainer
from engine.training.cdssm.trainer import RelatedTask
from engine.training.related import PairBatch
from engine.training.run_folder import Folders
from tests.contracts.encoder import corpus
from tests.training.cdssm.small import recipe
from tests.training.small import word_vectors, write_data

VARIANTS = {
    "two towers on letters": ["network.towers=two", "objective.asks=first", "network.padding=none"],
    "a shared tower on letters": ["vectors.begin_letters=true", "objective.word_dropout=0.3"],
    "a shared tower on words": ["network.words=vectors"],
    "two towers on words that move": ["network.words=vectors", "network.towers=two", "vectors.trained=true"],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("training") / "data")


def train(data: Path, run: Path, *settings: str, **more: object) -> CdssmEncoder:
    encoder = trainer.train(recipe(data, *settings), Folders(data, run, data / "cache"), **more)  # type: ignore[arg-type]
    assert encoder is not None
    return encoder


def test_the_run_folder_says_what_was_trained_on_what(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run")
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (run["recipe"]["objective"]["gamma"], run["recipe"]["network"]["towers"]) == (10.0, "shared")
    assert set(run["corpora_sha256"]) == {"ours", "ours/train-pairs.tsv"}
    assert {"commit", "hardware", "seed"} <= run.keys()
    curve = json.loads((tmp_path / "run" / "curve.json").read_text())
    assert [record["epoch"] for record in curve] == [1, 2]
    assert encoder.facts["curve"] == curve
    facts = encoder.facts
    assert (facts["documents"], facts["subjects"], facts["related_pairs"]) == (40, 4, 3)
    assert facts["queries_a_step"] == 6
    assert (facts["trigrams"], facts["processes"], facts["device"]) == (100, 1, "cpu")
    assert encoder.card.trained_on == ("ours",)


@pytest.mark.parametrize("settings", VARIANTS.values(), ids=VARIANTS)
def test_each_variant_is_scored_and_comes_back_from_disk(settings: list[str], data: Path, tmp_path: Path) -> None:
    validation = Validation.load(["small"], data, metric="nDCG@10")
    encoder = train(data, tmp_path / "run", *settings, score=validation)
    best = encoder.facts["curve"][encoder.facts["best_epoch"] - 1]
    assert validation(encoder) == pytest.approx(best["scores"])
    assert encoder.settings == recipe(data, *settings).network
    encoder.save(tmp_path / "out")
    loaded = CdssmEncoder.load(tmp_path / "out")
    np.testing.assert_array_equal(loaded.encode_documents(corpus()), encoder.encode_documents(corpus()))
    assert loaded.facts["recipe"]["network"] == encoder.facts["recipe"]["network"]


@pytest.mark.parametrize("towers", ["shared", "two"])
def test_training_brings_documents_of_one_subject_together(towers: str, data: Path, tmp_path: Path) -> None:
    settings = ["network.channels=32", f"network.towers={towers}", "data.steps=60", "data.subject_share=1.0"]

    def nearness(encoder: CdssmEncoder) -> float:
        subjects = np.array([one.id.rstrip("0123456789") for one in corpus()])
        products = encoder.encode_queries(corpus()) @ encoder.encode_documents(corpus()).T
        same = subjects[:, None] == subjects
        return float(products[same].mean() - products[~same].mean())

    untrained = train(data, tmp_path / "zero", *settings, "schedule.epochs=0")
    trained = train(data, tmp_path / "run", *settings)
    assert untrained.facts["curve"] == []
    assert nearness(trained) > nearness(untrained) + 0.2


@pytest.mark.parametrize(
    ("steps", "settings"),
    [(3, VARIANTS["a shared tower on letters"]), *((4, settings) for settings in VARIANTS.values())],
    ids=["at an epoch's end", *VARIANTS],
)
def test_a_broken_run_gives_the_weights_of_an_unbroken_one(
    steps: int, settings: list[str], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = [*settings, "data.steps=3", "schedule.checkpoint_minutes=0", "schedule.decay=linear"]
    train(data, tmp_path / "whole", *settings)
    loss, calls = RelatedTask.loss, 0

    def breaks(task: RelatedTask, batch: PairBatch) -> Tensor:
        nonlocal calls
        calls += 1
        if calls > steps:
            raise KeyboardInterrupt
        return loss(task, batch)

    with monkeypatch.context() as patched:
        patched.setattr(RelatedTask, "loss", breaks)
        with pytest.raises(KeyboardInterrupt):
            train(data, tmp_path / "broken", *settings)
    train(data, tmp_path / "broken", *settings, resume=True)
    for name in ("checkpoint/model", "checkpoint/optimizer", "best/model"):
        whole, resumed = (load_file(tmp_path / run / f"{name}.safetensors") for run in ("whole", "broken"))
        assert whole.keys() == resumed.keys()
        for key, array in whole.items():
            assert array.tobytes() == resumed[key].tobytes(), key


def test_word_vectors_move_only_where_the_recipe_says_so(data: Path, tmp_path: Path) -> None:
    given = word_vectors().vectors.astype(np.float32)
    for name, more in (("frozen", []), ("moved", ["vectors.trained=true"])):
        train(data, tmp_path / name, "network.words=vectors", *more, "schedule.epochs=1")
        table = load_file(tmp_path / name / "checkpoint" / "model.safetensors")["vectors"]
        assert (np.abs(table - given).max() > 1e-3) == bool(more)
        assert np.array_equal(table, given) != bool(more)


def test_what_cannot_be_trained_on_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"for each of other in .*; missing: other"):
        train(data, tmp_path / "run", "data.subjects=['other']", "data.files=[]")
    with pytest.raises(InputError, match=r"Expected a table of related pairs at .*none\.tsv; there is none"):
        train(data, tmp_path / "run", "data.files=[{corpus = 'ours', pairs = 'none.tsv'}]")
    with pytest.raises(InputError, match=r"Expected word vectors in nowhere, a folder of pretrained/ or a path"):
        train(data, tmp_path / "words", "vectors.source=nowhere", "network.words=vectors")
    with pytest.raises(InputError, match=r"at least 5 sets of categories with 4 documents in ours for a batch"):
        train(data, tmp_path / "batch", "optimizer.batch=5")
    with pytest.raises(InputError, match=r"at least 4 related pairs in ours/train-pairs\.tsv for a batch, got 3"):
        train(data, tmp_path / "few", "optimizer.batch=4")
    train(data, tmp_path / "again", "schedule.epochs=1")
    with pytest.raises(TrainingError, match=r"Expected a new run folder, found a run in .*again\. Add --resume"):
        train(data, tmp_path / "again", "schedule.epochs=1")


def test_the_command_trains_by_a_file_and_goes_on(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'method = "cdssm"\ndevice = "cpu"\n[data]\nsubjects = ["ours"]\nsteps = 2\nvalid = ["small"]\n'
        "[network]\nchannels = 4\ndim = 3\n[optimizer]\nbatch = 4\n[schedule]\nepochs = 1\n"
    )
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    line = ["train", str(path), "--data", str(data), "--out", str(tmp_path / "out")]
    for more in ([], ["--resume", "--set", "schedule.epochs=2", "--json"]):
        arguments = parser.parse_args([*line, *more])
        arguments.run(arguments)
    said, facts = capsys.readouterr().out.split("\n", 1)
    assert "1 epochs over 40 documents, the best is 1; written to" in said
    assert 0 <= json.loads(facts)["curve"][1]["scores"]["small"] <= 1
    encoder = CdssmEncoder.load(tmp_path / "out")
    assert encoder.settings == CdssmSettings(channels=4, dim=3)
    assert encoder.encode_documents(corpus()).any()
