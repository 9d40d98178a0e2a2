"""CTPE's tables: the sets, every method, the models, embedding models, positions of the cut, near negatives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.core import config
from engine.core.errors import ConfigError, EvaluationError, InputError
from engine.documents import Document
from engine.encoders import Word2vecMeanEncoder, WordVectors, registry
from engine.encoders.ctpe import WordEmbeddings
from engine.evaluation import load_benchmark
from engine.evaluation.benchmarks import from_parts
from engine.library import postings
from engine.research.baselines.rows import ROWS
from engine.research.paper import ctpe, ctpe_models
from engine.research.paper import work as works
from engine.research.paper.ctpe_models import (
    FULL,
    GLOVE,
    GLOVE_FULL,
    OWN,
    RANDOM,
    SENTENCES,
    SUBWORDS,
    Average,
    Models,
    drawn,
)
from engine.research.paper.published import ctpe as published
from engine.research.paper.published.ctpe import CANDIDATE, TEST
from engine.research.paper.settings import PaperSettings
from engine.research.paper.tables import Line, Panel, Table
from engine.research.paper.work import Work, made_by
from engine.training import Recipes
from engine.training.ctpe import trainer
from tests.contracts.encoder import EMPTY, corpus
from tests.encoders.test_word_vectors import by_subject
from tests.evaluation.small import split_queries, write_benchmark

pytestmark = pytest.mark.usefixtures("few_words")

NAME = "arxiv-subject"
SMALL = (
    f'ctpe.sets=["{NAME}"]',
    f'ctpe.small_sets=["{NAME}"]',
    *(f"ctpe.{size}.{setting}" for size in ("size", "small") for setting in ("channels=4", "epochs=2")),
    'ctpe.settings=["optimizer.batch=10"]',
    'ctpe.embeddings=["word2vec(full)", "sentence means"]',
    'ctpe.leave_out=["minilm", "doc2vec-ctpe", "doc2vecc", "glove-own", "sentence-mean", "wmd", "rwmd", '
    '"lda-ctpe@elsewhere", "wmd(glove-own)", "wmd(glove-full)", "wmd(word2vec-own)"]',
)


def small_work(folder: Path, *settings: str, cache: str = "cache") -> Work:
    data = write_benchmark(folder / "data" / NAME)
    (data / "query-splits.tsv").write_text("q-steam\tvalid\n")
    made = config.from_mapping(config.with_settings({}, [*SMALL, *settings]), PaperSettings, origin="test")
    return Work(folder / "data", folder / cache, made)


def rows_of(table: Table) -> tuple[Panel, dict[str, Line]]:
    (panel,) = table.panels
    return panel, {line.name: line for line in panel.lines}


@pytest.fixture
def few_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Word vectors of the tests' corpus in the place of the shipped ones, which take seconds to store."""
    by_subject().save(tmp_path / "pretrained" / "word2vec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")


@pytest.fixture
def ctpe_work(tmp_path: Path) -> Work:
    return small_work(tmp_path)


CORPUS = [
    Document("a", title="Steam <b>ships</b>", abstract="The steam of a ship", year=1900),
    Document("b", title="Boilers", abstract="Boilers burst 1 2 3", year=1890),
    Document("c", title="Sails", abstract="Wind"),
]
QUERIES = [Document("q", title="Ships", abstract="of steam", year=1910), Document("r", title="Wind", abstract="sails")]
QRELS = {"q": {"a": 1, "b": 0}, "r": {"b": 1, "c": 1}}


def test_a_set_has_the_papers_ranges_and_our_means() -> None:
    found = ctpe.sizes(from_parts("ships", CORPUS, QUERIES, QRELS))
    assert found[CANDIDATE] == {
        "documents": 3,
        "first year": 1890,
        "last year": 1900,
        "fewest words": 2,
        "most words": 7,
        "mean words": 5,
        "vocabulary": 10,  # a boilers burst of sails ship ships steam the wind
        "percent before the cut": pytest.approx(100 * (2 / 7 + 1 / 3 + 1 / 2) / 3),
    }
    judged = {name: found[TEST][name] for name in ("fewest labels", "most labels", "mean labels")}
    assert judged == {"fewest labels": 1, "most labels": 2, "mean labels": 1.5}


