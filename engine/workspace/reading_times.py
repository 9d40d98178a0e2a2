"""How long encoders will need to read a library on this machine, measured on a small sample of it and kept."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.errors import EngineError
from engine.documents import Document
from engine.library import Library
from engine.workspace.caches import Cache

if TYPE_CHECKING:
    from engine.encoders import Encoder

_LOG = logging.getLogger(__name__)
_SAMPLED, _PARTS = 400, 4


def reading_seconds(library: Library, name: str) -> float:
    """Encode documents spread over the library in some parts, and scale the quickest of them to the whole.

    The first part also warms the encoder up. If the processor was busy with other work, only the time that it spent
    here counts. An encoder that learns from the library is fitted on the sample, and that time counts, too.
    """
    from engine import encoders

    ids = library.ids()
    documents = library.get(ids[:: max(1, len(ids) // _SAMPLED)][:_SAMPLED])
    if not documents:
        return 0.0
    if encoders.is_fitted_kind(name):
        encoders.fit(name, documents[::_PARTS])  # loads libraries, which is not to be timed
        clock = _Clock()
        encoder: Encoder = encoders.fit(name, documents)
        fitting = clock.seconds() / len(documents)
    else:
        encoder, fitting = encoders.load(name), 0.0
    parts = [documents[start::_PARTS] for start in range(_PARTS) if documents[start::_PARTS]]
    return len(ids) * (fitting + min(_seconds_each(encoder, part) for part in parts))


class ReadingTimes:
    """What was measured, by encoder and number of documents; it is never forgotten."""

    def __init__(self) -> None:
        """Nothing is measured yet."""
        self._measured: dict[tuple[str, int], float] = {}
        self._one_at_a_time = threading.Lock()
        self._threads: Cache[tuple[tuple[str, ...], int], threading.Thread] = Cache(8)

    def seconds(self, name: str, documents: int) -> float | None:
        """The time measured for an encoder and a library of this size; None before that, 0 if measuring failed."""
        return self._measured.get((name, documents))

    def measure(self, library: Library, name: str, documents: int) -> None:
        """Measure one encoder unless it was measured before; one at a time, because two slow each other down."""
        with self._one_at_a_time:
            if (name, documents) in self._measured:
                return
            try:
                self._measured[name, documents] = reading_seconds(library, name)
            except EngineError as error:
                self._measured[name, documents] = 0.0
                _LOG.info("timing %s: %s", name, error)  # who asks for the encoder is told then

    def start(self, library: Library, names: tuple[str, ...], documents: int) -> threading.Thread:
        """Measure several encoders in a thread of their own, which is started once."""

        def measured() -> None:
            for name in names:
                self.measure(library, name, documents)

        def started() -> threading.Thread:
            thread = threading.Thread(target=measured, name="timing", daemon=True)
            thread.start()
            return thread

        return self._threads.get((names, documents), started)


def _seconds_each(encoder: Encoder, documents: Sequence[Document]) -> float:
    clock = _Clock()
    encoder.encode_documents(documents)
    return clock.seconds() / len(documents)


class _Clock:
    """Tells the time that passed, or the processor time of this program's threads if that is less."""

    def __init__(self) -> None:
        self._started = self._now()

    def seconds(self) -> float:
        return min(now - then for now, then in zip(self._now(), self._started, strict=True))

    @staticmethod
    def _now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()
