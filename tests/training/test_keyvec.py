"""KeyVec trained by a recipe: its labels, what it reads, each of its parts alone and both, what comes out."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from scipy.sparse import csr_array

from engine.cli.main import build_parser
from engine.core import files
from engine.core.errors import ConfigError, InputError, TrainingError
from engine.documents import Document
from engine.documents.text import STOP_WORDS
from engine.encoders.ctpe import WordEmbeddings
from engine.encoders.keyvec import KeyvecEncoder
from engine.training.corpora import HeldOut
from engine.training.keyvec import trainer
from engine.training.keyvec.labels import (
    WordCounts,
    dssm_vectors,
    frequent,
    idf,
    salient,
    strongest,
    tfidf_cosines,
    weighted,
)
from engine.training.keyvec.recipe import KeyvecRecipe
from engine.training.keyvec.texts import UNKNOWN, NumberedSentences, ReadTexts, abstracts_of, full_texts_of, splits_of
from engine.training.keyvec.trainer import (
    KeyvecBatch,
    KeyvecCorpus,
    KeyvecStep,
    corpus_of,
    epoch_batches,
    keyword_loss,
    read_loss,
    step_count,
    step_of,
)
from engine.training.loop import Processes
from engine.training.run_folder import Folders
from engine.training.runs import SHIPPED
from tests.contracts.encoder import SUBJECTS, corpus
from tests.evaluation.small import write_benchmark
from tests.training.small import word_vectors
from tests.training.small_keyvec import FULL, full_text, recipe, subject_of, write_data


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("keyvec"))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data={}", "abstracts or full_texts must name at least one corpus"),
        ('data.full_texts=["ours"]', "a corpus must be of abstracts or of full texts, got ours as both"),
        ("data.most_abstracts=-1", "most_abstracts must be 0 or more"),
        ("data.held_out_one_in=1", "held_out_one_in must be 0, or 2 or more, got 1"),
        ("data.full_text_passes=0", "full_text_passes must be at least 1"),
        ("data.full_texts=[]", "objective.read needs data.full_texts"),
        ("objective.enc=0", "data.abstracts need objective.enc"),
        ("objective.dropout=1", "dropout must be a share from 0 to below 1"),
        ("objective.hidden=1", "hidden must be a share from 0 to below 1"),
        ("objective.read=-1", "read and enc must be 0 or more, got -1"),
        ("objective={read = 0.0, enc = 0.0}", "one of read and enc must be above 0"),
        ("labels.threshold=1", "threshold must be from 0 to below 1"),
        ("labels.top=0", "top must be at least 1"),
        ("words.least=0", "least must be at least 1"),
        ("words.most=0", "most must be at least 1"),
        ("keywords.vocabulary=0", "vocabulary must be at least 1"),
        ("keywords.per_document=0", "per_document must be at least 1"),
        ("network.dim=0", "dim must be at least 1"),
        ("optimizer.learning_rate=0", "learning_rate must be above 0"),
        ("optimizer.words_learning_rate=-1", "words_learning_rate must be 0 or more"),
        ("optimizer.batch=0", "batch must be at least 1"),
        ("seed=-1", "seed must be 0 or more"),
    ],
)
def test_a_recipe_out_of_its_ranges_is_refused(data: Path, setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        recipe(data, setting)


@pytest.mark.parametrize("name", ["cpu", "gpu", "paper", "read-only", "enc-only"])
def test_recipes_that_come_with_the_program_are_of_this_method(name: str) -> None:
    assert SHIPPED.load(f"keyvec-{name}").method == "keyvec"


def counts(*rows: Sequence[float]) -> csr_array:
    return csr_array(np.array(rows, np.float32))


def test_salient_sentences_are_the_nearest_to_a_sentence_of_the_abstract() -> None:
    abstract = counts([1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0])
    body = counts([1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 3, 0], [0, 0, 2, 1], [0, 0, 0, 0])
    weights = np.array([1.0, 1.0, 1.0, 2.0])

    def found(threshold: float, top: int) -> list[bool]:
        return salient(tfidf_cosines(abstract, body, weights), threshold=threshold, top=top).tolist()

    assert found(0.1, 1) == [True, False, False, False, True, False]
    assert found(0.1, 2) == [True, False, True, False, True, False]
    assert found(0.6, 3) == [True, False, True, False, True, False]  # cosines 1, .5, .71; .71
    assert found(0.8, 3) == [True, False, False, False, False, False]


def test_words_weigh_more_the_rarer_they_are() -> None:
    rows = counts([1, 2, 0], [3, 0, 0])
    np.testing.assert_allclose(idf(rows), [1, math.log(3 / 2) + 1, math.log(3) + 1])
    np.testing.assert_allclose(weighted(rows, idf(rows)).toarray()[0], [1, 2 * (math.log(1.5) + 1), 0], rtol=1e-6)


def test_key_words_are_the_strongest_of_each_row() -> None:
    columns, starts = strongest(counts([0, 3, 1, 2], [0, 0, 0, 0], [1, 1, 0, 1], [0, 0, 0, 4]), 2)
    assert columns.tolist() == [1, 3, 0, 1, 3]
    assert starts.tolist() == [0, 2, 2, 4, 5]


def test_frequent_words_come_first_and_unseen_ones_never() -> None:
    assert frequent(counts([0, 1, 5, 0], [0, 1, 0, 2]), 9).tolist() == [2, 1, 3]
    assert frequent(counts([0, 1, 5, 0]), 1).tolist() == [2]


WORDS = ["steam", "boiler", "valve", "gene", "protein", "enzyme"]


DOCUMENTS = 8


def test_a_sentence_is_nearer_to_its_own_abstract_than_to_others() -> None:
    rows, bounds = [], []
    for number in range(DOCUMENTS):  # the abstract says two words of a subject, a body sentence the third one
        first, subject = len(rows), 3 * (number % 2)
        rows += [np.eye(6)[subject] + np.eye(6)[subject + 1], np.eye(6)[subject + 2]]
        bounds.append((first, first + 1, first + 2))
    given = csr_array(np.array(rows, np.float32))
    vectors = dssm_vectors(given, WORDS, bounds, np.arange(DOCUMENTS) < 6, 1)
    assert vectors.shape == (2 * DOCUMENTS, 64) and vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    cosines = vectors[[13, 15]] @ vectors[[12, 14]].T  # of documents that were not learned from
    assert cosines[0, 0] > cosines[0, 1] + 0.5 and cosines[1, 1] > cosines[1, 0] + 0.5
    again = dssm_vectors(given, WORDS, bounds, np.arange(DOCUMENTS) < 6, 1)
    np.testing.assert_array_equal(again, vectors)


def test_documents_of_valid_and_test_pairs_are_not_trained_on(tmp_path: Path) -> None:
    rows = ["a b train", "b c valid", "c d valid", "d e test", "f a train", "e f valid"]
    lines = ["\t".join((*row.split()[:2], "1", row.split()[2])) for row in rows]
    (tmp_path / "pairs.tsv").write_text("\n".join(["id-a\tid-b\tlabel\tsplit", *lines]) + "\n")
    assert splits_of(tmp_path / "pairs.tsv", apart=True) == {"a": False, "b": True, "c": True, "f": True}
    assert splits_of(tmp_path / "pairs.tsv", apart=False) == {"a": False, "b": False, "f": False, "c": True}


def test_the_abstract_and_the_title_are_not_read_for_labels(data: Path) -> None:
    words = WordEmbeddings.of(word_vectors())
    documents = [full_text(number) for number in range(3)]
    read = full_texts_of(documents, dict.fromkeys(("full0", "full1", "full2"), False), words, recipe(data))
    assert np.diff(read.texts.documents).tolist() == [8, 8, 8]
    assert read.texts.salient.tolist() == [0, 1, 0, 0, 0, 1, 0, 0] * 3
    moved = [replace(one, title="Gene protein", abstract=one.abstract + " Clique.") for one in documents]
    again = full_texts_of(moved, dict.fromkeys(read.names, False), words, recipe(data))
    np.testing.assert_array_equal(again.texts.flat, read.texts.flat)


def test_what_cannot_be_trained_on_is_counted(data: Path) -> None:
    words = WordEmbeddings.of(word_vectors())
    short = replace(full_text(0), sections=full_text(0).sections[:1])
    documents = [full_text(0), full_text(0), replace(short, id="short"), replace(full_text(1), abstract="")]
    read = full_texts_of(documents, dict.fromkeys(("full0", "full1", "short"), False), words, recipe(data))
    assert read.names == ["full0"]
    assert list(read.left_out.values()) == [1, 2]
    queries = [Document("q", abstract="Steam and boiler."), Document("kin", abstract="Steam.", family="f")]
    others = [corpus()[0], corpus()[0], Document("numbers", abstract="1 2 3.")]
    given = [("ours", one) for one in (*queries, *others)]
    found = abstracts_of(given, words, recipe(data), held_out=HeldOut(frozenset({"q", "f"})))
    assert found.names == ["steam0"]
    assert list(found.left_out.values()) == [2, 1, 1]


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def texts() -> NumberedSentences:
    return NumberedSentences.of(
        [[ids(1, 2), ids(3)], [], [ids(2), ids(4, 4, 4), ids(1)]], np.array([0, 1, 1, 0, -1], np.int8)
    )


def listed(found: NumberedSentences) -> list[list[list[int]]]:
    return [[one.tolist() for one in found.sentences(place)] for place in range(len(found))]


def test_sentences_come_back_by_document() -> None:
    assert listed(texts()) == [[[1, 2], [3]], [], [[2], [4, 4, 4], [1]]]
    assert NumberedSentences.of([[ids(1)]]).salient.tolist() == [UNKNOWN]
    assert listed(NumberedSentences.of([])) == []


def test_documents_are_chosen_in_any_order() -> None:
    chosen = texts().chosen(np.array([2, 0]))
    assert listed(chosen) == [[[2], [4, 4, 4], [1]], [[1, 2], [3]]]
    assert chosen.salient.tolist() == [1, 0, -1, 0, 1]


def test_some_words_are_kept_and_sentences_without_one_dropped() -> None:
    kept = texts().kept(np.array([True, False, False, True, False, True, True, False]))
    assert listed(kept) == [[[1]], [], [[2], [4, 4]]]
    assert kept.salient.tolist() == [0, 1, 0]


def test_unknown_words_are_dropped_and_sentences_of_them_with_their_labels() -> None:
    known = texts().renumbered(ids(-1, 0, 7, -1, 1))
    assert listed(known) == [[[0, 7]], [], [[7], [1, 1, 1], [0]]]
    assert known.salient.tolist() == [0, 1, 0, -1]


def test_two_readings_are_joined_by_their_words() -> None:
    def reading(names: list[str], counts: list[list[int]], words: list[str]) -> ReadTexts:
        made = NumberedSentences.of([[ids(1)] for _ in names])
        rows = csr_array(np.array(counts, np.float32))
        return ReadTexts(names, made, rows, words, np.zeros(len(names), bool), {names[0]: 1})

    both = reading(["a"], [[1, 2]], ["x", "y"]).joined(reading(["b", "c"], [[3, 0], [0, 4]], ["y", "z"]))
    assert both.names == ["a", "b", "c"] and both.words == ["x", "y", "z"]
    assert both.counts.toarray().tolist() == [[1, 2, 0], [0, 3, 0], [0, 0, 4]]
    assert both.left_out == {"a": 1, "b": 1}
    assert both.chosen(np.array([2, 0])).counts.toarray().tolist() == [[0, 0, 4], [1, 2, 0]]


def test_words_are_counted_a_text_a_row() -> None:
    counted = WordCounts()
    for words in (["a", "b", "a"], [], ["b"]):
        counted.add(words)
    assert counted.rows().toarray().tolist() == [[2, 1], [0, 0], [0, 1]]
    assert WordCounts().rows().shape == (0, 0)


def small_corpus(chosen: KeyvecRecipe) -> KeyvecCorpus:
    """Forty abstracts and three full texts to train on, a fourth one valid."""
    words = word_vectors()
    read = WordEmbeddings.of(words)
    full = full_texts_of([full_text(n) for n in range(4)], {f"full{n}": n == 3 for n in range(4)}, read, chosen)
    abstracts = abstracts_of([("ours", one) for one in corpus()], read, chosen)
    return corpus_of(chosen, words, [abstracts, full])


def words_of(made: KeyvecCorpus, step: KeyvecStep, place: int) -> tuple[list[int], set[int]]:
    """The words that a step reads of a document, and those of the key words that it predicts."""
    read = [int(word) for one in step.texts.sentences(place) for word in one]
    return read, {int(made.word_of[number]) for number in step.wanted[step.of == place]}


def test_an_epoch_has_every_abstract_once_and_every_full_text_as_often_as_asked(data: Path) -> None:
    chosen = recipe(data, "data.full_text_passes=3", "optimizer.batch=9")
    made = small_corpus(chosen)
    assert (len(made.abstracts), len(made.full), len(made.valid.texts)) == (40, 3, 1)
    batches = epoch_batches(made, chosen, epoch=0)
    assert len(batches) == step_count(made, chosen) == 6
    seen = np.bincount(np.concatenate([batch.documents for batch in batches]))
    assert seen.tolist() == [1] * 40 + [3] * 3
    assert {len(batch.documents) for batch in batches} <= {8, 9}
    again, later = (epoch_batches(made, chosen, epoch=epoch) for epoch in (0, 1))
    assert all((one.documents == other.documents).all() for one, other in zip(batches, again, strict=True))
    assert any((one.documents != other.documents).any() for one, other in zip(batches, later, strict=True))
    named = [made.keywords[number] for number in made.train.keywords(40)]
    assert len(named) == 5 and all(word in full_text(0).abstract for word in named)


def test_words_of_an_abstract_are_either_read_or_predicted(data: Path) -> None:
    made = small_corpus(recipe(data))
    documents = np.array([3, 41, 8])  # two abstracts, a full text between them
    whole = step_of(made, KeyvecBatch(documents, (1, 0, 0)))
    step = step_of(made, KeyvecBatch(documents, (1, 0, 0)), hidden=0.5)
    for place in (0, 2):
        before, keywords = words_of(made, whole, place)
        read, predicted = words_of(made, step, place)
        assert 0.2 < len(set(read)) / len(set(before)) < 0.8
        assert read == [word for word in before if word in set(read)]  # a word is hidden wherever it stands
        assert predicted == keywords - set(read)
    assert words_of(made, step, 1) == words_of(made, whole, 1)
    again, other = (step_of(made, KeyvecBatch(documents, (1, 0, n)), hidden=0.5) for n in (0, 1))
    assert again.texts.flat.tolist() == step.texts.flat.tolist() != other.texts.flat.tolist()


def test_a_key_word_without_a_vector_is_always_predicted(data: Path) -> None:
    made = small_corpus(recipe(data, "words.most=12"))
    unknown = set(np.flatnonzero(made.word_of < 0).tolist())
    batch = KeyvecBatch(made.abstracts, (1, 0, 0))
    whole, step = step_of(made, batch), step_of(made, batch, hidden=0.5)
    wanted, predicted = (sum(int(word) in unknown for word in one.wanted) for one in (whole, step))
    assert predicted == wanted > 0


def test_documents_that_tables_ask_with_are_not_trained_on(data: Path) -> None:
    made = small_corpus(recipe(data, "data.held_out_one_in=2"))
    assert len(made.abstracts) == sum(files.spread(one.id, 2) > 0 for one in corpus()) < 40
    assert len(made.full) == 3


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


DOCUMENT_OF = [0, 0, 0, 2, 2]


def test_the_readers_loss_is_the_likelihood_of_the_labels() -> None:
    expected = 0.0
    for logit, is_salient in zip(LOGITS, SALIENT, strict=True):
        p = 1 / (1 + math.exp(-logit))
        expected -= math.log(p) if is_salient else math.log(1 - p)
    loss = read_loss(torch.tensor(LOGITS), torch.tensor(SALIENT), torch.tensor(DOCUMENT_OF))
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
    parser = build_parser("train")
    out = tmp_path / "encoder"
    line = ["train", str(tmp_path / "small.toml"), "--data", str(tmp_path / "data"), "--out", str(out), "--json"]
    arguments = parser.parse_args(line)
    arguments.run(arguments)
    said = json.loads(capsys.readouterr().out)
    assert set(said["curve"][0]["scores"]) == {AUC, RECALL, "small"}
    assert KeyvecEncoder.load(out).card.dim == 6
    assert (tmp_path / "encoder-run" / "curve.json").is_file()
