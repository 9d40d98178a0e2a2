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
    collection_as_json,
    collections_as_json,
    documents_as_json,
    flow_as_json,
    flow_csv,
    flow_rows,
    next_as_json,
    reviews_as_json,
    tags_as_json,
)
from engine.library import Library, Listed
from engine.workspace import ChangeRequest, CollectionRequest, DocumentsRequest, ReviewRequest

_WHOLE = 500
"""Documents that are read at once for a file of references."""


def add_documents(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = "Lines find what is kept here, too: --line 'tag:method note:pump read:no screen:undecided'."
    parser.add_argument(
        "ids", metavar="ID", nargs="*", help="documents by id, number, title or author (default: all that pass)"
    )
    options.add_request(parser, DocumentsRequest, without={"ids"})
    _add_listing(parser)
    _add_changes(parser)
    options.add_shared(parser)


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
            forgotten = library.annotations.forget_removed()
            options.say(arguments, {"forgotten": forgotten}, f"{forgotten:,} forgotten.")
        elif arguments.tags:
            counts = library.annotations.tags()
            lines = [f"{count:>7,}  {name}" for name, count in counts.items()] or ["No tags yet."]
            options.say(arguments, tags_as_json(counts), "\n".join(lines))
        elif arguments.rename_tag:
            renamed = library.annotations.rename_tag(*arguments.rename_tag)
            options.say(arguments, {"renamed": renamed}, f"The tag is renamed on {how_many(renamed, 'document')}.")
        elif arguments.reviews or arguments.new_review or arguments.rename_review or arguments.delete_review:
            _reviews(arguments, library)
        elif change.changes or arguments.all or arguments.reason:
            done = change.run(library)
            said = ", ".join(f"{count:,} {word}" for word, count in done.items() if word != "documents")
            options.say(arguments, done, f"{how_many(done['documents'], 'document')}: {said}.")
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


def _reviews(arguments: argparse.Namespace, library: Library) -> None:
    """Change the reviews if that was asked for, and list them."""
    begun = library.reviews.make(arguments.new_review) if arguments.new_review else ""
    if arguments.rename_review:
        library.reviews.rename(*arguments.rename_review)
    elif arguments.delete_review:
        library.reviews.delete(arguments.delete_review)
    counts = library.reviews.counts()
    lines = [f"{count:>7,}  {name}" for name, count in counts.items()] or ["No review has begun."]
    options.say(arguments, reviews_as_json(counts, begun), "\n".join(lines))


def _flow(arguments: argparse.Namespace, library: Library) -> None:
    flow = options.request_of(arguments, ReviewRequest).flow(library)
    if arguments.format:
        print(flow_csv(flow), end="")
    else:
        options.say(
            arguments, flow_as_json(flow), "\n".join(f"{number:>9,}  {name}" for name, number in flow_rows(flow))
        )


def _next(arguments: argparse.Namespace, library: Library) -> None:
    """Print the undecided document with its abstract, by which one decides."""
    found = options.request_of(arguments, ReviewRequest).next(library)
    text = f"{_line(found[0])}\n{found[1].abstract}" if found else "All of them are decided."
    options.say(arguments, next_as_json(found), text)


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


def add_collections(parser: argparse.ArgumentParser) -> None:
    """Add one word for each thing that is done to a collection."""
    add = options.add_actions(parser)
    add("list", "every collection, and how many documents it holds", list_collections)
    shown = add("show", "the documents of one collection", show_collection, "name")
    shown.add_argument("--format", choices=tuple(RECORD_FORMATS), help="print their references in this format")
    for word, purpose, run in (
        ("add", "put documents into a collection, which is made if it does not exist", add_to_collection),
        ("remove", "take documents out of a collection", remove_from_collection),
    ):
        add(word, purpose, run, "name").add_argument(
            "ids", metavar="ID", nargs="+", help="a document's id in the library"
        )
    add("rename", "give a collection another name", rename_collection, "name").add_argument("to", metavar="NEW_NAME")
    add("delete", "forget a collection; its documents stay", delete_collection, "name")


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
        told = _collection(arguments).add(library)
    options.say(arguments, told, f"{told['added']:,} added. {told['name']} holds {told['documents']:,}.")


def remove_from_collection(arguments: argparse.Namespace) -> None:
    """Take documents out of a collection, and say how many it held."""
    with _library(arguments) as library:
        told = _collection(arguments).remove(library)
    options.say(arguments, told, f"{told['removed']:,} removed. {told['name']} holds {told['documents']:,}.")


def rename_collection(arguments: argparse.Namespace) -> None:
    """Give a collection another name."""
    with _library(arguments) as library:
        told = _collection(arguments).rename(library, arguments.to)
    options.say(arguments, told, f"The collection is called {told['name']} now. It holds {told['documents']:,}.")


def delete_collection(arguments: argparse.Namespace) -> None:
    """Forget a collection."""
    with _library(arguments) as library:
        told = _collection(arguments).delete(library)
    options.say(arguments, told, f"The collection is gone; its documents, {told['documents']:,}, stay in the library.")


def _collection(arguments: argparse.Namespace) -> CollectionRequest:
    return options.request_of(arguments, CollectionRequest)


def _library(arguments: argparse.Namespace) -> Library:
    return Library.open(options.library_folder(arguments))
