"""`priorscope compare`: long documents at three levels: two side by side, one within itself, three together."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from engine import compare, exports
from engine.cli import options
from engine.cli.read import NAMING, read_named
from engine.cli.terminal import bar
from engine.compare import Change, Comparison, Passage, Together, Uncovered, UncoveredPassage, Versions
from engine.core import files
from engine.core.errors import InputError, UnknownDocumentError
from engine.documents import Chunk, Document
from engine.documents.text import how_many, in_percent
from engine.library import Library
from engine.search import Reading
from engine.workspace import CompareRequest, SalienceReader, Workspace

if TYPE_CHECKING:
    pass


_PAIR = 2
_WIDTH, _SHOWN, _CELLS = 100, 5, 10
_CALLED = {"new": "New", "rewritten": "Rewritten", "moved": "Moved", "dropped": "Dropped"}


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("a", metavar="A", help=f"{NAMING}; alone, it is compared with itself")
    parser.add_argument("b", metavar="B", nargs="?", help="the document to compare it with")
    parser.add_argument("c", metavar="C", nargs="?", help="a third document: each pair is compared, on one scale")
    options.add_request(parser, CompareRequest)
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the comparison as one HTML file")
    parser.add_argument("--no-salient", action="store_true", help="underline no salient sentences in the report")
    parser.add_argument("--csv", type=Path, metavar="DIR", help="write the matrices as CSV files")
    options.add_shared(parser)


def run_compare(arguments: argparse.Namespace) -> None:
    """Read the documents, compare them, write what was asked for and print."""
    asked = options.request_of(arguments, CompareRequest)
    count = sum(name is not None for name in (arguments.a, arguments.b, arguments.c))
    asked.check(count)
    if count != _PAIR and arguments.csv is not None:
        raise InputError(f"Expected two documents with --csv, got {count}. Name two, or leave --csv out.")
    for path in (arguments.report, arguments.csv and arguments.csv / "sections-across.csv"):
        if path is not None:
            files.check_writable(path)
    with Workspace(options.library_folder(arguments)) as workspace:
        found, versions = asked.run(workspace, _documents(arguments, workspace), report=bar())
        _write(arguments, workspace, found, versions)
    if arguments.json:
        options.print_json(compare.as_json(found, versions))
    else:
        print(_text(found, versions))


def _write(
    arguments: argparse.Namespace, workspace: Workspace, found: Comparison | Together, versions: Versions | None
) -> None:
    """Write the report and the tables that were asked for."""
    if arguments.report is not None:
        card, today = workspace.comparer(arguments.encoder).encoder().card, date.today()
        if isinstance(found, Together):
            page = exports.together_html(found, encoder=card, made_on=today)
        else:
            underlined = not (arguments.no_salient or found.is_within)
            salient = salient_texts(found, workspace.salience) if underlined else None
            page = exports.comparison_html(found, encoder=card, made_on=today, salient=salient, versions=versions)
        files.write_bytes(arguments.report, page.encode())
    if arguments.csv is not None and isinstance(found, Comparison):
        for name, text in exports.csv_files(found).items():
            files.write_bytes(arguments.csv / name, text.encode())


def salient_texts(comparison: Comparison, reader: SalienceReader) -> exports.SalientTexts | None:
    """Return the salient sentences of both texts; None if the encoder that weighs them is not installed.

    Raises StorageError if its folder is damaged.
    """
    if not reader.is_there():
        return None
    a, b = reader.read([comparison.a, comparison.b], report=bar())
    return exports.SalientTexts(a, b, reader.encoder().card)


def _documents(arguments: argparse.Namespace, workspace: Workspace) -> list[Document]:
    """Return the documents that were named."""
    library = workspace.library if arguments.library is not None else workspace.library_if_any()
    names = zip((arguments.a, arguments.b, arguments.c), "ABC", strict=True)
    return [_document(name, place, library) for name, place in names if name is not None]


def _document(name: str, place: str, library: Library | None) -> Document:
    """Return a file's document, or the library's that the name fits.

    Raises InputError or UnknownDocumentError, which says which of them it was.
    """
    try:
        reading = read_named(name, library)
    except InputError as error:
        raise type(error)(f"{place}, {name}: {error}") from None
    except UnknownDocumentError as error:
        raise UnknownDocumentError(f"{place}: {error}") from None
    for warning in reading.warnings:
        print(f"priorscope: {place}: {warning}", file=sys.stderr)
    return reading.document


# What is printed --------------------------------------------------------------------------------


def _text(found: Comparison | Together, versions: Versions | None) -> str:
    if isinstance(found, Together):
        return as_together(found)
    if versions is not None:
        return as_versions(versions)
    return as_within(found) if found.is_within else as_text(found)


def as_text(comparison: Comparison) -> str:
    """Return the comparison in a page: the score, the nearest sections, the best passages, and the claims."""
    a, b = comparison.a, comparison.b
    lines = [
        *textwrap.wrap(f"A: {a.name} ({a.kind})", _WIDTH),
        *textwrap.wrap(f"B: {b.name} ({b.kind})", _WIDTH),
        "",
        f"{comparison.nearness.with_p}, {comparison.read_part('A', 'B')}",
        *textwrap.wrap(comparison.said_in_both("A", "B"), _WIDTH),
        "",
        f"Score of the whole texts: {comparison.score:.4f}. {comparison.reading.sentence}",
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
    lines += ["", *_differences(comparison)]
    if comparison.claims:
        lines += ["", *_claims(comparison)]
    return "\n".join(lines)


def _word(reading: Reading | None) -> str:
    return "" if reading is None else reading.with_p


def _left_out(comparison: Comparison) -> list[str]:
    said = [f"{a} and {b} {reason}" for reason, (a, b) in comparison.left_out.items() if a or b]
    return [f"Sentences left out of A and B: {', '.join(said)}."] if said else []


def _both_cite(comparison: Comparison) -> list[str]:
    """Return the works that both documents cite, the first few."""
    shared = comparison.shared_references
    names = [f"  {textwrap.shorten(one.name, _WIDTH, placeholder=' ...')}" for one in shared[:_CELLS]]
    more = [f"  and {len(shared) - _CELLS} more"] if len(shared) > _CELLS else []
    return ["", f"Both cite {how_many(len(shared), 'work')}:", *names, *more] if shared else []


def _cells(comparison: Comparison) -> list[str]:
    """Return the nearest pairs of sections: each section of A with its nearest one of B, the best few."""
    grid = comparison.sections
    best = sorted(((float(row.max()), int(row.argmax()), n) for n, row in enumerate(grid.across)), reverse=True)
    lines = [f"The nearest sections, {min(_CELLS, len(best))} of {len(best)} of A:"]
    return lines + [f"  {score:.4f}  {grid.a[row]} | {grid.b[column]}" for score, column, row in best[:_CELLS]]


def _passage(passage: Passage, letters: Sequence[str] = "AB") -> list[str]:
    word = _word(passage.reading)
    lines = [f"  {f'{word}: ' if word else ''}{passage.a.place} | {passage.b.place}"]
    for name, chunk in zip(letters, (passage.a, passage.b), strict=True):
        text = textwrap.shorten(chunk.text, 3 * _WIDTH, placeholder=" ...")
        lines += textwrap.wrap(text, _WIDTH, initial_indent=f"    {name}: ", subsequent_indent=" " * 7)
    return lines


def _claims(comparison: Comparison) -> list[str]:
    """Return the weakest elements first: what the other document does not seem to have."""
    lines = ["Elements of claims, those with the weakest match first:"]
    for element in sorted(comparison.claims, key=lambda one: one.passages[0].nearness if one.passages else (-9, 0))[
        :_SHOWN
    ]:
        text = textwrap.shorten(element.element.text, _WIDTH - 30, placeholder=" ...")
        word = _word(element.passages[0].reading) if element.passages else "nothing comes near"
        lines.append(f"  {element.side.upper()}, claim {element.claim}: {text}")
        lines += [f"    {'its nearest: ' if element.passages else ''}{word}"] if word else []
    return lines


def as_versions(versions: Versions) -> str:
    """Return what a second version changes of the first, in its order."""
    kinds = versions.longest_by_kind()
    shares = ", ".join(f"{kind} {in_percent(versions.share(kind))}" for kind in kinds)
    lines = [f"Changed from A to B: {shares} of the words." if shares else "B says what A says, in the same words."]
    for kind, found in kinds.items():
        lines += ["", f"{_CALLED[kind]}, {how_many(len(found), 'passage')}, the longest first:"]
        for change in found[:_SHOWN]:
            lines += _change(change)
    return "\n".join(lines)


def as_within(comparison: Comparison) -> str:
    """Return one document against itself: its nearest sections, and passages that repeat each other."""
    grid = comparison.sections
    pairs = sorted(
        ((float(grid.within_a[a, b]), a, b) for a in range(len(grid.a)) for b in range(a + 1, len(grid.a))),
        reverse=True,
    )
    lines = [*textwrap.wrap(f"Within {comparison.a.name} ({comparison.a.kind})", _WIDTH), ""]
    if pairs:
        lines.append(f"The nearest sections, {min(_CELLS, len(pairs))} of {how_many(len(pairs), 'pair')}:")
    else:
        lines.append("It has one section, and nothing to compare that with.")
    lines += [f"  {score:.4f}  {grid.a[a]} | {grid.a[b]}" for score, a, b in pairs[:_CELLS]]
    lines += ["", "Passages that say nearly the same, the best first:" if comparison.passages else "No passages match."]
    for passage in comparison.passages[:_SHOWN]:
        lines += _passage(passage)
    return "\n".join(lines)


def as_together(found: Together) -> str:
    """Return three documents: how near every two are, and the best sections and passages of every two."""
    lines = [
        line
        for letter, one in zip(found.letters, found.documents, strict=False)
        for line in textwrap.wrap(f"{letter}: {one.name} ({one.kind})", _WIDTH)
    ]
    lines += ["", found.nearer] if found.nearer else []
    for ours, theirs, comparison in found.pairs:
        lines += ["", f"{ours} and {theirs}: {comparison.nearness.with_p}, {comparison.read_part(ours, theirs)}"]
        lines += _cells(comparison)[1 : 1 + _SHOWN]
        for passage in comparison.passages[:1]:
            lines += _passage(passage, (ours, theirs))
    return "\n".join(lines)


def _differences(comparison: Comparison) -> list[str]:
    """Return what nothing in the other document covers: shares of words, and the longest passages."""
    found, lines = comparison.differences, []
    for (letter, other), one in zip((("A", "B"), ("B", "A")), (found.a, found.b), strict=True):
        lines += _uncovered(letter, other, one)
    if found.are_versions:
        share = in_percent(found.same)
        lines.append(
            f"These look like two versions of one text: {share} of the shorter one's words are in both. Add --versions "
            "to see what changed."
        )
    return lines


def _uncovered(letter: str, other: str, one: Uncovered) -> list[str]:
    lines = []
    close = f"close to a sentence of {other}: read both"
    for found, told in (one.alone, f"and nothing in {other} comes close"), (one.close, close):
        share = in_percent(found.share)
        lines.append(f"In {letter}, {told}: {share} of {one.of_words:,} words.")
        for difference in found.longest[:_SHOWN]:
            lines += [*_quoted(letter, difference.passage), *_miss(difference, other)]
    return lines


def _miss(difference: UncoveredPassage, other: str) -> list[str]:
    if difference.nearest is None:
        return [f"    {other}: nothing comes near."]
    word = _word(difference.reading)
    return _quoted(other, difference.nearest, f"nearest, {word}, " if word else "nearest, ")


def _change(change: Change) -> list[str]:
    lines: list[str] = []
    for letter, chunk in (("A", change.old), ("B", change.new)):
        if chunk is not None:
            lines += _quoted(letter, chunk)
    if change.nearest is not None:
        lines += _quoted("B" if change.kind == "dropped" else "A", change.nearest, "nearest, ")
    return lines


def _quoted(letter: str, chunk: Chunk, before: str = "") -> list[str]:
    text = textwrap.shorten(f"({before}{chunk.place}) {chunk.text}", 2 * _WIDTH, placeholder=" ...")
    return textwrap.wrap(text, _WIDTH, initial_indent=f"  {letter}: ", subsequent_indent=" " * 5)
