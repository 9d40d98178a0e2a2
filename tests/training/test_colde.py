"""CoLDE trained by a recipe: chunk vectors, what its task feeds the loop, what comes out, and the paper's ablations."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from engine.cli.main import build_parser
from engine.core.errors import ConfigError, EncoderError, InputError, TrainingError
from engine.documents import Document, Section
from engine.encoders import Transformer
from engine.encoders.colde import Backbone, ColdeEncoder, ColdeHead, Cutter
from engine.research.matching.pair_set import load_pair_set
from engine.research.matching.rows import parse_rows
from engine.research.matching.scoring import Plan, score
from engine.training import runs
from engine.training.colde import chunks, trainer
from engine.training.colde.chunks import ChunkVectors, KeptChunks, ReadChunks, read_chunk_vectors
from engine.training.colde.recipe import ColdeRecipe
from engine.training.colde.trainer import LongTask, Untrained
from engine.training.long_corpus import LongCorpus, body_of, read_long_corpora
from engine.training.loop import Processes
from engine.training.losses import supervised_contrastive
from engine.training.run_folder import Folders
from engine.training.runs import SHIPPED
from tests.contracts.encoder import corpus as documents
from tests.training.long import recipe, write_long_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("long"))


@pytest.fixture(scope="module")
def corpus(data: Path) -> LongCorpus:
    return read_long_corpora(["ours", "more"], data)


@pytest.fixture(scope="module")
def reader(data: Path) -> tuple[Backbone, Cutter]:
    opened = Transformer.open(data / "tiny", precision="float32")
    modules = Untrained.of(recipe(data)).modules
    backbone = modules["backbone"]
    assert isinstance(backbone, Backbone)
    return backbone.eval(), Cutter(Tokenizer.from_str(opened.tokenizer), 8)


@pytest.fixture(scope="module")
def kept(corpus: LongCorpus, reader: tuple[Backbone, Cutter], tmp_path_factory: pytest.TempPathFactory) -> KeptChunks:
    cache = tmp_path_factory.mktemp("chunks")
    return KeptChunks(read_chunk_vectors(corpus.documents, reader, sections=1, cache=cache), torch.device("cpu"))


@pytest.mark.parametrize("name", ["colde-cpu", "colde-gpu", "colde-paper"])
def test_recipes_that_come_with_the_program_are_of_this_method(name: str) -> None:
    assert SHIPPED.load(name).method == "colde"


def test_the_papers_colde_is_the_papers() -> None:
    recipe = SHIPPED.load("colde-paper")
    assert isinstance(recipe, ColdeRecipe)
    assert (recipe.head.heads, recipe.head.lstm_dim, recipe.head.dim, recipe.head.skip) == (4, 512, 256, False)
    assert (recipe.backbone.chunk_tokens, recipe.backbone.whole_sentences, recipe.backbone.trained) == (
        512,
        False,
        True,
    )
    assert (recipe.objective.kind, recipe.objective.temperature, recipe.objective.sections) == ("contrastive", 0.5, 2)
    assert (recipe.objective.whole, recipe.objective.chunk_dropout) == (False, 0)
    assert (recipe.optimizer.learning_rate, recipe.optimizer.weight_decay) == (5e-5, 0.01)


def test_kept_chunks_are_those_that_the_transformer_gives(
    corpus: LongCorpus, reader: tuple[Backbone, Cutter], kept: KeptChunks
) -> None:
    backbone, cutter = reader
    cuts = [cutter.cut(document) for document in corpus.documents]
    read = ReadChunks(backbone, cuts, tokens_at_once=64)
    wanted = [(3, np.array([0, 2])), (17, np.array([1]))]
    with torch.no_grad():
        for ours, theirs in zip(kept.vectors(wanted, sections=1), read.vectors(wanted, sections=1), strict=True):
            torch.testing.assert_close(ours, theirs, rtol=2e-3, atol=2e-3)  # kept in half precision
    assert kept.count(3) == read.count(3) == len(cuts[3].chunks) > 2


def test_a_broken_reading_goes_on_where_it_stood(
    corpus: LongCorpus, reader: tuple[Backbone, Cutter], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "_SHARD", 16)
    first = read_chunk_vectors(corpus.documents, reader, sections=1, cache=tmp_path)
    asked: list[int] = []
    monkeypatch.setattr(chunks, "read_chunks", lambda _, documents: asked.append(len(documents)))
    again = read_chunk_vectors(corpus.documents, reader, sections=1, cache=tmp_path)
    assert asked == []
    assert again.names == first.names == tuple(document.id for document in corpus.documents)
    assert (again.rows == first.rows).all()
    nothing = read_chunk_vectors([], reader, sections=1, cache=tmp_path / "none")
    assert isinstance(nothing, ChunkVectors) and nothing.rows.shape == (0, 32)


def test_no_chunks_are_as_wide_as_others_and_stand_beside_them(reader: tuple[Backbone, Cutter]) -> None:
    backbone, cutter = copy.deepcopy(reader[0]).to("meta"), reader[1]
    read = ReadChunks(backbone, [cutter.cut(Document("none"))], tokens_at_once=64)
    for found in read.vectors([(0, np.zeros(0, np.int64))] * 2, sections=2):
        assert (found.shape, found.device.type) == ((0, backbone.dim), "meta")


def test_gradients_reach_the_embeddings_as_without_caching(data: Path, corpus: LongCorpus) -> None:
    start = Untrained.of(recipe(data, "backbone.trained=true"))
    backbone, made = start.modules["backbone"], start.modules["head"]
    assert isinstance(backbone, Backbone) and isinstance(made, ColdeHead)
    cutter = Cutter(Tokenizer.from_str(start.tokenizer), 8)
    cuts = [cutter.cut(document) for document in corpus.documents]
    found = []
    for tokens_at_once in (64, 100_000):
        task = LongTask(recipe(data), corpus, ReadChunks(backbone.eval(), cuts, tokens_at_once=tokens_at_once), made)
        backbone.zero_grad()
        task.loss(task.batches(0)[0]).backward()
        found.append([backbone.sections.weight.grad.clone(), backbone.chunks.weight.grad.clone()])
    for ours, whole in zip(*found, strict=True):
        assert ours.abs().sum() > 0
        torch.testing.assert_close(ours, whole, rtol=1e-3, atol=1e-6)
    assert not found[0][0][2:].any()  # two sections: the tables' other rows are not touched
    assert set(task.model.keys()) == {"head", "backbone"}
    assert [group["lr"] for group in task.groups()] == [0.01, 0.01, 0.01]


def head(data: Path) -> ColdeHead:
    made = Untrained.of(recipe(data)).modules["head"]
    assert isinstance(made, ColdeHead)
    return made


def test_the_loss_is_that_of_the_sections_with_their_labels(data: Path, corpus: LongCorpus, kept: KeptChunks) -> None:
    made = head(data).eval()
    task = LongTask(recipe(data), corpus, kept, made)
    batch = task.batches(0)[0]
    sections, labels = [], []
    for place in batch.documents.tolist():
        rows = kept.vectors([(place, np.arange(kept.count(place)))], sections=2)[0]
        middle = int((np.arange(len(rows)) * 2 // len(rows) == 0).sum())
        padded = torch.zeros(1, 2, max(middle, len(rows) - middle), rows.shape[1])
        inside = torch.zeros(padded.shape[:3], dtype=torch.bool)
        for number, part in enumerate((rows[:middle], rows[middle:])):
            padded[0, number, : len(part)], inside[0, number, : len(part)] = part, True
        sections += list(made(padded, inside)[0])
        labels += [place, place]
    same = torch.from_numpy(corpus.same_label(np.array(labels)))
    wanted = supervised_contrastive(torch.stack(sections), same, temperature=0.1)
    assert task.loss(batch).item() == pytest.approx(wanted.item(), rel=1e-4)


def test_sections_without_chunks_are_no_examples(data: Path, corpus: LongCorpus) -> None:
    counts = [1] * len(corpus.documents)
    rows = np.random.default_rng(0).standard_normal((len(counts), 32)).astype(np.float16)
    one_each = KeptChunks(ChunkVectors(("",) * len(counts), rows, np.arange(len(counts) + 1)), torch.device("cpu"))
    losses = []
    for sections in (1, 2, 5):
        task = LongTask(recipe(data, f"objective.sections={sections}"), corpus, one_each, head(data).eval())
        losses.append(task.loss(task.batches(0)[0]).item())
    np.testing.assert_allclose(losses, losses[0], rtol=1e-5)


def test_documents_without_chunks_are_scored(data: Path, corpus: LongCorpus) -> None:
    count = len(corpus.documents)
    nothing = ChunkVectors(("",) * count, np.zeros((0, 32), np.float16), np.zeros(count + 1, np.int64))
    task = LongTask(recipe(data), corpus, KeptChunks(nothing, torch.device("cpu")), head(data))
    assert all(not level.document.any() for level in task.levels(np.arange(3)))
    assert set(task.scores()) == {"ours", "more"}


@pytest.mark.parametrize(
    "settings",
    [
        ["objective.sections=1"],
        ["objective.sections=5"],
        ["objective.whole=true", "objective.chunk_dropout=0.5"],
        ["objective.kind=cosine", "objective.sections=1"],
        ["head.aggregation=mean"],
        ["objective.max_tokens=8"],
        ["head.space_dim=8", "objective.late=1.0", "objective.chunk_dropout=0.3"],
    ],
)
def test_every_form_has_a_loss_with_gradients(
    data: Path, corpus: LongCorpus, kept: KeptChunks, settings: list[str]
) -> None:
    chosen = recipe(data, *settings)
    made = Untrained.of(chosen).modules["head"]
    assert isinstance(made, ColdeHead)
    task = LongTask(chosen, corpus, kept, made)
    batches = task.batches(0)
    assert len(batches) == task.steps()
    loss = task.loss(batches[0])
    loss.backward()
    assert 0 < loss.item() < 20
    assert all(torch.isfinite(one.grad).all() for one in made.parameters() if one.grad is not None)
    assert task.loss(batches[0]).item() == loss.item()  # a step's draws follow from its key


def test_valid_pairs_are_scored_by_documents_in_one_piece(data: Path, corpus: LongCorpus, kept: KeptChunks) -> None:
    task = LongTask(recipe(data), corpus, kept, head(data))
    scores = task.scores()
    assert set(scores) == {"ours", "more"} and all(0 <= score <= 1 for score in scores.values())
    one, other = task.levels(np.array([4, 30]))
    np.testing.assert_allclose(np.linalg.norm(one.document), 1, rtol=1e-5)
    pairs = np.array([[4, 30], [4, 4]])
    np.testing.assert_allclose(task.similarities(pairs), [one.document @ other.document, 1], rtol=1e-4)
    late = LongTask(recipe(data, "head.late_share=1.0"), corpus, kept, head(data))
    np.testing.assert_allclose(late.similarities(pairs), [one.late(other), 1], rtol=1e-4)
    best = LongTask(recipe(data, "head.late_share=1.0", "head.late_best=0.5"), corpus, kept, head(data))
    np.testing.assert_allclose(best.similarities(pairs), [one.late(other, best=0.5), 1], rtol=1e-4)


def test_a_batch_that_processes_cannot_share_is_refused(data: Path, corpus: LongCorpus, kept: KeptChunks) -> None:
    with pytest.raises(TrainingError, match=r"a batch for each of 5 processes, got optimizer.batch = 8"):
        LongTask(recipe(data), corpus, kept, head(data), processes=Processes(0, 5))


def train(data: Path, run: Path, *settings: str, resume: bool = False) -> ColdeEncoder:
    encoder = trainer.train(recipe(data, *settings), Folders(data, run, data / "cache"), resume=resume)
    assert encoder is not None
    return encoder


def test_training_brings_related_documents_nearer(data: Path, tmp_path: Path) -> None:
    untrained = train(data, tmp_path / "before", "schedule.epochs=0")
    encoder = train(data, tmp_path / "after", "schedule.epochs=6")
    assert _told_apart(encoder) > _told_apart(untrained) + 0.1
    losses = [record["loss"] for record in encoder.facts["curve"]]
    assert losses[-1] < losses[0]


def test_a_transformer_that_is_trained_learns_with_its_embeddings(data: Path, tmp_path: Path) -> None:
    settings = ("backbone.trained=true", "optimizer.backbone_learning_rate=0.001")
    begun = Untrained.of(recipe(data, *settings)).modules.state_dict()["backbone.sections.weight"].numpy()
    encoder = train(data, tmp_path / "run", *settings, "optimizer.embedding_learning_rate=0.01")
    losses = [record["loss"] for record in encoder.facts["curve"]]
    assert losses[-1] < losses[0]
    learnt = load_file(tmp_path / "run" / "best" / "model.safetensors")
    moved = np.abs(learnt["backbone.sections.weight"] - begun).max(axis=1)
    assert moved[:2].min() > 0.01 and not moved[2:].any()  # documents are made into two sections; no penalty on others
    assert begun.std() == pytest.approx(0.02, rel=0.2)


def test_attention_keeps_its_weights_in_training_where_a_recipe_says_so(data: Path) -> None:
    for keeps, share in (("true", 0.1), ("false", 0.0)):
        modules = Untrained.of(recipe(data, f"backbone.attention_dropout={keeps}")).modules
        assert modules["backbone"].model.config.attention_probs_dropout_prob == share


def test_the_curve_shows_how_long_the_embeddings_are(data: Path, tmp_path: Path) -> None:
    trained = train(data, tmp_path / "trained", "backbone.trained=true", "optimizer.embedding_learning_rate=0.01")
    watched = [record["watched"] for record in trained.facts["curve"]]
    assert {"sections", "chunks", "words"} == watched[0].keys()
    assert watched[-1]["chunks"] > watched[0]["chunks"] > 0
    frozen = train(data, tmp_path / "frozen")
    assert not frozen.facts["curve"][0]["watched"]


SHARES = "head.late_share=0.5", "head.late_best=0.3"


def test_a_map_and_best_matching_chunks_are_learnt_and_kept(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run", "head.space_dim=8", "objective.late=1.0", *SHARES)
    losses = [record["loss"] for record in encoder.facts["curve"]]
    assert losses[-1] < losses[0]
    encoder.save(tmp_path / "encoder")
    again = ColdeEncoder.load(tmp_path / "encoder")
    assert (again.settings.space_dim, again.settings.late_share, again.settings.late_best) == (8, 0.5, 0.3)
    bodies = [body_of(document) for document in documents()[:5]]
    levels = [again.levels(long) for long in again.read(bodies)]
    assert levels[0].chunks.shape[1] == 8
    assert again.similarity(levels[0], levels[4]) > again.similarity(levels[0], levels[1])  # of one subject, of two


def _told_apart(encoder: ColdeEncoder) -> float:
    """How much nearer documents of one subject are than those of two."""
    bodies = [body_of(document) for document in documents()]
    rows = encoder.encode_documents(bodies)
    subjects = np.arange(len(bodies)) % 4
    same = subjects[:, None] == subjects[None, :]
    cosines = rows @ rows.T
    return float(cosines[same].mean() - cosines[~same].mean())


def test_the_run_folder_says_what_was_trained_on_what(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run")
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert set(run["corpora_sha256"]) == {"ours", "more", "ours/pairs.tsv", "more/pairs.tsv"}
    assert {"commit", "hardware", "seed"} <= run.keys()
    curve = json.loads((tmp_path / "run" / "curve.json").read_text())
    assert [set(record["scores"]) for record in curve] == [{"ours", "more"}] * 3
    assert encoder.facts["curve"] == curve
    assert encoder.facts["train_pairs"] == {"ours": 24, "more": 24}
    assert encoder.card.trained_on == ("ours", "more")


def test_the_encoder_comes_back_from_disk(data: Path, tmp_path: Path) -> None:
    encoder = train(data, tmp_path / "run", "schedule.epochs=1", "backbone.pooling=first")
    encoder.save(tmp_path / "encoder")
    again = ColdeEncoder.load(tmp_path / "encoder")
    assert again.card == encoder.card
    assert (again.settings.chunk_tokens, again.settings.pooling, again.settings.skip) == (8, "first", True)
    rows = [one.encode_documents(documents()[:3]) for one in (encoder, again)]
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-6)


@pytest.mark.parametrize(
    "settings",
    [
        ["objective.chunk_dropout=0.3", "objective.whole=true"],
        ["head.space_dim=8", "objective.late=1.0"],
        ["backbone.trained=true", "head.space_dim=8"],  # the transformer has a dropout of its own
    ],
)
def test_a_run_that_was_broken_off_ends_with_the_same_weights(data: Path, tmp_path: Path, settings: list[str]) -> None:
    train(data, tmp_path / "whole", *settings)
    train(data, tmp_path / "broken", *settings, "schedule.epochs=1")
    train(data, tmp_path / "broken", *settings, resume=True)
    whole, broken = (load_file(tmp_path / name / "checkpoint" / "model.safetensors") for name in ("whole", "broken"))
    assert whole.keys() == broken.keys()
    assert all((whole[name] == broken[name]).all() for name in whole)


def test_chunks_are_kept_for_the_next_run_of_the_same_reading(data: Path, tmp_path: Path) -> None:
    def kept() -> set[str]:
        return {path.name for path in (tmp_path / "cache").glob("*/*")}

    def run(name: str, *settings: str) -> set[str]:
        trainer.train(recipe(data, "schedule.epochs=0", *settings), Folders(data, tmp_path / name, tmp_path / "cache"))
        return kept()

    first = run("one")
    assert len(first) == 2
    assert run("two", "head.dim=4", "seed=5") == first
    run("three", "backbone.chunk_tokens=12")
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_a_new_head_learns_over_the_transformer_of_another_encoder(data: Path, tmp_path: Path) -> None:
    learnt = train(data, tmp_path / "learnt", "backbone.trained=true", "optimizer.embedding_learning_rate=0.01")
    learnt.save(tmp_path / "colde")
    given = f"backbone.source={tmp_path / 'colde'}"
    encoder = train(data, tmp_path / "run", given, "seed=5", "head.dim=4")
    assert encoder.reading_fingerprint == learnt.reading_fingerprint  # what one has read serves the other
    assert encoder.card.dim == 4
    assert encoder.facts["transformer"]["recipe"] == learnt.facts["recipe"] != encoder.facts["recipe"]
    with pytest.raises(EncoderError, match="sections"):
        train(data, tmp_path / "other", given, "backbone.section_numbers=3")


def test_what_is_missing_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing: other"):
        train(data, tmp_path / "run", 'data.corpora=["ours", "other"]')
    with pytest.raises(EncoderError, match=r"Expected .*nowhere to be a folder of a transformers model"):
        train(data, tmp_path / "run2", f"backbone.source={tmp_path / 'nowhere'}")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("objective.kind=cosine", 'kind = "cosine" needs sections = 1'),
        ("objective.sections=6", "sections must be from 1 to 5, got 6"),
        ("objective.temperature=0", "temperature must be above 0"),
        ("objective.max_tokens=-1", "max_tokens must be 0 or more, got -1"),
        ("objective.chunk_dropout=1", "chunk_dropout must be a share from 0 to below 1"),
        ("backbone.section_numbers=1", "backbone.section_numbers must be at least objective.sections"),
        ("backbone.section_numbers=0", "section_numbers must be at least 1"),
        ("backbone.chunk_numbers=0", "chunk_numbers must be at least 1"),
        ("backbone.chunk_tokens=4", "chunk_tokens must be at least 8"),
        ("backbone.tokens_at_once=4", "tokens_at_once must be at least chunk_tokens"),
        ("head.heads=0", "heads must be at least 1"),
        ("head.lstm_dim=3", "lstm_dim must be even"),
        ("head.dim=0", "dim must be at least 1"),
        ("head.space_dim=-1", "space_dim must be 0 or more"),
        ("head.whitening=-1", "whitening must be 0 or more"),
        ("head.late_share=2", "late_share must be from 0 to 1"),
        ("head.late_best=0", "late_best must be above 0 and up to 1"),
        ("objective.late=-1", "late must be 0 or more"),
        ("objective.late_temperature=0", "late_temperature must be above 0"),
        ("objective={kind = 'cosine', sections = 1, late = 1.0}", 'late needs kind = "contrastive"'),
        ("optimizer.batch=3", "batch must be at least 4"),
        ("optimizer.learning_rate=0", "learning_rate must be above 0"),
        ("optimizer.weight_decay=-1", "weight_decay must be 0 or more"),
        ("optimizer.backbone_learning_rate=-1", "backbone_learning_rate must be 0 or more"),
        ("optimizer.embedding_learning_rate=-1", "embedding_learning_rate must be 0 or more"),
        ("data.corpora=[]", "corpora must name at least one corpus"),
        ("seed=-1", "seed must be 0 or more"),
    ],
)
def test_a_recipe_out_of_its_ranges_is_refused(data: Path, setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        recipe(data, setting)


def test_the_command_trains_and_says_where(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small.toml").write_text(
        f'method = "colde"\ndevice = "cpu"\n[data]\ncorpora = ["ours"]\n[backbone]\nsource = "{data / "tiny"}"\n'
        "trained = false\nchunk_tokens = 8\n[head]\nlstm_dim = 8\ndim = 6\n[schedule]\nepochs = 1\n"
    )
    parser = build_parser("train")
    out = tmp_path / "encoder"
    line = ["train", str(tmp_path / "small.toml"), "--data", str(data), "--out", str(out)]
    arguments = parser.parse_args(line)
    arguments.run(arguments)
    assert "1 epochs over 20 documents, the best is 1; written to" in capsys.readouterr().out
    assert ColdeEncoder.load(out).card.dim == 6
    assert (tmp_path / "encoder-run" / "curve.json").is_file()


NAMES = ("-Aug", "-LSTM", "-CL")


@pytest.fixture(scope="module")
def ablation_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_long_data(tmp_path_factory.mktemp("long"))


def ablations(name: str) -> dict[str, list[str]]:
    """The settings of each ablation as the recipe's header gives them."""
    header = (runs.FOLDER / f"{name}.toml").read_text().partition("\n\n")[0].replace("\n#", "")
    found = {part: header.partition(f"{part} --set")[2] for part in NAMES}
    return {part: re.findall(r"[\w.]+=\w+", re.split(r", |\. |\.$", text)[0]) for part, text in found.items()}


