"""Reads the passages of a library's documents that are missing or have changed, and keeps chunks that were read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType

import numpy as np

from engine.compare import chunks_fingerprint
from engine.core.errors import StorageError, VectorServerError
from engine.core.files import stamp
from engine.core.progress import Meter, Report, silent
from engine.core.rows import DenseRows
from engine.core.stores import Stores, stores_of
from engine.documents import Chunk, Document
from engine.encoders import EncoderCard
from engine.encoders.colde import LongRows
from engine.library import Filters, Library
from engine.search import PassageEncoder, PassageReader
from engine.vectors import (
    PassageStore,
    PassageView,
    ReadPassages,
    kept_folders,
    kept_passage_store,
    open_passage_store,
    remove_rows,
    rows_written,
)
from engine.workspace.indexing import BatchSize, keep_in_steps, next_batch, read_there, reading_costs, require_same
from engine.workspace.reading_state import reading_alone
from engine.workspace.workers import Workers

_LOG = logging.getLogger(__name__)
_FIRST_PASSAGES, _PASSAGES_AT_ONCE = 32, 256
_SENT_DOCUMENTS, _SENT_CHARACTERS = 64, 100_000  # a worker reads them in a second or two


def open_passages(library: Library, encoder: PassageReader) -> PassageStore:
    """Return the passages of the library's documents as far as they were read; of a document that has changed, none.

    Raises StorageError where the list of passages is damaged; `index_passages` reads them again.
    """
    return _open(library, library.passages_folder / encoder.fingerprint, encoder.dim)


def chunk_view(library: Library, card: EncoderCard) -> PassageView | None:
    """Return the chunks that an encoder has read of the library's documents to compare them; None before it has any.

    Raises StorageError where their list is damaged; `keep_chunks` begins again.
    """
    store = kept_passage_store(library.chunks_folder / chunks_fingerprint(card))
    return None if store is None else following(library, store).view()


def index_passages(
    library: Library,
    encoder: PassageReader,
    *,
    first: Set[str] = frozenset(),
    whole: Callable[[], None] | None = None,
    workers: Workers | None = None,
    report: Report = silent,
) -> PassageStore:
    """Read the passages of every document that lacks them, by any workers; stopped midway, it goes on from there.

    Those that are to come `first` do, then long ones; `whole` is called once theirs are kept. Waits while another
    process reads. Damaged passages are read again, because everything in them comes from the library. At the end the
    passages that were read in another way are removed.
    """
    with reading_alone(library, report) as report:
        revision = library.revision()  # before anything is listed: what changes meanwhile is read the next time
        store = _mended(library, library.passages_folder / encoder.fingerprint, encoder.dim)
        store.revision = revision
        store.keep()  # without what has changed: what is read from here on counts at once
        long, missing = set(library.keywords.long_ids), [id_ for id_ in library.ids() if id_ not in store]
        costs = reading_costs(library, missing)
        meter = Meter("read passages", None, report)
        meter.expect(len(missing), work=sum(costs.values()))
        turn = {id_: 0 if id_ in first else 1 if id_ in long else 2 for id_ in missing}
        for now in range(3):
            some = [id_ for id_ in missing if turn[id_] == now]
            if some:
                fill_store(store, library.iter_documents(some), encoder, meter, costs, workers)
            if now == 1 and some and whole is not None:
                whole()
        _keep_only(library, library.passages_folder, encoder.fingerprint)
        return store


def fill_store(
    store: PassageStore,
    documents: Iterable[Document],
    reader: PassageReader,
    meter: Meter,
    costs: Mapping[str, float] = MappingProxyType({}),
    workers: Workers | None = None,
) -> None:
    """Cut and read documents, and keep their passages; the meter counts the documents, with their `costs` by id.

    Workers cut and read them, where there are any, if the reader is the one that comes with Priorscope.
    """
    waiting: list[ReadPassages] = []

    def read() -> Iterator[Sequence[Document]]:
        if workers is not None:
            sent = iter(partial(next_batch, iter(documents), _SENT_DOCUMENTS, _SENT_CHARACTERS), [])
            for batch, passages in read_there(workers, partial(read_passages, reader.fingerprint), sent, meter):
                waiting.extend(passages)
                yield batch
            return
        size = BatchSize(_FIRST_PASSAGES, _PASSAGES_AT_ONCE)
        for some in _batches(documents, reader, size):
            if len(some) == 1:
                rows = _in_parts(reader, *some[0], size, meter, costs.get(some[0][0].id, 0.0))
            else:
                with size.timed():
                    rows = reader.encode(some)
            waiting.extend(_split(some, rows))
            yield [document for document, _ in some]

    def keep() -> None:
        store.add(waiting)
        waiting.clear()

    keep_in_steps(read(), keep, meter, costs)


def read_passages(fingerprint: str, documents: Sequence[Document]) -> list[ReadPassages]:
    """Cut documents and read their passages: the worker's side. Raises EncoderError if it reads in another way."""
    reader = _worker_reader(fingerprint)
    read = [(document, reader.cut(document)) for document in documents]
    return _split(read, reader.encode(read))


@lru_cache(maxsize=1)
def _worker_reader(fingerprint: str) -> PassageEncoder:
    reader = PassageEncoder()
    require_same("of passages", reader.fingerprint, fingerprint)
    return reader


