"""`priorscope documents` and `collections`: the library's documents, with what a person keeps of them.

Notes, tags, read marks and screening decisions belong to a document; a collection is a named set of documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields

from engine.cli import options
from engine.documents import KIND_NAMES
from engine.documents.text import how_many
from engine.exports import (
    RECORD_FORMATS,
    ForgottenJson,
    RenamedJson,
    collection_as_json,
    collection_change_as_json,
    collections_as_json,
    documents_as_json,
    flow_as_json,
    flow_csv,
    flow_rows,
    next_as_json,
    reviews_as_json,
    tags_as_json,
)
from engine.library import Filters, Library, Listed
from engine.workspace import ChangeRequest, CollectionRequest, DocumentsRequest, FilterRequest

_WHOLE = 500
"""Documents that are read at once for a file of references."""


def add_documents(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "documents",
        epilog="Lines find what is kept here, too: --line 'tag:method note:pump read:no screen:undecided'.",
    )
    parser.add_argument(
        "ids", metavar="ID", nargs="*", help="documents by id, number, title or author (default: all that pass)"
    )
    options.add_request(parser, DocumentsRequest, without={"ids"})
    _add_listing(parser)
    _add_changes(parser)
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run_documents, refuse=parser.error)


def _add_listing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=tuple(RECORD_FORMATS), help="print references, notes and decisions in this format"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--next", action="store_true", help="show the first document without a decision")
    instead.add_argument("--flow", action="store_true", help="count for PRISMA's flow diagram; takes --format csv")
    instead.add_argument("--tags", action="store_true", help="list the tags, and how many documents have each")
    instead.add_argument(
        "--rename-tag", nargs=2, metavar=("TAG", "NEW"), help="rename a tag everywhere; one that exists takes it in"
    )
    instead.add_argument("--reviews", action="store_true", help="list the reviews, and how many decisions each has")
    instead.add_argument("--new-review", metavar="NAME", help="begin another review, with decisions of its own")
    instead.add_argument("--rename-review", nargs=2, metavar=("NAME", "NEW"), help="give a review another name")
    instead.add_argument("--delete-review", metavar="NAME", help="forget a review with its decisions; needs --yes")
    parser.add_argument("--yes", action="store_true", help="the decisions of --delete-review may be lost")
    instead.add_argument(
        "--forget-removed", action="store_true", help="forget notes, tags and decisions on documents that were removed"
    )


def _add_changes(parser: argparse.ArgumentParser) -> None:
    listed = {field.name for field in fields(DocumentsRequest)}
    options.add_request(parser, ChangeRequest, without={*listed, "read"})
    read = parser.add_mutually_exclusive_group()
    read.add_argument("--read", dest="read", action="store_true", default=None, help="mark as read")
    read.add_argument("--unread", dest="read", action="store_false", help="take the read mark away")


def run_documents(arguments: argparse.Namespace) -> None:
    """Change what was asked for, or list."""
    _check_documents(arguments)
    change = options.request_of(arguments, ChangeRequest)
    with Library.open(options.library_folder(arguments)) as library:
        if arguments.forget_removed:
            forgotten: ForgottenJson = {"forgotten": library.annotations.forget_removed()}
            options.say(arguments, forgotten, f"{forgotten['forgotten']:,} forgotten.")
        elif arguments.tags:
            counts = library.annotations.tags()
            lines = [f"{count:>7,}  {name}" for name, count in counts.items()] or ["No tags yet."]
            options.say(arguments, tags_as_json(counts), "\n".join(lines))
        elif arguments.rename_tag:
            renamed: RenamedJson = {"renamed": library.annotations.rename_tag(*arguments.rename_tag)}
            options.say(arguments, renamed, f"The tag is renamed on {how_many(renamed['renamed'], 'document')}.")
        elif arguments.reviews or arguments.new_review or arguments.rename_review or arguments.delete_review:
            _reviews(arguments, library)
        elif change.changes or arguments.all or arguments.reason:
            _change_documents(arguments, change, library)
        elif arguments.flow:
            _flow(arguments, library)
        elif arguments.next:
            _next(arguments, library)
        else:
            _list_documents(arguments, library)


def _check_documents(arguments: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    if arguments.delete_review and not arguments.yes:
        arguments.refuse("argument --delete-review: its decisions are lost; give --yes, too")
    if arguments.json and arguments.format:
        arguments.refuse("argument --json: not allowed with argument --format")
    if arguments.flow and arguments.format not in (None, "csv"):
        arguments.refuse("argument --flow: only with --format csv")


def _filters(arguments: argparse.Namespace, library: Library) -> Filters:
    return options.request_of(arguments, FilterRequest).filters(library)


def _change_documents(arguments: argparse.Namespace, change: ChangeRequest, library: Library) -> None:
    """Make the changes, and say how many documents each one changed."""
    done = change.run(library)
    said = ", ".join(f"{count:,} {word}" for word, count in done.items() if word != "documents")
    options.say(arguments, done, f"{how_many(done['documents'], 'document')}: {said}.")


def _reviews(arguments: argparse.Namespace, library: Library) -> None:
    """Change the reviews if that was asked for, and list them."""
    if arguments.new_review:
        library.reviews.make(arguments.new_review)
    elif arguments.rename_review:
        library.reviews.rename(*arguments.rename_review)
    elif arguments.delete_review:
        library.reviews.delete(arguments.delete_review)
    counts = library.reviews.counts()
    lines = [f"{count:>7,}  {name}" for name, count in counts.items()] or ["No review has begun."]
    options.say(arguments, reviews_as_json(counts), "\n".join(lines))


def _flow(arguments: argparse.Namespace, library: Library) -> None:
    flow = library.screening.in_review(arguments.review).flow(_filters(arguments, library))
    if arguments.format:
        print(flow_csv(flow), end="")
    else:
        options.say(
            arguments, flow_as_json(flow), "\n".join(f"{number:>9,}  {name}" for name, number in flow_rows(flow))
        )


def _next(arguments: argparse.Namespace, library: Library) -> None:
    """Print the undecided document with its abstract, by which one decides."""
    id_ = library.screening.in_review(arguments.review).next(_filters(arguments, library))
    if id_ is None:
        options.say(arguments, next_as_json(None), "All of them are decided.")
        return
    (row,) = library.listing.in_review(arguments.review).of([id_])
    (document,) = library.get([id_])
    options.say(arguments, next_as_json((row, document)), f"{_line(row)}\n{document.abstract}")


def _list_documents(arguments: argparse.Namespace, library: Library) -> None:
    rows, total = options.request_of(arguments, DocumentsRequest).rows(library, every=bool(arguments.format))
    if arguments.format:
        listing, ids = library.listing.in_review(arguments.review), [row.id for row in rows]
        kept = [one for at in range(0, len(ids), _WHOLE) for one in listing.kept(ids[at : at + _WHOLE])]
        print(RECORD_FORMATS[arguments.format](kept), end="")
        return
    more = f"{len(rows):,} of {how_many(total, 'document')}"
    options.say(arguments, documents_as_json(rows, total), "\n".join((*map(_line, rows), more)))


def _line(row: Listed) -> str:
    """Return a row in one line: its id, facts and title, then what a person keeps of it."""
    noted, screened = row.annotation, row.screened
    facts = ", ".join(str(fact) for fact in (KIND_NAMES[row.kind], row.year, *row.files[:1]) if fact)
    kept: Sequence[str] = (
        *(f"#{tag}" for tag in noted.tags),
        "noted" if noted.note else "",
        "read" if noted.is_read else "",
        screened.decision + (f" ({screened.reason})" if screened.reason else "") if screened else "",
    )
    said = " ".join(word for word in kept if word)
    return f"{row.id}  {row.title or 'Untitled'}  [{facts}]{f'  {said}' if said else ''}"


def add_collections(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command with one word for each thing that is done to a collection."""
    parser = commands.add_parser("collections")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    shared = argparse.ArgumentParser(add_help=False)
    options.add_library(shared)
    options.add_json(shared)

    listed = actions.add_parser("list", help="every collection, and how many documents it holds", parents=[shared])
    listed.set_defaults(run=list_collections)
    shown = actions.add_parser("show", help="the documents of one collection", parents=[shared])
    shown.add_argument("name", metavar="NAME")
    shown.add_argument("--format", choices=tuple(RECORD_FORMATS), help="print their references in this format")
    shown.set_defaults(run=show_collection, refuse=shown.error)
    for word, text, run in (
        ("add", "put documents into a collection, which is made if it does not exist", add_to_collection),
        ("remove", "take documents out of a collection", remove_from_collection),
    ):
        changed = actions.add_parser(word, help=text, parents=[shared])
        changed.add_argument("name", metavar="NAME")
        changed.add_argument("ids", metavar="ID", nargs="+", help="a document's id in the library")
        changed.set_defaults(run=run)
    renamed = actions.add_parser("rename", help="give a collection another name", parents=[shared])
    renamed.add_argument("name", metavar="NAME")
    renamed.add_argument("to", metavar="NEW_NAME")
    renamed.set_defaults(run=rename_collection)
    deleted = actions.add_parser("delete", help="forget a collection; its documents stay", parents=[shared])
    deleted.add_argument("name", metavar="NAME")
    deleted.set_defaults(run=delete_collection)


