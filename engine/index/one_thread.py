"""Runs small matrix products on one thread."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController, threadpool_limits


class OneThread:
    """While anyone is inside, numpy's products take one thread; the last one out puts back what was before.

    One query against the rows of a library is a few dozen products of a fifth of a millisecond. Sharing each of them
    out over the cores saves little where these are idle, and where they are not every product waits for the slower
    half: of one query against 26,033 rows of 960 bytes on two busy cores, 13 ms on one thread and 500 ms on two.
    """

    def __init__(self) -> None:
        """Begin with nobody inside."""
        self._lock = threading.Lock()
        self._inside = 0
        self._before: threadpool_limits | None = None

    def __enter__(self) -> Self:
        """Come in; the first one sets the limit."""
        with self._lock:
            if not self._inside:
                self._before = _controller().limit(limits=1, user_api="blas")
            self._inside += 1
        return self

    def __exit__(self, *_: object) -> None:
        """Go out; the last one takes the limit away."""
        with self._lock:
            self._inside -= 1
            if not self._inside and self._before is not None:
                self._before.restore_original_limits()
                self._before = None


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    """What knows the libraries that are loaded; it takes milliseconds to find them."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


ONE_THREAD = OneThread()
"""The one that all share, as the limit holds for the whole process."""
