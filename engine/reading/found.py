"""Finds the files below the paths that a person named, and says why any of them cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ABSENT = "there is none"
_SHOWN_CHARACTERS = 160

Refuse = Callable[[Path, str], None]
"""Gets each path left out, and why."""


def find_files(paths: Iterable[Path], refuse: Refuse) -> Iterator[Path]:
    """Given files, and all files below given folders by name, without hidden ones and links out of the folder.

    `refuse` gets what cannot be reached, and pipes, sockets and devices, which may never end.
    """
    for path in paths:
        if not _can_be_had(path, refuse):
            continue
        if path.is_dir():
            yield from _walk(path, path.resolve(), refuse)
        else:
            yield path


def unreachable(path: Path) -> str:
    """Why a file or folder at a path cannot be reached; empty if it can."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a null byte, which paths cannot hold
        return ABSENT
    except OSError as error:  # a name too long, a link to itself, a folder that is closed to us
        return error.strerror or str(error)
    return ""


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; it may be a name, or a text that could not be a path."""
    return not unreachable(path) and path.is_dir()


def shown(path: Path | str) -> str:
    """A path for a message; only the start of a very long one."""
    text = str(path)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."


def _walk(folder: Path, root: Path, refuse: Refuse) -> Iterator[Path]:
    for path in _inside(folder, refuse):
        if path.name.startswith(".") or not _can_be_had(path, refuse) or not path.resolve().is_relative_to(root):
            continue
        if not path.is_dir():
            yield path
        elif not path.is_symlink():  # a link to a folder above would never end
            yield from _walk(path, root, refuse)


def _inside(folder: Path, refuse: Refuse) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        refuse(folder, f"Expected a folder that can be read: {error.strerror}. Ask for the right to read it.")
        return []


def _can_be_had(path: Path, refuse: Refuse) -> bool:
    """Whether a path leads to a file or a folder; if not, `refuse` is told."""
    if reason := unreachable(path):
        refuse(path, f"Expected a file or a folder; {reason}. Mend the link or the path, or take it away.")
        return False
    if not path.is_file() and not path.is_dir():
        refuse(
            path, "Expected a file or a folder, found a pipe, a socket or a device. Write what it gives into a file."
        )
        return False
    return True
