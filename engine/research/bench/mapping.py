"""Measures how long a map takes to fit and a document to be placed on it."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import Encoder
from engine.library import Library
from engine.maps import NEIGHBOURS, LibraryMap, fit, place
from engine.research.bench.searching import Times
from engine.vectors import VectorIndex


@dataclass(frozen=True, slots=True)
class MapSpeed:
    """What was measured, on what; the first fit also loads and compiles, the later ones are warm."""

    hardware: str
    commit: str
    encoder: str
    fingerprint: str
    documents: int
    seconds_first_fit: float
    seconds_warm_fits: tuple[float, ...]
    placements: int
    milliseconds_to_place: Times
    kept: float
    trustworthiness: float

    def as_json(self) -> dict[str, object]:
        """Return the report as a JSON value."""
        return asdict(self)


def measure_map(
    library: Library, encoder: Encoder, index: VectorIndex, *, fits: int = 3, placements: int = 200
) -> MapSpeed:
    """Fit the library's map several times, then place documents of the library as if they were new.

    A placement is timed from the document to its place: encoding, its true neighbours, and the place
    among them. Raises EmptyLibraryError and EvaluationError.
    """
    if fits < 2 or placements < 1:
        raise EvaluationError(
            f"Expected at least 2 fits, the second of them warm, and 1 placement; got {fits} and {placements}."
        )
    seconds = []
    for _ in range(fits):
        started = time.perf_counter()
        drawn = fit(index, library, encoder=encoder)
        seconds.append(round(time.perf_counter() - started, 2))
    ids = random.Random(0).sample(list(drawn.ids), min(placements, len(drawn.ids)))
    return MapSpeed(
        hardware=provenance.hardware(),
        commit=provenance.commit(),
        encoder=encoder.card.name,
        fingerprint=encoder.card.fingerprint,
        documents=len(drawn.ids),
        seconds_first_fit=seconds[0],
        seconds_warm_fits=tuple(seconds[1:]),
        placements=len(ids),
        milliseconds_to_place=_placements(drawn, library.get(ids), encoder, index),
        kept=round(drawn.kept, 4),
        trustworthiness=round(drawn.trustworthiness, 4),
    )


def _placements(drawn: LibraryMap, documents: Sequence[Document], encoder: Encoder, index: VectorIndex) -> Times:
    times = []
    for document in documents:
        started = time.perf_counter()
        hits = index.search(encoder.encode_queries([document]), NEIGHBOURS + 1)[0]
        place(drawn, [hit for hit in hits if hit.id != document.id])
        times.append((time.perf_counter() - started) * 1000)
    return Times.of(times)
