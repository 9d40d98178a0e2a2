"""Limits small products to one thread: shared out over busy cores, each would wait for its slowest share."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController, threadpool_limits


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
