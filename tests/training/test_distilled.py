"""Word vectors taught by a small transformer of our own: what is learnt, kept, refused, and gone on with."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from engine.cli import train as command
from engine.config import from_mapping, with_settings
from engine.documents import Document
from engine.encoders.distilled.encoder import DistilledEncoder
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import TransformerMeanEncoder
from engine.errors import ConfigError, TrainingError
from engine.training import distilled, runs
from engine.training.distilled_recipe import DistilledRecipe
from engine.training.distilled_task import TaughtTexts
from engine.training.run_folder import Folders
from engine.training.student import teacher_rows as kept
from engine.training.student.teacher_rows import read_teacher_rows
from engine.training.student.texts import short_texts, whole_texts
from tests.contracts.encoder import corpus
from tests.encoders.tiny_transformer import MARKS, write_tiny_transformer
from tests.evaluation.small import write_table
from tests.training.small import write_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("distilled"))


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tests' transformer with its words as pieces."""
    folder = write_tiny_transformer(tmp_path_factory.mktemp("teacher"))
    path = folder / "tokenizer.json"
    held = json.loads(path.read_text())
    vocabulary = held["model"]["vocab"]
    pieces = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    pieces.normalizer, pieces.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    pieces.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    pieces.save(str(path))
    return folder


def recipe(data: Path, teacher: Path, *settings: str) -> DistilledRecipe:
    values: dict[str, Any] = {
        "method": "distilled",
        "data": {"shorts": ["ours"], "wholes": ["ours"]},
        "teacher": {"source": str(teacher), "max_tokens": 64},
        "vectors": {"source": str(data / "words"), "dim": 12},
        "optimizer": {"learning_rate": 0.02, "batch": 16},
        "schedule": {"epochs": 3},
    }
    return from_mapping(with_settings(values, settings), DistilledRecipe, origin="ours.toml")


def train(data: Path, teacher: Path, run: Path, *settings: str, resume: bool = False) -> DistilledEncoder:
    return distilled.train(recipe(data, teacher, *settings), Folders(data, run, data / "cache"), resume=resume)


def test_a_student_comes_nearer_to_its_teacher(data: Path, teacher: Path, tmp_path: Path) -> None:
    first = train(data, teacher, tmp_path / "none", "schedule.epochs=0")
    taught = train(data, teacher, tmp_path / "run", "schedule.epochs=12")
    losses = [one["loss"] for one in taught.facts["curve"]]
    assert losses[-1] < 0.7 * losses[0]
    documents = corpus()
    placed = TransformerMeanEncoder.open(teacher, max_tokens=64).encode_documents(documents)
    wanted = placed @ placed.T

    def apart(encoder: DistilledEncoder) -> float:
        rows = encoder.encode_documents(documents)
        above = np.triu_indices(len(documents), 1)
        return float(np.corrcoef((rows @ rows.T)[above], wanted[above])[0, 1])

    assert apart(taught) > apart(first)
    assert taught.card.trained_on == ("ours",)


def test_the_run_says_what_was_taught_by_whom(data: Path, teacher: Path, tmp_path: Path) -> None:
    encoder = train(data, teacher, tmp_path / "run", "schedule.epochs=1")
    facts = encoder.facts
    assert facts["teacher_fingerprint"] == TransformerMeanEncoder.open(teacher, max_tokens=64).card.fingerprint
    assert facts["words"] == len(encoder.lexicon.words) and facts["pieces"] == len(encoder.lexicon.pieces)
    assert {"commit", "hardware", "seed", "recipe", "corpora_sha256", "tokens"} <= facts.keys()
    assert not set(encoder.lexicon.pieces) & set(MARKS)
    encoder.save(tmp_path / "out")
    assert DistilledEncoder.load(tmp_path / "out").card == encoder.card


