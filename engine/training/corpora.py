"""Corpora on disk: where they lie, the digests that name their content, and their documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine import files
from engine.documents import Document
from engine.errors import InputError
from engine.progress import Meter, Report
from engine.readers import iter_documents
from engine.works import names, same_work

CORPUS, QUERIES = "corpus.parquet", "queries.parquet"
QUERY, TWICE = "a benchmark's query", "an id seen before"
"""Why a document is not trained on, as `left_out` counts it."""


def digests(corpora: Sequence[str], data: Path) -> dict[str, str]:
    """The sha256 of each corpus by its name. Raises InputError if one is missing."""
    missing = [name for name in corpora if not (data / name / CORPUS).is_file()]
    if missing:
        raise InputError(
            f"Expected a folder with {CORPUS} for each of {', '.join(corpora)} in {data}; missing: "
            f"{', '.join(missing)}. Name the folder that holds them all."
        )
    return {name: files.sha256_file(data / name / CORPUS) for name in corpora}


def documents_of(corpora: Sequence[str], data: Path, report: Report) -> Iterator[tuple[str, Document]]:
    """Every document of the corpora below a folder, each with its corpus's name."""
    for name in corpora:
        meter = Meter(f"read {name}", None, report)
        for document in iter_documents(data / name / CORPUS):
            yield name, document
            meter.add()
        meter.finish()


def queries_in(data: Path) -> frozenset[str]:
    """The ids and families of every benchmark query below a folder; training leaves all of them out."""
    found: set[str] = set()
    for path in sorted(data.glob(f"*/{QUERIES}")):
        for query in iter_documents(path):
            found |= {query.id, query.family}
    return frozenset(found - {""})


def copies_of_queries(data: Path) -> Callable[[Document], bool]:
    """Whether a document is the same work as a benchmark query below a folder, under any id.

    acm-citation holds the record of nearly every paper whose sentences ask, under an id of its own.
    """
    queries: defaultdict[str, list[Document]] = defaultdict(list)
    for path in sorted(data.glob(f"*/{QUERIES}")):
        for query in iter_documents(path):
            for name in names(query):
                queries[name].append(query)
    return lambda document: any(
        same_work(query, document) for name in names(document) for query in queries.get(name, ())
    )


def is_no_copy(_document: Document) -> bool:
    """Take every document for a work of its own."""
    return False


def to_train_on(
    documents: Iterable[tuple[str, Document]],
    *,
    held_out: frozenset[str],
    taken: Container[str],
    left_out: dict[str, int],
    is_copy: Callable[[Document], bool] = is_no_copy,
) -> Iterator[tuple[str, Document]]:
    """Documents with their corpora's names, without those whose id or family is held out, or whose id is `taken`.

    A copy of a query is left out as the query is. The caller adds the ids that it keeps to `taken`; `left_out` counts
    the other documents by reason.
    """
    for corpus, document in documents:
        if document.id in held_out or document.family in held_out or is_copy(document):
            left_out[QUERY] += 1
        elif document.id in taken:
            left_out[TWICE] += 1
        else:
            yield corpus, document


def subject_of(corpus: str, categories: Iterable[str]) -> str:
    """The subject that documents of a corpus with the same set of categories share; "" without categories."""
    kept = sorted(set(categories))
    return "\t".join((corpus, *kept)) if kept else ""


def abstract_of(document: Document) -> Document:
    """A document's title and abstract alone."""
    return replace(document, sections=(), claims=())
