"""`priorscope import`: files and folders into the library, then into the encoder's index."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar, one_line
from engine.core.errors import InputError
from engine.workspace import ImportSummary, Workspace

_MOST_NOTES = 100


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("import")
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+", help="a file in any format we read, or a folder")
    options.add_library(parser)
    options.add_encoder(parser)
    options.add_index(parser)
    parser.add_argument(
        "--no-copies", action="store_true", help="keep no copies of these PDFs, so that their pages cannot be shown"
    )
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Import, index and say what happened.

    The command carries on past a file that it cannot read. Raises InputError if it could read nothing.
    """
    with Workspace(options.library_folder(arguments), create=True) as workspace:
        if arguments.no_copies:
            workspace.library.copies.pause()
        summary = workspace.import_paths(
            arguments.paths, encoder=arguments.encoder, choice=arguments.index, report=bar()
        )
        size = len(workspace.library)
    if arguments.json:
        options.print_json({**asdict(summary), "library": str(options.library_folder(arguments)), "total": size})
    else:
        print(as_text(summary, size))
    if summary.failures and not summary.files and not summary.skipped:
        count = _number(len(summary.failures), "file")
        raise InputError(f"Expected a file that can be read; {count} failed. The reasons are listed with the summary.")


def as_text(summary: ImportSummary, size: int) -> str:
    """Return what an import did, in a line, and a line for each file that failed or lacks something."""
    parts = [f"{_number(summary.documents, 'document')} from {_number(summary.files, 'file')} added"]
    parts += [f"{_number(summary.folded, 'duplicate')} folded"] if summary.folded else []
    parts += [f"{_number(summary.completed, 'document')} completed by them"] if summary.completed else []
    was = "was" if summary.skipped == 1 else "were"
    parts += [f"{_number(summary.skipped, 'file')} {was} held already"] if summary.skipped else []
    parts += [f"{_number(len(summary.failures), 'file')} failed"] if summary.failures else []
    lines = [f"{'; '.join(parts)}. The library holds {_number(size, 'document')}."]
    lines += [f"  {failure.name}: {failure.reason}" for failure in summary.failures]
    notes = summary.told()
    more = [f"  {len(notes) - _MOST_NOTES:,} more notes; --json lists all."] if len(notes) > _MOST_NOTES else []
    return "\n".join(one_line(line) for line in lines + [f"  {note}" for note in notes[:_MOST_NOTES]] + more)


def _number(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
