"""What was left out of a file of many entries: one bad entry never refuses the good ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.core.errors import InputError
from engine.documents import Document
from engine.reading.base import identified, require_within
from engine.reading.limits import LIMITS, Limits


class Omissions:
    """Tells `warn` what was left out of a file, reason by reason; the door bounds how many are passed on."""

    def __init__(self, warn: Callable[[str], None], limits: Limits = LIMITS) -> None:
        """Begin with a file, before anything is left out; `limits` hold for each of its documents."""
        self.tell = warn
        self._limits = limits
        self._first: InputError | None = None
        self._read = 0

    def entry(self, error: InputError) -> None:
        """An entry was left out, and why."""
        self._first = self._first or error
        self.tell(f"An entry was left out. {error}")

    def value(self, error: InputError) -> None:
        """A value was left out of an entry, and why."""
        self._first = self._first or error
        self.tell(f"A value was left out. {error}")

    def documents(self, entry: Iterable[Document], place: str) -> list[Document]:
        """The documents of one entry, as they are read; one that fails or is too large is left out.

        `place` names the entry in the error for a document beyond the limits.
        """
        found: list[Document] = []
        try:
            found.extend(identified(require_within(document, place, self._limits)) for document in entry)
        except InputError as error:
            self.entry(error)
        self._read += len(found)
        return found

    def finish(self) -> None:
        """End the file. Raises the first error where no entry at all could be read."""
        if self._first is not None and not self._read:
            raise self._first
