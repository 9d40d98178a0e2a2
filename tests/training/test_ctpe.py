"""CTPE trained by a recipe: the paper's, the loss of a batch by plain loops, what comes out, how a run goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file
from torch import Tensor
from torch.nn.functional import cosine_similarity

from engine.cli.main import build_parser
from engine.core.config import from_mapping
from engine.core.errors import ConfigError, EvaluationError, InputError, TrainingError
from engine.encoders.ctpe import CtpeEncoder, PairNetwork, WordEmbeddings
from engine.evaluation import Validation
from engine.training.ctpe import trainer
from engine.training.ctpe.corpus import CtpeBatch, PairTokens, Sampling
from engine.training.ctpe.recipe import CtpeRecipe
from engine.training.ctpe.trainer import PairTask, RememberingWords
from engine.training.loop import Processes
from engine.training.losses import in_batch_softmax, neighbour_divergence, whole
from engine.training.runs import SHIPPED
from tests.contracts.encoder import corpus
from tests.encoders.test_word_vectors import vectors_of
from tests.encoders.tiny_transformer import write_tiny_transformer
from tests.training.small import BEYOND_THE_PAPER, break_off, recipe, require_same_weights, write_data


def test_the_papers_recipe_is_the_papers() -> None:
    recipe = SHIPPED.load("ctpe-paper")
    assert isinstance(recipe, CtpeRecipe)
    assert (recipe.objective.kind, recipe.objective.margin, recipe.objective.sampling) == ("margin", 0.1, "uniform")
    assert recipe.objective.word_dropout == 0
    assert (recipe.network.channels, recipe.network.train_words) == (1024, False)
    assert (recipe.optimizer.learning_rate, recipe.optimizer.batch) == (1e-3, 200)
    assert (recipe.pairs.position, recipe.pairs.max_tokens) == ("meaningful", 200)
    assert (recipe.schedule.decay, recipe.schedule.warmup) == ("constant", 0)
    assert recipe.reduction.dim == 0
    assert (recipe.related.share, recipe.network.mean_dim, recipe.pairs.similarity) == (0, 0, "coupled")


@pytest.mark.parametrize("name", ["ctpe-cpu", "ctpe-gpu"])
def test_the_shipped_form_reads_the_mean_of_words_and_related_documents(name: str) -> None:
    recipe = SHIPPED.load(name)
    assert isinstance(recipe, CtpeRecipe)
    assert (recipe.network.mean_dim, recipe.network.train_words) == (256, True)
    assert (recipe.pairs.similarity, recipe.pairs.whole_below_tokens) == ("whole", 40)
    assert (recipe.objective.kind, recipe.related.subjects) == ("softmax", ("arxiv-abstracts",))
    assert [one.corpus for one in recipe.related.files] == ["patents-citation"]
    assert (recipe.schedule.decay, recipe.schedule.warmup) == ("linear", 50)
    assert (recipe.reduction.dim, recipe.reduction.stored) == (960, "int8")


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["data.corpora=[]"], "data: corpora must name at least one corpus"),
        (["related.files=[{corpus='z'}]"], "related must name corpora that are trained on, got z"),
        (["pairs.position=120%"], "pairs: position must be .meaningful. or a share"),
        (["pairs.max_tokens=0", "pairs.whole_below_tokens=-1"], "max_tokens must be at .*; whole_below_tokens must"),
        (["pairs.similarity=half"], "similarity must be one of 'coupled', 'whole', got 'half'"),
        (["related.share=1.5", "related.batch=1"], "share must be from 0 to 1, got 1.5; batch must be at least 2"),
        (["related.share=0.5"], "related: share needs subjects or files to draw from"),
        (["related.weight=0", "related.temperature=0"], "weight must be above 0, got 0.0; temperature must be above"),
        (["related.subject_share=-1"], "subject_share must be from 0 to 1"),
        (["reduction.kind=learnt", "reduction.dim=8", "pairs.similarity=whole"], 'needs pairs.similarity = "coupled"'),
        (["network.mean_dim=-1"], "mean_dim must be 0 or more"),
        (["network.mean_dim=4", "network.embedding=sentences"], 'mean_dim needs embedding = "words"'),
        (["network.channels=0"], "network: channels must be at least 1, got 0"),
        (["network.train_words=true", "network.embedding=sentences"], 'train_words needs embedding = "words"'),
        (["network.embedding=sentences", "objective.word_dropout=0.2"], "objective.word_dropout needs network.embed"),
        (["objective.margin=0", "objective.temperature=0"], "margin must be above 0, got 0.0; temperature must be"),
        (["objective.word_dropout=1"], "word_dropout must be a share"),
        (["pairs.part_tokens=-1"], "part_tokens must be 0 or more"),
        (["pairs.part_tokens=9", "objective.word_dropout=0.5"], "part_tokens and objective.word_dropout do not go"),
        (["places.weight=-1", "places.temperature=0"], "weight must be 0 or more, got -1.0; temperature must be"),
        (["places.max_tokens=0"], "places: max_tokens must be at least 1"),
        (["optimizer.learning_rate=0", "optimizer.batch=1"], "learning_rate must be above 0, got 0.0; batch must be"),
        (["optimizer.words_learning_rate=-1"], "words_learning_rate must be 0 or more"),
        (
            ["schedule.epochs=-1", "schedule.patience=-1"],
            "patience must be 0 or more, got -1; epochs must be 0 or more",
        ),
        (["schedule.warmup=-1", "schedule.lowest=2"], "warmup must be 0 or more, got -1; lowest must be from 0 to 1"),
        (["schedule.checkpoint_minutes=-1"], "checkpoint_minutes must be 0 or more"),
        (["reduction.kind=learnt"], 'kind = "learnt" needs a dim above 0'),
        (["reduction.dim=-1"], "dim must be 0 or more"),
        (["seed=-1"], "seed must be 0 or more"),
    ],
)
def test_values_out_of_range_are_refused(settings: list[str], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        SHIPPED.load("ctpe-paper", settings)


WORDS, DIM = 40, 4


def task_recipe(**objective: object) -> CtpeRecipe:
    values = {"data": {"corpora": ["x"]}, "schedule": {"epochs": 1}, "objective": objective, "optimizer": {"batch": 5}}
    return from_mapping(values, CtpeRecipe, origin="test")


def tokens() -> PairTokens:
    generator = np.random.default_rng(2)
    halves = [
        (generator.integers(0, WORDS, 1 + i % 4).tolist(), generator.integers(0, WORDS, 3 + i % 5).tolist())
        for i in range(9)
    ]
    return PairTokens.of(halves, [str(i) for i in range(9)])


def task(given: CtpeRecipe, *, places: NDArray[np.float16] | None = None, **more: Processes) -> PairTask:
    torch.manual_seed(1)
    rows = np.random.default_rng(3).normal(size=(WORDS, DIM)).astype(np.float32)
    embedding = WordEmbeddings([f"w{i}" for i in range(WORDS)], rows)
    examples = (tokens(), Sampling(batch=given.optimizer.batch))
    return PairTask(given, embedding, PairNetwork(DIM, 3), examples=examples, places=places, **more)


def half(of: PairTask, document: int, is_former: bool) -> Tensor:
    held = tokens()
    start, stop = (
        (held.starts[document], held.cuts[document]) if is_former else (held.cuts[document], held.starts[document + 1])
    )
    vectors = of.embedding.encode_ids(held.flat[start:stop], np.array([0, stop - start]))
    return of.network(*vectors)[0]


def test_the_margin_loss_reads_the_drawn_negatives() -> None:
    made = task(task_recipe(margin=0.5))
    for batch in made.batches(0):
        losses = []
        for i, j, swaps in zip(batch.documents, batch.other, batch.swaps_former, strict=True):
            f, b = half(made, i, True), half(made, i, False)
            negative = (half(made, j, True), b) if swaps else (f, half(made, j, False))
            y = cosine_similarity(f, b, dim=0) - cosine_similarity(*negative, dim=0)
            losses.append(max(0.0, 0.5 - y.item()))
        assert made.loss(batch).item() == pytest.approx(np.mean(losses), abs=1e-5)


def test_the_softmax_has_the_batchs_other_documents_as_negatives() -> None:
    made = task(task_recipe(kind="softmax", temperature=0.2))
    for batch in made.batches(0):
        f, b = (torch.stack([half(made, i, is_former) for i in batch.documents]) for is_former in (True, False))
        expected = in_batch_softmax(f, b, temperature=0.2)
        assert made.loss(batch).item() == pytest.approx(expected.item(), abs=1e-5)


def test_a_softmax_with_near_strangers_has_the_drawn_halves_as_negatives_too() -> None:
    made = task(task_recipe(kind="softmax", temperature=0.2, sampling="tfidf"))
    for batch in made.batches(0):
        f, b = (torch.stack([half(made, i, is_former) for i in batch.documents]) for is_former in (True, False))
        drawn = list(zip(batch.other, batch.swaps_former, strict=True))
        sides = [
            torch.stack([half(made, j, side) for j, swaps in drawn if swaps == side] or [f[0]])[
                : sum(swaps == side for _, swaps in drawn)
            ]
            for side in (True, False)
        ]
        expected = in_batch_softmax(f, b, temperature=0.2, strangers=(sides[0], sides[1]))
        assert made.loss(batch).item() == pytest.approx(expected.item(), abs=1e-5)
        assert made.loss(batch).item() > in_batch_softmax(f, b, temperature=0.2).item()


def test_a_teachers_places_are_learnt_beside_the_halves() -> None:
    places = np.random.default_rng(8).normal(size=(9, 5)).astype(np.float16)
    values = {
        "data": {"corpora": ["x"]},
        "schedule": {"epochs": 1},
        "objective": {"kind": "softmax", "temperature": 0.2},
        "places": {"source": "minilm", "weight": 3.0, "temperature": 0.1},
        "optimizer": {"batch": 5},
    }
    made = task(from_mapping(values, CtpeRecipe, origin="test"), places=places)
    for batch in made.batches(0):
        f, b = (torch.stack([half(made, i, is_former) for i in batch.documents]) for is_former in (True, False))
        taught = torch.from_numpy(places[batch.documents].astype(np.float32))
        expected = in_batch_softmax(f, b, temperature=0.2) + 3 * neighbour_divergence(
            whole(f, b), taught, temperature=0.1
        )
        assert made.loss(batch).item() == pytest.approx(expected.item(), abs=1e-5)


def test_a_half_is_read_in_parts_as_the_encoder_reads_it() -> None:
    values = {"data": {"corpora": ["x"]}, "schedule": {"epochs": 1}, "pairs": {"part_tokens": 2}}
    made = task(from_mapping(values, CtpeRecipe, origin="test"))
    held, (document,) = tokens(), [7]
    start, stop = held.cuts[document], held.starts[document + 1]  # five tokens: parts of 1, 2 and 2
    bounds = [start, start + 1, start + 3, stop]
    parts = made.network(*made.embedding.encode_ids(held.flat[start:stop], np.array(bounds) - start))
    latter = made._encode(np.array([document]), np.array([False]), None)
    torch.testing.assert_close(latter[0], torch.nn.functional.normalize(parts).sum(0))


@pytest.mark.parametrize("dim", [5, 20])
def test_a_learnt_projection_comes_between_halves_and_loss(dim: int) -> None:
    values = {
        "data": {"corpora": ["x"]},
        "schedule": {"epochs": 1},
        "objective": {"kind": "softmax", "temperature": 0.2},
        "reduction": {"kind": "learnt", "dim": dim},
    }
    made = task(from_mapping(values, CtpeRecipe, origin="test"))
    assert made.projection is not None
    weight = made.projection.weight.detach()  # (d, 12)
    assert weight.shape == (dim, 12)
    assert torch.allclose(weight @ weight.T if dim < 12 else weight.T @ weight, torch.eye(min(dim, 12)), atol=1e-5)
    (batch,) = made.batches(0)
    f, b = (torch.stack([half(made, i, is_former) for i in batch.documents]) @ weight.T for is_former in (True, False))
    plain = in_batch_softmax(f, b, temperature=0.2)
    assert made.loss(batch).item() == pytest.approx(plain.item(), abs=1e-4)
    assert "projection.weight" in made.model.state_dict()


def test_halves_are_those_of_the_network() -> None:
    made = task(task_recipe())
    former, latter = made.halves(4)
    assert former.shape == latter.shape == (4, 12)
    drawn = np.random.default_rng(1).permutation(9)[:4]
    np.testing.assert_allclose(former[2], half(made, drawn[2], True).detach(), atol=2e-2)
    np.testing.assert_allclose(latter[2], half(made, drawn[2], False).detach(), atol=2e-2)


def test_word_dropout_hides_the_same_tokens_at_the_same_step() -> None:
    made, plain = task(task_recipe(margin=2.0, word_dropout=0.5)), task(task_recipe(margin=2.0))
    first, second = made.batches(0)
    assert made.loss(first).item() == made.loss(first).item()
    assert made.loss(first).item() != plain.loss(first).item()
    masks = [made._hidden(batch, 3) for batch in (first, second)]
    assert masks[0] is not None and masks[0].shape == (3 * len(first.documents), 200)
    assert 0.4 < masks[0].float().mean() < 0.6


def test_the_shares_of_two_processes_hide_what_one_process_hides() -> None:
    given = task_recipe(word_dropout=0.5)
    whole = task(given)
    batch: CtpeBatch = whole.batches(0)[0]
    rows = len(batch.documents)
    hidden = whole._hidden(batch, 3)
    assert hidden is not None
    for rank in (0, 1):
        share = task(given, processes=Processes(rank, 2))._hidden(batch, 3)
        assert share is not None
        assert torch.equal(share, hidden.view(3, rows, -1)[:, rank::2].flatten(0, 1))


def test_trained_words_have_a_rate_of_their_own() -> None:
    values = {
        "data": {"corpora": ["x"]},
        "schedule": {"epochs": 1},
        "network": {"train_words": True},
        "optimizer": {"words_learning_rate": 0.25},
    }
    made = task(from_mapping(values, CtpeRecipe, origin="test"))
    assert [group["lr"] for group in made.groups()] == [1e-3, 0.25]
    assert "words.table" in made.model.state_dict()
    assert "words.table" not in task(task_recipe()).model.state_dict()


def test_more_processes_than_pairs_in_a_batch_are_refused() -> None:
    with pytest.raises(TrainingError, match=r"a pair for each of 5 processes in every batch, the smallest has 4\."):
        task(task_recipe(), processes=Processes(0, 5))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("training") / "data")


def folders(data: Path, run: Path) -> trainer.Folders:
    return trainer.Folders(data, run, data / "cache")


def train(data: Path, run: Path, *settings: str, **more: object) -> CtpeEncoder:
    encoder = trainer.train(recipe(data, *settings), folders(data, run), **more)  # type: ignore[arg-type]
    assert encoder is not None
    return encoder


def test_the_run_folder_says_what_was_trained_on_what(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run")
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["recipe"]["optimizer"]["batch"] == 8
    assert run["recipe"]["objective"]["margin"] == 0.1
    assert (run["seed"], set(run["corpora_sha256"])) == (1, {"ours"})
    assert {"commit", "hardware"} <= run.keys()
    curve = json.loads((tmp_path / "run" / "curve.json").read_text())
    assert [record["epoch"] for record in curve] == [1, 2]
    assert encoder.facts["curve"] == curve
    assert encoder.facts["documents"] == 40
    assert encoder.card.trained_on == ("ours",)
    names = {path.suffix for path in (tmp_path / "run").rglob("*") if path.is_file()}
    assert names == {".json", ".safetensors"}


def test_the_encoder_reads_as_the_recipe_says_and_comes_back_from_disk(data: Path, tmp_path: Path) -> None:
    settings = ["pairs.position=40%", "reduction.dim=4", "reduction.stored=int8", "pairs.whole_below_tokens=3"]
    encoder = train(data, tmp_path / "run", *settings)
    assert (encoder.card.dim, encoder.card.stored) == (8, "int8")
    assert (encoder.settings.position, encoder.settings.whole_below_tokens) == ("40%", 3)
    encoder.save(tmp_path / "out")
    loaded = CtpeEncoder.load(tmp_path / "out")
    np.testing.assert_array_equal(loaded.encode_documents(corpus()), encoder.encode_documents(corpus()))
    assert loaded.facts["recipe"]["reduction"]["dim"] == 4


def test_a_learnt_reduction_is_the_encoders_and_is_scored_with_it(data: Path, tmp_path: Path) -> None:
    settings = ["network.channels=8", "objective.kind=softmax", "reduction.kind=learnt", "reduction.dim=4"]
    validation = Validation.load(["small"], data, metric="MAP@20")
    encoder = train(data, tmp_path / "run", *settings, score=validation)
    learnt = load_file(tmp_path / "run" / "best" / "model.safetensors")["projection.weight"]
    assert encoder.reduction is not None
    np.testing.assert_array_equal(encoder.reduction.components, learnt.T.astype(np.float16))
    assert not encoder.reduction.mean.any()
    best = encoder.facts["curve"][encoder.facts["best_epoch"] - 1]
    assert validation(encoder) == pytest.approx(best["scores"])


def test_a_teacher_is_asked_for_each_document_and_named(data: Path, tmp_path: Path) -> None:
    teacher = write_tiny_transformer(tmp_path / "teacher")
    settings = ["objective.kind=softmax", "pairs.similarity=whole", "places.max_tokens=16"]
    plain = train(data, tmp_path / "plain", *settings)
    taught = train(data, tmp_path / "taught", *settings, f"places.source={teacher}")
    assert "teacher_fingerprint" in taught.facts and "teacher_fingerprint" not in plain.facts
    assert taught.facts["curve"][0]["loss"] > plain.facts["curve"][0]["loss"]
    assert taught.card.fingerprint != plain.card.fingerprint


def test_training_brings_a_documents_halves_together(data: Path, tmp_path: Path) -> None:
    settings = ["network.channels=16", "objective.kind=softmax", "optimizer.batch=20"]

    def coupled(encoder: CtpeEncoder) -> float:
        former, latter = encoder.encode_halves(corpus())
        products = former @ latter.T
        return float((np.diag(products) - products.mean(axis=1)).mean())

    untrained = train(data, tmp_path / "zero", *settings, "schedule.epochs=0")
    trained = train(data, tmp_path / "run", *settings, "schedule.epochs=10")
    assert untrained.facts["curve"] == []
    assert coupled(trained) > 3 * coupled(untrained)


@pytest.mark.parametrize("steps", [5, 7], ids=["at an epoch's end", "in the middle of an epoch"])
@pytest.mark.parametrize(
    "settings",
    [
        ["objective.sampling=tfidf", "objective.word_dropout=0.2"],
        ["objective.kind=softmax", "network.train_words=true"],
        BEYOND_THE_PAPER,
    ],
    ids=["margin", "softmax", "related"],
)
def test_a_broken_run_gives_the_weights_of_an_unbroken_one(
    settings: list[str], steps: int, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = [*settings, "schedule.checkpoint_minutes=0", "schedule.decay=linear"]
    train(data, tmp_path / "whole", *settings)
    break_off(monkeypatch, PairTask, steps, lambda: train(data, tmp_path / "broken", *settings))
    train(data, tmp_path / "broken", *settings, resume=True)
    require_same_weights(tmp_path / "whole", tmp_path / "broken")


def test_a_run_folder_is_not_overwritten_and_goes_on_as_the_same_run_only(data: Path, tmp_path: Path) -> None:
    train(data, tmp_path / "run", "schedule.epochs=1")
    with pytest.raises(TrainingError, match=r"Expected a new run folder, found a run in .*run\. Add --resume"):
        train(data, tmp_path / "run", "schedule.epochs=1")
    with pytest.raises(TrainingError, match=r"but these differ: objective\.margin, seed\. Put them back"):
        train(data, tmp_path / "run", "objective.margin=0.2", "seed=2", resume=True)
    path = tmp_path / "run" / "run.json"
    before = json.loads(path.read_text())
    del before["recipe"]["reduction"]  # a key that came after the run
    path.write_text(json.dumps(before))
    further = train(data, tmp_path / "run", "schedule.epochs=2", resume=True)
    assert [record["epoch"] for record in further.facts["curve"]] == [1, 2]
    path.write_text(json.dumps({"recipe": {"method": "other"}}))
    with pytest.raises(TrainingError, match=r"Expected a run that can be gone on with: run\.json: .*method must be"):
        train(data, tmp_path / "run", resume=True)


def test_a_run_does_not_go_on_with_other_related_pairs_or_towards_another_last_epoch(
    data: Path, tmp_path: Path
) -> None:
    shutil.copytree(data, tmp_path / "data")
    train(tmp_path / "data", tmp_path / "run", *BEYOND_THE_PAPER, "schedule.epochs=1")
    pairs = next((tmp_path / "data").glob("*/*pairs*.tsv"))
    before = pairs.read_bytes()
    pairs.write_bytes(before + before.splitlines(keepends=True)[-1])
    with pytest.raises(TrainingError, match=f"these differ: .*{pairs.name}"):
        train(tmp_path / "data", tmp_path / "run", *BEYOND_THE_PAPER, "schedule.epochs=1", resume=True)
    pairs.write_bytes(before)
    falling = ("schedule.decay=linear", "schedule.epochs=1")
    train(data, tmp_path / "falling", *falling)
    with pytest.raises(TrainingError, match=r"these differ: schedule\.epochs"):
        train(data, tmp_path / "falling", falling[0], "schedule.epochs=2", resume=True)


def test_each_epoch_is_scored_on_the_valid_queries(data: Path, tmp_path: Path) -> None:
    validation = Validation.load(["small"], data, metric="nDCG@10")
    settings = ["network.channels=16", "schedule.epochs=3"]
    encoder = train(data, tmp_path / "run", *settings, score=validation)
    scores = [record["scores"]["small"] for record in encoder.facts["curve"]]
    assert encoder.facts["best_epoch"] == 1 + scores.index(max(scores))
    assert validation(encoder)["small"] == pytest.approx(max(scores))


def test_related_documents_of_no_step_change_nothing(data: Path, tmp_path: Path) -> None:
    *others, related = BEYOND_THE_PAPER
    train(data, tmp_path / "without", *others)
    train(data, tmp_path / "none", *others, related.replace("share = 0.6", "share = 0.0"))
    train(data, tmp_path / "with", *others, related)
    without, none, given = (
        load_file(tmp_path / run / "checkpoint" / "model.safetensors") for run in ("without", "none", "with")
    )
    assert {name: array.tobytes() for name, array in none.items()} == {
        name: array.tobytes() for name, array in without.items()
    }
    assert any(array.tobytes() != without[name].tobytes() for name, array in given.items())


def test_what_goes_beyond_the_paper_is_scored_and_comes_back_from_disk(data: Path, tmp_path: Path) -> None:
    validation = Validation.load(["small"], data, metric="MAP@20")
    encoder = train(data, tmp_path / "run", *BEYOND_THE_PAPER, score=validation)
    assert (encoder.card.dim, encoder.settings.similarity) == (4 * 3 + 4, "whole")
    assert (encoder.facts["subjects"], encoder.facts["related_pairs"]) == (4, 3)
    best = encoder.facts["curve"][encoder.facts["best_epoch"] - 1]
    assert validation(encoder) == pytest.approx(best["scores"])
    encoder.save(tmp_path / "out")
    loaded = CtpeEncoder.load(tmp_path / "out")
    np.testing.assert_array_equal(loaded.encode_documents(corpus()), encoder.encode_documents(corpus()))


def test_sentence_means_are_trained_on(data: Path, tmp_path: Path) -> None:
    settings = ["network.embedding=sentences", "objective.kind=softmax"]
    validation = Validation.load(["small"], data, metric="MAP@20")
    encoder = train(data, tmp_path / "run", *settings, "schedule.epochs=1", score=validation)
    assert np.isfinite(encoder.encode_documents(corpus())).all()


def test_what_cannot_be_trained_on_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"for each of other in .*; missing: other"):
        train(data, tmp_path / "run", "data.corpora=['other']")
    with pytest.raises(InputError, match=r"Expected word vectors in nowhere, a folder of pretrained/ or a path"):
        train(data, tmp_path / "run", "network.source=nowhere")
    few = write_data(tmp_path / "few", documents=corpus()[:2])
    with pytest.raises(InputError, match=r"Expected at least 3 documents with two halves to train on, got 2\."):
        train(few, tmp_path / "few-run")


def test_an_unknown_metric_is_refused(data: Path) -> None:
    with pytest.raises(EvaluationError, match=r"Expected a metric among P@20, .*, got 'P@3'"):
        Validation.load(["small"], data, metric="P@3")


def run_command(*arguments: str) -> None:
    parser = build_parser("train")
    namespace = parser.parse_args(["train", *arguments])
    namespace.run(namespace)


def test_the_command_trains_by_a_file_and_goes_on(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    words = data / "words"
    path.write_text(
        f'method = "ctpe"\ndevice = "cpu"\n[data]\ncorpora = ["ours"]\nvalid = ["small"]\n'
        f'[network]\nchannels = 2\nsource = "{words}"\n[schedule]\nepochs = 1\n'
    )
    line = [str(path), "--data", str(data), "--out", str(tmp_path / "out"), "--set", "optimizer.batch=9"]
    run_command(*line)
    assert "1 epochs over 40 documents, the best is 1; written to" in capsys.readouterr().out
    assert (tmp_path / "out-run" / "run.json").exists()
    elsewhere = ["--run-folder", str(tmp_path / "out-run"), "--cache", str(tmp_path / "out-run" / "cache")]
    run_command(*line, *elsewhere, "--resume", "--set", "schedule.epochs=2", "--json")
    facts = json.loads(capsys.readouterr().out)
    assert (len(facts["curve"]), facts["recipe"]["optimizer"]["batch"]) == (2, 9)
    assert 0 <= facts["curve"][1]["scores"]["small"] <= 1
    assert CtpeEncoder.load(tmp_path / "out").encode_documents(corpus()).any()


def test_word_vectors_keep_no_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Expected word2vec-full without --resume, --run-folder and --cache"):
        run_command("word2vec-full", "--data", str(tmp_path), "--out", str(tmp_path / "o"), "--resume")


VECTORS = {"boiler": [1.0, 0.0], "valve": [0.0, 1.0], "steam": [0.5, 0.5]}


def test_a_text_is_read_once_for_each_length(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []
    read = WordEmbeddings.ids

    def counted(words: WordEmbeddings, text: str, max_tokens: int) -> object:
        asked.append((text, max_tokens))
        return read(words, text, max_tokens)

    monkeypatch.setattr(WordEmbeddings, "ids", counted)
    words = RememberingWords.like(WordEmbeddings.of(vectors_of(VECTORS)), {})
    for _ in range(2):
        assert words.ids("a valve of the boiler", 9).tolist() == [1, 0]
        assert words.ids("a valve of the boiler", 1).tolist() == [1]
    assert asked == [("a valve of the boiler", 9), ("a valve of the boiler", 1)]


def test_what_was_read_is_shared_with_those_that_come_after() -> None:
    plain, read = WordEmbeddings.of(vectors_of(VECTORS)), {}
    first = RememberingWords.like(plain, read)
    assert first.ids("steam", 9).tolist() == plain.ids("steam", 9).tolist() == [2]
    after = RememberingWords.like(plain, read)
    assert after.read is first.read and after.ids("steam", 9) is first.ids("steam", 9)
    assert after.as_stored() is after
