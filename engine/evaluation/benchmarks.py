"""A benchmark: a corpus, queries, and which documents are relevant to each; from a folder, files or a library."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from engine.core import files
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.evaluation.formats import BOUNDS, Bounds, Qrels, read_collection, read_excluded, read_qrels

Part = Literal["valid", "test", "all"]
PARTS: tuple[Part, ...] = ("valid", "test", "all")

CORPUS, QUERIES, QRELS, SPLITS = "corpus.parquet", "queries.parquet", "qrels.tsv", "query-splits.tsv"
EXCLUDE = "exclude.tsv"
BEIR_CORPUS, BEIR_QUERIES, BEIR_QRELS = "corpus.jsonl", "queries.jsonl", "qrels"
BEIR_PARTS: Mapping[Part, str] = {"all": "test.tsv", "test": "test.tsv", "valid": "dev.tsv"}
"""The file of judgements for each part; a BEIR folder has no single file for all its queries."""

_VALID_ONE_IN = 5


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Documents, judged queries and their qrels.

    `sha256` has the digest of each file read. `left_out` counts the queries of this part without a relevant document,
    `others` are the ids of all queries that are not asked. `own_works` are, by query, documents that are the query
    itself under another id (`engine.evaluation.itself`), and `excluded` those that exclude.tsv names; rankings are
    scored without both.
    """

    name: str
    part: Part
    corpus: Sequence[Document]
    queries: Sequence[Document]
    qrels: Qrels
    sha256: Mapping[str, str]
    left_out: int = 0
    others: frozenset[str] = frozenset()
    own_works: Mapping[str, frozenset[str]] = field(default_factory=dict)
    excluded: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def corpus_sha256(self) -> str:
        """The digest of the corpus, under any file name."""
        return next(digest for name, digest in self.sha256.items() if name.startswith("corpus"))


def load_benchmark(folder: Path, *, part: Part = "all", bounds: Bounds = BOUNDS) -> Benchmark:
    """Read one part of the queries of a folder, ours or BEIR's, with its corpus.

    Ours holds corpus.parquet, queries.parquet and qrels.tsv. A query is in the part that query-splits.tsv names;
    without that file it is `valid` where its id's sha1 is divisible by five, else `test`. A line of exclude.tsv, a
    query's id and a document's, leaves that document out of the query's rankings: what an encoder was trained on, say.
    BEIR's holds corpus.jsonl, queries.jsonl and qrels/test.tsv, which are the parts `test` and `all`, or qrels/dev.tsv,
    the part `valid`. Raises EvaluationError where a file is missing or the files do not belong together, or InputError.
    """
    if (folder / BEIR_CORPUS).is_file() and not (folder / CORPUS).is_file():
        return _load_beir(folder, part, bounds)
    _require(folder, (CORPUS, QUERIES, QRELS))
    corpus, queries = read_documents(folder / CORPUS), read_documents(folder / QUERIES)
    qrels = read_qrels(folder / QRELS, bounds=bounds)
    splits = _read_splits(folder / SPLITS)
    asked = frozenset(query.id for query in queries if part == "all" or _part_of(query.id, splits) == part)
    excluded = read_excluded(folder / EXCLUDE, bounds=bounds) if (folder / EXCLUDE).is_file() else {}
    read = (CORPUS, QUERIES, QRELS, *([EXCLUDE] if excluded else []))
    sha256 = {name: files.sha256_file(folder / name) for name in read}
    return _chosen(Benchmark(folder.name, part, corpus, queries, qrels, sha256, excluded=excluded), asked)


def _load_beir(folder: Path, part: Part, bounds: Bounds) -> Benchmark:
    """The queries judged in the part's file; a BEIR folder's other queries belong to other parts."""
    qrels_name = f"{BEIR_QRELS}/{BEIR_PARTS[part]}"
    _require(folder, (BEIR_CORPUS, BEIR_QUERIES, qrels_name))
    corpus = read_collection(folder / BEIR_CORPUS, bounds=bounds)
    queries = read_collection(folder / BEIR_QUERIES, kind="query", bounds=bounds)
    qrels = read_qrels(folder / qrels_name, bounds=bounds)
    sha256 = {name: files.sha256_file(folder / name) for name in (BEIR_CORPUS, BEIR_QUERIES, qrels_name)}
    return _chosen(Benchmark(folder.name, part, corpus, queries, qrels, sha256), frozenset(qrels))


