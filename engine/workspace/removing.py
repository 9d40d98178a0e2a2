"""Takes documents out of a library and their vectors out of every encoder's index."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence

from engine import encoders
from engine.core.errors import EncoderError, StorageError, VectorIndexError
from engine.encoders import EncoderCard
from engine.library import Library
from engine.vectors import IndexKind, open_index
from engine.workspace.passages import forget_passages

_LOG = logging.getLogger(__name__)


def remove_documents(library: Library, ids: Sequence[str]) -> list[str]:
    """Take documents out; returns the ids under which they were held. Raises UnknownDocumentError for one that is not.

    An open search or map keeps what it has until it is opened again. A stored map leaves the documents out when it is
    next opened, and nothing else on it moves.
    """
    gone = library.remove(ids)
    _forget_vectors(library)
    return gone


def remove_file(library: Library, key: str) -> list[str]:
    """Take a file out with the documents that came with no other; returns their ids.

    Raises LibraryError if the library has no such file, or if it was imported before the library recorded which
    documents come with a file.
    """
    gone = library.remove_file(key)
    _forget_vectors(library)
    return gone


def _forget_vectors(library: Library) -> None:
    """Take the vectors of what the library does not hold out of every encoder's index, without loading encoders."""
    forget_passages(library)
    held = set(library.ids())
    for name in encoders.encoder_names():
        folder = library.vectors_folder(name)
        if not folder.is_dir():
            continue
        if not held:
            shutil.rmtree(folder)
            continue
        try:
            _keep_only(held, library, name)
        except (StorageError, VectorIndexError, EncoderError) as error:
            _LOG.warning("the vectors of %s are left as they are: %s", name, error)  # the next import mends them


def _keep_only(held: set[str], library: Library, name: str) -> None:
    card = _card(library, name)
    folder = library.vectors_folder(name) / card.fingerprint
    if not card.fingerprint or not folder.is_dir():
        return
    kind: IndexKind = "sparse" if card.sparse else "embedded"
    index = open_index(folder, fingerprint=card.fingerprint, dim=card.dim, kind=kind, precision=card.stored)
    if gone := set(index.ids) - held:
        index.remove(gone)
        index.flush()


def _card(library: Library, name: str) -> EncoderCard:
    """Return the card of the encoder that learnt from this library, or else of the shipped one."""
    fitted = library.encoder_folder(name)
    return encoders.read_card(fitted)[0] if fitted.is_dir() else encoders.find(name).card
