"""`priorscope recent`: the searches and comparisons that the pages remember, and how long all that is kept stays."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from engine.cli import options
from engine.documents.text import how_many
from engine.library import Library
from engine.workspace import KeepingSettings, OwnDocuments, Recent, keeping_settings


def add_recent(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_shared(parser)
    parser.add_argument("--forget", metavar="KEY", help="forget one entry, and the documents that only it names")
    parser.add_argument(
        "--forget-all", action="store_true", help="forget every entry and every kept document of your own"
    )
    parser.add_argument("--remember", choices=("yes", "no"), help="whether to keep entries and your own documents")
    parser.add_argument("--days", metavar="N", type=int, help="how long they stay after their last use")
    parser.add_argument("--megabytes", metavar="N", type=int, help="how much room your own documents may take")
    parser.add_argument("--documents", metavar="N", type=int, help="how many of them are kept, those used last")


def run_recent(arguments: argparse.Namespace) -> None:
    """Change what is asked for, then print the list.

    Raises LibraryError where the folder holds no library, ConfigError for a value out of range.
    """
    with Library.open(options.library_folder(arguments)) as library:
        folder = library.folder
    own = OwnDocuments(folder)
    settings = _settings(folder, own, arguments)
    recent = Recent(folder, own)
    if arguments.forget_all:
        recent.forget_all()
    elif arguments.forget:
        recent.forget(arguments.forget)
    found, kept, kept_for = recent.listed(), own.files(), "Nothing new is kept."
    if settings.remember:
        kept_for = (
            f"Each stays {how_many(settings.days, 'day')} after its last use; up to "
            f"{how_many(settings.documents, 'document')} and {settings.megabytes:,} MB in all."
        )
    of_own = {"documents": len(kept), "megabytes": round(sum(file.bytes for file in kept) / 1e6, 3)}
    entries = [
        {
            "key": one.key,
            "page": one.page,
            "title": one.title,
            "link": one.address,
            "when": datetime.fromtimestamp(one.when, UTC).isoformat(timespec="seconds"),
        }
        for one in found.entries
    ]
    lines = [
        f"{datetime.fromtimestamp(one.when):%Y-%m-%d %H:%M}  {one.page:<7}  {one.title}\n{'':18}{one.address}"
        for one in found.entries
    ] or ["Nothing is remembered."]
    if found.damaged:
        lines.append(f"Left out, because what was kept was changed or damaged: {how_many(found.damaged, 'entry')}.")
    lines.append(f"Your own documents kept: {len(kept):,}, {of_own['megabytes']:,.1f} MB. {kept_for}")
    told = {"entries": entries, "damaged": found.damaged, "own_documents": of_own, "settings": settings}
    options.say(arguments, told, "\n".join(lines))


def _settings(folder: Path, own: OwnDocuments, arguments: argparse.Namespace) -> KeepingSettings:
    given = {name: value for name in KeepingSettings.MOST if (value := getattr(arguments, name)) is not None}
    if arguments.remember:
        given["remember"] = arguments.remember == "yes"
    return own.limit(**given) if given else keeping_settings(folder)
