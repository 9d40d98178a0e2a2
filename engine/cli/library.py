"""`priorscope library`: what the library holds, and the copies that it keeps of PDFs to show their pages."""

from __future__ import annotations

import argparse

from engine.cli import options
from engine.documents.text import how_many
from engine.library import Library


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("library")
    parser.add_argument(
        "--copies",
        choices=("on", "off"),
        help="whether imports keep a copy of each PDF from now on, so that its pages can be shown (default: on)",
    )
    parser.add_argument("--remove-copies", action="store_true", help="remove the copies that were kept")
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Change what was asked for, then tell."""
    with Library.open(options.library_folder(arguments)) as library:
        if arguments.copies:
            library.copies.want(arguments.copies == "on")
        if arguments.remove_copies:
            library.copies.drop(library.copies.keys())
        told = as_json(library)
        text = as_text(library)
    if arguments.json:
        options.print_json(told)
    else:
        print(text)


def as_json(library: Library) -> dict[str, object]:
    """Return what the library holds as one JSON value."""
    counts, kept = library.counts(), library.copies.total()
    return {
        "library": str(library.folder),
        "documents": counts.documents,
        "papers": counts.papers,
        "patents": counts.patents,
        "files": counts.files,
        "folded": counts.folded,
        "failures": counts.failures,
        "copies": {"files": kept.files, "bytes": kept.bytes, "kept_at_import": library.copies.are_wanted},
    }


def as_text(library: Library) -> str:
    """Return the same in three lines."""
    counts, kept = library.counts(), library.copies.total()
    return "\n".join(
        [
            f"{how_many(counts.documents, 'document')} from {how_many(counts.files, 'file')} in {library.folder}",
            f"{how_many(counts.papers, 'paper')}, {how_many(counts.patents, 'patent')}",
            f"{how_many(kept.files, 'copy')} of PDFs, {kept.bytes / 1e6:,.1f} MB; imports "
            f"{'keep' if library.copies.are_wanted else 'do not keep'} a copy of each PDF",
        ]
    )
