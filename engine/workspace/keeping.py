"""What a person's work leaves in the library's folder so that it is not lost: sealed files, and how long they stay.

Each file lies under a keyed hash of its content. The key is random and lies in the same folder, so that a name, which
may stand in a link, tells nothing of the content to who has not that folder, and a file that was changed is noticed.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.config import from_mapping
from engine.core.errors import ConfigError, StorageError
from engine.core.files import keyed_digest, read_json, write_bytes, write_json, write_once

FOLDER = "kept"
"""The folder in the library's; removing it forgets everything that was kept."""
_KEY = re.compile("[0-9a-f]{32}")
_SECRET_BYTES = 32
_DAY_SECONDS = 86_400.0
_ENCODING = ("utf-8", "surrogatepass")


MOST_KEPT = {"days": 3_650, "megabytes": 100_000, "documents": 100_000}
"""The highest value of each limit; the lowest is 1."""


@dataclass(frozen=True, slots=True)
class KeepingSettings:
    """Whether anything is kept, for how many days after its last use, and how many own documents and megabytes of them.

    Raises ValueError for a limit out of its range (`MOST`).
    """

    remember: bool = True
    days: int = 30
    megabytes: int = 200
    documents: int = 1_000

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, most in MOST_KEPT.items():
            if not 1 <= (value := getattr(self, name)) <= most:
                raise ValueError(f"{name} must be from 1 to {most:,}, got {value:,}")

    @property
    def since(self) -> float:
        """What was not used since then is forgotten, in seconds since the epoch."""
        return time.time() - self.days * _DAY_SECONDS

    @property
    def bytes(self) -> int:
        """The limit in bytes."""
        return self.megabytes * 1_000_000


def keeping_settings(library: Path) -> KeepingSettings:
    """The settings of the library in a folder. Raises ConfigError or StorageError if their file is damaged."""
    path = _settings_file(library)
    return from_mapping(read_json(path), KeepingSettings, origin=path.name) if path.exists() else KeepingSettings()


def change_keeping(library: Path, **changes: int | bool) -> KeepingSettings:
    """Change some settings. Raises ConfigError for a value out of range, StorageError if they cannot be written."""
    path = _settings_file(library)
    values = dataclasses.asdict(keeping_settings(library)) | changes
    for name, most in MOST_KEPT.items():
        if name in changes and not 1 <= changes[name] <= most:
            raise ConfigError(f"Expected {name} from 1 to {most:,}, got {changes[name]:,}. Choose a number in between.")
    changed = from_mapping(values, KeepingSettings, origin=path.name)
    write_json(path, values)
    return changed


def is_key(text: str) -> bool:
    """Whether a text can be the name of something kept."""
    return bool(_KEY.fullmatch(text))


@dataclass(frozen=True, slots=True)
class KeptFile:
    """One file: its key, its size, and when it was last used, in seconds since the epoch."""

    key: str
    bytes: int
    used: float


class KeptFiles:
    """Sealed JSON files of one kind; may be used from several threads and processes at once."""

    def __init__(self, library: Path, kind: str) -> None:
        """The files of one kind in a library's folder; nothing is written yet."""
        self.folder = library / FOLDER / kind
        self._secret_file = library / FOLDER / "secret"

    def keep(self, content: object) -> str:
        """Keep a JSON value; returns its key. Raises StorageError if it cannot be written."""
        data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(*_ENCODING)
        key = keyed_digest(self._secret(), data)
        write_bytes(self._file(key), data)
        return key

    def read(self, key: str) -> Any:  # noqa: ANN401  JSON is any value; callers check its shape
        """The value under a key; None if nothing is kept there. Raises StorageError if the file was changed."""
        path = self._file(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"Expected to read {path}; {error.strerror}. Give yourself the right to.") from None
        if keyed_digest(self._secret(), data) != key:
            raise StorageError(
                f"Expected what was kept in {path} as it was written; the file was changed or damaged, and is not "
                "used. Bring the document again, or ask again."
            )
        return json.loads(data.decode(*_ENCODING))

    def use(self, key: str) -> None:
        """Note that a file was used now."""
        with suppress(OSError):
            os.utime(self._file(key))

    def files(self) -> list[KeptFile]:
        """Every file, the one used last first."""
        found = []
        for path in self.folder.glob("*.json"):
            with suppress(FileNotFoundError):  # another window forgets it at this moment
                state = path.stat()
                found.append(KeptFile(path.stem, state.st_size, state.st_mtime))
        return sorted((one for one in found if is_key(one.key)), key=lambda one: (-one.used, one.key))

    def forget(self, key: str) -> None:
        """Remove a file, if it is there. Raises StorageError if the system does not let us."""
        path = self._file(key)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"Expected to remove {path}; {error.strerror}. Remove it by hand.") from None

    def _file(self, key: str) -> Path:
        assert is_key(key)  # it becomes a file's name
        return self.folder / f"{key}.json"

    def _secret(self) -> bytes:
        held = write_once(self._secret_file, secrets.token_bytes(_SECRET_BYTES))
        if len(held) != _SECRET_BYTES:
            raise StorageError(
                f"Expected {_SECRET_BYTES} bytes in {self._secret_file}, got {len(held)}. Remove the folder "
                f"{self._secret_file.parent}: what it keeps cannot be checked any more."
            )
        return held


def _settings_file(library: Path) -> Path:
    return library / FOLDER / "settings.json"
