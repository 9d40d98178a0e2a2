"""`priorscope backup`, `restore`, `move` and `doctor`: a library in a second place and back; what is damaged."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from engine import evaluation, server
from engine.cli import options
from engine.cli.terminal import bar, one_line
from engine.core.errors import LibraryError
from engine.core.files import shown
from engine.core.stores import library_at
from engine.documents.text import how_many
from engine.library import Library, move_library
from engine.workspace import BackupFolder, check_all


def add_backup(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where backups are kept, best on another disk")
    parser.add_argument("--keep", metavar="N", type=int, default=3, help="keep the last N backups (default: 3)")
    parser.add_argument("--check", action="store_true", help="make none: read every file of the backups kept there")
    options.add_shared(parser)


def run_backup(arguments: argparse.Namespace) -> None:
    """Make a backup, or read those that were made, and say what they hold."""
    folder = BackupFolder(arguments.folder)
    if arguments.check:
        backups = [folder.read(name) for name in folder.names()] or [folder.read()]
        for one in backups:
            folder.check(one, bar())
        lines = [f"{one.name}: {how_many(one.documents, 'document')}, {_size(one.bytes)}, whole" for one in backups]
        options.say(arguments, {"backups": [one.facts for one in backups]}, "\n".join(lines))
        return
    with Library.open(options.library_folder(arguments)) as library:
        made = folder.make(library, keep=arguments.keep, report=bar())
    one = made.backup
    lines = [
        f"{how_many(one.documents, 'document')} backed up as {one.name}: {how_many(len(one.files), 'file')}, "
        f"{_size(one.bytes)}, {_size(made.new_bytes)} of it new. {how_many(len(made.kept), 'backup')} in "
        f"{arguments.folder}.",
        *(f"Not in it, as it is a link or not the library's: {one_line(name)}" for name in made.left_out),
    ]
    new = {"new_files": made.new_files, "new_bytes": made.new_bytes, "left_out": made.left_out, "backups": made.kept}
    options.say(arguments, {"folder": str(arguments.folder), **one.facts, **new}, "\n".join(lines))


def add_restore(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where `priorscope backup` keeps its backups")
    parser.add_argument("--backup", metavar="NAME", default="", help="which one (default: the last)")
    parser.add_argument("--replace", action="store_true", help="put it in the place of the library that is there")
    options.add_shared(parser)


def run_restore(arguments: argparse.Namespace) -> None:
    """Restore, and say what is there now."""
    folder, library = BackupFolder(arguments.folder), options.library_folder(arguments)
    backup = folder.read(arguments.backup)
    folder.restore(backup, library, replace=arguments.replace, report=bar())
    text = f"{how_many(backup.documents, 'document')} restored from {backup.name} to {library}."
    options.say(arguments, {**backup.facts, "library": str(library)}, text)


def add_move(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    place = "a folder, or the address of a database: postgresql://USER@HOST/DATABASE"
    parser.add_argument("source", metavar="FROM", type=library_at, help=f"the library: {place}")
    parser.add_argument(
        "target", metavar="TO", type=library_at, help="where to copy it to, as FROM; no library is there yet"
    )
    options.add_json(parser)


def run_move(arguments: argparse.Namespace) -> None:
    """Copy the library, and say what was copied."""
    moved = move_library(arguments.source, arguments.target, bar())
    text = (
        f"{how_many(moved.documents, 'document')} copied: {how_many(moved.rows, 'row')} and "
        f"{how_many(moved.files, 'file')}, each the same by its SHA-256. The library that was copied stays as it is."
    )
    options.say(arguments, asdict(moved), text)


def add_doctor(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = "Exit code: 0 healthy, 1 something to mend, 2 a wrong call."
    options.add_shared(parser)


def run_doctor(arguments: argparse.Namespace) -> int:
    """Print a line for each finding; returns 1 where something is to be mended.

    Raises LibraryError where the folder that was named does not exist.
    """
    folder = options.library_folder(arguments)
    if arguments.library is not None and not folder.is_dir():
        raise LibraryError(f"Expected a library in {shown(folder)}; the folder does not exist. Check the path.")
    beside: dict[str, Callable[[Path], object]] = {
        "bake-offs": lambda kept: evaluation.BakeOffs(kept).all(),
        "tokens": lambda kept: server.AccessTokens(kept).all(),
    }
    findings = check_all(folder, bar(), beside=beside)
    lines = [f"{one.state:<5} {one.about}: {one.found}{f'. {one.remedy}' if one.remedy else ''}" for one in findings]
    healthy = all(one.state != "mend" for one in findings)
    options.say(arguments, {"healthy": healthy, "findings": findings}, "\n".join(map(one_line, lines)))
    return 0 if healthy else 1


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