def test_a_set_without_years_has_none() -> None:
    corpus = [replace(document, year=None) for document in CORPUS]
    found = ctpe.sizes(from_parts("ships", corpus, QUERIES, QRELS))
    assert "first year" not in found[CANDIDATE] and found[CANDIDATE]["fewest words"] == 2
    assert found[TEST]["first year"] == found[TEST]["last year"] == 1910


def test_the_papers_sizes_stand_beside_ours(ctpe_work: Work) -> None:
    panel, rows = rows_of(ctpe.datasets(ctpe_work))
    assert panel.beside == "arXiv" and panel.columns == ("candidate", "test")
    assert rows["documents"].ours == {"candidate": 40, "test": 4}
    assert rows["documents"].theirs == {"candidate": 20_000, "test": 1_000}
    assert rows["most labels"].ours == {"test": 10} and rows["most labels"].theirs == {"test": 95}
    assert rows["first year"].ours == {} and rows["first year"].theirs == {"candidate": 1991, "test": 2016}
    assert rows["vocabulary"].theirs == {} and rows["percent before the cut"].theirs["test"] == 4.7


def test_a_set_that_is_not_there_is_left_out(ctpe_work: Work) -> None:
    (panel,) = ctpe.datasets(Work(ctpe_work.data / "nowhere", ctpe_work.cache, ctpe_work.settings)).panels
    assert panel.lines == [] and "missing" in panel.skipped[0].why


def test_tables_2_and_3_have_the_papers_methods_and_peers(ctpe_work: Work) -> None:
    panel, rows = rows_of(ctpe.retrieval(ctpe_work, "ctpe-2"))
    assert {"random", "tfidf", "lsa", "lda-ctpe", "word2vec-own", "word2vec-mean", "CTPE", "CTPE_T", "CTPE_0"} <= set(
        rows
    )
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
    (claim,) = [one for one in panel.claims if one.said.startswith("CTPE above tfidf by P@20")]
    reached = [rows[name].ours["of the largest P@20"] for name in ("CTPE", "tfidf")]
    assert claim.figures.endswith(f"; {reached[0]:.2f} and {reached[1]:.2f} of the largest possible")
    third, same = rows_of(ctpe.retrieval(ctpe_work, "ctpe-3"))
    assert third.columns == ("MAP@20", "NDCG@20", "bpref@20-ctpe", "of the largest MAP@20")
    assert same["tfidf"].ours["P@20"] == rows["tfidf"].ours["P@20"]


def test_the_largest_figures_are_those_of_rankings_that_begin_with_every_relevant_document() -> None:
    corpus = [Document(f"d{number}", abstract="a boiler") for number in range(40)]
    queries = [Document("few", abstract="steam"), Document("many", abstract="ships")]
    qrels = {"few": {"d1": 1, "d2": 0, "d3": 1}, "many": {f"d{number}": 1 for number in range(30)}}
    most = ctpe.largest(from_parts("made", corpus, queries, qrels))
    assert most["P@20"] == most["MAP@20"] == pytest.approx((2 / 20 + 20 / 20) / 2)
    assert most["R@20"] == pytest.approx((1 + 20 / 30) / 2)


def test_a_row_stands_beside_the_largest_figure_possible(ctpe_work: Work) -> None:
    panel, rows = rows_of(ctpe.retrieval(ctpe_work, "ctpe-2"))
    assert panel.facts["the largest possible"] == {
        "P@20": 0.5,
        "R@20": 1.0,
        "F1@20": 0.6667,
    }  # ten are relevant to each
    assert panel.facts["the largest P@20 in the paper"] == "1"  # at least 22 labels
    assert rows["tfidf"].ours["of the largest P@20"] == 2 * rows["tfidf"].ours["P@20"]
    assert "of the largest P@20" not in {order.over for order in panel.orders}


