"""`priorscope samples`: fetch, verify, import and index the sample library of real papers and patents."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar
from engine.core.progress import Meter, Report
from engine.workspace import Workspace


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("samples")
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
    with Workspace(folder, create=True) as workspace:
        present = workspace.has_samples()
        summary = workspace.import_samples(encoder=None, cache=arguments.downloads, report=report)
        if not arguments.import_only:
            _read(workspace, arguments, report)
        counts = workspace.library.counts()
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


def _read(workspace: Workspace, arguments: argparse.Namespace, report: Report) -> None:
    """Encode what has no vector yet, fit the map if none exists, and read passages."""
    meter = Meter("Loading the encoder", 1, report)  # its libraries and weights take seconds
    meter.begin()
    workspace.encoder(arguments.encoder, report=report)
    meter.add()
    meter.finish()
    workspace.whole(arguments.encoder, choice=arguments.index, report=report)
    workspace.library_map(arguments.encoder, report=report)
    workspace.read_passages(report=report)
