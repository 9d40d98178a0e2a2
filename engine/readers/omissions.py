"""What was left out of a file of many entries: one bad entry never refuses the good ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.documents import Document
from engine.errors import InputError

_MOST = 20


class Omissions:
    """Tells `warn` what was left out of a file: the first reasons one by one, the others as a number at the end."""

    def __init__(self, name: str, warn: Callable[[str], None]) -> None:
        """Begin with a file of that name, before anything is left out."""
        self._name, self._warn = name, warn
        self._first: InputError | None = None
        self._count = self._read = 0

    def tell(self, reason: str) -> None:
        """Warn of what was left out; beyond the first ones they are only counted."""
        self._count += 1
        if self._count <= _MOST:
            self._warn(reason)

    def entry(self, error: InputError) -> None:
        """An entry was left out, and why."""
        self._first = self._first or error
        self.tell(f"An entry was left out. {error}")

    def value(self, error: InputError) -> None:
        """A value was left out of an entry, and why."""
        self.tell(f"A value was left out. {error}")

    def documents(self, entry: Iterable[Document]) -> list[Document]:
        """The documents of one entry, as they are read; where that fails, the entry is left out."""
        found: list[Document] = []
        try:
            found.extend(entry)
        except InputError as error:
            self.entry(error)
        self._read += len(found)
        return found

    def finish(self) -> None:
        """Say how many reasons were not told. Raises the first error where no entry at all could be read."""
        if self._first is not None and not self._read:
            raise self._first
        if self._count > _MOST:
            self._warn(f"{self._count - _MOST:,} more entries or values of {self._name} were left out.")
