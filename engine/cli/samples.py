"""`priorscope samples`: fetch, verify, import and index the sample library of real papers and patents."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli import options
from engine.cli.terminal import bar
from engine.ingest import encoder_for, exact_index, has_samples, import_samples
from engine.library import Library
from engine.progress import Meter, Report

if TYPE_CHECKING:
    from engine.encoders.base import Encoder


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("samples", help="get the sample library: 26,033 real papers and patents")
    parser.add_argument("--downloads", metavar="DIR", type=Path, help="where archives are kept (default: the library)")
    options.add_library(parser)
    options.add_encoder(parser)
    options.add_index(parser)
    parser.add_argument(
        "--import-only", action="store_true", help="leave reading the documents and drawing their map to the app"
    )
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Get what is missing, index it, fit its map, and say what the library holds."""
    started = time.monotonic()
    folder, report = options.library_folder(arguments), bar()
    with Library.open(folder, create=True) as library:
        present = has_samples(library)
        summary = import_samples(library, cache=arguments.downloads, report=report)
        if not arguments.import_only:
            _read(library, arguments, report)
        counts = library.counts()
    seconds = round(time.monotonic() - started, 1)
    if arguments.json:
        described = {"present": present, **asdict(summary), "seconds": seconds}
        options.print_json({"library": str(folder), **described, "counts": asdict(counts)})
    else:
        state = "imported" if arguments.import_only else "ready"
        begin = "The sample library is present" if present else f"The sample library is {state} after {seconds} s"
        print(
            f"{begin}: {counts.documents:,} documents ({counts.papers:,} papers, {counts.patents:,} patents; "
            f"{counts.folded:,} duplicates folded) in {folder}."
        )


def _read(library: Library, arguments: argparse.Namespace, report: Report) -> None:
    """Encode what has no vector yet, and fit the map where there is none."""
    from engine.maps import open_map

    encoder = _encoder(library, arguments.encoder, report)
    index = exact_index(library, encoder, choice=arguments.index, report=report)
    open_map(index, library, library.map_folder(encoder.card.name), encoder=encoder, report=report)


def _encoder(library: Library, name: str, report: Report) -> Encoder:
    """The encoder, whose libraries and weights take seconds to load."""
    meter = Meter("Loading the encoder", 1, report)
    meter.begin()
    encoder = encoder_for(library, name, report=report)
    meter.add()
    meter.finish()
    return encoder
