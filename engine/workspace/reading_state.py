"""How far a library is read, as its folder says now, and who reads it; loads no encoder and no row.

One process reads at a time, and holds a lock of the folder meanwhile; the system lets go of it when the process ends,
however it ends. Two more locks are signs to other processes: that files are being imported, so that nobody else begins
to read what comes in, and that a question is being answered, for which who reads waits a moment.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from engine.core import files
from engine.core.errors import StorageError
from engine.core.progress import Progress, Report
from engine.core.stores import Stores, stores_of
from engine.encoders import EncoderCard
from engine.library import Library, SharedLock, shared_lock
from engine.vectors import keep_revision, kept_ids, mark_of_list, seen_revision

_LOG = logging.getLogger(__name__)
_READING, _IMPORTING, _ASKING = "reading.lock", "importing.lock", "asking.lock"
WAITING = "wait for another process that reads the library"
_SECONDS_BETWEEN_LOOKS = 0.2
_GIVES_WAY_SECONDS = 10.0
"""A question is answered within half of it, alone on two cores."""


def unread_ids(library: Library, card: EncoderCard) -> set[str]:
    """Return the documents without a row by the encoder of a card, as the disk says now; loads no row.

    Raises StorageError where the list of rows is damaged.
    """
    if _is_noted_whole(library, card):
        return set()
    folder = library.vectors_folder(card.name) / card.fingerprint
    kept = kept_ids(folder, row_stores(library, card)) if card.fingerprint else []
    return set(library.ids()).difference(kept).union(outdated_ids(library, card))


def outdated_ids(library: Library, card: EncoderCard) -> list[str]:
    """Return the ids of documents whose text has changed since the index's vectors were made.

    If that is unknown, because the kept file is damaged or of another database, they are all that ever changed.
    """
    path, stores = _revision_file(library, card), row_stores(library, card)
    try:
        if stores.vectors:
            seen = seen_revision(library.vectors_folder(card.name) / card.fingerprint, stores)
        else:
            seen = int(files.read_json(path)["revision"]) if path.is_file() else 0
    except (StorageError, KeyError, TypeError, ValueError) as error:
        _LOG.warning("changed texts are encoded again: %s", error)
        seen = 0
    return library.revised_since(seen if seen <= library.revision() else 0)


def keep_seen(library: Library, card: EncoderCard, revision: int) -> None:
    """Write the last revision of the library that the index of an encoder holds."""
    path, stores = _revision_file(library, card), row_stores(library, card)
    if stores.vectors:
        keep_revision(library.vectors_folder(card.name) / card.fingerprint, stores, revision)
    elif revision or path.is_file():
        files.write_json(path, {"revision": revision})


def note_whole(library: Library, card: EncoderCard, version: int) -> None:
    """Note that an index in the library's folder holds all that the library held at a version.

    While neither changes, nobody compares a million ids to find that none is unread.
    """
    if not row_stores(library, card).vectors and library.version() == version:
        path = _revision_file(library, card)
        held = files.read_json(path) if path.is_file() else {"revision": 0}
        files.write_json(path, {**held, "version": version, "rows": _mark_of_rows(library, card)})


def _is_noted_whole(library: Library, card: EncoderCard) -> bool:
    path = _revision_file(library, card)
    if not card.fingerprint or row_stores(library, card).vectors or not path.is_file():
        return False
    with suppress(StorageError, AttributeError):  # a damaged note says nothing
        held, mark = files.read_json(path), _mark_of_rows(library, card)
        return mark is not None and held.get("version") == library.version() and held.get("rows") == mark
    return False


def _mark_of_rows(library: Library, card: EncoderCard) -> list[int] | None:
    return mark_of_list(library.vectors_folder(card.name) / card.fingerprint)


def row_stores(library: Library, card: EncoderCard) -> Stores:
    """Return where an encoder's rows lie: those of a sparse method always in the library's folder."""
    return Stores() if card.sparse else stores_of(library.folder)


def _revision_file(library: Library, card: EncoderCard) -> Path:
    """Return the file with the last revision of the library that the index holds; missing until a text changes."""
    return library.vectors_folder(card.name) / f"{card.fingerprint}.json"


@contextmanager
def reading_alone(library: Library, report: Report) -> Iterator[Report]:
    """Let no other process read the library's documents within the block, since the last to write would win.

    Waits for one that does; `report` hears of it, and may raise to give up. Where nothing can be locked, as in a folder
    that cannot be written to, nobody waits. Report progress to what the block gets: it waits for questions first.
    """
    lock, since = _lock(library.folder, _READING), time.monotonic()

    def after_questions(progress: Progress) -> None:
        _give_way(library.folder)
        report(progress)

    try:
        while True:
            try:
                lock.acquire(timeout=_SECONDS_BETWEEN_LOOKS)
            except Timeout:
                report(Progress(WAITING, 0, None, time.monotonic() - since, passing=True))
                continue
            except (OSError, NotImplementedError) as error:
                _LOG.info("the library is read without a lock: %s", error)
            break
        yield after_questions
    finally:
        lock.release()


def importing(library: Library) -> AbstractContextManager[None]:
    """Let other processes know within the block that files are imported, and then read."""
    return _sign(library.folder, _IMPORTING)


def asking(library: Library) -> AbstractContextManager[None]:
    """Let a process that reads the library wait for a question that is answered within the block."""
    return _sign(library.folder, _ASKING)


def is_being_read(library: Library) -> bool:
    """Tell whether any process, this one included, reads the library's documents now."""
    return _is_held(library.folder, _READING)


def may_be_read(library: Library) -> bool:
    """Tell whether what is unread may be read now: no process reads or imports, and the folder can be written to."""
    return not is_worked_on(library.folder) and os.access(library.folder, os.W_OK)


def is_worked_on(folder: Path) -> bool:
    """Tell whether any process imports into the library in a folder, or reads its documents now."""
    return any(_is_held(folder, name) for name in (_READING, _IMPORTING))


def _lock(folder: Path, name: str) -> SharedLock:
    """Return a lock of a library; a question is answered by one machine, and only its own processes give way."""
    return FileLock(folder / name, mode=0o600) if name == _ASKING else shared_lock(folder, name)


@contextmanager
def _sign(folder: Path, name: str) -> Iterator[None]:
    """Hold a lock within the block; go on without where another process holds it, or nothing can be locked."""
    lock = _lock(folder, name)
    with suppress(OSError, NotImplementedError):
        lock.acquire(blocking=False)
    try:
        yield
    finally:
        lock.release()


def _is_held(folder: Path, name: str) -> bool:
    lock = _lock(folder, name)
    if isinstance(lock, FileLock) and not (folder / name).exists():
        return False
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return False
    finally:
        lock.release()
    return False


def _give_way(folder: Path) -> None:
    """Wait while another process answers a question, but not for long."""
    if not (folder / _ASKING).exists():
        return
    lock = _lock(folder, _ASKING)
    with suppress(OSError, NotImplementedError):
        lock.acquire(timeout=_GIVES_WAY_SECONDS)
    lock.release()
