"""Reads a collection in another process, while this one does something else."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from engine.core.progress import Meter
from engine.documents import Document, from_fields

_START = "import sys; sys.path.insert(0, sys.argv[1]); from engine.sources.samples import serve; serve(*sys.argv[2:])"
_LOOK_SECONDS = 0.2


class ReadAhead:
    """The documents of one collection, which another process starts parsing at once.

    The collection's archive must lie verified at `path`. As a context manager it ends the process.
    """

    def __init__(self, project: str, path: Path) -> None:
        """Start on a collection from this project's archive."""
        root = str(Path(__file__).resolve().parents[2])
        self._lines: list[bytes] = []
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, root, project, str(path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:  # the system refuses to start a process
            return
        self._thread = threading.Thread(target=self._receive, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        """The reading itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process, wherever it is."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._thread.join()
            assert self._process.stdout
            self._process.stdout.close()

    def documents(self, meter: Meter) -> Iterator[Document] | None:
        """Every document, once all have arrived; `meter` counts them. None where the process could not read them."""
        if self._process is None:
            return None
        counted = 0
        while self._thread.is_alive():
            self._thread.join(_LOOK_SECONDS)
            arrived = len(self._lines)
            meter.add(arrived - counted)
            counted = arrived
        if self._process.wait() != 0:
            return None
        meter.finish()
        return (from_fields(json.loads(line)) for line in self._lines)

    def _receive(self) -> None:
        """Keep what the process writes as it comes, so that it never waits for a reader."""
        assert self._process is not None and self._process.stdout
        for line in self._process.stdout:
            self._lines.append(line)
