"""Corpora on disk: where they lie, the digests that name their content, and their documents laid end to end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.core import files
from engine.core.errors import InputError
from engine.core.progress import Meter, Report
from engine.core.rows import Positions
from engine.documents import Document
from engine.documents.works import names, same_work
from engine.reading import iter_documents

CORPUS, QUERIES = "corpus.parquet", "queries.parquet"

QUERY, TWICE = "a benchmark's query", "an id seen before"
"""Why a document is not trained on, as `left_out` counts it."""


def digests(corpora: Sequence[str], data: Path) -> dict[str, str]:
    """Return the sha256 of each corpus by its name. Raises InputError if one is missing."""
    missing = [name for name in corpora if not (data / name / CORPUS).is_file()]
    if missing:
        raise InputError(
            f"Expected a folder with {CORPUS} for each of {', '.join(corpora)} in {data}; missing: "
            f"{', '.join(missing)}. Name the folder that holds them all."
        )
    return {name: files.sha256_file(data / name / CORPUS) for name in corpora}


def documents_of(corpora: Sequence[str], data: Path, report: Report) -> Iterator[tuple[str, Document]]:
    """Return every document of the corpora below a folder, each with its corpus's name."""
    for name in corpora:
        meter = Meter(f"read {name}", None, report)
        for document in iter_documents(data / name / CORPUS):
            yield name, document
            meter.add()
        meter.finish()


@dataclass(frozen=True)
class HeldOut:
    """What nothing is trained on: benchmarks' queries, by their `ids` and families, and the same works under any id.

    acm-citation holds the record of nearly every paper whose sentences ask, under an id of its own.
    """

    ids: frozenset[str] = frozenset()
    queries: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    """The queries by the keys of their works (`engine.documents.works.names`)."""
    digest: str = ""
    """Names the files that the queries are from."""

    @classmethod
    def below(cls, data: Path) -> Self:
        """Return the queries of every benchmark below a folder."""
        ids, queries, digests = set[str](), defaultdict[str, list[Document]](list), list[str]()
        for path in sorted(data.glob(f"*/{QUERIES}")):
            digests.append(files.sha256_file(path))
            for query in iter_documents(path):
                ids |= {query.id, query.family}
                for name in names(query):
                    queries[name].append(query)
        return cls(frozenset(ids - {""}), queries, files.fingerprint(*digests))

    def __contains__(self, document: Document) -> bool:
        """Tell whether a document is a query, one of its family, or the same work."""
        return not self.ids.isdisjoint((document.id, document.family)) or any(
            same_work(query, document) for name in names(document) for query in self.queries.get(name, ())
        )


NOTHING = HeldOut()


def to_train_on(
    documents: Iterable[tuple[str, Document]],
    *,
    held_out: HeldOut,
    taken: Container[str],
    left_out: dict[str, int],
) -> Iterator[tuple[str, Document]]:
    """Give documents with their corpora's names, without those that are held out, or whose id is `taken`.

    The caller adds the ids that it keeps to `taken`; `left_out` counts the other documents by reason.
    """
    for corpus, document in documents:
        if document in held_out:
            left_out[QUERY] += 1
        elif document.id in taken:
            left_out[TWICE] += 1
        else:
            yield corpus, document


def subject_of(corpus: str, categories: Iterable[str]) -> str:
    """Return the subject that documents of a corpus with the same set of categories share; "" without categories."""
    kept = sorted(set(categories))
    return "\t".join((corpus, *kept)) if kept else ""


def abstract_of(document: Document) -> Document:
    """Return a document's title and abstract alone."""
    return replace(document, sections=(), claims=())


def bounds(lengths: Sequence[int] | NDArray[Any]) -> Positions:
    """Return where each of n things laid end to end begins, and where the last one ends: (n + 1,)."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def stretches(flat: NDArray[Any], starts: Positions, lengths: Positions) -> tuple[NDArray[Any], Positions]:
    """Return stretches of `flat` (t,), from `starts` (m,) on, laid end to end, and the places (m + 1,) between them."""
    ends = bounds(lengths)
    return flat[np.arange(ends[-1]) + np.repeat(starts - ends[:-1], lengths)], ends
