"""Who may read what a test has written, under the umask that most systems have."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def usual_umask() -> Iterator[None]:
    """The umask of most systems, under which everybody may read what a program writes."""
    if os.name == "nt":
        pytest.skip("Windows keeps a person's files by access lists, not by modes and a umask.")
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """The modes of a folder and of all that lies in it."""
    found = {str(path.relative_to(folder)): path for path in (folder, *folder.rglob("*"))}
    return {name: oct(stat.S_IMODE(path.stat().st_mode)) for name, path in found.items()}
