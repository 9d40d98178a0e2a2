"""`priorscope compare`: long documents at three levels: two side by side, one within itself, three together."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from engine import compare
from engine.cli import options
from engine.cli.compare_text import as_text, as_together, as_versions, as_within
from engine.cli.read import read_input
from engine.cli.terminal import bar
from engine.compare import Comparison, Exclusions
from engine.core import files
from engine.core.errors import InputError, UnknownDocumentError
from engine.documents import Document
from engine.library import Library
from engine.reading import shown, unreachable
from engine.workspace import COMPARE_ENCODER, SalienceReader, Workspace

if TYPE_CHECKING:
    from engine.exports import SalientTexts

_PAIR = 2


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("compare")
    source = "a file in any format we read, or a library document's id"
    parser.add_argument("a", metavar="A", help=f"{source}; alone, it is compared within itself")
    parser.add_argument("b", metavar="B", nargs="?", help="the document to compare it with")
    parser.add_argument("c", metavar="C", nargs="?", help="a third one: every two are compared, on one scale")
    options.add_library(parser)
    parser.add_argument(
        "--encoder", metavar="NAME", default=COMPARE_ENCODER, help=f"a name, or a folder (default: {COMPARE_ENCODER})"
    )
    parser.add_argument("--versions", action="store_true", help="B is a later version of A: say what it changes")
    parser.add_argument("--keep-references", action="store_true", help="compare reference lists, too")
    parser.add_argument("--keep-recurring", action="store_true", help="compare boilerplate and common sentences, too")
    parser.add_argument("--min-words", type=int, default=0, metavar="N", help="leave out matches of fewer words")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the comparison as one HTML file")
    parser.add_argument("--no-salient", action="store_true", help="underline no salient sentences in the report")
    parser.add_argument("--csv", type=Path, metavar="DIR", help="write the matrices as CSV files")
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read the documents, compare them, write what was asked for and print."""
    if arguments.min_words < 0:
        raise InputError(f"Expected --min-words of 0 or more, got {arguments.min_words}. Give 0 to keep every match.")
    count = sum(name is not None for name in (arguments.a, arguments.b, arguments.c))
    if count != _PAIR and (arguments.versions or arguments.csv is not None):
        option = "--versions" if arguments.versions else "--csv"
        raise InputError(f"Expected two documents with {option}, got {count}. Name two, or leave {option} out.")
    for path in (arguments.report, arguments.csv and arguments.csv / "sections-across.csv"):
        if path is not None:
            files.check_writable(path)
    with Workspace(options.library_folder(arguments)) as workspace:
        {1: _run_within, 2: _run_pair, 3: _run_together}[count](arguments, workspace)


def _run_pair(arguments: argparse.Namespace, workspace: Workspace) -> None:
    (a, b), comparer = _documents(arguments, workspace), workspace.comparer(arguments.encoder)
    comparison = comparer.compare(a, b, _exclusions(arguments), report=bar())
    versions = comparer.versions(a, b, _exclusions(arguments)) if arguments.versions else None
    if arguments.report is not None:
        from engine.exports import comparison_html

        salient = None if arguments.no_salient else salient_texts(comparison, workspace.salience)
        card = comparer.encoder().card
        page = comparison_html(comparison, encoder=card, made_on=date.today(), salient=salient, versions=versions)
        files.write_bytes(arguments.report, page.encode())
    if arguments.csv is not None:
        from engine.exports import csv_files

        for name, text in csv_files(comparison).items():
            files.write_bytes(arguments.csv / name, text.encode())
    if arguments.json:
        changes = {} if versions is None else {"versions": versions.as_json()}
        options.print_json({**comparison.as_json(), **changes})
    else:
        print(as_text(comparison) if versions is None else as_versions(versions))


def _run_within(arguments: argparse.Namespace, workspace: Workspace) -> None:
    comparer = workspace.comparer(arguments.encoder)
    (document,) = _documents(arguments, workspace)
    comparison = comparer.within(document, _exclusions(arguments), report=bar())
    if arguments.report is not None:
        from engine.exports import comparison_html

        page = comparison_html(comparison, encoder=comparer.encoder().card, made_on=date.today())
        files.write_bytes(arguments.report, page.encode())
    if arguments.json:
        options.print_json(compare.within_as_json(comparison))
    else:
        print(as_within(comparison))


def _run_together(arguments: argparse.Namespace, workspace: Workspace) -> None:
    comparer = workspace.comparer(arguments.encoder)
    found = comparer.together(_documents(arguments, workspace), _exclusions(arguments), report=bar())
    if arguments.report is not None:
        from engine.exports import together_html

        page = together_html(found, encoder=comparer.encoder().card, made_on=date.today())
        files.write_bytes(arguments.report, page.encode())
    if arguments.json:
        options.print_json(found.as_json())
    else:
        print(as_together(found))


def salient_texts(comparison: Comparison, reader: SalienceReader) -> SalientTexts | None:
    """The salient sentences of both texts; None if the encoder that weighs them is not installed.

    Raises StorageError if its folder is damaged.
    """
    from engine.exports import SalientTexts

    if not reader.is_there():
        return None
    a, b = reader.read([comparison.a, comparison.b], report=bar())
    return SalientTexts(a, b, reader.encoder().card)


def _exclusions(arguments: argparse.Namespace) -> Exclusions:
    return Exclusions(not arguments.keep_references, not arguments.keep_recurring, arguments.min_words)


def _documents(arguments: argparse.Namespace, workspace: Workspace) -> list[Document]:
    """The documents that were named."""
    library = workspace.library if arguments.library is not None else workspace.library_if_any()
    names = zip((arguments.a, arguments.b, arguments.c), "ABC", strict=True)
    return [_document(name, place, library) for name, place in names if name is not None]


def _document(name: str, place: str, library: Library | None) -> Document:
    """A file's document, or the library's of that id.

    Raises InputError, which says which of the two it was, or UnknownDocumentError if neither exists.
    """
    if name != "-" and unreachable(Path(name)):
        held = _held(name, library)
        if held is None:
            raise UnknownDocumentError(
                f"Expected a file or the id of a document in the library as {place}; there is neither for "
                f"{shown(name)!r}. Check the path, or find the id with `priorscope search`."
            )
        return held
    try:
        reading = read_input(name)
    except InputError as error:
        raise type(error)(f"{place}, {name}: {error}") from None
    for warning in reading.warnings:
        print(f"priorscope: {place}: {warning}", file=sys.stderr)
    return reading.document


def _held(id_: str, library: Library | None) -> Document | None:
    try:
        return library.get([id_])[0] if library is not None else None
    except UnknownDocumentError:
        return None