def from_parts(
    name: str,
    corpus: Sequence[Document],
    queries: Sequence[Document],
    qrels: Qrels,
    *,
    part: Part = "all",
    excluded: Mapping[str, frozenset[str]] | None = None,
) -> Benchmark:
    """A benchmark from objects in memory; digests of their content stand for the files'.

    Raises EvaluationError for a repeated id, parts that do not belong together, or no judged query.
    """
    for what, documents in (("document", corpus), ("query", queries)):
        twice = [one for one, count in Counter(document.id for document in documents).items() if count > 1]
        if twice:
            raise EvaluationError(
                f"Expected an id of its own for each {what} of {name}, got {min(twice)!r} more than once. Rename one."
            )
    pairs = sorted((query, *pair) for query, grades in qrels.items() for pair in grades.items())
    sha256 = {"corpus": _digest(corpus), "queries": _digest(queries), "qrels": files.sha256_bytes(repr(pairs).encode())}
    made = Benchmark(name, part, corpus, queries, qrels, sha256, excluded=excluded or {})
    return _chosen(made, frozenset(query.id for query in queries))


def from_files(
    name: str, corpus: Path | Sequence[Document], queries: Path, qrels: Path, *, bounds: Bounds = BOUNDS
) -> Benchmark:
    """A benchmark from single files in any format that `read_collection` and `read_qrels` read.

    `corpus` may also be documents, such as a library's. Raises EvaluationError or InputError.
    """
    documents = read_collection(corpus, bounds=bounds) if isinstance(corpus, Path) else corpus
    asked = read_collection(queries, kind="query", bounds=bounds)
    return from_parts(name, documents, asked, read_qrels(qrels, bounds=bounds))


def read_documents(path: Path) -> list[Document]:
    """Every document of a table; the first of those with one id."""
    from engine.reading import iter_documents

    held: dict[str, Document] = {}
    for document in iter_documents(path):
        held.setdefault(document.id, document)
    return list(held.values())


def _chosen(whole: Benchmark, asked: frozenset[str]) -> Benchmark:
    """The benchmark with only the asked queries that have a relevant document."""
    _check(whole)
    wanted = [query for query in whole.queries if query.id in asked]
    judged = [query for query in wanted if any(grade > 0 for grade in whole.qrels.get(query.id, {}).values())]
    if not judged:
        raise EvaluationError(
            f"Expected judged queries in the part {whole.part!r} of {whole.name}, found none with a relevant document. "
            "Take another part, or judge some."
        )
    qrels = {query.id: whole.qrels[query.id] for query in judged}
    others = frozenset(query.id for query in whole.queries) - qrels.keys()
    left_out = len(wanted) - len(judged)
    excluded = {query: ids for query, ids in whole.excluded.items() if query in qrels}
    return replace(whole, queries=judged, qrels=qrels, left_out=left_out, others=others, excluded=excluded)


def _require(folder: Path, names: Sequence[str]) -> None:
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise EvaluationError(
            f"Expected {names[0]}, {names[1]} and {names[2]} in {folder}; missing: {', '.join(missing)}. "
            f"Name a folder that holds all three, or {BEIR_CORPUS}, {BEIR_QUERIES} and {BEIR_QRELS}/test.tsv."
        )


def _check(benchmark: Benchmark) -> None:
    """Raise EvaluationError where qrels or exclusions name an unknown query or document, or contradict each other."""
    strange = benchmark.qrels.keys() - {query.id for query in benchmark.queries}
    if strange:
        raise EvaluationError(
            f"Expected judgements of the queries of {benchmark.name}, got {len(strange)} others, the first "
            f"{min(strange)!r}. Take both files from one set."
        )
    held = {document.id for document in benchmark.corpus}
    relevant = (name for grades in benchmark.qrels.values() for name, grade in grades.items() if grade > 0)
    lost = sorted({name for name in relevant if name not in held})
    if lost:
        raise EvaluationError(
            f"Expected every relevant document of {benchmark.name} in its corpus, {len(lost)} are not there, the first "
            f"{lost[0]!r}. Take both files from one set."
        )
    asked = {query.id for query in benchmark.queries}
    for query, ids in sorted(benchmark.excluded.items()):
        unknown = sorted(({query} - asked) | (ids - held))
        if unknown:
            raise EvaluationError(
                f"Expected ids of queries and documents of {benchmark.name} in {EXCLUDE}, got {unknown[0]!r}. Take all "
                "files from one set."
            )
        both = sorted(name for name in ids if benchmark.qrels.get(query, {}).get(name, 0) > 0)
        if both:
            raise EvaluationError(
                f"Expected {EXCLUDE} of {benchmark.name} to leave out no relevant document, got {both[0]!r} for "
                f"{query!r}. Take the line out of one of the two files."
            )


def _digest(documents: Sequence[Document]) -> str:
    """The digest of documents, in order, over everything in them."""
    return files.sha256_bytes("".join(files.sha256_bytes(repr(document).encode()) for document in documents).encode())


def _read_splits(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row[0]: row[1] for row in csv.reader(file, delimiter="\t") if len(row) == 2}


def _part_of(query: str, splits: Mapping[str, str]) -> str:
    if splits:
        return splits.get(query, "test")
    return "valid" if files.spread(query, _VALID_ONE_IN) == 0 else "test"
