"""Options that several commands share, spelled once, and those that follow from the fields of a request."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from engine.core.errors import LibraryError
from engine.core.files import ABSENT, shown, unreachable
from engine.core.stores import library_at
from engine.library import LIBRARY_VARIABLE, default_library

T = TypeVar("T")
_METAVARS = {
    **{"year_from": "YEAR", "year_to": "YEAR", "line": "L", "like": "ID", "unlike": "ID"},
    **{"stress": "WORD", "mute": "WORD", "tag": "TAG", "untag": "TAG", "note": "TEXT", "reason": "R"},
}
"""What stands for a field's value in a command's help, where it is neither a name nor a number."""


def add_library(parser: argparse.ArgumentParser) -> None:
    """Add `--library DIR`."""
    parser.add_argument(
        "--library",
        metavar="DIR",
        default=None,
        help="the library's folder, or postgresql://USER@HOST/DATABASE for one on a server "
        f"(default: ${LIBRARY_VARIABLE}, else ~/.priorscope/library)",
    )


def library_folder(arguments: argparse.Namespace) -> Path:
    """Return the library folder that the command line named, or the default; it need not exist yet.

    Raises LibraryError for a folder that the system does not let us reach, ConfigError for an address that is none.
    """
    folder = library_at(str(arguments.library)) if arguments.library is not None else default_library()
    reason = unreachable(folder / "library")  # we may not be allowed into the folder itself
    if reason and reason != ABSENT:
        raise LibraryError(f"Expected a library in {shown(folder)}; {reason}. Name another folder with --library.")
    return folder


def add_encoder(parser: argparse.ArgumentParser) -> None:
    """Add `--encoder NAME`."""
    parser.add_argument("--encoder", metavar="NAME", default="default", help="an encoder's name (default: default)")


def add_index(parser: argparse.ArgumentParser) -> None:
    """Add `--index KIND`."""
    from engine.workspace import ImportRequest  # loads more than other options need

    add_request(parser, ImportRequest, without={"encoder", "no_copies"})


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON value instead of text")


def add_shared(parser: argparse.ArgumentParser) -> None:
    """Add `--library DIR` and `--json`."""
    add_library(parser)
    add_json(parser)


def add_actions(
    parser: argparse.ArgumentParser,
    share: Callable[[argparse.ArgumentParser], None] = add_shared,
    *,
    required: bool = True,
) -> Callable[..., argparse.ArgumentParser]:
    """Return what adds a thing that a command does: its word, what it is for, what runs, names that it takes.

    Each takes the options that they `share`, too.
    """
    actions = parser.add_subparsers(required=required, metavar="ACTION")

    def add(word: str, purpose: str, run: Callable[[argparse.Namespace], None], *names: str) -> argparse.ArgumentParser:
        action = actions.add_parser(word, help=purpose)
        share(action)
        for name in names:
            action.add_argument(name, metavar="NAME")
        action.set_defaults(run=run, refuse=action.error)
        return action

    return add


def print_json(value: object) -> None:
    """Print one JSON value, readable and in UTF-8; escaped where standard output takes fewer characters.

    A dataclass in it is printed by its fields.
    """
    narrow = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    # as it is made: two books have millions of numbers
    json.dump(value, sys.stdout, ensure_ascii=narrow, indent=2, default=dataclasses.asdict)
    print()


def say(arguments: argparse.Namespace, value: object, text: str) -> None:
    """Print an answer: one JSON value with `--json`, else a text."""
    if arguments.json:
        print_json(value)
    else:
        print(text)


def warn(warnings: Sequence[str]) -> None:
    """Print what a reader noticed to standard error."""
    for warning in warnings:
        print(f"priorscope: {warning}", file=sys.stderr)


def add_request(parser: argparse.ArgumentParser, request: type[Any], *, without: Collection[str] = ()) -> None:
    """Add an option for each field of a request, as the field describes itself."""
    hints = get_type_hints(request, include_extras=True)
    for one in dataclasses.fields(request):
        if one.name not in without:
            kind, doc = get_args(hints[one.name])
            _add_field(parser, one, kind, doc.documentation.replace("%", "%%"))


def _add_field(parser: argparse.ArgumentParser, field: dataclasses.Field[Any], kind: Any, told: str) -> None:  # noqa: ANN401 - a type of any form
    flag = f"-{field.name}" if len(field.name) == 1 else f"--{field.name.replace('_', '-')}"
    if kind is bool:
        parser.add_argument(flag, action="store_true", help=told)
        return
    many = get_origin(kind) is tuple
    one = next(one for one in get_args(kind) if one is not NoneType) if many or NoneType in get_args(kind) else kind
    choices = get_args(one) if get_origin(one) is Literal else None
    parser.add_argument(
        flag,
        action="append" if many else "store",
        default=[] if many else field.default,
        type=one if one in {int, float} else str,
        choices=choices,
        metavar=None if choices else _METAVARS.get(field.name, "N" if one is int else "NAME"),
        help=f"{told}{'; repeatable' if many else f' (default: {field.default})' if field.default else ''}",
    )


def request_of(arguments: argparse.Namespace, request: type[T]) -> T:
    """Return the request that the command line made, by those of its fields that are options of the command."""
    names = [one.name for one in dataclasses.fields(cast(Any, request))]
    given = {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}
    return request(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})
