"""Documents that callers sent to ask with: kept in memory for a day, each for the token that sent it alone."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass

from engine.core.errors import UnknownDocumentError
from engine.reading import ReadFile

_MOST_BYTES = 200_000_000
_HOURS = 24


@dataclass(frozen=True, slots=True)
class Upload:
    """What was read of a file, the digest of the token that sent it, the bytes that it counts for, and when."""

    reading: ReadFile
    owner: str
    bytes: int
    when: float


class Uploads:
    """The documents of all callers, 200 MB of them at most and a day at most; the one used last goes last."""

    def __init__(self) -> None:
        """Begin with none."""
        self._held: OrderedDict[str, Upload] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, reading: ReadFile, owner: str, size: int) -> str:
        """Keep what was read of a file of some bytes for its owner; returns the name that nobody can guess."""
        name, size = secrets.token_urlsafe(16), max(size, len(reading.document.text))
        with self._lock:
            self._held[name] = Upload(reading, owner, size, time.monotonic())
            while len(self._held) > 1 and sum(one.bytes for one in self._held.values()) > _MOST_BYTES:
                self._held.popitem(last=False)
        return name

    def find(self, name: str, owner: str) -> ReadFile:
        """Return what was read. Raises UnknownDocumentError for a name of nobody's, or of another's."""
        with self._lock:
            held = self._held.get(name)
            if held is None or held.owner != owner or time.monotonic() - held.when > _HOURS * 3_600:
                raise UnknownDocumentError(
                    f"Expected an upload of yours, got {name[:40]!r}; they are kept for a day, while the server runs. "
                    "Send the file again."
                )
            self._held.move_to_end(name)
            return held.reading

    def forget(self, name: str, owner: str) -> None:
        """Forget an upload. Raises UnknownDocumentError as `find` does."""
        self.find(name, owner)
        with self._lock:
            self._held.pop(name, None)
