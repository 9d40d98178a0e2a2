"""Keeps each figure once it is measured, under a key that names its inputs, so that a stopped suite can go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from engine.core import files, provenance

_FORMAT = 2


@dataclass(frozen=True, slots=True)
class Cells:
    """A folder with one JSON file a cell, named by its key."""

    folder: Path

    def find(self, name: str, key: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """What was kept under a key, or what `make` gives now, which is then kept with the commit and the machine.

        `name` is for a reader of the folder; the key must name everything that the figures depend on. Where another
        process makes the same cell, this one waits for it.
        """
        text = json.dumps({"format": _FORMAT, **key}, sort_keys=True, ensure_ascii=False)
        path = self.folder / f"{_file_name(name)}-{files.fingerprint(name, text)}.json"
        with self._held(path):
            if path.exists():
                return dict(files.read_json(path)["value"])
            value = dict(make())
            about = {"key": json.loads(text), "commit": provenance.commit(), "hardware": provenance.hardware()}
            files.write_json(path, {**about, "value": value})
        return value

    def _held(self, path: Path) -> FileLock:
        """A lock on a cell, in a folder beside the cells; the system lets go of it where a process ends."""
        locks = self.folder.with_name(f"{self.folder.name}-locks")
        locks.mkdir(parents=True, exist_ok=True)
        return FileLock(locks / f"{path.stem}.lock")


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "._" else "-" for letter in name)