def test_a_run_that_was_broken_off_gives_the_same_vectors(data: Path, teacher: Path, tmp_path: Path) -> None:
    whole = train(data, teacher, tmp_path / "whole")
    train(data, teacher, tmp_path / "broken", "schedule.epochs=1")
    resumed = train(data, teacher, tmp_path / "broken", resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint


def test_the_teacher_is_asked_once(data: Path, teacher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = TransformerMeanEncoder.open(teacher, max_tokens=64)
    texts = [f"boiler {word}" for word in ("valve", "gene", "graph", "loss", "tree")]
    monkeypatch.setattr(kept, "_SHARD", 2)
    rows = read_teacher_rows(texts, encoder, cache=tmp_path)
    direct = encoder.encode_documents([Document("a", title=one) for one in texts])
    np.testing.assert_allclose(rows, direct, atol=1e-2)
    monkeypatch.setattr(TransformerMeanEncoder, "encode_documents", None)
    np.testing.assert_array_equal(read_teacher_rows(texts, encoder, cache=tmp_path), rows)
    assert read_teacher_rows([], encoder, cache=tmp_path).shape == (0, encoder.card.dim)


def test_texts_are_titles_sentences_and_whole_documents(data: Path, teacher: Path) -> None:
    settings = recipe(data, teacher).data
    short = short_texts(settings, data, seed=1)
    documents = corpus()
    titles = {document.title for document in documents}
    sentences = set(short) - titles
    assert titles <= set(short)
    assert sentences and all(any(one in document.abstract for document in documents) for one in sentences)
    assert len(short) < 2 * len(documents)  # not every abstract gives one
    assert short == short_texts(settings, data, seed=1) != short_texts(settings, data, seed=2)
    assert whole_texts(settings, data) == [document.text for document in documents]


def test_queries_of_benchmarks_and_their_families_teach_nothing(data: Path, teacher: Path, tmp_path: Path) -> None:
    shutil.copytree(data, tmp_path / "data")
    (tmp_path / "data" / "asked").mkdir()
    asked = corpus()[0]
    write_table(tmp_path / "data" / "asked" / "queries.parquet", [asked])
    settings = recipe(data, teacher).data
    assert whole_texts(settings, tmp_path / "data") == [one.text for one in corpus()[1:]]
    titles = {one.title for one in corpus()[1:]}
    assert asked.title in titles or asked.title not in short_texts(settings, tmp_path / "data", seed=1)


def test_texts_without_a_word_are_left_out() -> None:
    numbers = [np.array([1, 2], np.int32), np.zeros(0, np.int32), np.array([3], np.int32)]
    texts = TaughtTexts.of(numbers, np.arange(6, dtype=np.float16).reshape(3, 2))
    assert len(texts) == 2
    np.testing.assert_array_equal(texts.rows, [[0, 1], [4, 5]])
    words, begins = texts.words_of(np.array([0, 1]))
    assert words.tolist() == [1, 2, 3] and begins.tolist() == [0, 2]


def test_a_teacher_of_whole_words_is_refused(data: Path, tmp_path: Path) -> None:
    folder = write_tiny_transformer(tmp_path / "words")
    with pytest.raises(TrainingError, match="Expected a teacher whose tokenizer is a WordPiece, got WordLevel"):
        distilled.word_pieces(Transformer.open(folder))


def test_more_directions_than_the_teacher_has_are_refused(data: Path, teacher: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"Expected vectors.dim of at most 32, the teacher's; got 33"):
        train(data, teacher, tmp_path / "run", "vectors.dim=33")


def test_every_wrong_key_is_named_at_once(data: Path, teacher: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        recipe(data, teacher, "vectors.dim=0", "data.sentence_share=2", "teacher.max_tokens=0")
    for key in ("vectors: dim must be at least 1", "data: sentence_share must be from 0 to 1", "teacher: max_tokens"):
        assert key in str(caught.value)
    with pytest.raises(ConfigError, match="temperature must be above 0, got 0"):
        recipe(data, teacher, "temperature=0")
    with pytest.raises(ConfigError, match="shorts or wholes must name at least one corpus"):
        recipe(data, teacher, "data.shorts=[]", "data.wholes=[]")


def test_the_command_trains_by_a_recipe_file(
    data: Path, teacher: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        f'method = "distilled"\n[data]\nshorts = ["ours"]\nvalid = ["small"]\n[teacher]\nsource = "{teacher}"\n'
        f'max_tokens = 64\n[vectors]\nsource = "{data / "words"}"\ndim = 8\n[optimizer]\nbatch = 16\n'
        "[schedule]\nepochs = 1\n"
    )
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["train", str(path), "--data", str(data), "--out", str(tmp_path / "out"), "--json"])
    arguments.run(arguments)
    said = json.loads(capsys.readouterr().out)
    assert said["best_epoch"] == 1 and "small" in said["curve"][0]["scores"]
    assert DistilledEncoder.load(tmp_path / "out").card.dim == 8


def test_the_shipped_recipe_is_read() -> None:
    shipped = runs.load_recipe("distilled-cpu")
    assert isinstance(shipped, DistilledRecipe)
    assert shipped.teacher.source == "minilm"
