"""Rows of tables, and the documents read from them."""

from __future__ import annotations

import io
import json
from typing import Any

from engine.documents import Document
from engine.readers import Limits
from engine.readers.tables.reader import read_csv, read_jsonl


def jsonl(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def of_jsonl(data: bytes, limits: Limits | None = None) -> list[Document]:
    return list(read_jsonl(io.BytesIO(data), "a.jsonl", limits or Limits()))


def of_csv(text: str, limits: Limits | None = None) -> list[Document]:
    return list(read_csv(io.BytesIO(text.encode()), "a.csv", limits or Limits()))


def parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    held = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), held)
    return held.getvalue()
