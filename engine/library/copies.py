"""The copies of imported PDFs that a library keeps, so that a passage can be shown on its page.

A copy's name is the sha256 of its content, whatever the file was called. Its folder may be deleted at any time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from engine.core import files
from engine.core.errors import StorageError

_KEY = re.compile(r"[0-9a-f]{64}")
_ENDING = ".pdf"


class CopiesTotal(NamedTuple):
    """How many copies are kept, and their size in bytes."""

    files: int
    bytes: int


class Copies:
    """The copies in a folder, and whether more are wanted: by the library's setting, and by this process."""

    def __init__(self, folder: Path, setting: Path) -> None:
        """Keep copies in a folder, which is made with the first; the setting is a file beside it."""
        self.folder = folder
        self._setting = setting
        self._paused = False

    @property
    def are_wanted(self) -> bool:
        """Whether imports copy each PDF: yes, unless that was switched off."""
        try:
            return self.setting()
        except StorageError:
            return True

    def setting(self) -> bool:
        """Return what was switched on or off, on by itself. Raises StorageError where the file of it is damaged."""
        remedy = "Remove it, and say again whether imports keep copies: `priorscope library --copies off`."
        told = files.read_json(self._setting, remedy=remedy) if self._setting.exists() else {"keep": True}
        if not isinstance(told, dict) or "keep" not in told:
            raise StorageError(f"Expected in {self._setting} whether copies are kept, found something else. {remedy}")
        return bool(told["keep"])

    def want(self, on: bool) -> None:
        """Switch copying on or off for the imports to come; kept copies stay. Raises StorageError."""
        files.write_json(self._setting, {"keep": on})

    def pause(self) -> None:
        """Stop copying while this library is open, whatever its setting."""
        self._paused = True

    def keep(self, key: str, path: Path) -> bool:
        """Copy a PDF, unless it is kept already or copying is off; says whether it is kept now.

        `key` is the sha256 that the file had; one that has changed since is not kept. Raises StorageError if the copy
        cannot be written, OSError if the file cannot be read.
        """
        if self.holds(key):
            return True
        if self._paused or not self.are_wanted:
            return False
        data = path.read_bytes()
        if files.sha256_bytes(data) != key:
            return False
        files.write_bytes(self._path(key), data)
        return True

    def holds(self, key: str) -> bool:
        """Return whether there is a copy of the file with this sha256."""
        return bool(_KEY.fullmatch(key)) and self._path(key).is_file()

    def read(self, key: str) -> bytes:
        """Return the content of a copy. Raises StorageError if it is gone, or is not what was kept."""
        data = b""
        if self.holds(key):
            try:
                data = self._path(key).read_bytes()
            except OSError:
                data = b""
        if files.sha256_bytes(data) != key:
            raise StorageError(
                f"Expected a copy of the PDF {key[:12]}… in {self.folder}; it is missing or damaged. Import the file "
                "again to show its pages."
            )
        return data

    def total(self) -> CopiesTotal:
        """Return how many copies there are, and how large they are together."""
        sizes = [path.stat().st_size for path in self._paths()]
        return CopiesTotal(len(sizes), sum(sizes))

    def keys(self) -> list[str]:
        """Return the sha256 of each copy."""
        return [path.stem for path in self._paths()]

    def drop(self, keys: Iterable[str]) -> None:
        """Remove some copies."""
        for key in keys:
            if self.holds(key):
                self._path(key).unlink(missing_ok=True)

    def _paths(self) -> Iterator[Path]:
        return (path for path in self.folder.glob(f"*{_ENDING}") if _KEY.fullmatch(path.stem))

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{_ENDING}"
