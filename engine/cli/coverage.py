"""`priorscope coverage`: which parts of a document the library says already, which it comes close to, and which not."""

from __future__ import annotations

import argparse
import textwrap
from datetime import date
from pathlib import Path

from engine import compare, exports
from engine.cli import options
from engine.cli.read import NAMING, read_named
from engine.cli.terminal import bar
from engine.compare import Coverage
from engine.core import files
from engine.documents.text import how_many, in_percent
from engine.workspace import CoverageRequest, Workspace

_WIDTH, _TITLE, _WORD = 110, 38, 21


def add_coverage(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("file", metavar="FILE_OR_-", help=f"your document: {NAMING}; - reads standard input")
    options.add_request(parser, CoverageRequest)
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the probabilities as a table")
    parser.add_argument("--png", type=Path, metavar="FILE", help="write the heatmap as a picture")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write all of it as one HTML file")
    options.add_shared(parser)


def run_coverage(arguments: argparse.Namespace) -> None:
    """Read the document, cover it, write what was asked for and print."""
    for path in (arguments.csv, arguments.png, arguments.report):
        if path is not None:
            files.check_writable(path)
    with Workspace(options.library_folder(arguments)) as workspace:
        reading = read_named(arguments.file, workspace.library_if_any())
        options.warn(reading.warnings)
        held = len(workspace.library)
        coverage = options.request_of(arguments, CoverageRequest).run(workspace, reading.document, report=bar())
    _write(arguments, coverage, held)
    options.say(arguments, compare.as_json(coverage), as_text(coverage, held))


def _write(arguments: argparse.Namespace, coverage: Coverage, held: int) -> None:
    """Write the files that were asked for."""
    if arguments.csv is not None:
        files.write_bytes(arguments.csv, exports.coverage_csv(coverage).encode())
    if arguments.png is not None:
        files.write_bytes(arguments.png, exports.coverage_png(coverage))
    if arguments.report is not None:
        files.write_bytes(arguments.report, exports.coverage_html(coverage, held=held, made_on=date.today()).encode())


def as_text(coverage: Coverage, held: int) -> str:
    """Return a line a row: its word, how likely it is, what is nearest; then the documents that say most."""
    lines = [
        *textwrap.wrap(f"{coverage.question.name} ({coverage.question.kind})", _WIDTH),
        f"{how_many(len(coverage.columns), 'document')} of {held:,} in the library",
        "",
        f"{'':<{_WORD}}{'likely said':>11}  {'part of your document':<{_TITLE}}  nearest passage",
    ]
    lines += [_line(coverage, row) for row in range(len(coverage.rows))]
    lines += ["", *textwrap.wrap(coverage.summary(), _WIDTH), *textwrap.wrap(coverage.chosen_sentence(), _WIDTH)]
    if coverage.copies:
        lines += textwrap.wrap(f"Left out, because it is the document itself: {', '.join(coverage.copies)}.", _WIDTH)
    return "\n".join(lines)


def _fitted(title: str) -> str:
    """Return a title on one line; a long one loses words of its section's name and keeps what numbers it."""
    name, comma, number = title.partition(", ")
    tail = f"{comma}{number}" if len(number) < _TITLE // 2 else ""
    if tail:
        return textwrap.shorten(name, _TITLE - len(tail), placeholder=" ...") + tail
    return textwrap.shorten(title, _TITLE, placeholder=" ...")


def _line(coverage: Coverage, row: int) -> str:
    best = coverage.row_best(row)
    chunk = coverage.rows[row].chunk
    title = f"{coverage.rows[row].title}{f', p. {chunk.page}' if chunk.page else ''}"
    near = ""
    if best is not None:
        document = next(one for one in coverage.columns if one.id == best.document.document_id)
        near = f"{best.reading.in_words}: {document.name}"
    start = f"{coverage.row_word(row):<{_WORD}}{in_percent(coverage.row_p(row)):>11}  "
    start += f"{_fitted(title):<{_TITLE}}  "
    line = start + textwrap.shorten(near, max(20, _WIDTH + 30 - len(start)), placeholder=" ...")
    differs = textwrap.shorten(
        best.difference if best is not None else "", _WIDTH + 30 - _WORD - 13, placeholder=" ...”"
    )
    return f"{line}\n{'':<{_WORD + 13}}{differs}" if differs else line