def test_word_movers_distance_moves_the_words_that_the_other_tables_learn_from(
    ctpe_work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_subject().save(tmp_path / "glove")
    leave_out = [row for row in (*ctpe.BESIDE, *ctpe.PEERS) if not row.startswith("wmd")]
    settings = replace(ctpe_work.settings, ctpe=replace(ctpe_work.settings.ctpe, leave_out=tuple(leave_out)))
    work = Work(ctpe_work.data, ctpe_work.cache, settings, trained={"glove-full": tmp_path / "glove"})
    _, rows = rows_of(ctpe.retrieval(work, "ctpe-2"))
    assert {name: line.beside for name, line in rows.items()} == {
        "wmd(glove-own)": "WMD-GloVe",
        "wmd(glove-full)": "WMD-GloVe(full)",
        "wmd(word2vec-own)": "WMD-word2vec",
        "wmd": "WMD-word2vec(full)",
    }
    assert all(line.theirs["F1@20"] > 0 for line in rows.values())
    assert len({line.facts["fingerprint"] for line in rows.values()}) == 3  # the given vectors are the shipped ones
    own = Models(work, work.benchmark(NAME)).words(OWN)
    made = ROWS.prepare(f"wmd(word2vec-own)={own}", work.benchmark(NAME).corpus)
    assert rows["wmd(word2vec-own)"].facts["fingerprint"] == made.fingerprint
    assert made.fingerprint == made_by(f"wmd(word2vec-own)={own}")
    monkeypatch.setattr(Work, "_measure", None)
    assert rows_of(ctpe.retrieval(work, "ctpe-3"))[1].keys() == rows.keys()


def test_rankings_by_words_are_measured_anew_where_they_weigh_otherwise(
    ctpe_work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = ctpe_work.benchmark(NAME)
    before = ctpe_work.ranked("bm25", benchmark)
    assert {made_by(row) for row in ("bm25", "bm25-stems", "keywords", "wmd", "rwmd")}.isdisjoint({""})
    monkeypatch.setattr(postings, "K1", 9.0)
    after = ctpe_work.ranked("bm25", benchmark)
    assert before["fingerprint"] != after["fingerprint"]


def test_a_set_that_is_not_there_is_skipped(ctpe_work: Work, tmp_path: Path) -> None:
    lost = Work(tmp_path / "nowhere", tmp_path / "cache", ctpe_work.settings)
    tables = [ctpe.retrieval(lost, "ctpe-2"), ctpe.embeddings(lost), ctpe.positions(lost)]
    for table in (*tables, ctpe.sampling(lost)):
        (panel,) = table.panels
        assert panel.lines == [] and "Expected" in panel.skipped[0].why


def test_table_4_has_three_ways_on_each_embedding(ctpe_work: Work) -> None:
    panel, rows = rows_of(ctpe.embeddings(ctpe_work))
    assert rows["word2vec(full)"].theirs == {"avg": 0.1345, "CTPE_0": 0.1093, "CTPE": 0.1645}
    assert rows["sentence means"].beside == "Skip-thoughts"
    assert [cell["epochs"] for cell in rows["word2vec(full)"].facts["cells"]] == [None, 0, 2]
    assert "2 of 2 in the paper" in panel.claims[0].figures
    assert {order.over for order in panel.orders} == {*published.METHODS, *rows}
    missing = {one.name: one.why for one in panel.skipped}
    assert set(missing) == set(published.TABLE_4) - {"word2vec(full)", "Skip-thoughts"}
    assert missing["ELMo"].endswith("the paper has avg 0.0915, CTPE_0 0.0356, CTPE 0.1099")


def test_an_embedding_that_is_not_known_is_left_out(tmp_path: Path) -> None:
    panel, rows = rows_of(ctpe.embeddings(small_work(tmp_path, 'ctpe.embeddings=["ELMo"]')))
    assert rows == {} and panel.claims == []
    assert "Expected embeddings among word2vec(ran)" in panel.skipped[0].why and "got ELMo" in panel.skipped[0].why
    assert [one.name for one in panel.skipped].count("ELMo") == 1


def test_tables_5_and_6_share_what_is_trained(ctpe_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    positions, cut = rows_of(ctpe.positions(ctpe_work))
    assert list(cut) == ["20%", "40%", "60%", "80%", "meaningful"]
    assert cut["meaningful"].theirs == {"P@20": 0.3066, "R@20": 0.1124, "F1@20": 0.1645}
    assert positions.orders[0].pairs == 10
    sampling, drawn_by = rows_of(ctpe.sampling(ctpe_work))
    assert drawn_by["CTPE_T"].theirs["best epoch"] == 3
    assert drawn_by["CTPE"].facts == cut["meaningful"].facts
    assert {order.over for order in sampling.orders} == {"P@20", "R@20", "best epoch"}
    monkeypatch.setattr(trainer, "train", None)  # what was trained is not trained again
    assert rows_of(ctpe.positions(ctpe_work))[1] == cut


def test_the_last_column_is_the_mean_of_all_figures_of_several_sets(ctpe_work: Work) -> None:
    split_queries(write_benchmark(ctpe_work.data / published.STAND_IN), valid=1)
    sets = (NAME, published.STAND_IN, "nowhere")
    settings = replace(ctpe_work.settings, ctpe=replace(ctpe_work.settings.ctpe, small_sets=sets))
    one, other, lost, mean = ctpe.positions(Work(ctpe_work.data, ctpe_work.cache, settings)).panels
    assert other.lines[0].theirs["P@20"] == 0.2925 and not lost.lines
    figures = [line.ours[name] for panel in (one, other) for line in panel.lines[:1] for name in panel.columns]
    assert mean.lines[0].ours["avg"] == pytest.approx(sum(figures) / 6, abs=1e-4)
    assert {line.name: line.theirs["avg"] for line in mean.lines} == published.TABLE_5_MEANS
    assert mean.facts["sets"] == f"{NAME}, {published.STAND_IN}"


def test_a_training_that_was_stopped_goes_on(ctpe_work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctpe_models, "score", None)
    with pytest.raises(TypeError):
        Models(ctpe_work, ctpe_work.benchmark(NAME)).ctpe("CTPE")
    monkeypatch.undo()
    by_subject().save(tmp_path / "pretrained" / "word2vec")
    monkeypatch.setattr(registry, "PRETRAINED", tmp_path / "pretrained")
    cell = Models(ctpe_work, ctpe_work.benchmark(NAME)).ctpe("CTPE")
    other = small_work(tmp_path, cache="others")
    again = Models(other, other.benchmark(NAME)).ctpe("CTPE")
    assert (again.fingerprint, again.metrics, again.epochs) == (cell.fingerprint, cell.metrics, 2)


def test_own_random_and_subword_vectors_are_made_once(ctpe_work: Work) -> None:
    models = Models(ctpe_work, ctpe_work.benchmark(NAME))
    own = models.average(OWN)
    assert own.metrics["nDCG@10"] > 0.5
    others = [models.average(name) for name in (RANDOM, SUBWORDS, GLOVE)]
    assert len({own.fingerprint, *(one.fingerprint for one in others)}) == 4
    assert others[1].metrics["nDCG@10"] > 0.5
    assert models.average(OWN) == own


def test_glove_on_all_text_is_given_or_trained_once(
    ctpe_work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_subject().save(tmp_path / "all")
    given = Work(ctpe_work.data, ctpe_work.cache, ctpe_work.settings, trained={"glove-full": tmp_path / "all"})
    assert Models(given, given.benchmark(NAME)).average("GloVe(full)").metrics["nDCG@10"] > 0.5
    plain = WordVectors.load(tmp_path / "all")
    WordVectors(plain.words, plain.vectors[::-1], plain.counts, plain.tokens).save(tmp_path / "others")
    others = Work(ctpe_work.data, ctpe_work.cache, ctpe_work.settings, trained={"glove-full": tmp_path / "others"})
    cells = [Models(one, one.benchmark(NAME)).average("GloVe(full)") for one in (given, others)]
    assert cells[0].fingerprint != cells[1].fingerprint
    with pytest.raises(InputError, match="arxiv-abstracts"):  # the recipe's corpora are not among the data
        ctpe_work.train_words("glove-full")
    monkeypatch.setattr(works, "RECIPES", Recipes(works.RECIPES.methods, (tmp_path,)))
    recipe = f'method = "glove"\ncorpora = ["{NAME}"]\nepochs = 2\ndim = 8\nmin_count = 1\nseed = 7\n'
    (tmp_path / "glove-full.toml").write_text(recipe)
    folder = ctpe_work.train_words("glove-full")
    facts = WordVectors.load(folder).facts
    assert facts["recipe"]["corpora"] == [NAME] and facts["recipe"]["seed"] == ctpe_work.settings.seed
    written = (folder / "card.json").stat().st_mtime_ns
    _, rows = rows_of(ctpe.retrieval(ctpe_work, "ctpe-2"))
    assert "glove-full" in rows
    assert ctpe_work.train_words("glove-full") == folder and (folder / "card.json").stat().st_mtime_ns == written


def test_settings_of_word_vectors_change_own_ones_and_those_of_all_text(
    ctpe_work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("word2vec", "glove"):
        recipe = f'method = "{kind}"\ncorpora = ["{NAME}"]\nepochs = 2\ndim = 8\nmin_count = 1\n'
        (tmp_path / f"{kind}-full.toml").write_text(recipe)
    monkeypatch.setattr(works, "RECIPES", Recipes(works.RECIPES.methods, (tmp_path,)))
    given = ['ctpe.word2vec=["epochs=1", "dim=5"]', 'ctpe.glove=["epochs=1", "dim=6"]']
    usual, changed = (
        Models(one, one.benchmark(NAME)) for one in (ctpe_work, small_work(tmp_path, *given, cache="changed"))
    )
    assert usual.words(FULL) == registry.PRETRAINED / "word2vec"
    for embedding, dim in ((OWN, 5), (FULL, 5), (GLOVE, 6), (GLOVE_FULL, 6)):
        assert WordVectors.load(changed.words(embedding)).card.dim == dim
    assert changed.words(OWN).name != usual.words(OWN).name
    assert changed.words(RANDOM).name == usual.words(RANDOM).name
    assert changed.words(SENTENCES) == usual.words(SENTENCES) == registry.PRETRAINED / "word2vec"
    by_name = Work(ctpe_work.data, ctpe_work.cache, ctpe_work.settings, trained={"word2vec-full": tmp_path / "mine"})
    assert Models(by_name, by_name.benchmark(NAME)).words(FULL) == tmp_path / "mine"
    wrong = small_work(tmp_path, 'ctpe.glove=["epoch=1"]', cache="wrong")
    with pytest.raises(ConfigError, match="unknown key epoch"):
        Models(wrong, wrong.benchmark(NAME)).words(GLOVE)


def test_drawn_vectors_are_uniform(ctpe_work: Work) -> None:
    drawn_words = WordVectors.load(Models(ctpe_work, ctpe_work.benchmark(NAME)).words(RANDOM)).vectors.astype(float)
    assert -1 <= drawn_words.min() < -0.9 and 0.9 < drawn_words.max() <= 1
    assert drawn_words.std() == pytest.approx(3**-0.5, abs=0.05)


def test_one_process_trains(ctpe_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "train", lambda *_, **__: None)
    with pytest.raises(EvaluationError, match="Expected one process to train these tables, got several"):
        Models(ctpe_work, ctpe_work.benchmark(NAME)).ctpe("CTPE")


def test_fewer_documents_are_drawn_evenly_and_queries_stay_held_out(ctpe_work: Work, tmp_path: Path) -> None:
    folder = drawn(ctpe_work.data / NAME, tmp_path / "drawn", 10)
    whole = ctpe_work.benchmark(NAME).corpus
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
