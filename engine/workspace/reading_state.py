"""How far a library is read, as its folder says now, and who reads it; loads no encoder and no row."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from engine.core import files
from engine.core.errors import StorageError
from engine.core.progress import Progress, Report
from engine.encoders import EncoderCard
from engine.library import Library
from engine.vectors import kept_ids

_LOG = logging.getLogger(__name__)
_LOCK = "reading.lock"
_SECONDS_BETWEEN_LOOKS = 0.2


def unread_ids(library: Library, card: EncoderCard) -> set[str]:
    """Return the documents without a row by the encoder of a card, as the disk says now; loads no row.

    Raises StorageError where the list of rows is damaged.
    """
    kept = kept_ids(library.vectors_folder(card.name) / card.fingerprint) if card.fingerprint else []
    return set(library.ids()).difference(kept).union(outdated_ids(library, card))


def outdated_ids(library: Library, card: EncoderCard) -> list[str]:
    """Return the ids of documents whose text has changed since the index's vectors were made.

    If that is unknown, because the kept file is damaged or of another database, they are all that ever changed.
    """
    path = revision_file(library, card)
    try:
        seen = int(files.read_json(path)["revision"]) if path.is_file() else 0
    except (StorageError, KeyError, TypeError, ValueError) as error:
        _LOG.warning("changed texts are encoded again: %s", error)
        seen = 0
    return library.revised_since(seen if seen <= library.revision() else 0)


def revision_file(library: Library, card: EncoderCard) -> Path:
    """Return the file with the last revision of the library that the index holds; missing until a text changes."""
    return library.vectors_folder(card.name) / f"{card.fingerprint}.json"


@contextmanager
def reading_alone(library: Library, report: Report) -> Iterator[None]:
    """Let no other process read the library's documents within the block, since the last to write would win.

    Waits for one that does; `report` hears of it, and may raise to give up. Where nothing can be locked, as in a folder
    that cannot be written to, nobody waits.
    """
    lock, since = FileLock(library.folder / _LOCK, mode=0o600), time.monotonic()
    while True:
        try:
            lock.acquire(timeout=_SECONDS_BETWEEN_LOOKS)
        except Timeout:
            waited = time.monotonic() - since
            report(Progress("wait for another process that reads the library", 0, None, waited, passing=True))
            continue
        except (OSError, NotImplementedError) as error:
            _LOG.info("the library is read without a lock: %s", error)
        break
    try:
        yield
    finally:
        lock.release()


def is_being_read(library: Library) -> bool:
    """Tell whether any process, this one included, reads the library's documents now."""
    lock = FileLock(library.folder / _LOCK, mode=0o600)
    if not (library.folder / _LOCK).exists():
        return False
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return False
    lock.release()
    return False
