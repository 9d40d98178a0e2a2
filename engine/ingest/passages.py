"""Reads the passages of a library's documents, and the chunks of whole ones: what is missing or has changed."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from engine.encoders.base import EncoderCard
from engine.errors import StorageError
from engine.ingest.costs import reading_costs
from engine.library import Library
from engine.passages import PassageStore, PassageView, chunks
from engine.passages.encoder import KnownReader, PassageEncoder, passages_fingerprint
from engine.passages.filling import fill
from engine.progress import Meter, Report, silent

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be kept below `home`: the passages of some documents, with the texts that they have at a revision."""

    home: Path
    ids: frozenset[str]
    revision: int
    stage: str


def open_passages(library: Library, encoder: KnownReader) -> PassageStore:
    """The passages of the library's documents as far as they were read; of a document that has changed, none.

    Raises StorageError where the list of passages is damaged; `index_passages` reads them again.
    """
    return _open(library, library.passages_folder, encoder)


def chunk_view(library: Library, card: EncoderCard) -> PassageView | None:
    """The chunks of the library's whole documents as far as an encoder has read them; None before it has any.

    Raises StorageError where their list is damaged; `index_chunks` reads them again.
    """
    folder = library.chunks_folder / chunks.chunks_fingerprint(card)
    return _following(library, PassageStore.kept(folder)).view() if folder.is_dir() else None


def index_passages(library: Library, encoder: PassageEncoder, *, report: Report = silent) -> PassageStore:
    """Read the passages of every document that lacks them; stopped midway, it goes on from there.

    Damaged passages are read again, because everything in them comes from the library. At the end the passages that
    were read in another way are removed.
    """
    revision = library.revision()  # before anything is listed: what changes meanwhile is read the next time
    wanted = _Wanted(library.passages_folder, frozenset(library.ids()), revision, "read passages")
    return _index(library, encoder, wanted, report)


def index_chunks(library: Library, reader: KnownReader, *, report: Report = silent) -> PassageStore:
    """Read the chunks of every whole document that lacks them, as `index_passages` does."""
    revision = library.revision()
    whole = frozenset(library.keywords.long_ids)
    wanted = _Wanted(library.chunks_folder, whole, revision, "read whole documents for Compare")
    return _index(library, reader, wanted, report)


def has_passages_left(library: Library) -> bool:
    """Whether passages or chunks are not all read as they are now, once any were; without loading what reads them."""
    begun = library.passages_folder.is_dir() and any(library.passages_folder.iterdir())
    return begun and (
        _lacks(library, library.passages_folder / passages_fingerprint(), library.ids()) or has_chunks_left(library)
    )


def has_chunks_left(library: Library) -> bool:
    """Whether whole documents lack the chunks by which they are compared; never in a library of abstracts."""
    if not chunks.is_there() or not library.keywords.holds_long:
        return False
    return _lacks(library, library.chunks_folder / chunks.shipped_fingerprint(), library.keywords.long_ids)


def forget_passages(library: Library) -> None:
    """Take passages and chunks of what the library does not hold from the disk, without loading an encoder."""
    forget_foreign_chunks(library)
    held = set(library.ids())
    for home in (library.passages_folder, library.chunks_folder):
        for folder in home.iterdir() if home.is_dir() else ():
            try:
                store = PassageStore.kept(folder)
                store.remove(set(store.ids) - held)
            except StorageError as error:
                _LOG.warning("the passages in %s are left as they are: %s", folder, error)  # the next import mends them


def forget_foreign_chunks(library: Library) -> None:
    """Take what the installed encoder did not read from the library's folder of chunks."""
    _keep_only(library.chunks_folder, chunks.shipped_fingerprint() if chunks.is_there() else "")


def _open(library: Library, home: Path, reader: KnownReader) -> PassageStore:
    store = PassageStore(home / reader.fingerprint, fingerprint=reader.fingerprint, dim=reader.dim)
    return _following(library, store)


def _following(library: Library, store: PassageStore) -> PassageStore:
    """The store without what the library does not hold, or holds with another text."""
    seen = store.revision if store.revision <= library.revision() else 0
    store.hide(set(store.ids).difference(library.ids()).union(library.revised_since(seen)))
    return store


def _index(library: Library, reader: KnownReader, wanted: _Wanted, report: Report) -> PassageStore:
    """Read what is missing, and forget everything else below the folder."""
    try:
        store = _open(library, wanted.home, reader)
    except StorageError as error:
        _LOG.warning("passages are read again: %s", error)
        shutil.rmtree(wanted.home / reader.fingerprint)
        store = _open(library, wanted.home, reader)
    store.hide(set(store.ids) - wanted.ids)
    if missing := wanted.ids.difference(store.ids):
        documents = (document for document in library.iter_documents() if document.id in missing)
        costs = reading_costs(library, missing)
        meter = Meter(wanted.stage, None, report)
        meter.expect(len(missing), work=sum(costs.values()))
        fill(store, documents, reader, meter, costs)
    store.revision = wanted.revision
    store.keep()
    _keep_only(wanted.home, reader.fingerprint)
    return store


def _lacks(library: Library, folder: Path, ids: Collection[str]) -> bool:
    """Whether the passages of some documents are not all kept in a folder."""
    if not folder.is_dir():
        return len(ids) > 0
    try:
        return not set(ids) <= set(_following(library, PassageStore.kept(folder)).ids)
    except StorageError:
        return True


def _keep_only(home: Path, fingerprint: str) -> None:
    """Remove what was read in another way."""
    for folder in home.iterdir() if home.is_dir() else ():
        if folder.name != fingerprint:
            shutil.rmtree(folder, ignore_errors=True)
