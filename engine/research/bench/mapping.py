"""Measures how long a map takes to fit and a document to be placed on it."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from engine.cli import options
from engine.cli.terminal import bar
from engine.core import provenance
from engine.core.errors import EvaluationError
from engine.documents import Document
from engine.encoders import Encoder
from engine.library import Library
from engine.maps import NEIGHBOURS, LibraryMap, fit, place
from engine.research import measurement
from engine.research.bench.searching import Times
from engine.vectors import VectorIndex
from engine.workspace.indexing import encoder_for, exact_index


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


def add_parser(measurements: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the measurement and its options."""
    parser = measurements.add_parser("map", help="the map's fit, and a document's way to its place on it")
    options.add_library(parser)
    options.add_encoder(parser)
    parser.add_argument(
        "--fits", type=int, default=3, metavar="N", help="how many fits; the first is cold (default: 3)"
    )
    measurement.add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Measure the map and print the report."""
    measurement.check_save(arguments)
    with Library.open(options.library_folder(arguments)) as library:
        encoder = encoder_for(library, arguments.encoder, report=bar())
        index = exact_index(library, encoder, report=bar())
        report = measure_map(library, encoder, index, fits=arguments.fits)
    measurement.give(report.as_json(), as_text(report), arguments)


def as_text(report: MapSpeed) -> str:
    """Return the report as lines."""
    warm = ", ".join(f"{seconds:.1f}" for seconds in report.seconds_warm_fits)
    times = report.milliseconds_to_place
    return (
        f"{report.hardware}\n{report.documents:,} documents, encoder {report.encoder}\n"
        f"first fit {report.seconds_first_fit:.1f} s, warm {warm} s\n"
        f"a document to its place, {report.placements} times: p50 {times.p50:.1f} ms, p95 {times.p95:.1f} ms, "
        f"max {times.max:.1f} ms"
    )