def list_collections(arguments: argparse.Namespace) -> None:
    """Print every collection with its number of documents."""
    with _library(arguments) as library:
        counts = library.collections.counts()
    lines = [f"{count:>7,}  {name}" for name, count in counts.items()]
    lines = lines or ["No collections yet. Make one with `priorscope collections add NAME ID`."]
    options.say(arguments, collections_as_json(counts), "\n".join(lines))


def show_collection(arguments: argparse.Namespace) -> None:
    """Print the documents of a collection, the one added first first."""
    if arguments.json and arguments.format:
        arguments.refuse("argument --json: not allowed with argument --format")
    with _library(arguments) as library:
        kept = library.listing.kept(library.collections.ids(arguments.name))
    if arguments.format:
        print(RECORD_FORMATS[arguments.format](kept), end="")
        return
    documents = [one.document for one in kept]
    text = "\n".join(f"{one.id}  {one.name}" for one in documents)
    options.say(arguments, collection_as_json(documents), text or "It is empty.")


def add_to_collection(arguments: argparse.Namespace) -> None:
    """Put documents into a collection, and say how many are new in it."""
    with _library(arguments) as library:
        told = CollectionRequest(name=arguments.name, ids=tuple(arguments.ids)).add(library)
    options.say(arguments, told, f"{told['added']:,} added. {arguments.name} holds {told['documents']:,}.")


def remove_from_collection(arguments: argparse.Namespace) -> None:
    """Take documents out of a collection, and say how many it held."""
    with _library(arguments) as library:
        told = CollectionRequest(name=arguments.name, ids=tuple(arguments.ids)).remove(library)
    options.say(arguments, told, f"{told['removed']:,} removed. {arguments.name} holds {told['documents']:,}.")


def rename_collection(arguments: argparse.Namespace) -> None:
    """Give a collection another name."""
    with _library(arguments) as library:
        library.collections.rename(arguments.name, arguments.to)
        held = len(library.collections.ids(arguments.to))
    said = f"The collection is called {arguments.to} now. It holds {held:,}."
    options.say(arguments, collection_change_as_json(arguments.to, held, "renamed"), said)


def delete_collection(arguments: argparse.Namespace) -> None:
    """Forget a collection."""
    with _library(arguments) as library:
        held = len(library.collections.ids(arguments.name))
        library.collections.delete(arguments.name)
    said = f"The collection is gone; its documents, {held:,}, stay in the library."
    options.say(arguments, collection_change_as_json(arguments.name, held, "deleted"), said)


def _library(arguments: argparse.Namespace) -> Library:
    return Library.open(options.library_folder(arguments))
