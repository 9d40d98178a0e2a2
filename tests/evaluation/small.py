"""A benchmark of our own: forty documents about four subjects, and a query a subject."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from engine.documents import Document
from tests.contracts.encoder import SUBJECTS, corpus

QUERIES = [
    Document(id=f"q-{subject}", kind="query", abstract=" ".join(words.split()[::2]))
    for subject, words in SUBJECTS.items()
]

DOCUMENTS = [replace(one, categories=(one.id.rstrip("0123456789"),)) for one in corpus()]
"""Documents of a library that is judged."""


def write_table(path: Path, documents: Sequence[Document]) -> None:
    """Write documents with DATA.md's columns."""
    rows = [
        {
            "id": document.id,
            "kind": document.kind,
            "title": document.title,
            "abstract": document.abstract,
            "sections": [{"title": section.title, "text": section.text} for section in document.sections],
            "family": document.family,
            "categories": list(document.categories),
            "year": document.year,
        }
        for document in documents
    ]
    sections = pa.list_(pa.struct([("title", pa.string()), ("text", pa.string())]))
    texts = [(name, pa.string()) for name in ("id", "kind", "title", "abstract")]
    lists = [("sections", sections), ("categories", pa.list_(pa.string()))]
    rest = [("family", pa.string()), ("year", pa.int64())]
    pq.write_table(pa.Table.from_pylist(rows, pa.schema([*texts, *lists, *rest])), path)


def write_benchmark(folder: Path, *, extra: Sequence[Document] = (), queries: Sequence[Document] = QUERIES) -> Path:
    """Write the benchmark; every document of a query's subject is relevant to it."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = [*corpus(), *extra]
    write_table(folder / "corpus.parquet", documents)
    write_table(folder / "queries.parquet", queries)
    lines = ["query-id\tcorpus-id\tscore"]
    for query in queries:
        subject = query.id.removeprefix("q-")
        lines += [f"{query.id}\t{document.id}\t1" for document in documents if document.id.startswith(subject)]
    (folder / "qrels.tsv").write_text("\n".join(lines) + "\n")
    return folder


def split_queries(folder: Path, queries: Sequence[Document] = QUERIES, *, valid: int = 3) -> None:
    """Say beside a benchmark that its first `valid` queries are valid ones, and the others for testing."""
    splits = [f"{query.id}\t{'valid' if number < valid else 'test'}" for number, query in enumerate(queries)]
    (folder / "query-splits.tsv").write_text("\n".join(splits) + "\n")


def write_beir(
    folder: Path, part: str, *, queries: Sequence[Document] = QUERIES, asked: Sequence[Document] = QUERIES
) -> Path:
    """Write the benchmark as a BEIR folder: `queries` are judged in the part's file, `asked` stand in queries.jsonl."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    for name, documents in (("corpus.jsonl", corpus()), ("queries.jsonl", asked)):
        rows = [{"_id": one.id, "title": one.title, "text": one.text.removeprefix(one.title)} for one in documents]
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = ["query-id\tcorpus-id\tscore"]
    for query in queries:
        subject = query.id.removeprefix("q-")
        lines += [f"{query.id}\t{document.id}\t1" for document in corpus() if document.id.startswith(subject)]
    (folder / "qrels" / f"{part}.tsv").write_text("\n".join(lines) + "\n")
    return folder
