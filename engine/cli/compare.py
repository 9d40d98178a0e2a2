"""`priorscope compare`: two long documents side by side: the whole documents, sections, chunks and passages."""

from __future__ import annotations

import argparse
import sys
import textwrap
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from engine import files
from engine.cli import options
from engine.cli.read import read_input
from engine.cli.terminal import bar
from engine.compare.base import Comparison, Exclusions, Passage
from engine.documents import Document
from engine.encoders.base import EncoderCard
from engine.errors import InputError, UnknownDocumentError
from engine.library import Library
from engine.readers.found import shown, unreachable
from engine.readings import said
from engine.text import how_many
from engine.workspace import Workspace
from engine.workspace.comparison import ENCODER
from engine.workspace.salience import SalienceReader

if TYPE_CHECKING:
    from engine.exports.comparison import SalientTexts

_WIDTH, _SHOWN, _CELLS = 100, 5, 10


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("compare")
    for name in ("a", "b"):
        parser.add_argument(name, metavar=name.upper(), help="a file in any format we read, or a library document's id")
    options.add_library(parser)
    parser.add_argument("--encoder", metavar="NAME", default=ENCODER, help=f"a name, or a folder (default: {ENCODER})")
    parser.add_argument("--keep-references", action="store_true", help="compare reference lists, too")
    parser.add_argument("--keep-recurring", action="store_true", help="compare boilerplate and common sentences, too")
    parser.add_argument("--min-words", type=int, default=0, metavar="N", help="leave out matches of fewer words")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the comparison as one HTML file")
    parser.add_argument("--no-salient", action="store_true", help="underline no salient sentences in the report")
    parser.add_argument("--csv", type=Path, metavar="DIR", help="write the matrices as CSV files")
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read both documents, compare them, write what was asked for and print."""
    if arguments.min_words < 0:
        raise InputError(f"Expected --min-words of 0 or more, got {arguments.min_words}. Give 0 to keep every match.")
    for path in (arguments.report, arguments.csv and arguments.csv / "sections-across.csv"):
        if path is not None:
            files.check_writable(path)
    with Workspace(options.library_folder(arguments)) as workspace:
        comparison, card = _compared(arguments, workspace)
    if arguments.report is not None:
        from engine.exports.comparison import html_report

        salient = None if arguments.no_salient else salient_texts(comparison, workspace.salience)
        page = html_report(comparison, encoder=card, made_on=date.today(), salient=salient)
        files.write_bytes(arguments.report, page.encode())
    if arguments.csv is not None:
        from engine.exports.comparison import csv_files

        for name, text in csv_files(comparison).items():
            files.write_bytes(arguments.csv / name, text.encode())
    if arguments.json:
        options.print_json(comparison.as_json())
    else:
        print(as_text(comparison))


def salient_texts(comparison: Comparison, reader: SalienceReader) -> SalientTexts | None:
    """The salient sentences of both texts; None if the encoder that weighs them is not installed.

    Raises StorageError if its folder is damaged.
    """
    from engine.exports.comparison import SalientTexts

    if not reader.is_there():
        return None
    a, b = reader.read([comparison.a, comparison.b], report=bar())
    return SalientTexts(a, b, reader.encoder().card)


def _compared(arguments: argparse.Namespace, workspace: Workspace) -> tuple[Comparison, EncoderCard]:
    exclusions = Exclusions(not arguments.keep_references, not arguments.keep_recurring, arguments.min_words)
    library = workspace.library if arguments.library is not None else workspace.library_if_any()
    a, b = (_document(name, place, library) for name, place in ((arguments.a, "A"), (arguments.b, "B")))
    comparer = workspace.comparer(arguments.encoder)
    return comparer.compare(a, b, exclusions, report=bar()), comparer.encoder().card


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


def as_text(comparison: Comparison) -> str:
    """The comparison in a page: the score, the nearest sections, the best passages, and the claims."""
    a, b = comparison.a, comparison.b
    lines = [
        *textwrap.wrap(f"A: {a.name} ({a.kind})", _WIDTH),
        *textwrap.wrap(f"B: {b.name} ({b.kind})", _WIDTH),
        said(comparison.nearness),
        f"{comparison.score:.4f}  {comparison.reading.sentence}",
        *([] if comparison.mixed is None else [comparison.mixed.sentence()]),
        comparison.words,
        *_left_out(comparison),
        *_both_cite(comparison),
        "",
        *_cells(comparison),
        "",
        "Matching passages, the best first:" if comparison.passages else "No passages match.",
    ]
    for passage in comparison.passages[:_SHOWN]:
        lines += _passage(passage)
    if comparison.claims:
        lines += ["", *_claims(comparison)]
    return "\n".join(lines)


def _left_out(comparison: Comparison) -> list[str]:
    said = [f"{a} and {b} {reason}" for reason, (a, b) in comparison.left_out.items() if a or b]
    return [f"Sentences left out of A and B: {', '.join(said)}."] if said else []


def _both_cite(comparison: Comparison) -> list[str]:
    """The works that both documents cite, the first few."""
    shared = comparison.shared_references
    names = [f"  {textwrap.shorten(one.name, _WIDTH, placeholder=' ...')}" for one in shared[:_CELLS]]
    more = [f"  and {len(shared) - _CELLS} more"] if len(shared) > _CELLS else []
    return ["", f"Both cite {how_many(len(shared), 'work')}:", *names, *more] if shared else []


def _cells(comparison: Comparison) -> list[str]:
    """The nearest pairs of sections: each section of A with its nearest one of B, the best few."""
    grid = comparison.sections
    best = sorted(((float(row.max()), int(row.argmax()), n) for n, row in enumerate(grid.across)), reverse=True)
    lines = [f"The nearest sections, {min(_CELLS, len(best))} of {len(best)} of A:"]
    return lines + [f"  {score:.4f}  {grid.a[row]} | {grid.b[column]}" for score, column, row in best[:_CELLS]]


def _passage(passage: Passage) -> list[str]:
    lines = [f"  {passage.score:.4f}  {passage.a.place} | {passage.b.place}"]
    for name, chunk in (("A", passage.a), ("B", passage.b)):
        text = textwrap.shorten(chunk.text, 3 * _WIDTH, placeholder=" ...")
        lines += textwrap.wrap(text, _WIDTH, initial_indent=f"    {name}: ", subsequent_indent=" " * 7)
    return lines


def _claims(comparison: Comparison) -> list[str]:
    """The weakest elements first: what the other document does not seem to have."""
    lines = ["Elements of claims, those with the weakest match first:"]
    best = [(element.passages[0].score if element.passages else 0.0, element) for element in comparison.claims]
    for score, element in sorted(best, key=lambda pair: pair[0])[:_SHOWN]:
        text = textwrap.shorten(element.element.text, _WIDTH - 30, placeholder=" ...")
        lines.append(f"  {score:.4f}  {element.side.upper()}, claim {element.claim}: {text}")
    return lines
