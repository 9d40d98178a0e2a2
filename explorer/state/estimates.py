"""How long an encoder will need to read a library on this machine, from a small sample of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.encoders import registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.documents import Document
    from engine.encoders.base import Encoder
    from engine.library import Library

_SAMPLED, _PARTS = 400, 4


def reading_seconds(library: Library, name: str) -> float:
    """Encode documents spread over the library in some parts, and scale the quickest of them to the whole.

    The first part also warms the encoder up, and this machine may have other work now and then: where the processor
    was busy with something else, only the time that it spent here counts. An encoder that learns from the library is
    fitted on the sample, which counts too.
    """
    ids = library.ids()
    documents = library.get(ids[:: max(1, len(ids) // _SAMPLED)][:_SAMPLED])
    if not documents:
        return 0.0
    if registry.is_fitted_kind(name):
        registry.fit(name, documents[::_PARTS])  # loads libraries, which is not to be timed
        clock = _Clock()
        encoder: Encoder = registry.fit(name, documents)
        fitting = clock.seconds() / len(documents)
    else:
        encoder, fitting = registry.load(name), 0.0
    parts = [documents[start::_PARTS] for start in range(_PARTS) if documents[start::_PARTS]]
    return len(ids) * (fitting + min(_seconds_each(encoder, part) for part in parts))


def _seconds_each(encoder: Encoder, documents: Sequence[Document]) -> float:
    clock = _Clock()
    encoder.encode_documents(documents)
    return clock.seconds() / len(documents)


class _Clock:
    """Tells the time that passed, or what this program's threads used of it together where that is less."""

    def __init__(self) -> None:
        self._started = self._now()

    def seconds(self) -> float:
        return min(now - then for now, then in zip(self._now(), self._started, strict=True))

    @staticmethod
    def _now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()
