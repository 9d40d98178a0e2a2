"""Finds the files below the paths that a person named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Files as given; of folders every file below by name, without hidden ones and links out of the folder."""
    for path in paths:
        if path.is_dir():
            yield from _walk(path, path.resolve())
        else:
            yield path


def _walk(folder: Path, root: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not path.resolve().is_relative_to(root):
            continue
        if path.is_dir():
            if not path.is_symlink():  # a link to a folder above would never end
                yield from _walk(path, root)
        elif path.is_file():
            yield path
