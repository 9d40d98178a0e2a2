"""Matchers and S-BERT trained by a recipe: what they learn, going on where it broke off, and the encoder it gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from engine.core.config import from_mapping, with_settings
from engine.core.errors import ConfigError, EncoderError, InputError, TrainingError
from engine.documents import Document
from engine.encoders import TransformerMeanEncoder, registry, storage
from engine.research import train as command
from engine.research.baselines.rows import ROWS
from engine.research.matchers import trainer
from engine.research.matchers.encoder import Lexicon, MatcherEncoder, build
from engine.research.matchers.networks import KINDS, Kind, MatcherNetwork, encode_reads, reads_words
from engine.research.matchers.trainer import MatcherRecipe, MatcherTask, SBertRecipe, SBertStart
from engine.research.train import RECIPES
from engine.training import Folders
from engine.training.long_corpus import LongCorpus, read_long_corpora
from engine.training.loop import Processes
from tests.contracts.encoder import EMPTY, corpus
from tests.evaluation.small import write_table
from tests.training.long import write_long_corpora, write_long_data
from tests.training.small import break_off, word_vectors

NETWORK = {
    "max_words": 30,
    "width": 16,
    "dim": 8,
    "row_words": 5,
    "layers": 1,
    "heads": 2,
    "window": 4,
    "trigrams": 200,
}


def write_data(folder: Path) -> Path:
    """The corpora "ours" and "more" with pairs of two subjects each, and word vectors in "words"."""
    write_long_corpora(folder)
    word_vectors().save(folder / "words")
    return folder


def values(kind: Kind, data: Path) -> dict[str, Any]:
    """A recipe as TOML gives it."""
    return {
        "method": "matcher",
        "kind": kind,
        "device": "cpu",
        "data": {"corpora": ["ours", "more"], "words": str(data / "words")},
        "network": NETWORK,
        "optimizer": {"learning_rate": 0.01, "batch": 12},
        "schedule": {"epochs": 6},
    }


def recipe(kind: Kind, data: Path, *settings: str) -> MatcherRecipe:
    """A recipe with other settings over it."""
    return from_mapping(with_settings(values(kind, data), settings), MatcherRecipe, origin="test")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_recipe_within_the_limit_of_words(kind: Kind) -> None:
    made = RECIPES.load(f"matcher-{kind}")
    assert isinstance(made, MatcherRecipe)
    assert (made.kind, made.data.words) == (kind, "word2vec")
    assert 1_000 <= made.network.max_words <= 2_000
    assert made.schedule.patience


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["data.corpora=[]"], "data: corpora must name at least one corpus"),
        (["optimizer.learning_rate=0", "optimizer.batch=3"], r"learning_rate must be above 0, got 0\.0; batch must be"),
        (["optimizer.word_dropout=1"], "word_dropout must be a share from 0 to below 1"),
        (["seed=-1"], "seed must be 0 or more"),
        (["kind=bert"], "kind must be one of 'dssm', 'arc-i', 'han', 'smith', 's-long', got 'bert'"),
        (["network.max_words=0"], "network: max_words must be at least 1, got 0"),
    ],
)
def test_values_out_of_range_are_refused(settings: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        RECIPES.load("matcher-han", settings)


def test_s_bert_has_the_published_length_and_a_small_rate() -> None:
    made = RECIPES.load("matcher-s-bert")
    assert isinstance(made, SBertRecipe)
    assert (made.network.source, made.network.max_tokens) == ("minilm", 512)
    assert made.optimizer.learning_rate == 2e-5


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["data.corpora=[]"], "data: corpora must name at least one corpus"),
        (["network.max_tokens=3"], "network: max_tokens must be at least 4, got 3"),
        (["seed=-1"], "seed must be 0 or more"),
    ],
)
def test_values_out_of_s_berts_range_are_refused(settings: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        RECIPES.load("matcher-s-bert", settings)


@pytest.fixture(scope="module")
def task_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("task") / "data")


def made(data: Path, *settings: str) -> tuple[MatcherTask, MatcherNetwork, LongCorpus, np.ndarray]:
    """A task with its network and corpus, and every document's row at unit length."""
    given, words = recipe("arc-i", data, *settings), word_vectors()
    lexicon = Lexicon(words.words, words.vectors)
    network = build("arc-i", given.network, lexicon, seed=1)
    corpus = read_long_corpora(given.data.corpora, data)
    reads = [lexicon.read(document, "arc-i", given.network) for document in corpus.documents]
    with torch.no_grad():
        rows = encode_reads(network, reads).numpy().astype(np.float64)
    task = MatcherTask(given, network, corpus=corpus, reads=reads)
    return task, network, corpus, rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_loss_is_the_squared_distance_of_cosines_from_labels(data: Path) -> None:
    task, _, corpus, rows = made(data)
    batches = task.batches(0)
    assert len(batches) == task.steps()
    seen = []
    for batch in batches:
        pairs = batch.documents[batch.pairs.places]
        wanted = np.mean([(rows[a] @ rows[b] - y) ** 2 for (a, b), y in zip(pairs, batch.pairs.related, strict=True)])
        assert task.loss(batch).item() == pytest.approx(wanted, abs=1e-5)
        seen += [tuple(pair) for pair in pairs.tolist()]
    assert sorted(seen) == sorted(tuple(pair) for one in corpus.train.values() for pair in one.places.tolist())


