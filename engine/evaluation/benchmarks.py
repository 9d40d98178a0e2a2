"""A benchmark on disk: a corpus, queries, and which documents answer which query."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine import files
from engine.documents import Document
from engine.errors import EvaluationError

Part = Literal["valid", "test", "all"]
PARTS: tuple[Part, ...] = ("valid", "test", "all")

CORPUS, QUERIES, QRELS, SPLITS = "corpus.parquet", "queries.parquet", "qrels.tsv", "query-splits.tsv"
_VALID_ONE_IN = 5

Qrels = Mapping[str, Mapping[str, int]]
"""Grades by query id, then by document id; a document that is not listed is not relevant."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Documents, judged queries and their qrels; `left_out` counts queries without a relevant document."""

    name: str
    part: Part
    corpus: Sequence[Document]
    queries: Sequence[Document]
    qrels: Qrels
    sha256: Mapping[str, str]
    left_out: int = 0


def load_benchmark(folder: Path, *, part: Part = "all") -> Benchmark:
    """Read corpus.parquet, queries.parquet and qrels.tsv of a folder, and one part of its queries.

    A query stands in the part that query-splits.tsv names; without that file it is `valid` where
    its id's sha1 is divisible by five, else `test`. Raises EvaluationError where a file is missing
    or the files do not belong together.
    """
    _require(folder)
    corpus, queries = read_documents(folder / CORPUS), read_documents(folder / QUERIES)
    qrels = read_qrels(folder / QRELS)
    _check(corpus, queries, qrels)
    splits = _read_splits(folder / SPLITS)
    wanted = [query for query in queries if part == "all" or _part_of(query.id, splits) == part]
    judged = [query for query in wanted if any(grade > 0 for grade in qrels.get(query.id, {}).values())]
    if not judged:
        raise EvaluationError(f"Expected judged queries in the part {part!r} of {folder.name}, found none.")
    return Benchmark(
        folder.name,
        part,
        corpus,
        judged,
        {query.id: qrels[query.id] for query in judged},
        {name: files.sha256_file(folder / name) for name in (CORPUS, QUERIES, QRELS)},
        left_out=len(wanted) - len(judged),
    )


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read tab-separated qrels with the columns query-id, corpus-id, score. Raises EvaluationError."""
    qrels: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        for number, row in enumerate(rows, start=1):
            if number == 1 and row[:1] == ["query-id"]:
                continue
            if len(row) != 3 or not row[2].strip().lstrip("-").isdigit():
                raise EvaluationError(
                    f"Expected query-id, corpus-id and a whole number in line {number} of {path.name}, got "
                    f"{' | '.join(row)[:80]!r}. Separate the columns by tabs."
                )
            qrels.setdefault(row[0], {})[row[1]] = int(row[2])
    return qrels


def _require(folder: Path) -> None:
    missing = [name for name in (CORPUS, QUERIES, QRELS) if not (folder / name).is_file()]
    if missing:
        raise EvaluationError(
            f"Expected {CORPUS}, {QUERIES} and {QRELS} in {folder}; missing: {', '.join(missing)}. "
            "Name a folder that holds all three."
        )


def read_documents(path: Path) -> list[Document]:
    """Every document of a table, the first of those that share an id."""
    from engine.readers import iter_documents

    held: dict[str, Document] = {}
    for document in iter_documents(path):
        held.setdefault(document.id, document)
    return list(held.values())


def _check(corpus: Sequence[Document], queries: Sequence[Document], qrels: Qrels) -> None:
    """Raise EvaluationError where qrels name a query or a document that is not there."""
    strange = qrels.keys() - {query.id for query in queries}
    if strange:
        raise EvaluationError(
            f"Expected qrels of the queries in {QUERIES}, got {len(strange)} others, the first {min(strange)!r}. "
            "Take both files from one set."
        )
    held = {document.id for document in corpus}
    lost = sorted(name for grades in qrels.values() for name, grade in grades.items() if grade > 0 and name not in held)
    if lost:
        raise EvaluationError(
            f"Expected every relevant document of {QRELS} in {CORPUS}, {len(lost)} are not there, the first "
            f"{lost[0]!r}. Take both files from one set."
        )


def _read_splits(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1] for row in csv.reader(file, delimiter="\t") if len(row) == 2}


def _part_of(query: str, splits: Mapping[str, str]) -> str:
    if splits:
        return splits.get(query, "test")
    return "valid" if files.spread(query, _VALID_ONE_IN) == 0 else "test"
