"""Reads the passages of a library's documents: those that are missing, or whose text has changed."""

from __future__ import annotations

import logging
import shutil

from engine.errors import StorageError
from engine.library import Library
from engine.passages import PassageStore
from engine.passages.encoder import PassageEncoder, passages_fingerprint
from engine.passages.filling import fill
from engine.progress import Meter, Report, silent

_LOG = logging.getLogger(__name__)


def open_passages(library: Library, encoder: PassageEncoder) -> PassageStore:
    """The passages of the library's documents as far as they were read; of a document that has changed, none.

    Raises StorageError where the list of passages is damaged; `index_passages` reads them again.
    """
    folder = library.passages_folder / encoder.fingerprint
    store = PassageStore(folder, fingerprint=encoder.fingerprint, dim=encoder.dim)
    seen = store.revision if store.revision <= library.revision() else 0
    gone = set(store.ids).difference(library.ids()).union(library.revised_since(seen))
    store.hide(gone)
    return store


def index_passages(library: Library, encoder: PassageEncoder, *, report: Report = silent) -> PassageStore:
    """Read the passages of every document that lacks them; stopped midway, it goes on from there.

    Damaged passages are read again, because everything in them comes from the library. At the end the passages that
    were read in another way are removed.
    """
    revision = library.revision()  # before the store is opened: what changes meanwhile is read the next time
    try:
        store = open_passages(library, encoder)
    except StorageError as error:
        _LOG.warning("passages are read again: %s", error)
        shutil.rmtree(library.passages_folder / encoder.fingerprint)
        store = open_passages(library, encoder)
    meter = Meter("read passages", len(library) - len(store), report)
    fill(store, (document for document in library.iter_documents() if document.id not in store), encoder, meter)
    store.revision = revision
    store.keep()
    for folder in library.passages_folder.iterdir():
        if folder.name != encoder.fingerprint:
            shutil.rmtree(folder, ignore_errors=True)
    return store


def has_passages_left(library: Library) -> bool:
    """Whether passages are not all read as they are now, once any were; without loading what reads them."""
    folder = library.passages_folder / passages_fingerprint()
    if not folder.is_dir():
        return library.passages_folder.is_dir() and any(library.passages_folder.iterdir())
    try:
        return len(PassageStore.kept(folder)) < len(library)
    except StorageError:
        return True


def forget_passages(library: Library) -> None:
    """Take the passages of what the library does not hold from the disk, without loading the encoder."""
    held = set(library.ids())
    if not library.passages_folder.is_dir():
        return
    for folder in library.passages_folder.iterdir():
        try:
            store = PassageStore.kept(folder)
            store.remove(set(store.ids) - held)
        except StorageError as error:
            _LOG.warning("the passages in %s are left as they are: %s", folder, error)  # the next import mends them
