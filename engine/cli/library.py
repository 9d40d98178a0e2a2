"""`priorscope samples`, `import`, `encode`, `remove` and `library`: into the library and out of it, what it holds."""

from __future__ import annotations

import argparse
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar, one_line
from engine.core.errors import InputError, LibraryError
from engine.core.progress import Meter, Report
from engine.core.stores import stores_of
from engine.documents.text import how_many
from engine.exports import library_as_json, removed_as_json
from engine.library import ImportedFile, Library
from engine.reading import spoken
from engine.workspace import ImportRequest, ImportSummary, Workers, Workspace, copy_vectors, open_workers

_REMOVED = "What you removed of it stays out; `priorscope samples --again` brings it back."


def add_samples(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--downloads", metavar="DIR", type=Path, help="where archives are kept (default: the library's folder)"
    )
    options.add_request(parser, ImportRequest, without={"no_copies"})
    parser.add_argument(
        "--import-only", action="store_true", help="leave reading the documents and drawing their map to the app"
    )
    parser.add_argument("--again", action="store_true", help="bring back the samples that were removed")
    options.add_shared(parser)


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
        home, counts = str(workspace.library.folder), workspace.library.counts()
    state = "imported" if arguments.import_only else "ready"
    begin = "The sample library is present" if present else f"The sample library is {state} after {seconds} s"
    text = (
        f"{begin}: {counts.documents:,} documents ({counts.papers:,} papers, {counts.patents:,} patents; "
        f"{counts.folded:,} duplicates folded) in {folder}."
    )
    if more := summary.told_of_returned() or ("" if is_whole else _REMOVED):
        text += f"\n{more}"
    told = {"library": home, "present": present, **asdict(summary), "seconds": seconds, "counts": counts}
    options.say(arguments, told, text)


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


def add_import(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+", help="a file in any format we read, or a folder")
    options.add_request(parser, ImportRequest)
    _add_workers(parser)
    options.add_shared(parser)


def _add_workers(parser: argparse.ArgumentParser) -> None:
    """Add `--workers N`, `--ray ADDRESS` and `--gpus-per-worker N`."""
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--workers", metavar="N", type=int, help="read and encode on N processes; this one writes")
    where = "ray://HOST:PORT, or auto for the one this machine belongs to"
    who.add_argument("--ray", metavar="ADDRESS", default="", help=f"read and encode on a Ray cluster: {where}")
    gpus = "GPUs that Ray sets aside for each worker that encodes, such as 0.5 (default: 0)"
    parser.add_argument("--gpus-per-worker", metavar="N", type=float, default=0.0, help=gpus)


def _workers(arguments: argparse.Namespace) -> AbstractContextManager[Workers | None]:
    """Return the workers that the command line named, if any, which end with the block. Raises as `open_workers`."""
    return open_workers(arguments.workers, arguments.ray, arguments.gpus_per_worker) or nullcontext()


def run_import(arguments: argparse.Namespace) -> None:
    """Import, index and say what happened.

    The command carries on past a file that it cannot read. Raises InputError if nothing came of it and nothing of it
    was held.
    """
    folder = options.library_folder(arguments)
    with _workers(arguments) as workers, Workspace(folder, create=True, workers=workers) as workspace:
        asked = options.request_of(arguments, ImportRequest)
        summary = asked.run(workspace, arguments.paths, report=bar())
        told = {**asdict(summary), "library": str(workspace.library.folder), "total": len(workspace.library)}
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


def add_encode(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_request(parser, ImportRequest, without={"no_copies"})
    _add_workers(parser)
    options.add_shared(parser)


def run_encode(arguments: argparse.Namespace) -> None:
    """Make the vectors that are missing, and read the passages of whole papers."""
    folder, report = options.library_folder(arguments), bar()
    with _workers(arguments) as workers, Workspace(folder, workers=workers) as workspace:
        encoder, index = workspace.whole(arguments.encoder, choice=arguments.index, report=report)
        workspace.read_passages(report=report)
        told = {"library": str(workspace.library.folder), "encoder": encoder.card.name, "documents": len(index)}
    options.say(arguments, told, f"{how_many(len(index), 'document')} can be found by their vectors.")


_NAMED = 5


def add_remove(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("ids", metavar="ID", nargs="*", default=[], help="a document's id in the library")
    what.add_argument(
        "--file", metavar="NAME", help="a file by the name it was imported under, with the documents that it brought"
    )
    options.add_shared(parser)


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


_FOLDER = "folder"


def add_library(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--copies",
        choices=("on", "off"),
        help="whether imports keep a copy of each PDF from now on, so that its pages can be shown (default: on)",
    )
    parser.add_argument("--remove-copies", action="store_true", help="remove the copies that were kept")
    parser.add_argument(
        "--vectors",
        metavar="ADDRESS",
        help="copy the vectors to a server, and use them there from now on: postgresql://USER@HOST/DATABASE with "
        "pgvector, a Milvus at http://HOST:19530, or milvus-lite:///PATH.db; folder brings them back (default: folder)",
    )
    options.add_shared(parser)


def run_library(arguments: argparse.Namespace) -> None:
    """Change what was asked for, then tell."""
    with Library.open(options.library_folder(arguments)) as library:
        if arguments.copies:
            library.copies.want(arguments.copies == "on")
        if arguments.remove_copies:
            library.copies.drop(library.copies.keys())
        if arguments.vectors:
            copy_vectors(library, "" if arguments.vectors == _FOLDER else arguments.vectors, report=bar())
        told = library_as_json(library)
        text = library_text(library)
    options.say(arguments, told, text)


def library_text(library: Library) -> str:
    """Return the same in a few lines."""
    counts, kept = library.counts(), library.copies.total()
    servers = stores_of(library.folder).in_words
    return "\n".join(
        [
            f"{how_many(counts.documents, 'document')} from {how_many(counts.files, 'file')} in {library.folder}",
            f"{how_many(counts.papers, 'paper')}, {how_many(counts.patents, 'patent')}",
            f"{how_many(kept.files, 'copy')} of PDFs, {kept.bytes / 1e6:,.1f} MB; imports "
            f"{'keep' if library.copies.are_wanted else 'do not keep'} a copy of each PDF",
            *([servers] if servers else []),
        ]
    )
