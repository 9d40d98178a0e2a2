"""`priorscope remove`: documents, or all that a file brought, out of the library."""

from __future__ import annotations

import argparse

from engine.cli import options
from engine.core.errors import LibraryError
from engine.documents.text import how_many
from engine.library import ImportedFile, Library
from engine.workspace import Workspace

_NAMED = 5


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("remove")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("ids", metavar="ID", nargs="*", default=[], help="a document's id in the library")
    what.add_argument(
        "--file", metavar="NAME", help="a file by the name it was imported under, with the documents that it brought"
    )
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Remove, and say how many documents are gone; all of them are removed, or none."""
    with Workspace(options.library_folder(arguments)) as workspace:
        if arguments.file is None:
            gone = workspace.remove_documents(arguments.ids)
        else:
            gone = workspace.remove_file(_file(workspace.library, arguments.file).key)
        left, waiting = len(workspace.library), workspace.library.annotations.of_removed()
    if arguments.json:
        options.print_json({"removed": gone, "total": left} | ({"notes_waiting": waiting} if waiting else {}))
        return
    print(f"{how_many(len(gone), 'document')} removed. The library holds {left:,}.")
    if waiting:
        told = f"Your notes, tags and decisions on {how_many(waiting, 'removed document')} wait in case they come back."
        print(f"{told} To forget them: priorscope documents --forget-removed")


def _file(library: Library, name: str) -> ImportedFile:
    """Return the file with this name, or whose path ends in it. Raises LibraryError if none or several match."""
    found = library.files_named(name)
    if len(found) > 1:
        names = ", ".join(one.name for one in found[:_NAMED])
        raise LibraryError(
            f"Expected the name of one file, got {name}, which {len(found)} have: {names}. Name its path."
        )
    return found[0]
