"""`priorscope samples`, `import`, `encode`, `remove` and `library`: into the library and out of it, what it holds."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar, one_line
from engine.core.errors import InputError, LibraryError
from engine.core.progress import Meter, Report
from engine.documents.text import how_many
from engine.library import ImportedFile, Library
from engine.reading import spoken
from engine.workspace import (
    ImportRequest,
    ImportSummary,
    Workspace,
    import_as_json,
    library_as_json,
    removed_as_json,
    samples_as_json,
)

_REMOVED = "What you removed of it stays out; `priorscope samples --again` brings it back."


def add_samples(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("samples")
    parser.add_argument(
        "--downloads", metavar="DIR", type=Path, help="where archives are kept (default: the library's folder)"
    )
    options.add_library(parser)
    options.add_encoder(parser)
    options.add_index(parser)
    parser.add_argument(
        "--import-only", action="store_true", help="leave reading the documents and drawing their map to the app"
    )
    parser.add_argument("--again", action="store_true", help="bring back the samples that were removed")
    options.add_json(parser)
    parser.set_defaults(run=run_samples)


def run_samples(arguments: argparse.Namespace) -> None:
    """Get what is missing, index it, fit its map, and say what the library holds."""
    started = time.monotonic()
    folder, report = options.library_folder(arguments), bar()
    with Workspace(folder, create=True) as workspace:
        present = workspace.has_samples()
        summary = workspace.import_samples(
            encoder=None, cache=arguments.downloads, again=arguments.again, report=report
        )
        if not arguments.import_only:
            _read_samples(workspace, arguments, report)
        is_whole, seconds = workspace.has_samples(whole=True), round(time.monotonic() - started, 1)
        told = samples_as_json(summary, workspace.library, present=present, seconds=seconds)
    if arguments.json:
        options.print_json(told)
    else:
        state, counts = "imported" if arguments.import_only else "ready", told["counts"]
        begin = "The sample library is present" if present else f"The sample library is {state} after {seconds} s"
        print(
            f"{begin}: {counts['documents']:,} documents ({counts['papers']:,} papers, {counts['patents']:,} patents; "
            f"{counts['folded']:,} duplicates folded) in {folder}."
        )
        if more := summary.told_of_returned() or ("" if is_whole else _REMOVED):
            print(more)


def _read_samples(workspace: Workspace, arguments: argparse.Namespace, report: Report) -> None:
    """Encode what has no vector yet, fit the map if none exists, and read passages."""
    meter = Meter("Loading the encoder", 1, report)  # its libraries and weights take seconds
    meter.begin()
    workspace.encoder(arguments.encoder, report=report)
    meter.add()
    meter.finish()
    workspace.whole(arguments.encoder, choice=arguments.index, report=report)
    workspace.library_map(arguments.encoder, report=report)
    workspace.read_passages(report=report)


_MOST_NOTES = 100


def add_import(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("import")
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+", help="a file in any format we read, or a folder")
    options.add_library(parser)
    options.add_request(parser, ImportRequest)
    options.add_workers(parser)
    options.add_json(parser)
    parser.set_defaults(run=run_import)


def run_import(arguments: argparse.Namespace) -> None:
    """Import, index and say what happened.

    The command carries on past a file that it cannot read. Raises InputError if nothing came of it and nothing of it
    was held.
    """
    folder = options.library_folder(arguments)
    with options.workers(arguments) as workers, Workspace(folder, create=True, workers=workers) as workspace:
        asked = options.request_of(arguments, ImportRequest)
        summary = asked.run(workspace, arguments.paths, report=bar())
        told = import_as_json(summary, workspace.library)
    options.say(arguments, told, import_text(summary, told["total"]))
    if summary.is_of_nothing:
        if not summary.failures:
            raise InputError(f"Expected files to read; what was named holds none. We read {spoken()}.")
        count = how_many(len(summary.failures), "file")
        raise InputError(f"Expected a file that can be read; {count} failed. The summary lists the reasons.")


def import_text(summary: ImportSummary, size: int) -> str:
    """Return what an import did, in a line, and a line for each file that failed or lacks something."""
    parts = [f"{how_many(summary.documents, 'document')} from {how_many(summary.files, 'file')} added"]
    parts += [f"{how_many(summary.folded, 'duplicate')} folded"] if summary.folded else []
    parts += [f"{how_many(summary.completed, 'document')} completed by them"] if summary.completed else []
    was = "was" if summary.skipped == 1 else "were"
    parts += [f"{how_many(summary.skipped, 'file')} {was} already held"] if summary.skipped else []
    parts += [f"{how_many(len(summary.failures), 'file')} failed"] if summary.failures else []
    lines = [f"{'; '.join(parts)}. The library holds {how_many(size, 'document')}."]
    lines += [f"  {told}"] if (told := summary.told_of_returned()) else []
    lines += [f"  {failure.name}: {failure.reason}" for failure in summary.failures]
    notes = summary.told()
    more = [f"  {len(notes) - _MOST_NOTES:,} more notes; --json lists all."] if len(notes) > _MOST_NOTES else []
    return "\n".join(one_line(line) for line in lines + [f"  {note}" for note in notes[:_MOST_NOTES]] + more)


def add_encode(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("encode")
    parser.add_argument("--passages", action="store_true", help="read the passages, too, where whole papers are held")
    options.add_library(parser)
    options.add_encoder(parser)
    options.add_index(parser)
    options.add_workers(parser)
    parser.set_defaults(run=run_encode)


def run_encode(arguments: argparse.Namespace) -> None:
    """Make what is missing."""
    folder, report = options.library_folder(arguments), bar()
    with options.workers(arguments) as workers, Workspace(folder, workers=workers) as workspace:
        _, index = workspace.whole(arguments.encoder, choice=arguments.index, report=report)
        if arguments.passages:
            workspace.read_passages(report=report)
    print(f"{how_many(len(index), 'document')} can be found by their vectors.")


_NAMED = 5


def add_remove(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("remove")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("ids", metavar="ID", nargs="*", default=[], help="a document's id in the library")
    what.add_argument(
        "--file", metavar="NAME", help="a file by the name it was imported under, with the documents that it brought"
    )
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run_remove)


def run_remove(arguments: argparse.Namespace) -> None:
    """Remove, and say how many documents are gone; all of them are removed, or none."""
    with Workspace(options.library_folder(arguments)) as workspace:
        if arguments.file is None:
            gone = workspace.remove_documents(arguments.ids)
        else:
            gone = workspace.remove_file(_file_named(workspace.library, arguments.file).key)
        told = removed_as_json(gone, workspace.library)
    text = f"{how_many(len(gone), 'document')} removed. The library holds {told['total']:,}."
    if waiting := told.get("notes_waiting"):
        notes = (
            f"Your notes, tags and decisions on {how_many(waiting, 'removed document')} wait in case they come back."
        )
        text += f"\n{notes} To forget them: priorscope documents --forget-removed"
    options.say(arguments, told, text)


def _file_named(library: Library, name: str) -> ImportedFile:
    """Return the file with this name, or whose path ends in it. Raises LibraryError if none or several match."""
    found = library.files_named(name)
    if len(found) > 1:
        names = ", ".join(one.name for one in found[:_NAMED])
        raise LibraryError(
            f"Expected the name of one file, got {name}, which {len(found)} have: {names}. Name its path."
        )
    return found[0]


def add_library(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    parser.set_defaults(run=run_library)


def run_library(arguments: argparse.Namespace) -> None:
    """Change what was asked for, then tell."""
    with Library.open(options.library_folder(arguments)) as library:
        if arguments.copies:
            library.copies.want(arguments.copies == "on")
        if arguments.remove_copies:
            library.copies.drop(library.copies.keys())
        told = library_as_json(library)
        text = library_text(library)
    options.say(arguments, told, text)


def library_text(library: Library) -> str:
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
