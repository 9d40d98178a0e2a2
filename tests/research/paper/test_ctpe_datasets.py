"""CTPE's table 1."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.documents import Document
from engine.evaluation.benchmarks import from_parts
from engine.research.paper import ctpe_datasets
from engine.research.paper.published.ctpe import CANDIDATE, TEST
from engine.research.paper.work import Work
from tests.research.paper.small_ctpe import rows_of

CORPUS = [
    Document("a", title="Steam <b>ships</b>", abstract="The steam of a ship", year=1900),
    Document("b", title="Boilers", abstract="Boilers burst 1 2 3", year=1890),
    Document("c", title="Sails", abstract="Wind"),
]
QUERIES = [Document("q", title="Ships", abstract="of steam", year=1910), Document("r", title="Wind", abstract="sails")]
QRELS = {"q": {"a": 1, "b": 0}, "r": {"b": 1, "c": 1}}


def test_a_set_has_the_papers_ranges_and_our_means() -> None:
    found = ctpe_datasets.sizes(from_parts("ships", CORPUS, QUERIES, QRELS))
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
    found = ctpe_datasets.sizes(from_parts("ships", corpus, QUERIES, QRELS))
    assert "first year" not in found[CANDIDATE] and found[CANDIDATE]["fewest words"] == 2
    assert found[TEST]["first year"] == found[TEST]["last year"] == 1910


def test_the_papers_sizes_stand_beside_ours(ctpe_work: Work) -> None:
    panel, rows = rows_of(ctpe_datasets.table(ctpe_work))
    assert panel.beside == "arXiv" and panel.columns == ("candidate", "test")
    assert rows["documents"].ours == {"candidate": 40, "test": 4}
    assert rows["documents"].theirs == {"candidate": 20_000, "test": 1_000}
    assert rows["most labels"].ours == {"test": 10} and rows["most labels"].theirs == {"test": 95}
    assert rows["first year"].ours == {} and rows["first year"].theirs == {"candidate": 1991, "test": 2016}
    assert rows["vocabulary"].theirs == {} and rows["percent before the cut"].theirs["test"] == 4.7


def test_a_set_that_is_not_there_is_left_out(ctpe_work: Work) -> None:
    (panel,) = ctpe_datasets.table(Work(ctpe_work.data / "nowhere", ctpe_work.cache, ctpe_work.settings)).panels
    assert panel.lines == [] and "missing" in panel.skipped[0].why
