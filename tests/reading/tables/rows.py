"""Rows of tables, and the documents read from them."""

from __future__ import annotations

import io
import json
from typing import Any

from engine.documents import Document, Section
from engine.reading.limits import Limits
from engine.reading.tables.delimited import read_csv
from engine.reading.tables.jsonl import read_jsonl
from engine.reading.tables.parquet import read_parquet

ROW: dict[str, Any] = {
    "id": "x:1",
    "kind": "patent",
    "title": "A <i>title</i>",
    "abstract": "An abstract.",
    "sections": [{"title": "One", "text": "First."}, {"title": "References", "text": "[1] A."}],
    "year": 2001,
    "categories": ["A01B", "C07"],
    "keywords": ["tea"],
    "venue": "Journal",
    "authors": ["A. B.", "C. D."],
    "family": "f1",
    "url": "https://example.org/1",
    "claims": ["A lid.", "The lid of claim 1."],
    "unknown": {"left": "alone"},
}
DOCUMENT = Document(
    id="x:1",
    kind="patent",
    title="A <i>title</i>",
    abstract="An abstract.",
    sections=(Section("One", "First."), Section("References", "[1] A.", "references")),
    year=2001,
    categories=("A01B", "C07"),
    keywords=("tea",),
    venue="Journal",
    authors=("A. B.", "C. D."),
    family="f1",
    url="https://example.org/1",
    claims=("A lid.", "The lid of claim 1."),
)


def jsonl(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def of_jsonl(data: bytes, limits: Limits | None = None, said: list[str] | None = None) -> list[Document]:
    warn = (said if said is not None else []).append
    return list(read_jsonl(io.BytesIO(data), "a.jsonl", limits or Limits(), warn))


def of_csv(text: str, limits: Limits | None = None, said: list[str] | None = None) -> list[Document]:
    warn = (said if said is not None else []).append
    return list(read_csv(io.BytesIO(text.encode()), "a.csv", limits or Limits(), warn))


def of_parquet(data: bytes, limits: Limits | None = None, said: list[str] | None = None) -> list[Document]:
    warn = (said if said is not None else []).append
    return list(read_parquet(io.BytesIO(data), "a", limits or Limits(), warn))


def parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    held = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), held)
    return held.getvalue()
