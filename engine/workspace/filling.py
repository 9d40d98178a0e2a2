"""Reads documents' passages into a store, some at a time, so that a stopped run goes on where it was."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

from engine.core.progress import Meter
from engine.documents import Chunk, Document
from engine.search import PassageReader
from engine.vectors import PassageStore, ReadDocument

_PASSAGES_AT_ONCE = 256
_SECONDS_KEPT = 15.0
"""Passages are written this often, so that a stopped run loses little."""


def fill(
    store: PassageStore,
    documents: Iterable[Document],
    reader: PassageReader,
    meter: Meter,
    costs: Mapping[str, float] = MappingProxyType({}),
) -> None:
    """Cut and read documents, and keep their passages; the meter counts the documents, with their `costs` by id."""
    waiting: list[ReadDocument] = []
    kept = time.monotonic()
    for some in _batches(documents, reader):
        waiting += _read(some, reader)
        meter.add(len(some), sum(costs.get(document.id, 0.0) for document, _ in some))
        if time.monotonic() - kept >= _SECONDS_KEPT:
            store.add(waiting)
            waiting, kept = [], time.monotonic()
    store.add(waiting)
    meter.finish()


def _batches(documents: Iterable[Document], reader: PassageReader) -> Iterator[list[tuple[Document, Sequence[Chunk]]]]:
    """Documents with their passages, about 256 passages at once."""
    some: list[tuple[Document, Sequence[Chunk]]] = []
    count = 0
    for document in documents:
        some.append((document, reader.cut(document)))
        count += len(some[-1][1])
        if count >= _PASSAGES_AT_ONCE:
            yield some
            some, count = [], 0
    if some:
        yield some


def _read(some: Sequence[tuple[Document, Sequence[Chunk]]], reader: PassageReader) -> list[ReadDocument]:
    rows = reader.encode(some)
    ends = accumulate(len(passages) for _, passages in some)
    return [
        ReadDocument(document.id, passages, rows[end - len(passages) : end])
        for (document, passages), end in zip(some, ends, strict=True)
    ]
