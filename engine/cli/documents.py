"""`priorscope documents` and `collections`: the library's documents, with what a person keeps of them.

Notes, tags, read marks and screening decisions belong to a document; a collection is a named set of documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import get_args

from engine.cli import options
from engine.documents import KIND_NAMES
from engine.documents.text import how_many
from engine.exports import RECORD_FORMATS, flow_as_json, flow_csv, flow_rows, own_fields
from engine.library import Decision, Filters, Library, Listed, Order
from engine.workspace import FilterRequest

_SCREEN: dict[str, Decision | None] = {"include": "included", "exclude": "excluded", "undecided": None}
_SHOWN = 50
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
    options.add_request(parser, FilterRequest)
    _add_listing(parser)
    _add_changes(parser)
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run_documents, refuse=parser.error)


def _add_listing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sort", choices=get_args(Order), default="added", help="the order (default: added)")
    parser.add_argument("--descending", action="store_true", help="the other way round: newest or last first")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="start at this place (default: 1)")
    parser.add_argument("--limit", type=int, metavar="N", help=f"list at most N (default: {_SHOWN}; all with --format)")
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
    parser.add_argument("--tag", action="append", default=[], metavar="TAG", help="tag the documents; repeatable")
    parser.add_argument("--untag", action="append", default=[], metavar="TAG", help="take a tag off; repeatable")
    parser.add_argument("--note", metavar="TEXT", help="replace the note; an empty one takes it away")
    read = parser.add_mutually_exclusive_group()
    read.add_argument("--read", dest="read", action="store_true", default=None, help="mark as read")
    read.add_argument("--unread", dest="read", action="store_false", help="take the read mark away")
    parser.add_argument("--screen", choices=tuple(_SCREEN), help="decide on the documents for a review")
    parser.add_argument("--reason", default="", metavar="R", help="why they are excluded")
    parser.add_argument("--review", default="", metavar="NAME", help="which review (default: the first)")
    parser.add_argument("--all", action="store_true", help="change all documents that pass, without naming ids")


def run_documents(arguments: argparse.Namespace) -> None:
    """Change what was asked for, or list."""
    changes = any((arguments.tag, arguments.untag, arguments.note is not None, arguments.read is not None))
    changes = changes or bool(arguments.screen)
    _check_documents(arguments, changes)
    with Library.open(options.library_folder(arguments)) as library:
        if arguments.forget_removed:
            options.say(
                arguments, {"forgotten": (number := library.annotations.forget_removed())}, f"{number:,} forgotten."
            )
        elif arguments.tags:
            counts = library.annotations.tags()
            lines = [f"{count:>7,}  {name}" for name, count in counts.items()] or ["No tags yet."]
            options.say(
                arguments, {"tags": [{"name": one, "documents": counts[one]} for one in counts]}, "\n".join(lines)
            )
        elif arguments.rename_tag:
            number = library.annotations.rename_tag(*arguments.rename_tag)
            options.say(arguments, {"renamed": number}, f"The tag is renamed on {how_many(number, 'document')}.")
        elif arguments.reviews or arguments.new_review or arguments.rename_review or arguments.delete_review:
            _reviews(arguments, library)
        elif changes:
            _change_documents(arguments, library)
        elif arguments.flow:
            _flow(arguments, library)
        elif arguments.next:
            _next(arguments, library)
        else:
            _list_documents(arguments, library)


def _check_documents(arguments: argparse.Namespace, changes: bool) -> None:
    """Refuse options that do not go together."""
    if changes and bool(arguments.ids) == arguments.all:
        arguments.refuse("name the documents to change by ID, or give --all to change all that pass the filters")
    if arguments.all and not changes:
        arguments.refuse("argument --all: only with a change, such as --tag")
    if arguments.reason and arguments.screen != "exclude":
        arguments.refuse("argument --reason: only with --screen exclude")
    if arguments.delete_review and not arguments.yes:
        arguments.refuse("argument --delete-review: its decisions are lost; give --yes, too")
    if arguments.json and arguments.format:
        arguments.refuse("argument --json: not allowed with argument --format")
    if arguments.flow and arguments.format not in (None, "csv"):
        arguments.refuse("argument --flow: only with --format csv")
    if arguments.first < 1 or (arguments.limit is not None and arguments.limit < 1):
        arguments.refuse("arguments --first and --limit: expected a number from 1")


def _filters(arguments: argparse.Namespace, library: Library) -> Filters:
    return options.request_of(arguments, FilterRequest).filters(library)


def _change_documents(arguments: argparse.Namespace, library: Library) -> None:
    """Make the changes once all ids are known, and say how many documents each one changed."""
    arguments.ids = [library.find_one(name).id for name in arguments.ids]  # an unknown one changes nothing at all
    ids = library.ids(_filters(arguments, library)) if arguments.all else arguments.ids
    screening = library.screening.in_review(arguments.review)
    screening.of(())  # nor does an unknown review
    done: dict[str, int] = {}
    for tag in arguments.tag:
        done["tagged"] = done.get("tagged", 0) + library.annotations.tag(ids, tag)
    for tag in arguments.untag:
        done["untagged"] = done.get("untagged", 0) + library.annotations.untag(ids, tag)
    if arguments.note is not None:
        done["noted"] = library.annotations.note(ids, arguments.note)
    if arguments.read is not None:
        done["read" if arguments.read else "unread"] = library.annotations.mark_read(ids, arguments.read)
    if arguments.screen:
        decision = _SCREEN[arguments.screen]
        if decision is None:
            done["undecided"] = screening.take_back(ids)
        else:
            done[decision] = screening.decide(ids, decision, arguments.reason)
    said = ", ".join(f"{count:,} {word}" for word, count in done.items())
    options.say(arguments, {"documents": len(ids), **done}, f"{how_many(len(ids), 'document')}: {said}.")


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
    options.say(arguments, {"reviews": [{"name": one, "decided": counts[one]} for one in counts]}, "\n".join(lines))


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
        options.say(arguments, {"document": None}, "All of them are decided.")
        return
    (row,) = library.listing.in_review(arguments.review).of([id_])
    (document,) = library.get([id_])
    options.say(
        arguments,
        {"document": listed_as_json(row) | {"abstract": document.abstract}},
        f"{_line(row)}\n{document.abstract}",
    )


def _list_documents(arguments: argparse.Namespace, library: Library) -> None:
    listing = library.listing.in_review(arguments.review)
    if arguments.ids:
        found = [one.id for name in arguments.ids for one in library.find(name, _SHOWN) or [library.find_one(name)]]
        rows, total = listing.of(list(dict.fromkeys(found))), len(set(found))
    else:
        chosen = _filters(arguments, library)
        total = library.count(chosen)
        wanted = arguments.limit or (total if arguments.format else _SHOWN)
        rows = _pages(arguments, library, wanted)
    if arguments.format:
        ids = [row.id for row in rows]
        kept = [one for at in range(0, len(ids), _WHOLE) for one in listing.kept(ids[at : at + _WHOLE])]
        print(RECORD_FORMATS[arguments.format](kept), end="")
        return
    more = f"{len(rows):,} of {how_many(total, 'document')}"
    lines = "\n".join((*map(_line, rows), more))
    options.say(arguments, {"total": total, "documents": [listed_as_json(row) for row in rows]}, lines)


def _pages(arguments: argparse.Namespace, library: Library, wanted: int) -> list[Listed]:
    chosen, found = _filters(arguments, library), list[Listed]()
    while len(found) < wanted:
        page = library.listing.in_review(arguments.review).page(
            chosen,
            order=arguments.sort,
            descending=arguments.descending,
            first=arguments.first - 1 + len(found),
            count=wanted - len(found),
        )
        if not page:
            break
        found += page
    return found


def listed_as_json(row: Listed) -> dict[str, object]:
    """Return a row as a JSON object."""
    facts = {"id": row.id, "kind": row.kind, "title": row.title, "year": row.year, "venue": row.venue}
    return {**facts, **own_fields(row)}


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
    value = {"collections": [{"name": name, "documents": count} for name, count in counts.items()]}
    options.say(arguments, value, "\n".join(lines))


def show_collection(arguments: argparse.Namespace) -> None:
    """Print the documents of a collection, the one added first first."""
    if arguments.json and arguments.format:
        arguments.refuse("argument --json: not allowed with argument --format")
    with _library(arguments) as library:
        kept = library.listing.kept(library.collections.ids(arguments.name))
    if arguments.format:
        print(RECORD_FORMATS[arguments.format](kept), end="")
        return
    documents, keys = [one.document for one in kept], ("id", "kind", "title", "year", "url")
    value = {"documents": [{key: getattr(document, key) for key in keys} for document in documents]}
    options.say(arguments, value, "\n".join(f"{one.id}  {one.name}" for one in documents) or "It is empty.")


def add_to_collection(arguments: argparse.Namespace) -> None:
    """Put documents into a collection, and say how many are new in it."""
    with _library(arguments) as library:
        ids = [library.find_one(name).id for name in arguments.ids]
        count = library.collections.add(arguments.name, ids)
        _say_collection(arguments, library, "added", count)


def remove_from_collection(arguments: argparse.Namespace) -> None:
    """Take documents out of a collection, and say how many it held."""
    with _library(arguments) as library:
        count = library.collections.take_out(arguments.name, arguments.ids)
        _say_collection(arguments, library, "removed", count)


def rename_collection(arguments: argparse.Namespace) -> None:
    """Give a collection another name."""
    with _library(arguments) as library:
        library.collections.rename(arguments.name, arguments.to)
        arguments.name = arguments.to
        _say_collection(arguments, library, "renamed", 1)


def delete_collection(arguments: argparse.Namespace) -> None:
    """Forget a collection."""
    with _library(arguments) as library:
        count = len(library.collections.ids(arguments.name))
        library.collections.delete(arguments.name)
    value = {"deleted": 1, "name": arguments.name, "documents": count}
    options.say(arguments, value, f"The collection is gone; its documents, {count:,}, stay in the library.")


def _library(arguments: argparse.Namespace) -> Library:
    return Library.open(options.library_folder(arguments))


def _say_collection(arguments: argparse.Namespace, library: Library, done: str, count: int) -> None:
    """Say what was done, and how many documents the collection holds now."""
    held = len(library.collections.ids(arguments.name))
    said = f"{count:,} {done}. {arguments.name} holds {held:,}."
    if done == "renamed":
        said = f"The collection is called {arguments.name} now. It holds {held:,}."
    options.say(arguments, {done: count, "name": arguments.name, "documents": held}, said)
