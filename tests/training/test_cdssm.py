"""C-DSSM trained by a recipe: the paper's forms, which words are read, what a step learns, what a run keeps."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from scipy.sparse import csr_array

from engine.cli.main import build_parser
from engine.core.errors import ConfigError, InputError, TrainingError
from engine.documents import Document, Section
from engine.documents.text import trigrams
from engine.encoders import WordVectors
from engine.encoders.cdssm import CdssmEncoder, CdssmNetwork, CdssmSettings, Lexicon, begin_network
from engine.evaluation import Validation
from engine.training import corpora
from engine.training.cdssm import trainer
from engine.training.cdssm.recipe import CdssmRecipe
from engine.training.cdssm.trainer import Chosen, RelatedTask, WordCorpus, fit_letters, number_words, read_words
from engine.training.loop import ALONE, Processes
from engine.training.related import PairBatch, RelatedPairs, pair_digests
from engine.training.run_folder import Folders
from engine.training.runs import SHIPPED
from tests.contracts.encoder import corpus
from tests.training.small import break_off, require_same_weights, word_vectors, write_data
from tests.training.small import cdssm_recipe as recipe


def load(name: str, *settings: str) -> CdssmRecipe:
    recipe = SHIPPED.load(name, settings)
    assert isinstance(recipe, CdssmRecipe)
    return recipe


def test_the_papers_forms_differ_in_their_towers_and_words_alone() -> None:
    forms = [load(f"cdssm-{name}") for name in ("two-towers", "trigrams", "words")]
    assert [(one.network.towers, one.network.words) for one in forms] == [
        ("two", "trigrams"),
        ("shared", "trigrams"),
        ("shared", "vectors"),
    ]
    assert len({(one.data, one.objective, one.optimizer, one.schedule, one.vectors) for one in forms}) == 1
    for one in forms:
        assert (one.network.window, one.network.channels, one.network.dim) == (3, 300, 128)
        assert not one.vectors.trained and not one.vectors.begin_letters
        assert (one.objective.word_dropout, one.schedule.decay) == (0, "constant")
        assert (one.network.padding, one.objective.asks, one.queries) == ("none", "first", one.optimizer.batch)


def test_as_before_the_first_of_a_pair_asks_two_towers_and_both_ask_one() -> None:
    one = load("cdssm-cpu")
    assert [one.both_ask, load("cdssm-cpu", "network.towers=two").both_ask] == [True, False]
    assert load("cdssm-cpu", "network.towers=two", "objective.asks=both").both_ask
    assert not load("cdssm-cpu", "objective.asks=first").both_ask


@pytest.mark.parametrize("name", ["cdssm-cpu", "cdssm-gpu"])
def test_the_shipped_form_is_a_shared_tower_on_letters(name: str) -> None:
    recipe = load(name)
    assert (recipe.network.towers, recipe.network.words, recipe.network.trigrams) == ("shared", "trigrams", 12_000)
    assert recipe.vectors.begin_letters
    assert (recipe.network.padding, recipe.queries) == ("zeros", 2 * recipe.optimizer.batch)
    assert recipe.data.corpora == ("arxiv-abstracts", "patents-citation", "acl-long", "pmc-long")
    assert recipe.data.abstracts == ("acl-long", "pmc-long")


def test_values_out_of_range_are_all_named() -> None:
    with pytest.raises(ConfigError) as caught:
        load("cdssm-cpu", "objective.gamma=0", "data.steps=0", "data.abstracts=['other']", "network.window=2")
    for part in (
        "objective: gamma must be above 0, got 0",
        "steps must be at least 1, got 0",
        "abstracts must name corpora of subjects or files, got other",
        "window must be odd",
    ):
        assert part in str(caught.value)
    with pytest.raises(ConfigError, match="subjects or files must name at least one corpus"):
        load("cdssm-cpu", "data.subjects=[]", "data.files=[]", "data.abstracts=[]")
    with pytest.raises(ConfigError, match=r"dim must be 0 or more, got -1"):
        load("cdssm-words", "vectors.dim=-1")
    with pytest.raises(ConfigError, match=r"subject_share must be from 0 to 1, got 2\.0.*word_dropout must be a share"):
        load("cdssm-cpu", "objective.word_dropout=1.0", "data.subject_share=2.0")


def test_what_is_read_and_what_is_done_with_vectors_must_fit() -> None:
    with pytest.raises(ConfigError, match=r'vectors\.trained needs network\.words = "vectors"'):
        load("cdssm-trigrams", "vectors.trained=true")
    with pytest.raises(ConfigError, match=r'seed must be 0 or more.*begin_letters needs network\.words = "trigrams"'):
        load("cdssm-words", "vectors.begin_letters=true", "seed=-1")


GIVEN = (
    ("ours", Document("a", title="Steam boiler", abstract="steam", categories=("B", "A"), family="f")),
    ("ours", Document("a", title="The same id", categories=("A",))),
    ("ours", Document("none", title="No subject")),
    ("theirs", Document("b", title="boiler valve", categories=("A",))),
    ("theirs", Document("test", title="In no train pair", categories=("A",))),
    ("theirs", Document("wordless", title="17 + 4")),
    ("ours", Document("q", title="A query", categories=("A",))),
    ("ours", Document("child", title="A query's family", family="q-family", categories=("A",))),
)


CHOSEN = Chosen(frozenset({"ours"}), {"theirs": {"b", "wordless"}}, corpora.HeldOut(frozenset({"q", "q-family"})))


def read(folder: Path, *settings: str) -> WordCorpus:
    made = recipe(folder, *settings)
    digests = corpora.digests(made.data.corpora, folder) | pair_digests(made.data.files, folder)
    return read_words(made, folder, digests=digests, cache=folder / "cache", report=lambda _: None)


def test_documents_with_a_subject_or_a_train_pair_become_numbers_of_words() -> None:
    found = number_words(GIVEN, CHOSEN, max_tokens=20)
    assert (found.names, found.subjects, found.families) == (["a", "b"], ["ours\tA\tB", ""], ["f", ""])
    assert (found.words, found.counts.tolist()) == (["steam", "boiler", "valve"], [2, 2, 1])
    assert (found.flat.tolist(), found.starts.tolist()) == ([0, 1, 0, 1, 2], [0, 3, 5])
    words, ends = found.words_of(np.array([1, 0, 1]))
    assert (words.tolist(), ends.tolist()) == ([1, 2, 0, 1, 0, 1, 2], [0, 2, 5, 7])
    assert found.left_out == {
        "a benchmark's query": 2,
        "an id seen before": 1,
        "a text without words": 1,
        "in no subject and no train pair": 2,
    }


def test_only_the_first_words_are_read() -> None:
    found = number_words(GIVEN[:1], CHOSEN, max_tokens=2)
    assert found.flat.tolist() == [0, 1]


def test_a_second_run_reads_what_the_first_one_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_data(tmp_path)
    first = read(tmp_path)
    monkeypatch.setattr("engine.training.cdssm.trainer.number_words", None)
    again = read(tmp_path)
    assert again.names == first.names == [one.id for one in corpus()]
    assert (again.words, again.subjects, again.left_out) == (first.words, first.subjects, first.left_out)
    np.testing.assert_array_equal(again.flat, first.flat)


def test_without_subjects_documents_of_train_pairs_alone_are_read(tmp_path: Path) -> None:
    write_data(tmp_path)
    found = read(tmp_path, "data.subjects=[]")
    assert sorted(found.names) == sorted(["steam0", "steam4", "graph3", "graph7", "neural1", "neural5"])
    assert set(found.subjects) == {""}


def test_of_some_corpora_the_title_and_the_abstract_alone_are_read(tmp_path: Path) -> None:
    document = Document("steam0", title="Boiler", abstract="A valve", sections=(Section("Body", "piston"),))
    write_data(tmp_path, documents=[document, *corpus()[1:]])
    whole, abstracts = read(tmp_path), read(tmp_path, "data.abstracts=['ours']")
    lengths = [int(np.diff(one.starts)[one.names.index("steam0")]) for one in (whole, abstracts)]
    assert lengths == [4, 3]


SPELT = ("boiler", "boilers", "valve", "valves", "gene", "genes", "oil")


def spelt_vectors() -> WordVectors:
    vectors = np.random.default_rng(2).normal(size=(len(SPELT), 5)).astype(np.float16)
    counts = np.array([90, 50, 40, 30, 20, 10, 5])
    return WordVectors(SPELT, vectors, counts, 245)


def test_letters_are_the_penalised_least_squares_of_their_words() -> None:
    words = spelt_vectors()
    letters = sorted({one for word in SPELT[:-1] for one in trigrams(word)})
    counted = np.array([[trigrams(word).count(one) for one in letters] for word in SPELT], np.float64)
    weights = np.diag(np.sqrt(words.counts / words.counts.mean()))
    left = counted.T @ weights @ counted + np.eye(len(letters))
    wanted = np.linalg.solve(left, counted.T @ weights @ words.vectors.astype(np.float64))
    found = fit_letters(words, letters)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, wanted, atol=1e-4)


def test_a_words_letters_come_near_to_its_vector() -> None:
    words = spelt_vectors()
    letters = sorted({one for word in SPELT for one in trigrams(word)})
    found = dict(zip(letters, fit_letters(words, letters), strict=True))
    for word, vector in zip(SPELT[:3], words.vectors.astype(np.float32), strict=False):
        summed = np.sum([found[one] for one in trigrams(word)], axis=0)
        assert summed @ vector / np.linalg.norm(summed) / np.linalg.norm(vector) > 0.85


WORDS = ["boiler", "valve", "steam", "gene", "cell", "graph", "tree", "vertex"]


LETTERS = ("#bo", "ile", "#va", "lve", "ste", "eam", "#ge", "ene", "cel", "gra", "aph", "#tr", "ree", "ver", "tex")


BATCH = PairBatch(np.array([[0, 1], [2, 3], [5, 4]]), (1, 0, 0))


def six_texts() -> WordCorpus:
    generator = np.random.default_rng(3)
    starts = np.cumsum([0, 4, 1, 7, 3, 5, 2])
    names = [f"d{place}" for place in range(6)]
    flat = generator.integers(0, len(WORDS), starts[-1]).astype(np.int32)
    return WordCorpus(flat, starts, WORDS, names, [""] * 6, [""] * 6, {})


def pairs() -> RelatedPairs:
    """Documents 0 and 3 share a subject."""
    nothing = csr_array((6, 6), dtype=bool)
    return RelatedPairs([], np.ones(1), nothing, np.array([7, -1, -1, 7, -1, -1]), np.full(6, -1))


def task(*settings: str, processes: Processes = ALONE) -> RelatedTask:
    made = recipe(Path(), *settings)
    lexicon = Lexicon("trigrams", LETTERS)
    network = begin_network(made.network, len(LETTERS), seed=1)
    return RelatedTask(made, network, lexicon.bags(WORDS), examples=(six_texts(), pairs()), processes=processes)


def cosine(one: list[float], other: list[float]) -> float:
    product = sum(x * y for x, y in zip(one, other, strict=True))
    return product / math.sqrt(sum(x * x for x in one) * sum(y * y for y in other))


def vectors(network: CdssmNetwork, *, asks: bool) -> list[list[float]]:
    """Each document read alone, from its words."""
    held, lexicon = six_texts(), Lexicon("trigrams", LETTERS)
    texts = [[WORDS[w] for w in held.flat[a:b]] for a, b in zip(held.starts[:-1], held.starts[1:], strict=True)]
    return [network(lexicon.read([text]), asks=asks)[0].tolist() for text in texts]


@pytest.mark.parametrize("towers", ["shared", "two"])
def test_both_documents_of_a_pair_ask_among_all_strangers(towers: str) -> None:
    made = task(f"network.towers={towers}", "objective.asks=both", "objective.gamma=4.0")
    asks, answers = vectors(made.network, asks=True), vectors(made.network, asks=False)
    assert (asks == answers) == (towers == "shared")
    partner = {0: 1, 1: 0, 2: 3, 3: 2, 5: 4, 4: 5}
    total = 0.0
    for query, answer in partner.items():
        rivals = [one for one in partner if one != query and {one, query} != {0, 3}]
        scores = {one: math.exp(4 * cosine(asks[query], answers[one])) for one in rivals}
        total -= math.log(scores[answer] / sum(scores.values()))
    assert made.loss(BATCH).item() == pytest.approx(total / 6, abs=1e-5)


@pytest.mark.parametrize("towers", ["shared", "two"])
def test_the_first_of_each_pair_asks_among_the_second_ones(towers: str) -> None:
    made = task(f"network.towers={towers}", "objective.asks=first", "objective.gamma=4.0")
    asks, answers = vectors(made.network, asks=True), vectors(made.network, asks=False)
    total = 0.0
    for query, answer in BATCH.pairs.tolist():
        rivals = [one for one in BATCH.pairs[:, 1].tolist() if {one, query} != {0, 3}]
        scores = {one: math.exp(4 * cosine(asks[query], answers[one])) for one in rivals}
        total -= math.log(scores[answer] / sum(scores.values()))
    assert made.loss(BATCH).item() == pytest.approx(total / 3, abs=1e-5)


def test_hidden_words_leave_every_document_some() -> None:
    made = task("objective.word_dropout=0.7")
    documents = np.arange(6)
    whole, starts = six_texts().words_of(documents)
    lengths = []
    for step in range(200):
        words, ends = made._words(documents, (1, 0, step))
        again, _ = made._words(documents, (1, 0, step))
        np.testing.assert_array_equal(words, again)
        lengths.append(np.diff(ends))
        assert (np.diff(ends) > 0).all()
    assert np.mean(lengths, axis=0)[2] == pytest.approx(7 * (0.3 + 0.7**7), abs=0.4)
    kept, ends = task()._words(documents, (1, 0, 0))
    np.testing.assert_array_equal(kept, whole)
    np.testing.assert_array_equal(ends, starts)


@pytest.mark.parametrize(
    "settings", [["objective.word_dropout=0.3"], ["network.towers=two"], ["network.towers=two", "objective.asks=first"]]
)
def test_the_shares_of_two_processes_are_the_rows_of_one(settings: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[torch.Tensor] = []

    def gathered(self: Processes, share: torch.Tensor, rows: int) -> torch.Tensor:
        shares.append(share)
        return share.new_ones(rows, share.shape[1]) if self.count > 1 else share

    monkeypatch.setattr(Processes, "gathered", gathered)
    for processes in (ALONE, Processes(0, 2), Processes(1, 2)):
        task(*settings, processes=processes).loss(BATCH)
    calls = len(shares) // 3
    for call in range(calls):
        whole, even, odd = shares[call::calls]
        torch.testing.assert_close(even, whole[0::2])
        torch.testing.assert_close(odd, whole[1::2])


def test_more_processes_than_pairs_are_refused() -> None:
    told = (
        r"Expected a pair for each of 4 processes in every batch, got optimizer\.batch = 3\. Raise it, or start fewer"
    )
    with pytest.raises(TrainingError, match=told):
        task(processes=Processes(0, 4))


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
    break_off(monkeypatch, RelatedTask, steps, lambda: train(data, tmp_path / "broken", *settings))
    train(data, tmp_path / "broken", *settings, resume=True)
    require_same_weights(tmp_path / "whole", tmp_path / "broken")


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
    parser = build_parser("train")
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