def test_scores_count_pairs_that_are_ranked_right(data: Path) -> None:
    task, _, corpus, rows = made(data)
    for name, pairs in corpus.valid.items():
        cosines = np.array([rows[a] @ rows[b] for a, b in pairs.places])
        right = [(x > y) + (x == y) / 2 for x in cosines[pairs.related] for y in cosines[~pairs.related]]
        assert task.scores()[name] == pytest.approx(np.mean(right), abs=1e-6)


def test_hidden_words_follow_from_the_step_alone(data: Path) -> None:
    task, network, _, _ = made(data, "optimizer.word_dropout=0.4")
    first, second, *_ = task.batches(0)
    assert task.loss(first).item() == task.loss(first).item()
    plain, _, _, _ = made(data)
    assert task.loss(first).item() != pytest.approx(plain.loss(first).item(), abs=1e-7)
    assert task.loss(second).item() != task.loss(first).item()
    (group,) = task.groups()
    assert (len(group["params"]), group["lr"]) == (len(list(network.parameters())), 0.01)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("matchers") / "data")


def train(kind: Kind, data: Path, run: Path, *settings: str, resume: bool = False) -> MatcherEncoder:
    return trainer.train(recipe(kind, data, *settings), Folders(data, run, run / "cache"), resume=resume)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_learns_two_subjects(kind: Kind, data: Path, tmp_path: Path) -> None:
    rate = f"optimizer.learning_rate={0.003 if kind in ('smith', 's-long') else 0.01}"
    encoder = train(kind, data, tmp_path / "run", "schedule.epochs=12", "data.corpora=['ours']", rate)
    curve = encoder.facts["curve"]
    assert curve[-1]["loss"] < 0.6 * curve[0]["loss"]
    assert curve[encoder.facts["best_epoch"] - 1]["scores"]["ours"] >= 0.9
    assert (encoder.facts["documents"], encoder.facts["pairs"]) == (14, 24)
    assert encoder.card.trained_on == ("ours",)
    encoder.save(tmp_path / "out")
    rows = registry.load_folder(tmp_path / "out", ROWS.loaders).encode_documents(corpus())
    np.testing.assert_array_equal(rows, encoder.encode_documents(corpus()))


def test_the_run_folder_says_what_was_trained_on_what(data: Path, tmp_path: Path) -> None:
    encoder = train("arc-i", data, tmp_path / "run", "schedule.epochs=2")
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (run["recipe"]["kind"], run["recipe"]["network"]["width"]) == ("arc-i", 16)
    assert set(run["corpora_sha256"]) == {"ours", "more", "ours/pairs.tsv", "more/pairs.tsv"}
    curve = json.loads((tmp_path / "run" / "curve.json").read_text())
    assert encoder.facts["curve"] == curve
    assert curve[0]["scores"].keys() == {"ours", "more"}
    kept = load_file(tmp_path / "run" / "best" / "model.safetensors")
    assert max(array.size for array in kept.values()) < 2_000  # no word vectors


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_gives_the_same_weights_again(kind: Kind, data: Path, tmp_path: Path) -> None:
    settings = ["schedule.epochs=1", "data.corpora=['ours']", "optimizer.word_dropout=0.3"]
    first = train(kind, data, tmp_path / "first", *settings)
    torch.manual_seed(9)  # a run's draws are its own
    again = train(kind, data, tmp_path / "again", *settings)
    assert again.card.fingerprint == first.card.fingerprint
    assert build_untrained(kind, data, seed=1) == build_untrained(kind, data, seed=1)
    assert build_untrained(kind, data, seed=1) != build_untrained(kind, data, seed=2)


def build_untrained(kind: Kind, data: Path, *, seed: int) -> float:
    """A sum that tells one network's weights from another's."""
    words = word_vectors()
    lexicon = Lexicon(words.words, words.vectors if reads_words(kind) else None)
    weights = build(kind, recipe(kind, data).network, lexicon, seed=seed).out.weight
    return float(weights.detach().double().sum())


