"""CTPE's tables 2 and 3."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.documents import Document
from engine.evaluation.benchmarks import from_parts
from engine.library import postings
from engine.research.baselines.rows import ROWS
from engine.research.paper import ctpe_embeddings, ctpe_positions, ctpe_retrieval, ctpe_sampling
from engine.research.paper.ctpe_models import OWN, Models
from engine.research.paper.work import Work, made_by
from tests.encoders.test_word_vectors import by_subject
from tests.research.paper.small_ctpe import NAME, rows_of

pytestmark = pytest.mark.usefixtures("few_words")


def test_tables_2_and_3_have_the_papers_methods_and_peers(ctpe_work: Work) -> None:
    panel, rows = rows_of(ctpe_retrieval.table(ctpe_work, "ctpe-2"))
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
    third, same = rows_of(ctpe_retrieval.table(ctpe_work, "ctpe-3"))
    assert third.columns == ("MAP@20", "NDCG@20", "bpref@20-ctpe", "of the largest MAP@20")
    assert same["tfidf"].ours["P@20"] == rows["tfidf"].ours["P@20"]


def test_the_largest_figures_are_those_of_rankings_that_begin_with_every_relevant_document() -> None:
    corpus = [Document(f"d{number}", abstract="a boiler") for number in range(40)]
    queries = [Document("few", abstract="steam"), Document("many", abstract="ships")]
    qrels = {"few": {"d1": 1, "d2": 0, "d3": 1}, "many": {f"d{number}": 1 for number in range(30)}}
    most = ctpe_retrieval.largest(from_parts("made", corpus, queries, qrels))
    assert most["P@20"] == most["MAP@20"] == pytest.approx((2 / 20 + 20 / 20) / 2)
    assert most["R@20"] == pytest.approx((1 + 20 / 30) / 2)


def test_a_row_stands_beside_the_largest_figure_possible(ctpe_work: Work) -> None:
    panel, rows = rows_of(ctpe_retrieval.table(ctpe_work, "ctpe-2"))
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
    leave_out = [row for row in (*ctpe_retrieval.BESIDE, *ctpe_retrieval.PEERS) if not row.startswith("wmd")]
    settings = replace(ctpe_work.settings, ctpe=replace(ctpe_work.settings.ctpe, leave_out=tuple(leave_out)))
    work = Work(ctpe_work.data, ctpe_work.cache, settings, trained={"glove-full": tmp_path / "glove"})
    _, rows = rows_of(ctpe_retrieval.table(work, "ctpe-2"))
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
    assert rows_of(ctpe_retrieval.table(work, "ctpe-3"))[1].keys() == rows.keys()


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
    tables = [ctpe_retrieval.table(lost, "ctpe-2"), *(one.table(lost) for one in (ctpe_embeddings, ctpe_positions))]
    for table in (*tables, ctpe_sampling.table(lost)):
        (panel,) = table.panels
        assert panel.lines == [] and "Expected" in panel.skipped[0].why
