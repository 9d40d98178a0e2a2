"""KeyVec's two tables, on small text of our own under the names of the real sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine import config, files
from engine.documents import Document
from engine.evaluation.benchmarks import CORPUS, read_documents
from engine.evaluation.systems import Catalogue
from engine.progress import Progress
from engine.research.baselines.rows import ROWS
from engine.research.paper import keyvec_clusters, keyvec_retrieval
from engine.research.paper.settings import PaperSettings
from engine.research.paper.training import ABLATIONS
from engine.research.paper.work import Work
from engine.training.runs import Recipes
from tests.contracts.encoder import corpus
from tests.training.keyvec.small import write_data

SUBJECTS = {"steam", "neural", "protein", "graph"}


def write(path: Path, documents: list[Document]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            **{name: getattr(document, name) for name in ("id", "kind", "title", "abstract", "venue")},
            **{name: list(getattr(document, name)) for name in ("categories", "keywords")},
        }
        for document in documents
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """Both sets, each document with its subject as category, key word and venue."""
    documents = []
    for place in range(3):
        for document in corpus():
            subject = document.id.rstrip("0123456789")
            named = {"categories": (subject,), "keywords": (subject.title(), f"word {document.id}"), "venue": subject}
            documents.append(replace(document, id=f"{document.id}-{place}", sections=(), **named))
    data = tmp_path / "data"
    write(data / "arxiv-subject" / "corpus.parquet", documents[:80])
    write(data / "arxiv-subject" / "queries.parquet", documents[80:])
    write(data / "acm-citation" / "corpus.parquet", documents)
    return Work(data, tmp_path / "cache", settings())


def settings(*changes: str) -> PaperSettings:
    sizes = {"pool": 60, "fewest_held_out": 1, "fewest_relevant": 2, "papers": 14, "venues": 4, "draws": 2}
    given = [f"keyvec.{name}={value}" for name, value in sizes.items()]
    values = config.with_settings({}, [*given, 'keyvec.rows=["tfidf", "doc2vec", "word2vec-own"]', *changes])
    return config.from_mapping(values, PaperSettings, origin="test")


def test_fields_are_asked_for_in_both_sets(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    table = keyvec_retrieval.table(work)
    arxiv, acm = table.panels
    assert (arxiv.facts["documents"], arxiv.facts["fields"]) == (80, 4)
    assert acm.facts["documents"] == 60
    rows = {line.name: line for line in arxiv.lines}
    assert rows["tfidf"].ours["MRR"] == 1
    assert rows["doc2vec"].beside == "Paragraph Vector" and rows["tfidf"].beside == ""
    assert [order.over for order in arxiv.orders] == ["P@10", "MAP", "MRR"]
    assert {order.names for order in arxiv.orders} == {("doc2vec", "word2vec-own")}
    monkeypatch.setattr(Catalogue, "prepare", None)
    assert keyvec_retrieval.table(work) == table  # nothing is measured twice


def test_held_out_documents_of_one_set_are_not_in_its_pool(work: Work) -> None:
    task = keyvec_retrieval.acm_fields(work)
    described = {name for ids in task.described_by.values() for name in ids}
    assert described
    assert not described & {document.id for document in task.pool}
    assert SUBJECTS <= set(task.relevant)


def test_a_pool_and_drawn_papers_are_not_encoded_where_the_whole_set_was(work: Work) -> None:
    documents = read_documents(work.data / "acm-citation" / CORPUS)
    rows = work.cache / files.sha256_file(work.data / "acm-citation" / CORPUS)
    ROWS.prepare("random", documents, keep=rows)
    said: list[Progress] = []
    again = Work(work.data, work.cache, settings('keyvec.rows=["random"]'), report=said.append)
    assert keyvec_retrieval.table(again).panels[1].lines and keyvec_clusters.table(again).panels[0].lines
    assert [one.total for one in said if one.stage == "encode by random"] == [80, 0, 0]


def test_papers_are_clustered_by_venue(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    table = keyvec_clusters.table(work)
    (panel,) = table.panels
    rows = {line.name: line for line in panel.lines}
    assert rows["tfidf"].ours["F1"] > 0.5
    assert set(rows["tfidf"].facts["stdev"]) == {"F1", "V-measure", "ARI"}
    assert (panel.facts["papers"], panel.facts["venues"], panel.facts["draws"]) == (14, 4, 2)
    monkeypatch.setattr(Catalogue, "prepare", None)
    assert keyvec_clusters.table(work) == table


def test_what_cannot_be_had_is_left_out(work: Work, tmp_path: Path) -> None:
    odd = Work(work.data, work.cache, settings('keyvec.rows=["bm25", "skip-thoughts"]'))
    (panel,) = keyvec_clusters.table(odd).panels
    why = {one.name: one.why for one in panel.skipped}
    assert why["bm25"].startswith("Expected rows to cluster, got bm25, which only ranks.")
    assert why["skip-thoughts"].startswith("Expected a row of `python -m engine.research evaluate`, got skip-thoughts")
    assert {one.name for one in keyvec_retrieval.table(odd).panels[0].skipped} == {"skip-thoughts"}
    lost = Work(tmp_path / "nowhere", work.cache, work.settings)
    panels = [*keyvec_retrieval.table(lost).panels, *keyvec_clusters.table(lost).panels]
    assert all("Expected corpus.parquet in the set" in panel.skipped[0].why for panel in panels)


def test_ablations_are_trained_once_and_clustered(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    write_data(work.data / "small")
    for name in ("ours", "full"):
        (work.data / "small" / name).rename(work.data / name)
    words = work.data / "small" / "words"
    small = [
        f"data.words={words}",
        'data.full_texts=["full"]',
        "words.least=1",
        "network.channels=2",
        "schedule.epochs=1",
    ]
    row, other = ABLATIONS
    own = Work(work.data, work.cache, settings(f'keyvec.rows=["{row}", "lsa"]', f"keyvec.settings={small}"))
    table = keyvec_clusters.table(own)
    (panel,) = table.panels
    assert [line.name for line in panel.lines] == [row, "lsa"]
    assert (own.encoders / panel.lines[0].name).parent.is_dir() and not panel.skipped
    monkeypatch.setattr(Recipes, "train", None)
    assert keyvec_clusters.table(own) == table
    given = Work(work.data, work.cache, own.settings, trained={other: next(own.encoders.glob(f"{row}-*[!n]"))})
    assert keyvec_retrieval.keyvec_row(given, other).startswith(f"{other}=")


def test_rows_are_left_out_of_one_set_or_of_all(work: Work) -> None:
    given = 'keyvec.leave_out=["tfidf@acm-citation", "doc2vec", "word2vec-own"]'
    fewer = Work(work.data, work.cache, settings(given))
    arxiv, acm = keyvec_retrieval.table(fewer).panels
    assert [line.name for line in arxiv.lines] == ["tfidf"] and acm.lines == []
    assert {one.name: one.why for one in acm.skipped} == dict.fromkeys(
        fewer.settings.keyvec.rows, "asked to be left out"
    )
    (clusters,) = keyvec_clusters.table(fewer).panels
    assert [line.name for line in clusters.lines] == ["tfidf"]


def test_sizes_are_counted_from_one() -> None:
    with pytest.raises(Exception, match="draws must be at least 1, got 0"):
        settings("keyvec.draws=0")
