"""Keeps what takes long to open: opens each thing once, and holds the ones used last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

_ANY = object()
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(slots=True)
class _Entry(Generic[V]):
    """A thing that is open, or being opened under the lock, and the mark of what it was opened from."""

    opened: list[V] = field(default_factory=list)
    mark: Hashable = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Cache(Generic[K, V]):
    """At most `size` things by their keys; may be used from several threads.

    Two threads that ask for one thing wait for one opening; different things open at the same time. If the cache
    forgets while a thing is opening, those who asked still get the thing, but the cache does not keep it: it may be
    older than the change that made the cache forget.
    """

    def __init__(self, size: int) -> None:
        """Keep the `size` things used last."""
        self._size = size
        self._lock = threading.Lock()
        self._entries: OrderedDict[K, _Entry[V]] = OrderedDict()

    def get(self, key: K, opens: Callable[[], V], *, mark: Hashable = None) -> V:
        """Return the thing of a key, opened with `opens` if it is not held, or was opened under another `mark`.

        That one is let go first, since both might not fit in memory. Passes errors of `opens` on and keeps none.
        """
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)
        with entry.lock:
            if not entry.opened or entry.mark != mark:
                try:
                    entry.opened.clear()
                    entry.opened.append(opens())
                    entry.mark = mark
                except BaseException:
                    with self._lock:
                        if self._entries.get(key) is entry:
                            del self._entries[key]
                    raise
            return entry.opened[0]

    def held(self, key: K, *, mark: Hashable = _ANY) -> V | None:
        """Return the thing of a key if it is open, under a mark if one is given; opens nothing and never waits.

        It counts as used now.
        """
        with self._lock:
            entry = self._entries.get(key)
            held = entry.opened[:] if entry is not None and mark in (_ANY, entry.mark) else []
            if held:
                self._entries.move_to_end(key)
            return held[0] if held else None

    def forget(self) -> None:
        """Drop everything: the next call opens from disk."""
        with self._lock:
            self._entries.clear()
