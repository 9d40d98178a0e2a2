"""A process beside this one that answers requests: it can be stopped at any time, and its end ends nothing here."""

from __future__ import annotations

import queue
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

_LENGTH = struct.Struct(">Q")
_START = (
    "import importlib, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "  # Ctrl-C is for this process alone
    "sys.path.insert(0, sys.argv[1]); importlib.import_module(sys.argv[2]).serve()"
)


class WorkerProcess:
    """A process that runs a module's `serve`, and the thread that takes what it sends.

    It waits for requests until this process ends, whose end closes its input.
    """

    def __init__(self, module: str) -> None:
        """Start one that runs the `serve` of the module of this name. Raises OSError if the system starts none."""
        root = str(Path(__file__).resolve().parents[2])
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, root, module], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._sent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._take, name=f"answers of {module}", daemon=True).start()

    def ask(self, *parts: bytes) -> None:
        """Send the parts of a request. Raises OSError if the process has ended."""
        assert self.process.stdin
        for part in parts:
            send(self.process.stdin, part)

    def answer(self, *, seconds: float) -> bytes | None:
        """The next part of an answer, None when the process has ended. Raises queue.Empty after `seconds` without."""
        return self._sent.get(timeout=seconds)

    def stop(self) -> None:
        """End the process and close its pipes."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stdin):
            if pipe:
                _close(pipe)

    def _take(self) -> None:
        """Take what is sent until the process ends."""
        assert self.process.stdout
        sent: bytes | None = b""
        while sent is not None:
            try:
                sent = receive(self.process.stdout)
            except (OSError, ValueError):  # closed by `stop`
                sent = None
            self._sent.put(sent)


def send(pipe: IO[bytes], part: bytes) -> None:
    """Write one part with its length."""
    pipe.write(_LENGTH.pack(len(part)) + part)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """One part of known length; None when the other side has ended."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    part = pipe.read(length)
    return part if len(part) == length else None


def _close(pipe: IO[bytes]) -> None:
    """Close a pipe whose other end may be gone with bytes unread."""
    try:
        pipe.close()
    except OSError:
        return
