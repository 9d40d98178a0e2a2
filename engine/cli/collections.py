"""`priorscope collections`: named sets of documents in the library, as the pages keep them."""

from __future__ import annotations

import argparse

from engine.cli import options
from engine.exports import RECORD_FORMATS
from engine.library import Library


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command with one word for each thing that is done to a collection."""
    parser = commands.add_parser("collections")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    shared = argparse.ArgumentParser(add_help=False)
    options.add_library(shared)
    options.add_json(shared)

    listed = actions.add_parser("list", help="every collection, and how many documents it holds", parents=[shared])
    listed.set_defaults(run=run_list)
    shown = actions.add_parser("show", help="the documents of one collection", parents=[shared])
    shown.add_argument("name", metavar="NAME")
    shown.add_argument("--format", choices=tuple(RECORD_FORMATS), help="print their references in this format")
    shown.set_defaults(run=run_show, refuse=shown.error)
    for word, text, run in (
        ("add", "put documents into a collection, which is made if it does not exist", run_add),
        ("remove", "take documents out of a collection", run_remove),
    ):
        changed = actions.add_parser(word, help=text, parents=[shared])
        changed.add_argument("name", metavar="NAME")
        changed.add_argument("ids", metavar="ID", nargs="+", help="a document's id in the library")
        changed.set_defaults(run=run)
    renamed = actions.add_parser("rename", help="give a collection another name", parents=[shared])
    renamed.add_argument("name", metavar="NAME")
    renamed.add_argument("to", metavar="NEW_NAME")
    renamed.set_defaults(run=run_rename)
    deleted = actions.add_parser("delete", help="forget a collection; its documents stay", parents=[shared])
    deleted.add_argument("name", metavar="NAME")
    deleted.set_defaults(run=run_delete)


def run_list(arguments: argparse.Namespace) -> None:
    """Print every collection with its number of documents."""
    with _library(arguments) as library:
        counts = library.collections.counts()
    if arguments.json:
        options.print_json({"collections": [{"name": name, "documents": count} for name, count in counts.items()]})
    else:
        lines = [f"{count:>7,}  {name}" for name, count in counts.items()]
        print("\n".join(lines or ["No collections yet. Make one with `priorscope collections add NAME ID`."]))


def run_show(arguments: argparse.Namespace) -> None:
    """Print the documents of a collection, the one added first first."""
    if arguments.json and arguments.format:
        arguments.refuse("argument --json: not allowed with argument --format")
    with _library(arguments) as library:
        kept = library.listing.kept(library.collections.ids(arguments.name))
    documents = [one.document for one in kept]
    if arguments.format:
        print(RECORD_FORMATS[arguments.format](kept), end="")
    elif arguments.json:
        keys = ("id", "kind", "title", "year", "url")
        options.print_json({"documents": [{key: getattr(document, key) for key in keys} for document in documents]})
    else:
        print("\n".join(f"{document.id}  {document.name}" for document in documents) or "It is empty.")


def run_add(arguments: argparse.Namespace) -> None:
    """Put documents into a collection, and say how many are new in it."""
    with _library(arguments) as library:
        count = library.collections.add(arguments.name, arguments.ids)
        _say(arguments, library, "added", count)


def run_remove(arguments: argparse.Namespace) -> None:
    """Take documents out of a collection, and say how many it held."""
    with _library(arguments) as library:
        count = library.collections.take_out(arguments.name, arguments.ids)
        _say(arguments, library, "removed", count)


def run_rename(arguments: argparse.Namespace) -> None:
    """Give a collection another name."""
    with _library(arguments) as library:
        library.collections.rename(arguments.name, arguments.to)
        arguments.name = arguments.to
        _say(arguments, library, "renamed", 1)


def run_delete(arguments: argparse.Namespace) -> None:
    """Forget a collection."""
    with _library(arguments) as library:
        count = len(library.collections.ids(arguments.name))
        library.collections.delete(arguments.name)
    if arguments.json:
        options.print_json({"deleted": 1, "name": arguments.name, "documents": count})
    else:
        print(f"The collection is gone; its documents, {count:,}, stay in the library.")


def _library(arguments: argparse.Namespace) -> Library:
    return Library.open(options.library_folder(arguments))


def _say(arguments: argparse.Namespace, library: Library, done: str, count: int) -> None:
    """Say what was done, and how many documents the collection holds now."""
    held = len(library.collections.ids(arguments.name))
    if arguments.json:
        options.print_json({done: count, "name": arguments.name, "documents": held})
    elif done == "renamed":
        print(f"The collection is called {arguments.name} now. It holds {held:,}.")
    else:
        print(f"{count:,} {done}. {arguments.name} holds {held:,}.")
