"""KeyVec's tables of retrieval."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import files
from engine.core.progress import Progress
from engine.evaluation import Catalogue
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.research.baselines.rows import ROWS
from engine.research.paper import keyvec_clusters, keyvec_retrieval
from engine.research.paper.work import Work
from tests.research.paper.small_keyvec import settings

SUBJECTS = {"steam", "neural", "protein", "graph"}


def test_fields_are_asked_for_in_both_sets(keyvec_work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    table = keyvec_retrieval.table(keyvec_work)
    arxiv, acm = table.panels
    assert (arxiv.facts["documents"], arxiv.facts["fields"]) == (80, 4)
    assert acm.facts["documents"] == 60
    for panel in table.panels:
        assert [set(line.ours) for line in panel.lines] == [{"P@10", "MAP", "MRR"}] * len(
            keyvec_work.settings.keyvec.rows
        )
    rows = {line.name: line for line in arxiv.lines}
    assert rows["tfidf"].ours["MRR"] == 1
    assert rows["doc2vec"].beside == "Paragraph Vector" and rows["tfidf"].beside == ""
    assert [order.over for order in arxiv.orders] == ["P@10", "MAP", "MRR"]
    assert {order.names for order in arxiv.orders} == {("doc2vec", "word2vec-own")}
    monkeypatch.setattr(Catalogue, "prepare", None)
    assert keyvec_retrieval.table(keyvec_work) == table  # nothing is measured twice


def test_held_out_documents_of_one_set_are_not_in_its_pool(keyvec_work: Work) -> None:
    task = keyvec_retrieval.acm_fields(keyvec_work)
    described = {name for ids in task.described_by.values() for name in ids}
    assert described
    assert not described & {document.id for document in task.pool}
    assert SUBJECTS <= set(task.relevant)


def test_a_pool_and_drawn_papers_are_not_encoded_where_the_whole_set_was(keyvec_work: Work) -> None:
    documents = read_documents(keyvec_work.data / "acm-citation" / CORPUS)
    rows = keyvec_work.cache / files.sha256_file(keyvec_work.data / "acm-citation" / CORPUS)
    ROWS.prepare("random", documents, keep=rows)
    said: list[Progress] = []
    again = Work(keyvec_work.data, keyvec_work.cache, settings('keyvec.rows=["random"]'), report=said.append)
    assert keyvec_retrieval.table(again).panels[1].lines and keyvec_clusters.table(again).panels[0].lines
    assert [one.total for one in said if one.stage == "encode by random"] == [80, 0, 0]


def test_what_cannot_be_had_is_left_out(keyvec_work: Work, tmp_path: Path) -> None:
    odd = Work(keyvec_work.data, keyvec_work.cache, settings('keyvec.rows=["bm25", "skip-thoughts"]'))
    (panel,) = keyvec_clusters.table(odd).panels
    why = {one.name: one.why for one in panel.skipped}
    assert why["bm25"].startswith("Expected rows to cluster, got bm25, which only ranks.")
    assert why["skip-thoughts"].startswith("Expected a row of `python -m engine.research evaluate`, got skip-thoughts")
    assert {one.name for one in keyvec_retrieval.table(odd).panels[0].skipped} == {"skip-thoughts"}
    lost = Work(tmp_path / "nowhere", keyvec_work.cache, keyvec_work.settings)
    panels = [*keyvec_retrieval.table(lost).panels, *keyvec_clusters.table(lost).panels]
    assert all("Expected corpus.parquet in the set" in panel.skipped[0].why for panel in panels)