@pytest.mark.parametrize("name", ["colde-cpu", "colde-paper"])
def test_the_header_names_settings_of_the_recipe(name: str) -> None:
    found = ablations(name)
    assert found["-LSTM"] == ["head.aggregation=mean"]
    assert found["-CL"] == ["objective.kind=cosine", "objective.sections=1"]
    assert found["-Aug"][0] == "objective.sections=1"
    for settings in found.values():
        paper = ["head.late_share=0", "head.late_best=1", "objective.late=0", "head.skip=false", "head.space_dim=0"]
        SHIPPED.load(name, [*settings, *(paper if name == "colde-cpu" else [])])


def test_each_ablation_is_trained_and_measured(ablation_data: Path, tmp_path: Path) -> None:
    settings = {"full": ["head.skip=false"], **ablations("colde-cpu")}
    for name, changed in settings.items():
        folders = Folders(ablation_data, tmp_path / f"{name}-run", tmp_path / "cache")
        encoder = trainer.train(recipe(ablation_data, "head.skip=false", "schedule.epochs=1", *changed), folders)
        assert isinstance(encoder, ColdeEncoder)
        encoder.save(tmp_path / name)
    rows = parse_rows(",".join(f"{name}={tmp_path / name}" for name in settings))
    found = score(rows, load_pair_set(ablation_data / "ours"), Plan(cache=tmp_path / "cache"))
    assert [one.name for one in found] == ["full", *NAMES]
    assert len({one.fingerprint for one in found}) == 4
    assert all(not np.allclose(one.scores, found[0].scores) for one in found[1:])


def test_without_numbers_of_sections_and_chunks_a_chunk_is_read_alike_wherever_it_stands(ablation_data: Path) -> None:
    changed = ["backbone.trained=true", *ablations("colde-paper")["-Aug"]]
    encoder = trainer.train(
        recipe(ablation_data, "schedule.epochs=1", *changed),
        Folders(ablation_data, ablation_data / "run", ablation_data / "cache"),
    )
    assert encoder is not None and encoder.settings.chunk_numbers == encoder.settings.section_numbers == 1
    twice = Document("twice", sections=tuple(Section(title, "steam boiler pressure") for title in ("One", "Two")))
    first, second = encoder.read([twice])[0].rows
    np.testing.assert_allclose(first, second, atol=1e-6)