def _split(read: Sequence[tuple[Document, Sequence[Chunk]]], rows: DenseRows) -> list[ReadPassages]:
    """Return each document's passages with their part of the rows (n, dim) of all."""
    ends = accumulate(len(passages) for _, passages in read)
    return [
        ReadPassages(document.id, passages, rows[end - len(passages) : end])
        for (document, passages), end in zip(read, ends, strict=True)
    ]


def _in_parts(
    reader: PassageReader, document: Document, passages: Sequence[Chunk], size: BatchSize, meter: Meter, cost: float
) -> DenseRows:
    """Return the rows (n, dim) of one document's passages; the meter reports between parts, and so may stop."""
    rows: list[DenseRows] = []
    while (start := sum(map(len, rows))) < len(passages) or not rows:
        meter.within(cost * start / max(1, len(passages)))
        with size.timed():
            part = passages[start : start + max(size.now, _FIRST_PASSAGES)]
            rows.append(reader.encode([(document, part)]))
    return np.concatenate(rows)


def _batches(
    documents: Iterable[Document], reader: PassageReader, size: BatchSize
) -> Iterator[list[tuple[Document, Sequence[Chunk]]]]:
    """Yield documents with their passages, as many passages at once as the size is; or one document that has more."""
    some: list[tuple[Document, Sequence[Chunk]]] = []
    count = 0
    for document in documents:
        passages = reader.cut(document)
        if some and count + len(passages) > size.now:
            yield some
            some, count = [], 0
        some.append((document, passages))
        count += len(passages)
    if some:
        yield some


def keep_chunks(library: Library, card: EncoderCard, name: str, read: LongRows) -> None:
    """Keep the chunks that an encoder of a card has read of the document `name`, for its next comparison.

    Damaged chunks that were kept before go. Raises OSError where they cannot be written.
    """
    store = _mended(library, library.chunks_folder / chunks_fingerprint(card), read.rows.shape[1])
    store.revision = library.revision()  # what has changed since the last time is gone from the store
    store.add([ReadPassages(name, read.chunks, read.rows)])


def has_passages_left(library: Library, *, begun: bool = True) -> bool:
    """Return whether passages are not all read as they are now, once any were; without loading what reads them.

    Where they need not be `begun`, those of a library that none was read of count, too, if it holds long documents.
    """
    if not PassageEncoder.is_installed():
        return False
    any_read = has_passages(library)
    due = any_read or (not begun and library.keywords.holds_long)
    return due and _lacks(library, library.passages_folder / PassageEncoder.shipped_fingerprint(), library.ids())


def forget_passages(library: Library) -> None:
    """Take passages and chunks of what the library does not hold from the disk, without loading an encoder."""
    forget_foreign_chunks(library)
    held = set(library.ids())
    for home in (library.passages_folder, library.chunks_folder):
        for folder in kept_folders(home, _stores(library, home)):
            try:
                if (store := kept_passage_store(folder, _stores(library, home))) is not None:
                    store.remove(set(store.ids) - held)
            except (StorageError, VectorServerError) as error:
                _LOG.warning("the passages in %s are left as they are: %s", folder, error)  # the next import mends them


def forget_foreign_chunks(library: Library) -> None:
    """Take what the installed encoder did not read from the library's folder of chunks."""
    _keep_only(library, library.chunks_folder, chunks_fingerprint())


def has_passages(library: Library) -> bool:
    """Return whether the passages of any document were read, by any encoder."""
    return bool(kept_folders(library.passages_folder, _stores(library, library.passages_folder)))


def passages_written(library: Library) -> Hashable:
    """Return what changes whenever passages are written, by any process."""
    home, stores = library.passages_folder, _stores(library, library.passages_folder)
    if stores.vectors:
        return PassageEncoder.is_installed() and rows_written(home / PassageEncoder.shipped_fingerprint(), stores)
    return tuple(stamp(folder) for folder in sorted(home.iterdir())) if home.is_dir() else None


def _stores(library: Library, home: Path) -> Stores:
    """Return where passages lie; chunks, which are read to compare two documents, always in the library's folder."""
    return stores_of(library.folder) if home == library.passages_folder else Stores()


def _open(library: Library, folder: Path, dim: int) -> PassageStore:
    stores = _stores(library, folder.parent)
    return following(library, open_passage_store(folder, fingerprint=folder.name, dim=dim, stores=stores))


def following(library: Library, store: PassageStore) -> PassageStore:
    """Return the store without what the library does not hold, or holds with another text."""
    seen = store.revision if store.revision <= library.revision() else 0
    store.hide([*library.selection(Filters()).lacking(store.ids), *library.revised_since(seen)])
    return store


def _mended(library: Library, folder: Path, dim: int) -> PassageStore:
    """Return what was read, as far as the library still holds it so; nothing where that is damaged."""
    try:
        return _open(library, folder, dim)
    except StorageError as error:
        _LOG.warning("what was read is read again: %s", error)
        remove_rows(folder, _stores(library, folder.parent))
        return _open(library, folder, dim)


def _lacks(library: Library, folder: Path, ids: Collection[str]) -> bool:
    """Return whether the passages of some documents are not all kept in a folder."""
    try:
        store = kept_passage_store(folder, _stores(library, folder.parent))
        return len(ids) > 0 if store is None else not set(ids) <= set(following(library, store).ids)
    except StorageError:
        return True


def _keep_only(library: Library, home: Path, fingerprint: str) -> None:
    """Remove what was read in another way."""
    for folder in kept_folders(home, _stores(library, home)):
        if folder.name != fingerprint:
            with suppress(StorageError):
                remove_rows(folder, _stores(library, home))
