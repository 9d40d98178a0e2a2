"""`priorscope compare`: two long documents side by side, as wholes, by sections and chunks, with their passages."""

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
from engine.compare.calibration import Calibration
from engine.compare.comparing import compare
from engine.compare.read_document import ReadDocument, require_comparable
from engine.compare.vectors import KeptRows
from engine.compare.words import Words
from engine.documents import Document
from engine.encoders import registry
from engine.encoders.base import EncoderCard
from engine.encoders.keyvec import settings as keyvec
from engine.errors import EncoderError, InputError, LibraryError, UnknownDocumentError
from engine.library import Library
from engine.readers.found import is_folder, shown, unreachable

if TYPE_CHECKING:
    from engine.encoders.colde.encoder import ColdeEncoder
    from engine.exports.comparison import SalientTexts

ENCODER = "colde"
_WIDTH, _SHOWN, _CELLS = 100, 5, 10


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("compare", help="compare two long documents by sections, chunks and passages")
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
    comparison, card = _compared(arguments)
    if arguments.report is not None:
        from engine.exports.comparison import html_report

        salient = None if arguments.no_salient else salient_texts(comparison)
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


def load_encoder(name: str) -> ColdeEncoder:
    """The encoder of long documents of a name, or in a folder.

    Raises EncoderError for one that does not compare long documents, UnknownEncoderError or StorageError.
    """
    from engine.encoders.colde.encoder import ColdeEncoder  # brings torch

    folder = Path(name)
    encoder = registry.load_folder(folder) if is_folder(folder) else registry.load(name)
    if not isinstance(encoder, ColdeEncoder):
        raise EncoderError(
            f"Expected an encoder that compares long documents, such as {ENCODER}; got {encoder.card.name}."
        )
    return encoder


def salient_texts(comparison: Comparison) -> SalientTexts | None:
    """The salient sentences of both texts; None where the encoder that weighs them is not installed.

    Raises StorageError where its folder is damaged.
    """
    if keyvec.NAME not in registry.names():
        return None
    from engine.cli.salient import load_encoder as load_keyvec
    from engine.exports.comparison import SalientTexts

    encoder = load_keyvec(keyvec.NAME)
    a, b = encoder.salience([comparison.a, comparison.b])
    return SalientTexts(a, b, encoder.card)


def words_of(arguments: argparse.Namespace) -> Words:
    """The words of the library that was named, or of the default one where there is one; the shipped ones otherwise."""
    with _Shelf(arguments) as shelf:
        return shelf.words()


class _Shelf:
    """The library that documents and words come from, where there is one; a library that was named has to be there."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._named = arguments.library is not None
        self._folder = options.library_folder(arguments)
        self.library: Library | None = None

    def __enter__(self) -> _Shelf:
        try:
            self.library = Library.open(self._folder)
        except LibraryError:
            if self._named:
                raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.library is not None:
            self.library.close()

    def words(self) -> Words:
        """The library's words, or the shipped ones."""
        return Words.shipped() if self.library is None else Words.of_library(self.library)

    def get(self, name: str) -> Document | None:
        """The document of an id; None where there is none."""
        if self.library is None:
            return None
        try:
            return self.library.get([name])[0]
        except UnknownDocumentError:
            return None


def _compared(arguments: argparse.Namespace) -> tuple[Comparison, EncoderCard]:
    exclusions = Exclusions(not arguments.keep_references, not arguments.keep_recurring, arguments.min_words)
    with _Shelf(arguments) as shelf:
        read = [_document(name, side, shelf) for name, side in ((arguments.a, "A"), (arguments.b, "B"))]
        encoder, words = load_encoder(arguments.encoder), shelf.words()
        sides = []
        for document, is_held in read:
            require_comparable(document)
            kept = KeptRows.of_library(shelf.library, encoder) if is_held and shelf.library is not None else None
            long = kept.read(document) if kept is not None else encoder.read([document], report=bar())[0]
            sides.append(ReadDocument.read(document, encoder, words, long=long))
    found = compare(*sides, exclusions=exclusions, calibration=Calibration.from_facts(encoder.facts))
    return found, encoder.card


def _document(name: str, side: str, shelf: _Shelf) -> tuple[Document, bool]:
    """A file's document, or the library's of that id, and whether it is the library's.

    Raises InputError, which says on which side it was, or UnknownDocumentError where there is neither.
    """
    if name != "-" and unreachable(Path(name)):
        held = shelf.get(name)
        if held is None:
            raise UnknownDocumentError(
                f"Expected a file or the id of a document in the library as {side}; there is neither for "
                f"{shown(name)!r}. Check the path, or find the id with `priorscope search`."
            )
        return held, True
    try:
        reading = read_input(name)
    except InputError as error:
        raise type(error)(f"{side}, {name}: {error}") from None
    for warning in reading.warnings:
        print(f"priorscope: {side}: {warning}", file=sys.stderr)
    return reading.document, False


def as_text(comparison: Comparison) -> str:
    """The comparison in a page: the score, the nearest sections, the best passages, and the claims."""
    a, b = comparison.a, comparison.b
    lines = [
        *textwrap.wrap(f"A: {a.name} ({a.kind})", _WIDTH),
        *textwrap.wrap(f"B: {b.name} ({b.kind})", _WIDTH),
        f"{comparison.score:.4f}  {comparison.reading.sentence}",
        *([] if comparison.mixed is None else [comparison.mixed.sentence()]),
        comparison.words,
        *_left_out(comparison),
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


def _cells(comparison: Comparison) -> list[str]:
    """The nearest section of B for the sections of A where it is nearest."""
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
