"""How long an import still takes: files of one kind take alike, by number or by size, and other kinds otherwise.

A PDF of 2 MB takes seconds, a table of 2 MB a moment, and a count of files says nothing where one of them is as large
as all others. So each kind, told by its extension, has a pace of its own. Nothing is said until it is known.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

_FEWEST_SECONDS = 4.0
"""A pace is not known before this much time has passed."""
_LEAST_SHARE = 0.03
"""Of a file, before its own pace counts."""
_FEWEST_FILES = 4
_MOST_SPREAD = 0.15
"""How far the mean time of a file may be off, as a share of it, by what its files took so far (standard error)."""
_AGREEMENT = 4 / 3
"""The pace by number and that by size differ at most by this factor where neither is known to be right."""
_SMALL = 0.04
"""A kind with no more than this share of what is left, by number and by size, takes as long as the others."""


@dataclass(slots=True)
class _Kind:
    """The files of an extension: those left, and what those done have taken."""

    files: int = 0
    size: int = 0
    files_done: int = 0
    size_done: int = 0
    seconds: float = 0.0
    squares: float = 0.0
    streamed: bool = False
    since: float = 0.0
    """Seconds that passed since all this was so."""

    def took(self, size: int, seconds: float) -> None:
        self.files_done += 1
        self.size_done += size
        self.seconds += seconds
        self.squares += seconds * seconds

    def left(self) -> float | None:
        """The seconds that its files still take; None where that is not known."""
        if not self.files:
            return 0.0
        by_size = self.seconds * self.size / self.size_done if self.size_done else math.inf
        if self.streamed and self.seconds >= _FEWEST_SECONDS / 2:
            return max(0.0, by_size - self.since)
        if self.files_done < _FEWEST_FILES or self._spread() > _MOST_SPREAD:
            return None
        by_number = self.seconds * self.files / self.files_done
        low, high = sorted((by_number, by_size))
        return max(0.0, (low + high) / 2 - self.since) if high <= _AGREEMENT * low else None

    def _spread(self) -> float:
        """The standard error of the mean, as a share of the mean."""
        mean = self.seconds / self.files_done
        variance = max(0.0, self.squares / self.files_done - mean * mean)
        return math.sqrt(variance / self.files_done) / mean if mean else 0.0


class Pace:
    """Follows an import file by file, and says how many seconds are left."""

    def __init__(self, files: Iterable[Path], clock: Callable[[], float] = time.monotonic) -> None:
        """Begin before the first of these files."""
        self._clock = clock
        self._begun = self._file_begun = clock()
        self._kinds: dict[str, _Kind] = {}
        self._sizes: dict[Path, int] = {}
        self._current: Path | None = None
        self._share, self._shared = 0.0, self._begun
        for path in files:
            self._sizes[path] = _size(path)
            kind = self._kinds.setdefault(path.suffix.lower(), _Kind())
            kind.files += 1
            kind.size += self._sizes[path]

    def begin(self, path: Path) -> None:
        """The next file is read."""
        self._current, self._share, self._file_begun = path, 0.0, self._clock()
        kind = self._kinds[path.suffix.lower()]
        kind.files -= 1
        kind.size -= self._sizes[path]

    def within(self, share: float) -> None:
        """This share of the file, by its size, has been read."""
        self._share, self._shared = max(self._share, share), self._clock()

    def end(self, *, known: bool) -> None:
        """The file is done; one that was `known` before was not read, and says nothing of others."""
        if self._current is not None and not known:
            kind = self._kinds[self._current.suffix.lower()]
            kind.streamed = kind.streamed or self._share > 0
            kind.took(self._sizes[self._current], self._clock() - self._file_begun)
        self._current = None

    def seconds_left(self) -> float | None:
        """The seconds until the last file is done; None while that is not known."""
        now = self._clock()
        if now - self._begun < _FEWEST_SECONDS:
            return None
        total = 0.0
        kinds = [self._with_current(extension, kind, now) for extension, kind in self._kinds.items()]
        files, size = (sum(getattr(kind, name) for kind in kinds) for name in ("files", "size"))
        unknown = 0
        for kind in kinds:
            left = kind.left()
            if left is not None:
                total += left
            elif kind.files <= _SMALL * files and kind.size <= _SMALL * size:
                unknown += kind.files
            else:
                return None
        return total * files / max(1, files - unknown) if files else total

    def _with_current(self, extension: str, kind: _Kind, now: float) -> _Kind:
        """A kind with the file that is read: what of it is read counts as done, and the rest as left."""
        if self._current is None or self._current.suffix.lower() != extension:
            return kind
        size = self._sizes[self._current]
        if self._share >= _LEAST_SHARE:
            read = int(self._share * size)
            took = self._shared - self._file_begun
            left = replace(
                kind, files=kind.files + 1, size=kind.size + size - read, streamed=True, since=now - self._shared
            )
            return replace(left, size_done=kind.size_done + read, seconds=kind.seconds + took)
        return replace(kind, files=kind.files + 1, size=kind.size + size, since=now - self._file_begun)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
