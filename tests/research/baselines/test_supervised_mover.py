"""Supervised word mover's distance: the encoder's contract, how words move, and what a training learns."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch

from engine.core.errors import ConfigError, InputError, StorageError
from engine.documents import Document, text
from engine.encoders import Encoder, WordVectors, storage
from engine.evaluation import load_benchmark
from engine.research.baselines.rows import ROWS
from engine.research.baselines.supervised_mover import (
    METHOD,
    MoverTask,
    SupervisedMoverEncoder,
    WordMap,
    train,
    transport,
)
from engine.research.baselines.word_mover import exact
from engine.research.train import RECIPES
from engine.training import Folders
from engine.training.cdssm.trainer import WordCorpus
from engine.training.related import PairBatch, RelatedPairs, joined
from tests.contracts.encoder import EncoderContract
from tests.encoders.test_word_vectors import by_subject
from tests.evaluation.small import write_benchmark
from tests.research.baselines.small_mover import NOISE, recipe, write_subjects


def mapped(*, weight: float = 1.0) -> SupervisedMoverEncoder:
    """The vectors of the tests' corpus as if they were mapped; the first word has another weight."""
    words = by_subject()
    weights = np.ones(len(words.words), np.float32)
    weights[0] = weight
    return SupervisedMoverEncoder(words.words, words.vectors, weights, trained_on=("ours",))


class TestContract(EncoderContract):
    @pytest.fixture
    def encoder(self) -> Encoder:
        return mapped()


def test_a_weight_counts_in_the_mean_and_in_the_distance_and_names_another_encoder() -> None:
    plain, heavy = mapped(), mapped(weight=9.0)
    first, other = [word for word in plain.moved_words.words if word not in text.STOP_WORDS][:2]
    assert plain.moved_words.words[0] == first
    document = [Document("a", title=f"{first} {other}")]
    rows = {encoder: encoder.encode_documents(document)[0] for encoder in (plain, heavy)}
    vectors = plain.moved_words.vectors[[plain.moved_words.words.index(word) for word in (first, other)]]
    mean = 9 * vectors[0] + vectors[1]
    np.testing.assert_allclose(rows[heavy], mean / np.linalg.norm(mean), atol=1e-6)
    assert not np.allclose(rows[plain], rows[heavy])
    assert heavy.moved_words.weights[0] == 9 and heavy.moved_words.power == 2
    assert plain.card.fingerprint != heavy.card.fingerprint


def test_function_words_count_nothing() -> None:
    encoder = SupervisedMoverEncoder(["the", "boiler"], np.eye(2, dtype=np.float16), np.ones(2, np.float32))
    row = encoder.encode_documents([Document("a", title="the boiler the")])
    np.testing.assert_array_equal(row, [[0, 1]])


def test_a_folder_of_them_is_a_row_and_is_moved(tmp_path: Path) -> None:
    mapped().save(tmp_path / "learnt")
    benchmark = load_benchmark(write_benchmark(tmp_path / "small"))
    rows = [f"swmd={tmp_path / 'learnt'}", f"wmd(swmd)={tmp_path / 'learnt'}"]
    assert ROWS.rows_of(",".join(rows)) == rows
    mean, moved = (ROWS.measure(benchmark, row) for row in rows)
    assert (mean.name, moved.name) == ("swmd", "wmd(swmd)")
    assert mean.fingerprint != moved.fingerprint
    assert moved.metrics["nDCG@10"] > 0.9


