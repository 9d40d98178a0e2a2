"""What the processes that use a library share beside its documents: small values, and locks for what one alone does.

They lie in the library's folder. Where its documents are on a server, values are there, too; so are locks where vectors
are on a server as well, because else each machine reads the library for itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from weakref import finalize

from filelock import FileLock

from engine.core.files import keep_private, read_json, stamp, write_json
from engine.core.stores import stores_of
from engine.library.connections import upsert

if TYPE_CHECKING:
    from engine.library.postgres import PostgresDatabase


_REMEDY = "Bring it back from a backup, or remove it and make again what it held."
_READ = "SELECT value FROM shared WHERE name = ?"


class SharedValue(Protocol):
    """A small value of JSON under a name."""

    def stamp(self) -> Hashable:
        """Return what changes whenever the value does; None before the first. Raises StorageError."""

    def read(self) -> Any:  # noqa: ANN401 - JSON is any value; callers check its shape
        """Return the value; None before the first. Raises StorageError where it is damaged."""

    def change(self, edit: Callable[[Any], Any]) -> None:
        """Put what `edit` makes of the value in its place; nobody else changes it meanwhile. Raises StorageError."""


class SharedLock(Protocol):
    """A lock that one process holds; it is let go when that ends, however it ends."""

    def acquire(self, timeout: float | None = None, *, blocking: bool | None = None) -> object:
        """Take the lock within seconds, or at once. Raises Timeout where another holds it, OSError, StorageError."""

    def release(self) -> None:
        """Let it go, if it is held."""


def shared_value(folder: Path, name: str) -> SharedValue:
    """Return the value of a name, which is a file's, of the library in a folder; nothing is read yet."""
    address = stores_of(folder).documents
    return _Row(address, name) if address else _File(folder / name)


def shared_lock(folder: Path, name: str) -> SharedLock:
    """Return the lock of a name, which is a file's, of the library in a folder."""
    stores = stores_of(folder)
    if stores.documents and stores.vectors:
        from engine.library.postgres import ServerLock

        return ServerLock(stores.documents, name)
    return FileLock(folder / name, mode=0o600)


class _File:
    """A value in a file, closed to others."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def stamp(self) -> Hashable:
        return stamp(self._path)

    def read(self) -> Any:  # noqa: ANN401 - JSON is any value
        return None if self.stamp() is None else read_json(self._path, remedy=_REMEDY)

    def change(self, edit: Callable[[Any], Any]) -> None:
        with FileLock(f"{self._path}.lock", mode=0o600):
            write_json(self._path, edit(self.read()))
            keep_private(self._path)


class _Row:
    """A value in a row of a server's table."""

    def __init__(self, address: str, name: str) -> None:
        self._address, self._name = address, name
        self._opened: PostgresDatabase | None = None

    def stamp(self) -> Hashable:
        with self._database.read() as connection:
            found: tuple[str] | None = connection.execute(_READ, (self._name,)).fetchone()
        return found

    def read(self) -> Any:  # noqa: ANN401 - JSON is any value
        found = self.stamp()
        return json.loads(found[0]) if isinstance(found, tuple) else None

    def change(self, edit: Callable[[Any], Any]) -> None:
        with self._database.write() as connection:
            found = connection.execute(_READ, (self._name,)).fetchone()
            value = json.dumps(edit(json.loads(found[0]) if found else None), ensure_ascii=False)
            connection.execute(upsert("shared", "name", "value"), (self._name, value))

    @property
    def _database(self) -> PostgresDatabase:
        if self._opened is None:
            from engine.library.postgres import PostgresDatabase

            self._opened = PostgresDatabase(self._address)
            finalize(self, self._opened.close)
        return self._opened
