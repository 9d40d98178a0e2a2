"""How long an encoder will need to read a library on this machine, from a small sample of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.encoders import registry

if TYPE_CHECKING:
    from engine.library import Library

_SAMPLED, _FIRST = 400, 16


def reading_seconds(library: Library, name: str) -> float:
    """Encode some documents spread over the library, after a few that warm the encoder up, and scale that to all.

    An encoder that learns from the library is fitted on the sample, which counts too.
    """
    ids = library.ids()
    documents = library.get(ids[:: max(1, len(ids) // _SAMPLED)][:_SAMPLED])
    if not documents:
        return 0.0
    if registry.is_fitted_kind(name):
        encoder = registry.fit(name, documents)  # the first fit loads libraries, so the one that is timed comes after
    else:
        encoder = registry.load(name)
    encoder.encode_documents(documents[:_FIRST])
    started = time.perf_counter()
    if registry.is_fitted_kind(name):
        encoder = registry.fit(name, documents)
    encoder.encode_documents(documents)
    return (time.perf_counter() - started) * len(ids) / len(documents)
