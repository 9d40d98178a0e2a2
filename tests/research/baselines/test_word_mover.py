"""Word mover's distance, supervised too: by hand, as a ranking of first hits, and what a training learns."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch

from engine.core.config import from_mapping, with_settings
from engine.core.errors import ConfigError, EvaluationError, InputError, MissingExtraError, StorageError
from engine.documents import Document, Hit, text
from engine.encoders import Encoder, Word2vecMeanEncoder, WordVectors, storage
from engine.evaluation import load_benchmark
from engine.evaluation.measure import PreparedSystem
from engine.evaluation.systems import Encoded, by_words
from engine.library import KeywordIndex
from engine.research.baselines import word_mover
from engine.research.baselines.rows import ROWS
from engine.research.baselines.supervised_mover import (
    METHOD,
    MoverRecipe,
    MoverTask,
    SupervisedMoverEncoder,
    WordMap,
    train,
    transport,
)
from engine.research.baselines.word_mover import MovedWords, WordMover, exact, relaxed
from engine.research.train import RECIPES
from engine.training import Folders
from engine.training.cdssm.trainer import WordCorpus
from engine.training.related import PairBatch, RelatedPairs, joined
from engine.vectors.exact import DenseIndex
from tests.contracts.encoder import EncoderContract
from tests.encoders.test_word_vectors import by_subject
from tests.evaluation.small import write_benchmark, write_table

SUBJECTS, WORDS, NOISE = 4, 30, 40
LOUD = 4


def write_subjects(folder: Path) -> Path:
    """Corpora "ours" to train on and "asked" to search, with its queries, and word vectors.

    Every subject has thirty words, of which a text says three, beside six words that any text says. The first four
    numbers of a vector tell the subject of a word; the four behind them are drawn, and larger.
    """
    drawn = np.random.default_rng(7)
    vocabulary = [f"s{subject}w{number}" for subject in range(SUBJECTS) for number in range(WORDS)]
    vocabulary += [f"any{number}" for number in range(NOISE)]
    vectors = 2 * drawn.normal(size=(len(vocabulary), SUBJECTS + LOUD))
    vectors[:, :SUBJECTS] = np.repeat(
        np.vstack([np.eye(SUBJECTS), np.zeros(SUBJECTS)]), [WORDS] * SUBJECTS + [NOISE], 0
    )
    WordVectors(vocabulary, vectors.astype(np.float16), np.ones(len(vocabulary), np.int64), 1).save(folder / "words")

    def text(name: str, subject: int, kind: str = "paper") -> Document:
        said = [f"s{subject}w{number}" for number in drawn.choice(WORDS, 3, replace=False)]
        said += [f"any{number}" for number in drawn.choice(NOISE, 6, replace=False)]
        return Document(name, kind=kind, abstract=" ".join(said), categories=(f"subject {subject}",))

    for name, prefix in (("ours", "o"), ("asked", "a")):
        (folder / name).mkdir(parents=True)
        texts = [text(f"{prefix}{number}", number % SUBJECTS) for number in range(80)]
        write_table(folder / name / "corpus.parquet", texts)
    queries = [text(f"q{number}", number % SUBJECTS, "query") for number in range(20)]
    write_table(folder / "asked" / "queries.parquet", queries)
    judged = [(query, place) for query in range(20) for place in range(80) if query % SUBJECTS == place % SUBJECTS]
    lines = ["query-id\tcorpus-id\tscore", *(f"q{query}\ta{place}\t1" for query, place in judged)]
    (folder / "asked" / "qrels.tsv").write_text("\n".join(lines) + "\n")
    return folder


def recipe(data: Path, *settings: str) -> MoverRecipe:
    """Eight documents a step, forty steps."""
    values: dict[str, Any] = {
        "method": "swmd",
        "device": "cpu",
        "words": str(data / "words"),
        "data": {"subjects": ["ours"], "steps": 40},
        "network": {"max_tokens": 20, "most_words": 10, "dim": 8},
        "optimizer": {"learning_rate": 0.02, "batch": 4, "words_learning_rate": 0.05},
        "schedule": {"epochs": 2},
    }
    return from_mapping(with_settings(values, settings), MoverRecipe, origin="test")


MOVED_WORDS = MovedWords(
    ["boiler", "kettle", "gene", "valve"],
    np.array([[0, 0], [3, 4], [30, 40], [0, 1]], np.float32),
    np.ones(4),
)


@dataclass(frozen=True)
class First:
    """A system that always gives the same ranking."""

    ids: Sequence[str]

    def rank(self, queries: Sequence[Document], k: int) -> list[list[Hit]]:
        return [[Hit(name, 0.5) for name in self.ids[:k]] for _ in queries]


def ranking(
    texts: dict[str, str], query: str, kind: str = "wmd", k: int = 9, words: MovedWords = MOVED_WORDS
) -> list[Hit]:
    corpus = [Document(name, title=title) for name, title in texts.items()]
    system = WordMover.over(First([document.id for document in corpus]), corpus, words=words, kind=kind)
    (hits,) = system.rank([Document("q", kind="query", abstract=query)], k)
    return hits


def test_one_word_travels_to_another() -> None:
    hits = ranking({"far": "gene", "near": "the kettle", "same": "a boiler"}, "boiler")
    assert [(hit.id, hit.score) for hit in hits] == [("same", 0), ("near", -5), ("far", -50)]


def test_weight_is_split_where_two_words_share_a_text() -> None:
    (hit,) = ranking({"two": "kettle boiler boiler boiler"}, "boiler")
    assert hit.score == pytest.approx(-5 / 4)
    (bound,) = ranking({"two": "kettle boiler boiler boiler"}, "boiler", kind="rwmd")
    assert bound.score == pytest.approx(-5 / 4)  # from the document's side; from the query's it is 0


@pytest.mark.parametrize("seed", range(5))
def test_the_distance_is_the_linear_programmes_and_the_relaxed_one_is_below(seed: int) -> None:
    from scipy.optimize import linprog

    drawn = np.random.default_rng(seed)
    ours, theirs = (drawn.dirichlet(np.ones(size)) for size in (4, 6))
    costs = np.ascontiguousarray(drawn.random((4, 6)))
    leaves = np.kron(np.eye(4), np.ones(6))
    arrives = np.kron(np.ones(4), np.eye(6))
    solved = linprog(costs.ravel(), A_eq=np.vstack([leaves, arrives]), b_eq=np.concatenate([ours, theirs]))
    assert exact(ours, theirs, costs) == pytest.approx(solved.fun, abs=1e-9)
    assert exact(theirs, ours, np.ascontiguousarray(costs.T)) == pytest.approx(solved.fun, abs=1e-9)
    assert relaxed(ours, theirs, costs) <= solved.fun + 1e-12
    by_hand = sum(share * min(row) for share, row in zip(ours, costs, strict=True))
    assert relaxed(ours, theirs, costs) >= by_hand


def test_a_text_without_a_known_word_goes_behind_the_others_and_before_those_not_ranked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(word_mover, "RERANKED", 3)
    texts = {"none": "the unheard", "far": "gene", "near": "kettle", "rest": "boiler", "last": "boiler"}
    hits = ranking(texts, "boiler")
    assert [hit.id for hit in hits] == ["near", "far", "none", "rest", "last"]
    scores = [hit.score for hit in hits]
    assert np.isfinite(scores).all()
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


def test_a_query_without_a_known_word_leaves_the_ranking_as_it_was() -> None:
    assert [hit.id for hit in ranking({"b": "boiler", "a": "kettle"}, "nothing")] == ["b", "a"]


def test_no_more_hits_than_asked_for_come_back_and_an_empty_ranking_stays_so() -> None:
    assert [hit.id for hit in ranking({"b": "gene", "a": "kettle"}, "boiler", k=1)] == ["a"]
    assert ranking({}, "boiler") == []


def test_the_most_frequent_words_are_read_and_the_first_of_equal_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_mover, "MOST_WORDS", 2)
    (hit,) = ranking({"long": "gene kettle gene boiler"}, "boiler")
    assert hit.score == pytest.approx(-(2 * 50 + 5) / 3)


def test_what_changes_a_ranking_changes_its_fingerprint() -> None:
    kinds = [word_mover.fingerprint(kind, first) for kind in ("wmd", "rwmd") for first in ("a", "b")]
    assert len(set(kinds)) == 4


def test_each_row_says_what_it_ranks_again() -> None:
    for kind, named in word_mover.KINDS.items():
        assert word_mover.summary(kind, "glove-own").startswith(f"{named.name} over the first 200 of glove-own;")


def test_a_word_counts_by_its_weight_and_a_move_costs_a_power_of_the_distance() -> None:
    heavy = replace(MOVED_WORDS, weights=np.array([1.0, 3.0, 1.0, 1.0]))
    (hit,) = ranking({"two": "kettle boiler"}, "boiler", words=heavy)
    assert hit.score == pytest.approx(-5 * 3 / 4)
    (hit,) = ranking({"two": "kettle boiler"}, "boiler", words=replace(heavy, power=2))
    assert hit.score == pytest.approx(-25 * 3 / 4)


def test_a_row_that_averages_word_vectors_is_ranked_again_by_its_own(tmp_path: Path) -> None:
    index = DenseIndex(tmp_path, fingerprint="first", dim=2)
    corpus = [Document("far", title="gene gene valve"), Document("near", title="valve kettle")]
    vectors = WordVectors(MOVED_WORDS.words, MOVED_WORDS.vectors.astype(np.float16), np.ones(4, np.int64), 4)
    first = PreparedSystem("mine", Encoded(Word2vecMeanEncoder(vectors), index), "first", 2.0)
    made = word_mover.again("rwmd", first, corpus)
    assert made.fingerprint == word_mover.fingerprint("rwmd", "first") and made.seconds == 2.0
    assert made.summary == word_mover.summary("rwmd", "mine")
    assert isinstance(made.system, WordMover)
    assert list(made.system.moved.words) == list(MOVED_WORDS.words)
    np.testing.assert_array_equal(made.system.moved.vectors, MOVED_WORDS.vectors)


def test_a_row_without_word_vectors_is_refused() -> None:
    bm25 = by_words("bm25", KeywordIndex.in_memory([]))
    with pytest.raises(EvaluationError, match="Expected a row that averages word vectors for wmd to move, got bm25"):
        word_mover.again("wmd", bm25, [])


def test_the_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(MissingExtraError, match=r"Expected POT, .* Run: pip install 'priorscope\[research\]'"):
        WordMover.over(First([]), [], words=MOVED_WORDS, kind="wmd")
    assert ranking({"a": "kettle"}, "boiler", kind="rwmd")[0].score == pytest.approx(-5)


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


LEARNED_WORDS = WordVectors(
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
        WordMap(LEARNED_WORDS, 2, seed=1),
        LEARNED_WORDS.words,
        examples=(corpus, related),
    )


def by_hand(made: MoverTask, one: str, other: str) -> float:
    """The distance of two texts with every weight at one."""
    model, words = cast(WordMap, made.model), list(LEARNED_WORDS.words)
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
