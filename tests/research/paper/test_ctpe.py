"""CTPE's tables 2 to 6, on a small benchmark of our own under the name of a real one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine import config
from engine.encoders import registry
from engine.encoders.ctpe.embeddings import WordEmbeddings
from engine.encoders.word2vec_mean import Word2vecMeanEncoder
from engine.encoders.word_vectors import WordVectors
from engine.errors import EvaluationError, InputError
from engine.evaluation.benchmarks import load_benchmark
from engine.library import postings
from engine.research.paper import ctpe_embeddings, ctpe_models, ctpe_positions, ctpe_retrieval, ctpe_sampling, training
from engine.research.paper.ctpe_models import GLOVE, OWN, RANDOM, SUBWORDS, Average, Models, drawn
from engine.research.paper.published import ctpe as published
from engine.research.paper.settings import PaperSettings
from engine.research.paper.tables import Line, Panel, Table
from engine.research.paper.training import trained_words
from engine.research.paper.work import Work, made_by
from engine.training.ctpe import trainer
from engine.training.runs import Recipes
from tests.contracts.encoder import EMPTY, corpus
from tests.encoders.test_word_vectors import by_subject
from tests.evaluation.small import write_benchmark

NAME = "arxiv-subject"
SMALL = (
    f'ctpe.sets=["{NAME}"]',
    f'ctpe.small_sets=["{NAME}"]',
    "ctpe.channels=4",
    "ctpe.epochs=2",
    'ctpe.settings=["optimizer.batch=10"]',
    'ctpe.embeddings=["word2vec(full)", "sentence means"]',
    'ctpe.leave_out=["minilm", "doc2vec", "doc2vecc", "glove-own", "sentence-mean", "wmd", "rwmd", "lda@elsewhere"]',
)


@pytest.fixture(autouse=True)
def few_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Word vectors of the tests' corpus in the place of the shipped ones, which take seconds to store."""
    by_subject().save(tmp_path / "pretrained" / "word2vec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return small_work(tmp_path)


def small_work(folder: Path, *settings: str, cache: str = "cache") -> Work:
    data = write_benchmark(folder / "data" / NAME)
    (data / "query-splits.tsv").write_text("q-steam\tvalid\n")
    made = config.from_mapping(config.with_settings({}, [*SMALL, *settings]), PaperSettings, origin="test")
    return Work(folder / "data", folder / cache, made)


def rows_of(table: Table) -> tuple[Panel, dict[str, Line]]:
    (panel,) = table.panels
    return panel, {line.name: line for line in panel.lines}


def test_tables_2_and_3_have_the_papers_methods_and_peers(work: Work) -> None:
    panel, rows = rows_of(ctpe_retrieval.table(work, "ctpe-2"))
    assert {"random", "tfidf", "lsa", "lda", "word2vec-own", "word2vec-mean", "CTPE", "CTPE_T", "CTPE_0"} <= set(rows)
    assert rows["CTPE"].theirs["F1@20"] == 0.1645
    assert rows["word2vec-own"].beside == "avg-word2vec"
    assert rows["bm25"].theirs == {} and rows["CTPE"].facts["epochs"] == 2
    assert [line.ours["P@20"] for line in panel.lines] == sorted(line.ours["P@20"] for line in panel.lines)
    (by_f1,) = [order for order in panel.orders if order.over == "F1@20"]
    assert set(by_f1.names) == {name for name, line in rows.items() if line.theirs}
    assert set(by_f1.uncertain) <= set(by_f1.swapped)
    assert len(rows["CTPE"].by_query["F1@20"]) == len(rows["bm25"].by_query["F1@20"]) == panel.facts["queries"]
    assert "by_query" not in panel.as_json()["lines"][0]
    why = {one.name: one.why for one in panel.skipped}
    assert why["minilm"] == "asked to be left out"
    assert "Expected a row" in why.get("ctpe", "Expected a row")  # no encoder is shipped beside the small words
    assert any("CTPE above tfidf by P@20" in claim.said for claim in panel.claims)
    third, same = rows_of(ctpe_retrieval.table(work, "ctpe-3"))
    assert third.columns == ("MAP@20", "NDCG@20", "bpref@20-ctpe")
    assert same["tfidf"].ours["P@20"] == rows["tfidf"].ours["P@20"]


def test_table_4_has_three_ways_on_each_embedding(work: Work) -> None:
    panel, rows = rows_of(ctpe_embeddings.table(work))
    assert rows["word2vec(full)"].theirs == {"avg": 0.1345, "CTPE_0": 0.1093, "CTPE": 0.1645}
    assert rows["sentence means"].beside == "Skip-thoughts"
    assert [cell["epochs"] for cell in rows["word2vec(full)"].facts["cells"]] == [None, 0, 2]
    assert "2 of 2 in the paper" in panel.claims[0].figures
    assert {order.over for order in panel.orders} == {*published.METHODS, *rows}


def test_tables_5_and_6_share_what_is_trained(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    positions, cut = rows_of(ctpe_positions.table(work))
    assert list(cut) == ["20%", "40%", "60%", "80%", "meaningful"]
    assert cut["meaningful"].theirs == {"P@20": 0.3066, "R@20": 0.1124, "F1@20": 0.1645}
    assert positions.orders[0].pairs == 10
    sampling, drawn_by = rows_of(ctpe_sampling.table(work))
    assert drawn_by["CTPE_T"].theirs["best epoch"] == 3
    assert drawn_by["CTPE"].facts == cut["meaningful"].facts
    assert {order.over for order in sampling.orders} == {"P@20", "R@20", "best epoch"}
    monkeypatch.setattr(trainer, "train", None)  # what was trained is not trained again
    assert rows_of(ctpe_positions.table(work))[1] == cut


def test_a_training_that_was_stopped_goes_on(work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctpe_models, "score", None)
    with pytest.raises(TypeError):
        Models(work, work.benchmark(NAME)).ctpe("CTPE")
    monkeypatch.undo()
    by_subject().save(tmp_path / "pretrained" / "word2vec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")
    cell = Models(work, work.benchmark(NAME)).ctpe("CTPE")
    other = small_work(tmp_path, cache="others")
    again = Models(other, other.benchmark(NAME)).ctpe("CTPE")
    assert (again.fingerprint, again.metrics, again.epochs) == (cell.fingerprint, cell.metrics, 2)


def test_own_random_and_subword_vectors_are_made_once(work: Work) -> None:
    models = Models(work, work.benchmark(NAME))
    own = models.average(OWN)
    assert own.metrics["nDCG@10"] > 0.5
    others = [models.average(name) for name in (RANDOM, SUBWORDS, GLOVE)]
    assert len({own.fingerprint, *(one.fingerprint for one in others)}) == 4
    assert others[1].metrics["nDCG@10"] > 0.5
    assert models.average(OWN) == own


def test_rankings_by_words_are_measured_anew_where_they_weigh_otherwise(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = work.benchmark(NAME)
    before = work.ranked("bm25", benchmark)
    assert {made_by(row) for row in ("bm25", "bm25-stems", "keywords", "wmd", "rwmd")}.isdisjoint({""})
    monkeypatch.setattr(postings, "K1", 9.0)
    after = work.ranked("bm25", benchmark)
    assert before["fingerprint"] != after["fingerprint"]


def test_an_embedding_that_is_not_known_is_left_out(tmp_path: Path) -> None:
    panel, rows = rows_of(ctpe_embeddings.table(small_work(tmp_path, 'ctpe.embeddings=["ELMo"]')))
    assert rows == {} and panel.claims == []
    assert "Expected embeddings among word2vec(ran)" in panel.skipped[0].why and "got ELMo" in panel.skipped[0].why


def test_glove_on_all_text_is_given_or_trained_once(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_subject().save(tmp_path / "all")
    given = Work(work.data, work.cache, work.settings, trained={"glove-full": tmp_path / "all"})
    assert Models(given, given.benchmark(NAME)).average("GloVe(full)").metrics["nDCG@10"] > 0.5
    plain = WordVectors.load(tmp_path / "all")
    WordVectors(plain.words, plain.vectors[::-1], plain.counts, plain.tokens).save(tmp_path / "others")
    others = Work(work.data, work.cache, work.settings, trained={"glove-full": tmp_path / "others"})
    cells = [Models(one, one.benchmark(NAME)).average("GloVe(full)") for one in (given, others)]
    assert cells[0].fingerprint != cells[1].fingerprint
    with pytest.raises(InputError, match="arxiv-abstracts"):  # the recipe's corpora are not among the data
        trained_words(work, "glove-full")
    monkeypatch.setattr(training, "RECIPES", Recipes(training.RECIPES.methods, (tmp_path,)))
    recipe = f'method = "glove"\ncorpora = ["{NAME}"]\nepochs = 2\ndim = 8\nmin_count = 1\nseed = 7\n'
    (tmp_path / "glove-full.toml").write_text(recipe)
    folder = trained_words(work, "glove-full")
    facts = WordVectors.load(folder).facts
    assert facts["recipe"]["corpora"] == [NAME] and facts["recipe"]["seed"] == work.settings.seed
    written = (folder / "card.json").stat().st_mtime_ns
    _, rows = rows_of(ctpe_retrieval.table(work, "ctpe-2"))
    assert "glove-full" in rows
    assert trained_words(work, "glove-full") == folder and (folder / "card.json").stat().st_mtime_ns == written


def test_one_process_trains(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "train", lambda *_, **__: None)
    with pytest.raises(EvaluationError, match="Expected one process to train these tables, got several"):
        Models(work, work.benchmark(NAME)).ctpe("CTPE")


def test_fewer_documents_are_drawn_evenly_and_queries_stay_held_out(work: Work, tmp_path: Path) -> None:
    folder = drawn(work.data / NAME, tmp_path / "drawn", 10)
    whole = work.benchmark(NAME).corpus
    (folder / NAME / "qrels.tsv").write_text("q-steam\tsteam0\t1\n")
    fewer = load_benchmark(folder / NAME)
    assert [document.id for document in fewer.corpus] == [document.id for document in whole[::4]]
    assert (folder / NAME / "queries.parquet").exists()
    less = small_work(tmp_path, "ctpe.documents=10", cache="fewer")
    assert Models(less, less.benchmark(NAME)).ctpe("CTPE").epochs == 2


def test_the_average_is_that_of_the_encoder_of_word_means() -> None:
    documents = [*corpus(), EMPTY]
    words = by_subject()
    rows = Average(WordEmbeddings.of(words), 100_000).encode_documents(documents)
    wanted = np.asarray(Word2vecMeanEncoder(words).encode_documents(documents))
    np.testing.assert_allclose(rows, wanted, atol=2e-3)
    assert not rows[-1].any()


def test_a_set_that_is_not_there_is_skipped(work: Work, tmp_path: Path) -> None:
    lost = Work(tmp_path / "nowhere", tmp_path / "cache", work.settings)
    tables = [ctpe_retrieval.table(lost, "ctpe-2"), *(one.table(lost) for one in (ctpe_embeddings, ctpe_positions))]
    for table in (*tables, ctpe_sampling.table(lost)):
        (panel,) = table.panels
        assert panel.lines == [] and "Expected" in panel.skipped[0].why


def test_the_published_figures_agree_with_each_other() -> None:
    sets = set(published.DATASETS.values())
    for method, figures in published.TABLES_2_AND_3.items():
        assert set(figures) == sets
        for row in figures.values():
            harmonic = 2 * row["P@20"] * row["R@20"] / (row["P@20"] + row["R@20"])
            assert row["F1@20"] == pytest.approx(harmonic, abs=2e-4), method
    full = published.TABLES_2_AND_3["CTPE-word2vec(full)"]
    for name in sets:
        meaningful, sampled = published.TABLE_5["meaningful"][name], published.TABLE_6["CTPE"][name]
        assert (full[name]["P@20"], full[name]["R@20"]) == (meaningful.p, meaningful.r) == (sampled.p, sampled.r)
        assert full[name]["F1@20"] == meaningful.f1 == published.TABLE_4["word2vec(full)"][name][2]
        assert published.TABLES_2_AND_3["avg-GloVe"][name]["F1@20"] == published.TABLE_4["GloVe"][name][0]
