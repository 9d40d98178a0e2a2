"""This process and those beside it: worker processes, the threads of products, and how often memory is looked through.

A worker process answers requests: it can be stopped at any time, and its end ends nothing here. Small products take
one thread: shared out over busy cores, each would wait for its slowest share.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import struct
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    import queue

    from threadpoolctl import ThreadpoolController, threadpool_limits


_LENGTH = struct.Struct(">Q")
_START = (
    "import importlib, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "  # Ctrl-C is for this process alone
    "sys.path.insert(0, sys.argv[1]); importlib.import_module(sys.argv[2]).serve()"
)


class WorkerProcess:
    """A process that runs a module's `serve`, and the thread that takes what it sends.

    It waits for requests until this process ends, whose end closes its input.
    """

    def __init__(self, module: str, environment: Mapping[str, str] | None = None) -> None:
        """Start one that runs the `serve` of the module of this name, with this in its environment beside ours.

        Raises OSError if the system starts none.
        """
        import queue  # here, because every command imports this module, and few start a process
        import subprocess

        root = str(Path(__file__).resolve().parents[2])
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, root, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self._sent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._take, name=f"answers of {module}", daemon=True).start()

    def ask(self, *parts: bytes) -> None:
        """Send the parts of a request. Raises OSError if the process has ended."""
        assert self.process.stdin
        for part in parts:
            send(self.process.stdin, part)

    def answer(self, *, seconds: float | None = None) -> bytes | None:
        """Return the next part of an answer, None at the process's end. Raises queue.Empty after `seconds` without."""
        return self._sent.get(timeout=seconds)

    def stop(self, *, helpers: bool = False) -> None:
        """End the process and close its pipes; also the `helpers` that it may have started, which takes a while."""
        import psutil

        started: list[psutil.Process] = []
        if helpers:
            with suppress(psutil.Error):  # it has ended
                started = psutil.Process(self.process.pid).children(recursive=True)
        self.process.kill()
        for helper in started:
            with suppress(psutil.Error):
                helper.kill()
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
    """Read one part of known length; None when the other process has ended."""
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


# Threads of products --------------------------------------------------------------------------------


class OneBlasThread:
    """Limits numpy's products to one thread while any caller is inside; the last one to leave restores the limit.

    A query against a library's rows takes a few dozen products of a fifth of a millisecond each. Sharing a product out
    over idle cores saves little. On busy cores each product waits for its slower half, and the query takes many times
    as long (engine/research/reports/choices.md).
    """

    def __init__(self) -> None:
        """Start with no caller inside."""
        self._lock = threading.Lock()
        self._inside = 0
        self._before: threadpool_limits | None = None

    def __enter__(self) -> Self:
        """Enter; the first caller sets the limit."""
        with self._lock:
            if not self._inside:
                self._before = _controller().limit(limits=1, user_api="blas")
            self._inside += 1
        return self

    def __exit__(self, *_: object) -> None:
        """Leave; the last caller restores the limit."""
        with self._lock:
            self._inside -= 1
            if not self._inside and self._before is not None:
                self._before.restore_original_limits()
                self._before = None


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    """Return the controller of the loaded libraries; finding them takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


ONE_BLAS_THREAD = OneBlasThread()
"""The one that all share, as the limit holds for the whole process."""


@contextmanager
def one_torch_thread(*, when: bool = True) -> Iterator[None]:
    """Let torch take one thread, in the calling thread, for products too small to be shared out.

    A small network reads one document in milliseconds. Limits nothing unless `when` is true and torch is loaded.
    """
    if not when or "torch" not in sys.modules:
        yield
        return
    before = _usual_torch_threads()
    sys.modules["torch"].set_num_threads(1)
    try:
        yield
    finally:
        sys.modules["torch"].set_num_threads(before)


@lru_cache(maxsize=1)
def _usual_torch_threads() -> int:
    """Return torch's own number of threads, asked once: later it may be the limit that another thread has set."""
    return int(sys.modules["torch"].get_num_threads())


# Memory ---------------------------------------------------------------------------------------------

NEW_OBJECTS = 50_000
"""How many new objects Python makes before it looks for cycles among them, by itself 700. It then goes through all that
is alive every so often, and most of a program's modules are alive.
"""


ONE_HEAP = {"MALLOC_ARENA_MAX": "1"}
"""What is set in the environment of a process whose threads are to take memory from one heap.

The C library of Linux gives threads up to eight heaps a core, and each keeps what its threads have freed: after a
coverage and a map, over a hundred MiB more, and two hundred at the peak (engine/research/reports/memory.json).
"""

_ARENA_MAX = -8  # M_ARENA_MAX of glibc's malloc.h


def share_freed_memory() -> None:
    """Let threads take memory from one heap, or from those that others began before: for a process already begun."""
    if sys.platform == "linux":
        tune = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none, and one heap
        if tune is not None:
            tune(_ARENA_MAX, 1)


def collect_seldom() -> None:
    """Make the whole process look for cycles of dead objects seldom, and not at its end, when all memory goes."""
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)