def test_a_word_too_few_is_told(tmp_path: Path) -> None:
    arrays = {"vectors": np.ones((2, 3), np.float16), "weights": np.ones(1, np.float32)}
    card = mapped().card
    made = storage.fingerprint_of(METHOD, arrays, ["a", "b"])
    storage.write(
        tmp_path / "bad",
        method=METHOD,
        card=card.__class__(card.name, card.summary, 3, made),
        arrays=arrays,
        words=["a", "b"],
    )
    with pytest.raises(StorageError, match="found 2 words, 2 vectors and 1 weights"):
        SupervisedMoverEncoder.load(tmp_path / "bad")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("seed=-1", "seed must be 0 or more, got -1"),
        ("network.most_words=0", "most_words must be at least 1, got 0"),
        ("network.dim=0", "dim must be at least 1, got 0"),
        ("network.max_tokens=0", "max_tokens must be at least 1, got 0"),
        ("objective.gamma=0", "gamma must be above 0, got 0"),
        ("objective.sharpness=0", "sharpness must be above 0, got 0"),
        ("objective.rounds=0", "rounds must be at least 1, got 0"),
    ],
)
def test_a_value_outside_its_range_is_refused(setting: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        recipe(tmp_path, setting)


WORDS = WordVectors(
    ["boiler", "kettle", "gene", "the"],
    np.array([[0, 0], [3, 4], [30, 40], [0, 1]], np.float16),
    np.ones(4, np.int64),
    4,
)
TEXTS = ["boiler kettle boiler", "kettle the", "gene gene kettle", "gene boiler", "unheard the"]


def task(tmp_path: Any, pairs: list[list[int]]) -> MoverTask:  # noqa: ANN401
    names = sorted({word for one in TEXTS for word in one.split()})
    flat = [names.index(word) for one in TEXTS for word in one.split()]
    starts = np.cumsum([0, *(len(one.split()) for one in TEXTS)])
    none = [""] * len(TEXTS)
    corpus = WordCorpus(np.array(flat, np.int32), starts, names, [*map(str, range(5))], none, none, {})
    unknown = np.full(len(TEXTS), -1)
    related = RelatedPairs([], np.ones(1), joined(np.array(pairs), len(TEXTS)), unknown, unknown)
    return MoverTask(
        recipe(tmp_path, "network.dim=2", "objective.gamma=3"),
        WordMap(WORDS, 2, seed=1),
        WORDS.words,
        examples=(corpus, related),
    )


def by_hand(made: MoverTask, one: str, other: str) -> float:
    """The distance of two texts with every weight at one."""
    model, words = cast(WordMap, made.model), list(WORDS.words)
    bags = [[word for word in text.split() if word in words and word != "the"] for text in (one, other)]
    places = [sorted({words.index(word) for word in bag}) for bag in bags]
    shares = [
        torch.tensor([[bag.count(words[place]) / len(bag) for place in own]])
        for bag, own in zip(bags, places, strict=True)
    ]
    mapped = model.vectors @ model.map.detach()
    costs = torch.tensor([[float((mapped[i] - mapped[j]).square().sum()) for j in places[1]] for i in places[0]])
    return float(transport(*shares, costs[None], sharpness=10.0, rounds=20))


def test_the_loss_is_the_softmax_that_related_texts_get_among_all_others(tmp_path: Any) -> None:  # noqa: ANN401
    made = task(tmp_path, [[0, 1], [2, 3]])
    found = made.loss(PairBatch(np.array([[0, 1], [2, 3]]), (1, 0, 0))).item()
    near = {
        (i, j): np.exp(-3 * by_hand(made, TEXTS[min(i, j)], TEXTS[max(i, j)]))
        for i, j in product(range(4), repeat=2)
        if i != j
    }
    other = {0: 1, 1: 0, 2: 3, 3: 2}
    losses = [-np.log(near[i, other[i]] / sum(near[i, j] for j in range(4) if j != i)) for i in range(4)]
    assert found == pytest.approx(np.mean(losses), rel=1e-4)


def test_a_text_without_a_known_word_is_left_out(tmp_path: Any) -> None:  # noqa: ANN401
    made = task(tmp_path, [[0, 1], [2, 4]])
    batch = PairBatch(np.array([[0, 1], [2, 4]]), (1, 0, 0))
    loss = made.loss(batch)
    loss.backward()
    assert torch.isfinite(loss) and torch.isfinite(cast(WordMap, made.model).map.grad).all()
    alone = task(tmp_path, [[2, 4]]).loss(PairBatch(np.array([[2, 4]]), (1, 0, 0)))
    assert alone.item() == 0


def test_words_begin_one_apart(tmp_path: Any) -> None:  # noqa: ANN401
    vectors = np.random.default_rng(0).normal(size=(400, 6)).astype(np.float16)
    words = WordVectors([str(one) for one in range(400)], vectors, np.ones(400, np.int64), 400)
    mapped = (model := WordMap(words, 6, seed=1)).vectors @ model.map.detach()
    apart = torch.cdist(mapped, mapped).square()[~torch.eye(400, dtype=bool)]
    assert apart.mean().item() == pytest.approx(1, abs=0.05)
    assert SimpleNamespace(dim=WordMap(words, 3, seed=1).map.shape).dim == (6, 3)


SHARP = {"sharpness": 300.0, "rounds": 2_000}


def drawn(seed: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Weights and costs of three texts of four words and three of five."""
    made = torch.Generator().manual_seed(seed)
    ours, theirs, costs = (
        torch.rand(shape, generator=made, dtype=torch.float64) for shape in ((3, 4), (3, 5), (3, 4, 5))
    )
    return ours / ours.sum(dim=1, keepdim=True), theirs / theirs.sum(dim=1, keepdim=True), costs


def exactly(ours: torch.Tensor, theirs: torch.Tensor, costs: torch.Tensor) -> np.ndarray:
    return np.array([exact(*(one.numpy() for one in parts)) for parts in zip(ours, theirs, costs, strict=True)])


@pytest.mark.parametrize("seed", range(3))
def test_a_sharp_transport_costs_what_the_exact_one_does(seed: int) -> None:
    ours, theirs, costs = drawn(seed)
    np.testing.assert_allclose(transport(ours, theirs, costs, **SHARP), exactly(ours, theirs, costs), atol=2e-3)
    blunt = transport(ours, theirs, costs, sharpness=1.0, rounds=200)
    assert (blunt.numpy() > exactly(ours, theirs, costs) + 0.01).all()


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_is_the_exact_costs_difference(seed: int) -> None:
    ours, theirs, costs = drawn(seed)
    raw, given = ours.clone().requires_grad_(), costs.clone().requires_grad_()
    transport(raw / raw.sum(dim=1, keepdim=True), theirs, given, **SHARP).sum().backward()
    moves = torch.randn(ours.shape, generator=torch.Generator().manual_seed(9), dtype=torch.float64) * 1e-3
    moved = ours + moves
    by_weights = exactly(moved / moved.sum(dim=1, keepdim=True), theirs, costs) - exactly(ours, theirs, costs)
    np.testing.assert_allclose((raw.grad * moves).sum(dim=1), by_weights, atol=5e-5)
    dearer = torch.rand(costs.shape, generator=torch.Generator().manual_seed(9), dtype=torch.float64) * 1e-3
    by_costs = exactly(ours, theirs, costs + dearer) - exactly(ours, theirs, costs)
    np.testing.assert_allclose((given.grad * dearer).sum(dim=(1, 2)), by_costs, atol=5e-5)


def test_padding_changes_nothing() -> None:
    ours, theirs, costs = drawn(0)
    wider = [torch.nn.functional.pad(one, (0, 2)) for one in (ours, theirs)]
    raw = wider[0].clone().requires_grad_()
    more = transport(raw, wider[1], torch.nn.functional.pad(costs, (0, 2, 0, 2)), sharpness=10.0, rounds=20)
    torch.testing.assert_close(
        more.detach(), transport(ours, theirs, costs, sharpness=10.0, rounds=20), rtol=0, atol=1e-12
    )
    more.sum().backward()
    assert torch.isfinite(raw.grad).all()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_subjects(tmp_path_factory.mktemp("movers") / "data")


@pytest.fixture(scope="module")
def learnt(data: Path) -> SupervisedMoverEncoder:
    return train(recipe(data), Folders(data, data.parent / "run", data.parent / "cache"))


def test_it_beats_plain_word_movers_distance_on_queries_that_were_not_read(
    data: Path, learnt: SupervisedMoverEncoder, tmp_path: Path
) -> None:
    learnt.save(tmp_path / "learnt")
    benchmark = load_benchmark(data / "asked")
    rows = [f"wmd(plain)={data / 'words'}", f"wmd(swmd)={tmp_path / 'learnt'}"]
    plain, ours = (ROWS.measure(benchmark, row).metrics["nDCG@10"] for row in rows)
    assert plain < 0.6 < 0.85 < ours


def test_words_that_any_text_says_weigh_less(learnt: SupervisedMoverEncoder) -> None:
    weights = learnt.moved_words.weights
    assert weights[-NOISE:].mean() < 0.7 * weights[:-NOISE].mean()


def test_the_loss_falls_and_facts_say_what_was_read(learnt: SupervisedMoverEncoder) -> None:
    curve = learnt.facts["curve"]
    assert curve[-1]["loss"] < curve[0]["loss"]
    assert (learnt.facts["documents"], learnt.facts["subjects"]) == (80, 4)
    assert learnt.card.trained_on == ("ours",)


def test_a_benchmarks_queries_are_left_out(data: Path, tmp_path: Path) -> None:
    queries = data / "asked" / "queries.parquet"
    kept = queries.read_bytes()
    try:
        queries.write_bytes((data / "ours" / "corpus.parquet").read_bytes())  # all that is trained on asks
        with pytest.raises(InputError, match="Expected at least 4 sets of categories"):
            train(recipe(data), Folders(data, tmp_path / "run", tmp_path / "cache"))
    finally:
        queries.write_bytes(kept)


def test_a_run_that_was_broken_off_goes_on_to_the_same_words(
    data: Path, learnt: SupervisedMoverEncoder, tmp_path: Path
) -> None:
    folders = Folders(data, tmp_path / "run", tmp_path / "cache")
    calls: list[int] = []

    def score(_: SupervisedMoverEncoder) -> dict[str, float]:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return {}

    with pytest.raises(KeyboardInterrupt):
        train(recipe(data), folders, score=score)
    again = train(recipe(data), folders, resume=True)
    np.testing.assert_array_equal(again.moved_words.vectors, learnt.moved_words.vectors)
    np.testing.assert_array_equal(again.moved_words.weights, learnt.moved_words.weights)


def test_the_recipe_of_the_command_reads_what_it_names() -> None:
    made = RECIPES.load("swmd")
    assert made.method == "swmd" and made.network.dim == 100
    assert made.data.corpora == ("arxiv-abstracts", "patents-citation")
    assert RECIPES.epochs_of(made) == "scored"
