"""`python -m benchmarks.keyvec_tables`, on small text of our own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks import keyvec_tables
from engine.documents import Document
from engine.errors import EvaluationError
from tests.contracts.encoder import corpus


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
def line(tmp_path: Path) -> list[str]:
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
    sizes = {"pool": 60, "fewest-held-out": 1, "fewest-relevant": 2, "papers": 14, "venues": 4, "draws": 2}
    options = [word for name, value in sizes.items() for word in (f"--{name}", str(value))]
    return ["--data", str(data), "--save", str(tmp_path / "report.json"), *options]


def test_all_tables_are_made(line: list[str], tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    keyvec_tables.main([*line, "--encoders", "tfidf,lsa", "--cache", str(tmp_path / "kept")])
    report = json.loads((tmp_path / "report.json").read_text())
    arxiv, acm, venues = (report["tables"][name] for name in ("fields-arxiv", "fields-acm", "venues"))
    assert arxiv["documents"] == 80
    assert acm["documents"] == 60
    assert set(arxiv["relevant"]) == {"steam", "neural", "protein", "graph"}
    assert {"steam", "neural", "protein", "graph"} <= set(acm["relevant"])
    for made in (arxiv, acm):
        assert made["encoders"]["lsa"]["by_field"]["steam"]["MRR"] == 1
        assert made["encoders"]["tfidf"]["by_field"]["graph"]["P@10"] > 0.8
    assert venues["encoders"]["lsa"]["mean"]["F1"] > 0.7
    assert len(venues["encoders"]["lsa"]["by_draw"]) == 2
    assert set(venues["encoders"]["tfidf"]["stdev"]) == {"F1", "V-measure", "ARI"}
    text = (tmp_path / "report.md").read_text()
    assert "4 fields, 80 documents" in text
    assert "14 papers of 4 venues" in text
    assert "Ten draws of 850 ACM papers" in text
    assert text.strip() in capsys.readouterr().out
    assert str(tmp_path) not in report["command"]


def test_a_trained_encoders_rows_are_kept_by_what_was_read(line: list[str], tmp_path: Path) -> None:
    given = [*line, "--encoders", "word2vec-mean", "--cache", str(tmp_path / "kept")]
    keyvec_tables.main(given)
    first = json.loads((tmp_path / "report.json").read_text())["tables"]
    assert len(list((tmp_path / "kept").iterdir())) == 3
    keyvec_tables.main(given)
    assert json.loads((tmp_path / "report.json").read_text())["tables"] == first


def test_held_out_documents_of_one_set_are_not_in_its_pool(line: list[str]) -> None:
    given = keyvec_tables._parser().parse_args([*line, "--encoders", "tfidf"])
    task = keyvec_tables.acm_fields(given)
    described = {name for ids in task.described_by.values() for name in ids}
    assert described
    assert not described & {document.id for document in task.pool}


def test_a_row_without_vectors_is_no_row_to_cluster(line: list[str]) -> None:
    with pytest.raises(EvaluationError, match="Expected rows to cluster, got bm25, which only ranks"):
        keyvec_tables.main([*line, "--encoders", "bm25", "--tables", "venues"])
