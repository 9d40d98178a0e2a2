"""KeyVec trained by a recipe: each of its parts alone and both, what comes out, and how a broken run goes on."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from engine.cli import train as command
from engine.core.errors import InputError, TrainingError
from engine.documents.text import STOP_WORDS
from engine.encoders.keyvec import KeyvecEncoder
from engine.training.keyvec import trainer
from engine.training.keyvec.trainer import keyword_loss, read_loss
from engine.training.loop import Processes
from engine.training.run_folder import Folders
from tests.contracts.encoder import SUBJECTS, corpus
from tests.evaluation.small import write_benchmark
from tests.training.keyvec.small import FULL, full_text, recipe, subject_of, write_data
from tests.training.small import word_vectors

AUC, RECALL = "salient sentences, ROC-AUC", "key words, recall"


def train(data: Path, run: Path, *settings: str, resume: bool = False) -> KeyvecEncoder:
    return trainer.train(recipe(data, *settings), Folders(data, run, data / "cache"), resume=resume)


def test_training_finds_salient_sentences_and_key_words(data: Path, tmp_path: Path) -> None:
    encoder = train(
        data, tmp_path / "run", "schedule.epochs=20", "data.full_text_passes=12", "optimizer.learning_rate=0.02"
    )
    first = encoder.facts["curve"][0]
    best = max(encoder.facts["curve"], key=lambda one: sum(one["scores"].values()))
    assert encoder.facts["curve"][-1]["loss"] < 0.7 * first["loss"]
    assert best["scores"][AUC] > 0.8
    assert best["scores"][RECALL] > 0.3  # 0.17 by chance, some 0.5 by the subject alone
    found = encoder.salience([full_text(14)])[0]
    assert found.p[[1, 5]].mean() > 1.5 * found.p[[0, 2, 3, 4, 6, 7]].mean()
    assert not {word for word, _ in found.keywords} & STOP_WORDS
    held_out = range(10, FULL)
    told = encoder.salience([full_text(number) for number in held_out])
    subjects = [SUBJECTS[subject_of(number)].split() for number in held_out]
    own = [[word in words for word, _ in one.keywords[:6]] for one, words in zip(told, subjects, strict=True)]
    assert np.mean(own) > 0.6  # a third by chance: three subjects share the words


@pytest.mark.parametrize(
    ("settings", "scored"),
    [
        (["objective.enc=0", "data.abstracts=[]", "optimizer.batch=4"], {AUC}),
        (["objective.read=0"], {RECALL}),
        (["objective.read=0", "data.full_texts=[]"], set()),
    ],
    ids=["read-only", "enc-only", "abstracts"],
)
def test_an_ablation_learns_its_part_alone(data: Path, tmp_path: Path, settings: list[str], scored: set[str]) -> None:
    encoder = train(data, tmp_path / "run", *settings, "schedule.epochs=6")
    curve = encoder.facts["curve"]
    assert set(curve[0]["scores"]) == scored
    assert curve[-1]["loss"] < curve[0]["loss"]
    start = train(data, tmp_path / "start", *settings, "schedule.epochs=0")
    moved = {
        name: not np.array_equal(start._weights.arrays[name], encoder._weights.arrays[name])
        for name in ("network.keywords.weight", "network.out.weight", "network.salient.weight")
    }
    read_only = "objective.enc=0" in settings
    assert moved == {
        "network.keywords.weight": not read_only,
        "network.out.weight": not read_only,
        "network.salient.weight": True,
    }


LOGITS = [0.3, -1.2, 2.0, 0.0, -0.4]


SALIENT = [1, 0, 1, 0, 0]


DOCUMENTS = [0, 0, 0, 2, 2]


def test_the_readers_loss_is_the_likelihood_of_the_labels() -> None:
    expected = 0.0
    for logit, is_salient in zip(LOGITS, SALIENT, strict=True):
        p = 1 / (1 + math.exp(-logit))
        expected -= math.log(p) if is_salient else math.log(1 - p)
    loss = read_loss(torch.tensor(LOGITS), torch.tensor(SALIENT), torch.tensor(DOCUMENTS))
    assert float(loss) == pytest.approx(expected / 2, rel=1e-5)
    assert float(read_loss(torch.zeros(0), torch.zeros(0), torch.zeros(0, dtype=torch.long))) == 0


def test_the_encoders_loss_is_the_likelihood_of_the_key_words() -> None:
    logits = [[0.1, -0.5, 2.0, 0.7], [1.0, 0.0, 0.0, -3.0], [5.0, 5.0, 5.0, 5.0]]
    words, documents = [2, 3, 0], [0, 0, 1]
    expected = 0.0
    for word, document in zip(words, documents, strict=True):
        row = [math.exp(number) for number in logits[document]]
        expected -= math.log(row[word] / sum(row))
    loss = keyword_loss(torch.tensor(logits), torch.tensor(words), torch.tensor(documents))
    assert float(loss) == pytest.approx(expected / 2, rel=1e-5)
    none = torch.zeros(0, dtype=torch.long)
    assert float(keyword_loss(torch.tensor(logits), none, none)) == 0


def test_the_run_folder_says_what_was_trained_on_what(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run")
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert set(run["corpora_sha256"]) == {"ours", "full", "full/pairs.tsv"}
    assert {"commit", "hardware", "seed"} <= run.keys()
    curve = json.loads((tmp_path / "run" / "curve.json").read_text())
    assert encoder.facts["curve"] == curve
    assert [set(record["scores"]) for record in curve] == [{AUC, RECALL}] * 3
    facts = encoder.facts
    assert (facts["documents"], facts["full_texts"], facts["valid_full_texts"]) == (50, 10, 4)
    assert facts["labelled"] == 80 and facts["salient"] == 20
    assert facts["labels"] == "TF-IDF cosine above 0.15, top 2 a sentence of the abstract"
    assert encoder.card.trained_on == ("ours", "full")


def test_the_encoder_comes_back_from_disk(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run", "schedule.epochs=1", "words.most=25")
    encoder.save(tmp_path / "encoder")
    again = KeyvecEncoder.load(tmp_path / "encoder")
    assert again.card == encoder.card
    assert again.facts["words"] == 25
    rows = [one.encode_documents(corpus()[:3]) for one in (encoder, again)]
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-6)


def test_the_matrix_of_key_words_starts_from_the_words(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run", "schedule.epochs=0", "keywords.start=words", "network.dim=6")
    rows, vectors = encoder._network.keywords.weight.numpy(), word_vectors()
    vector_of = dict(zip(vectors.words, vectors.vectors, strict=True))
    known = [place for place, word in enumerate(encoder._keywords) if word in vector_of]
    assert known
    for place in known:
        np.testing.assert_allclose(rows[place], vector_of[encoder._keywords[place]], atol=1e-2)
    with pytest.raises(InputError, match=r"Expected document vectors as long as the words' .* got network\.dim=8"):
        train(data, tmp_path / "longer", "schedule.epochs=0", "keywords.start=words")


def test_a_dssm_labels_sentences(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run", "schedule.epochs=1", "labels.similarity=dssm", "labels.threshold=0.5")
    assert encoder.facts["labels"] == "DSSM cosine above 0.5, top 2 a sentence of the abstract"
    assert 0 < encoder.facts["salient"] <= 20


@pytest.mark.parametrize(
    "settings",
    [["objective.dropout=0.3", "objective.hidden=0.5"], ["optimizer.kind=sgd", "words.train=false"]],
    ids=["adam", "sgd"],
)
def test_a_run_that_was_broken_off_ends_with_the_same_weights(data: Path, tmp_path: Path, settings: list[str]) -> None:
    train(data, tmp_path / "whole", *settings)
    train(data, tmp_path / "broken", *settings, "schedule.epochs=1")
    train(data, tmp_path / "broken", *settings, resume=True)
    whole, broken = (load_file(tmp_path / name / "checkpoint" / "model.safetensors") for name in ("whole", "broken"))
    assert whole.keys() == broken.keys()
    assert ("words.table" in whole) == ("words.train=false" not in settings)
    assert all((whole[name] == broken[name]).all() for name in whole)


def test_abstracts_are_drawn_and_what_was_read_is_kept(data: Path, tmp_path: Path) -> None:
    def run(name: str, *settings: str) -> KeyvecEncoder:
        folders = Folders(data, tmp_path / name, tmp_path / "cache")
        return trainer.train(recipe(data, "schedule.epochs=0", *settings), folders)

    assert run("one").facts["documents"] == 50
    kept = sorted(path.name for path in (tmp_path / "cache").iterdir())
    assert len(kept) == 2
    assert run("two", "data.most_abstracts=7").facts["documents"] == 17
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == kept
    run("three", "labels.top=1")
    assert len(list((tmp_path / "cache").iterdir())) == 3


def test_a_benchmark_scores_each_epoch(data: Path, tmp_path: Path) -> None:
    folders = Folders(data, tmp_path / "run", data / "cache")
    seen: list[int] = []

    def score(encoder: KeyvecEncoder) -> dict[str, float]:
        seen.append(encoder.card.dim)
        return {"small": 0.5}

    encoder = trainer.train(recipe(data), folders, score=score)
    assert seen == [8, 8, 8]
    assert all(record["scores"]["small"] == 0.5 for record in encoder.facts["curve"])


def test_what_is_missing_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing: other"):
        train(data, tmp_path / "run", 'data.abstracts=["other"]')
    with pytest.raises(InputError, match=r"Expected pairs\.tsv beside the full texts of ours; missing: ours"):
        train(data, tmp_path / "run", "data.abstracts=[]", 'data.full_texts=["ours"]', "objective.enc=0")
    with pytest.raises(InputError, match="Expected word vectors in nowhere, a folder of pretrained"):
        train(data, tmp_path / "run2", "data.words=nowhere")
    with pytest.raises(InputError, match="Expected documents with known words and an abstract to train on"):
        train(data, tmp_path / "run3", "words.least=1000000")


def test_a_run_is_not_trained_over_another(data: Path, tmp_path: Path) -> None:
    train(data, tmp_path / "run")
    with pytest.raises(TrainingError, match="Expected a new run folder"):
        train(data, tmp_path / "run")


def test_several_processes_are_refused(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def two(device: str) -> Iterator[tuple[Processes, str]]:
        yield Processes(0, 2), device

    monkeypatch.setattr("engine.training.loop.joined", two)
    with pytest.raises(TrainingError, match="Expected one process, got 2: KeyVec is small"):
        train(data, tmp_path / "run")


def test_the_command_trains_and_says_where(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark = write_benchmark(tmp_path / "data" / "small")
    write_data(tmp_path / "data")
    queries = [line.split("\t")[0] for line in (benchmark / "qrels.tsv").read_text().splitlines()[1:]]
    (benchmark / "query-splits.tsv").write_text("".join(f"{query}\tvalid\n" for query in dict.fromkeys(queries)))
    (tmp_path / "small.toml").write_text(
        'method = "keyvec"\ndevice = "cpu"\n[data]\nabstracts = ["ours"]\nfull_texts = ["full"]\nvalid = ["small"]\n'
        f'words = "{data / "words"}"\n[words]\nleast = 1\n[network]\nhidden = 4\ndim = 6\n[schedule]\nepochs = 1\n'
    )
    parser = argparse.ArgumentParser()
    command.add_train(parser.add_subparsers())
    out = tmp_path / "encoder"
    line = ["train", str(tmp_path / "small.toml"), "--data", str(tmp_path / "data"), "--out", str(out), "--json"]
    arguments = parser.parse_args(line)
    arguments.run(arguments)
    said = json.loads(capsys.readouterr().out)
    assert set(said["curve"][0]["scores"]) == {AUC, RECALL, "small"}
    assert KeyvecEncoder.load(out).card.dim == 6
    assert (tmp_path / "encoder-run" / "curve.json").is_file()