@pytest.mark.parametrize(("kind", "steps"), [("dssm", 2), ("han", 3), ("s-long", 4)])
def test_a_broken_run_gives_the_weights_of_an_unbroken_one(
    kind: Kind, steps: int, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ["optimizer.word_dropout=0.3", "schedule.checkpoint_minutes=0", "schedule.epochs=2"]
    settings += ["data.corpora=['ours']", "optimizer.batch=16"]
    whole = train(kind, data, tmp_path / "whole", *settings)
    break_off(monkeypatch, MatcherTask, steps, lambda: train(kind, data, tmp_path / "broken", *settings))
    resumed = train(kind, data, tmp_path / "broken", *settings, resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint


def test_trigrams_are_those_of_documents_that_are_trained_on(data: Path, tmp_path: Path) -> None:
    encoder = train("dssm", data, tmp_path / "run", "schedule.epochs=0", "data.corpora=['ours']", "data.words=none")
    encoder.save(tmp_path / "out")
    known = (tmp_path / "out" / "vocabulary.txt").read_text().split("\n")
    assert "#st" in known
    assert "#mu" not in known  # "mutation" stands in the other corpus alone


def test_a_run_is_gone_on_with_as_the_same_run_only(data: Path, tmp_path: Path) -> None:
    train("dssm", data, tmp_path / "run", "schedule.epochs=1")
    with pytest.raises(TrainingError, match=r"Expected a new run folder, found a run in .*run\. Add --resume"):
        train("dssm", data, tmp_path / "run", "schedule.epochs=1")
    with pytest.raises(TrainingError, match=r"but these differ: network\.dim\. Put them back"):
        train("dssm", data, tmp_path / "run", "network.dim=9", resume=True)
    further = train("dssm", data, tmp_path / "run", "schedule.epochs=2", resume=True)
    assert [record["epoch"] for record in further.facts["curve"]] == [1, 2]


def write_pairs(folder: Path, documents: list[Document], *lines: str) -> None:
    folder.mkdir(parents=True)
    write_table(folder / "corpus.parquet", documents)
    (folder / "pairs.tsv").write_text("".join(f"{line}\n" for line in ("id-a\tid-b\tlabel\tsplit", *lines)))


def test_pairs_without_words_are_left_out(data: Path, tmp_path: Path) -> None:
    documents = [*corpus()[:3], Document("wordless", title="Known words stand in titles alone")]
    a, b, c = (one.id for one in documents[:3])
    lines = [f"{a}\t{b}\t1\ttrain", f"{a}\t{c}\t0\ttrain", f"{b}\twordless\t0\ttrain", f"{a}\t{c}\t1\tvalid"]
    write_pairs(tmp_path / "few", documents, *lines)
    words = f"data.words={data / 'words'}"
    encoder = train("han", tmp_path, tmp_path / "run", "data.corpora=['few']", words, "schedule.epochs=1")
    assert (encoder.facts["pairs"], encoder.facts["documents"]) == (2, 4)
    assert encoder.facts["left_out"] == {"a document without known words": 1}
    assert encoder.facts["curve"][0]["scores"] == {}  # its valid pairs have one label
    write_pairs(tmp_path / "nothing", documents, f"{a}\twordless\t1\ttrain")
    with pytest.raises(InputError, match="Expected train pairs of documents with known words, found none"):
        train("han", tmp_path, tmp_path / "run-2", "data.corpora=['nothing']", words)


def test_what_cannot_be_trained_on_is_told(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"for each of other in .*; missing: other"):
        train("dssm", data, tmp_path / "run", "data.corpora=['other']")
    with pytest.raises(InputError, match=r"Expected word vectors in nowhere, a folder of pretrained/ or a path"):
        train("smith", data, tmp_path / "run", "data.words=nowhere")

    @contextmanager
    def two(device: str) -> Iterator[tuple[Processes, torch.device]]:
        yield Processes(0, 2), torch.device(device)

    monkeypatch.setattr("engine.training.loop.joined", two)
    with pytest.raises(TrainingError, match=r"Expected one process, got 2: a matcher is small\. Train it in one\."):
        train("dssm", data, tmp_path / "two")


def test_the_command_trains_by_a_shipped_recipe(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["matcher-dssm", "--data", str(data), "--out", str(tmp_path / "out"), "--set", 'data.corpora=["ours"]']
    line += ["--set", "schedule.decay=constant"]
    command.main([*line, "--set", "schedule.epochs=1", "--set", "device=cpu"])
    assert "1 epochs over 14 documents, the best is 1; written to" in capsys.readouterr().out
    command.main([*line, "--set", "schedule.epochs=2", "--set", "device=cpu", "--resume", "--json"])
    facts = json.loads(capsys.readouterr().out)
    assert (len(facts["curve"]), facts["recipe"]["network"]["width"]) == (2, 300)
    assert registry.load_folder(tmp_path / "out", ROWS.loaders).encode_documents(corpus()).any()


@pytest.fixture(scope="module")
def s_bert_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("s-bert") / "data")


def s_bert_recipe(data: Path, *settings: str) -> SBertRecipe:
    values: dict[str, Any] = {
        "method": "s-bert",
        "device": "cpu",
        "data": {"corpora": ["ours"]},
        "network": {"source": str(data / "tiny"), "max_tokens": 16},
        "optimizer": {"learning_rate": 0.003, "batch": 12},
        "schedule": {"epochs": 6},
    }
    made: SBertRecipe = from_mapping(with_settings(values, settings), SBertRecipe, origin="test")
    return made


def train_s_bert(data: Path, run: Path, *settings: str, resume: bool = False) -> TransformerMeanEncoder:
    encoder = trainer.train(s_bert_recipe(data, *settings), Folders(data, run, run / "cache"), resume=resume)
    assert isinstance(encoder, TransformerMeanEncoder)
    return encoder


@torch.inference_mode()
def test_untrained_it_is_the_mean_of_the_first_token_vectors(s_bert_data: Path) -> None:
    start = SBertStart.of(s_bert_recipe(s_bert_data))
    documents = [*corpus()[:5], EMPTY]
    rows = encode_reads(start.network, [start.read(document) for document in documents]).numpy()
    wanted = TransformerMeanEncoder.open(s_bert_data / "tiny", max_tokens=16, precision="float32").encode_documents(
        documents
    )
    np.testing.assert_allclose(rows[:5] / np.linalg.norm(rows[:5], axis=1, keepdims=True), wanted[:5], atol=1e-5)
    assert not rows[5].any()


def test_it_learns_two_subjects_and_is_read_like_any_transformer(s_bert_data: Path, tmp_path: Path) -> None:
    encoder = train_s_bert(s_bert_data, tmp_path / "run")
    curve = encoder.facts["curve"]
    assert curve[-1]["loss"] < 0.6 * curve[0]["loss"]
    assert curve[encoder.facts["best_epoch"] - 1]["scores"]["ours"] >= 0.9
    assert (encoder.facts["documents"], encoder.facts["pairs"]) == (14, 24)
    assert encoder.card.max_tokens == 16 and encoder.card.trained_on == ("tiny", "ours")
    before = TransformerMeanEncoder.open(s_bert_data / "tiny", max_tokens=16)
    assert encoder.card.fingerprint != before.card.fingerprint
    encoder.save(tmp_path / "out")
    again = registry.load_folder(tmp_path / "out")
    np.testing.assert_array_equal(again.encode_documents(corpus()), encoder.encode_documents(corpus()))
    assert again.card == encoder.card
    assert isinstance(again, TransformerMeanEncoder) and again.facts == encoder.facts
    assert storage.read_head(tmp_path / "out")[1]["method"] == TransformerMeanEncoder.method


def test_a_run_follows_from_its_seed_and_goes_on_as_it_was(s_bert_data: Path, tmp_path: Path) -> None:
    settings = ["optimizer.word_dropout=0.3", "schedule.epochs=2"]
    whole = train_s_bert(s_bert_data, tmp_path / "whole", *settings)
    train_s_bert(s_bert_data, tmp_path / "half", settings[0], "schedule.epochs=1")
    torch.manual_seed(9)
    resumed = train_s_bert(s_bert_data, tmp_path / "half", *settings, resume=True)
    assert resumed.card.fingerprint == whole.card.fingerprint
    run = json.loads((tmp_path / "half" / "run.json").read_text())
    assert run["recipe"]["network"]["max_tokens"] == 16
    assert list(run["sources"]) == ["network.source"]


def test_what_stands_behind_the_first_tokens_is_not_read(s_bert_data: Path) -> None:
    start = SBertStart.of(s_bert_recipe(s_bert_data))
    words = corpus()[0].text.split()
    first, longer = (Document("a", abstract=" ".join(one)) for one in (words, words * 3))
    assert len(start.read(first)) == 16
    np.testing.assert_array_equal(start.read(first).numbers[:15], start.read(longer).numbers[:15])


def test_a_transformer_that_is_not_there_or_too_short_is_refused(s_bert_data: Path, tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="to be a folder of a transformers model"):
        SBertStart.of(s_bert_recipe(s_bert_data, f"network.source={tmp_path / 'none'}"))
    with pytest.raises(EncoderError, match="Expected max_tokens between 1 and 64"):
        SBertStart.of(s_bert_recipe(s_bert_data, "network.max_tokens=65"))
