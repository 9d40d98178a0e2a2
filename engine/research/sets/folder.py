"""Writes a benchmark folder, document by document: corpus, queries and who is relevant to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.evaluation.benchmarks import CORPUS, QRELS, QUERIES

_ROWS = 2_000
"""How many documents are held before they are written."""


@dataclass
class Table:
    """Documents written to a Parquet file as they come: title, abstract, claims and year; sections are left out."""

    path: Path
    count: int = 0
    _rows: list[dict[str, Any]] = field(default_factory=list)
    _writer: Any = None

    def add(self, document: Document) -> None:
        """Take one document; ids are the caller's to check."""
        given = {name: getattr(document, name) for name in ("id", "kind", "title", "abstract", "year")}
        self._rows.append({**given, "claims": list(document.claims)})
        self.count += 1
        if len(self._rows) == _ROWS:
            self._write()

    def close(self) -> None:
        """Write what is held, an empty table too."""
        self._write()
        self._writer.close()

    def _write(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        texts = [(name, pa.string()) for name in ("id", "kind", "title", "abstract")]
        schema = pa.schema([*texts, ("claims", pa.list_(pa.string())), ("year", pa.int32())])
        if self._writer is None:
            self._writer = pq.ParquetWriter(self.path, schema, compression="zstd")
        self._writer.write_table(pa.Table.from_pylist(self._rows, schema))
        self._rows.clear()


@dataclass(frozen=True)
class NewBenchmark:
    """The folder of a benchmark that is being written."""

    folder: Path
    corpus: Table
    queries: Table

    def judge(self, relevant: Mapping[str, Set[str]]) -> None:
        """Write each query's relevant documents, in the order of their ids."""
        pairs = [(query, name) for query in sorted(relevant) for name in sorted(relevant[query])]
        lines = ["query-id\tcorpus-id\tscore", *(f"{query}\t{name}\t1" for query, name in pairs)]
        files.write_bytes(self.folder / QRELS, "".join(f"{line}\n" for line in lines).encode())


@contextmanager
def new_benchmark(folder: Path) -> Iterator[NewBenchmark]:
    """Give a benchmark that stands at `folder` once the block ends without an error; an error leaves nothing there.

    Raises EvaluationError if the folder exists: it could hold anything. Raises StorageError if it cannot be written.
    """
    if folder.exists():
        raise EvaluationError(f"Expected a new folder at {folder}, it exists. Name another, or remove it first.")
    with files.new_folder(folder) as place:
        made = NewBenchmark(place, Table(place / CORPUS), Table(place / QUERIES))
        try:
            yield made
        finally:
            made.corpus.close()
            made.queries.close()
