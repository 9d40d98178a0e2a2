"""`priorscope read`, `page` and `salient`: one document as it is read, on its pages, and what to read of it first."""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path

from engine.cli import options
from engine.cli.terminal import bar
from engine.core import files
from engine.core.errors import UnknownDocumentError
from engine.core.files import shown, unreachable
from engine.documents import Document, Section
from engine.documents.text import how_many
from engine.encoders import keyvec
from engine.encoders.keyvec import CHOSEN, MEANING
from engine.exports import document_as_json
from engine.library import Library
from engine.reading import LIMITS, ReadFile, read_bytes, read_file, read_text, spoken
from engine.workspace import DrawnPageJson, PageReader, PageRequest, SalientRequest, Workspace, given_file

_OPENING_WORDS = 12


def add_read(parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    parser.add_argument("file", metavar="FILE", help=f"{spoken()}; - reads standard input")
    options.add_json(parser)


def run_read(arguments: argparse.Namespace) -> None:
    """Read, and print an outline or, with `--json`, everything."""
    reading = read_input(arguments.file)
    options.say(arguments, document_as_json(reading), "\n".join(outline(reading)))


def outline(reading: ReadFile) -> list[str]:
    """Return the lines of a readable outline: each part with its number of words and how it begins."""
    document = reading.document
    facts = [document.kind, f"read as {reading.format}", document.id]
    facts += [str(document.year)] if document.year else []
    facts += [how_many(reading.pages, "page")] if reading.pages else []
    lines = [document.name, "; ".join(facts)]
    lines += ["; ".join(document.authors)] if document.authors else []
    lines += [document.venue] if document.venue else []
    lines += [""]
    lines += [_outline_line(Section("Abstract", document.abstract))] if document.abstract else []
    lines += [_outline_line(section) for section in document.sections if section.role != "references"]
    lines += [_outline_line(Section(f"Claim {n}", claim)) for n, claim in enumerate(document.claims, start=1) if claim]
    lines += [_outline_line(section) for section in document.sections if section.role == "references"]
    return [*lines, *(f"Note: {warning}" for warning in reading.warnings)]


def _outline_line(section: Section) -> str:
    words = section.text.split()
    opening = " ".join(words[:_OPENING_WORDS]) + (" ..." if len(words) > _OPENING_WORDS else "")
    page = f", p. {section.page_at(0)}" if section.pages else ""
    return f"{section.title} [{how_many(len(words), 'word')}{page}] {opening}".rstrip()


def read_input(file: str) -> ReadFile:
    """Read a file, or standard input where its name is a hyphen."""
    if file != "-":
        return read_file(Path(file))
    data = sys.stdin.buffer.read(LIMITS.max_file_bytes + 1)
    try:
        return read_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return read_bytes(data, "standard input")


NAMING = "a file in any format we read, or a document of the library by its id, a number, its title or an author"


def read_named(name: str, library: Library | None) -> ReadFile:
    """Read a file or standard input; where no file is called so, return the library's document that the name fits.

    Raises InputError for a file that cannot be read, UnknownDocumentError where no document fits, or several do.
    """
    if name == "-" or not unreachable(Path(name)):
        return read_input(name)
    if library is None:
        raise UnknownDocumentError(
            f"Expected a file or a document of the library; nothing is called {shown(name)!r}. Check the path, or "
            "name a library with --library."
        )
    try:
        return ReadFile(library.find_one(name), "library")
    except UnknownDocumentError as error:
        raise UnknownDocumentError(f"No file is called {shown(name)!r}. {error}") from None


def add_page(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "document",
        metavar="FILE_OR_ID",
        help="a PDF, or a document of the library by its id, a number, its title or an author",
    )
    options.add_request(parser, PageRequest)
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the page as a PNG")
    options.add_shared(parser)


def run_page(arguments: argparse.Namespace) -> None:
    """Find the passage, draw its page, and say where both are.

    Raises InputError for a passage or a page that the document does not have, and for one without a PDF.
    """
    if arguments.out:
        files.check_writable(arguments.out)
    asked, name = options.request_of(arguments, PageRequest), arguments.document
    if (path := Path(name)).is_file():
        data = path.read_bytes()
        document = read_bytes(data, path.name).document
        file = given_file(data, document.file, path.name) if document.file else None
        told, picture = asked.run(document, file, PageReader(lambda: None), name=name)
    else:
        with Workspace(options.library_folder(arguments)) as workspace:
            document = workspace.library.find_one(name)
            told, picture = asked.run(document, workspace.pages.file_of(document), workspace.pages, name=name)
    if arguments.out:
        files.write_bytes(arguments.out, picture.png)
        told["out"] = str(arguments.out)
    options.say(arguments, told, _page_text(told))


def _page_text(found: DrawnPageJson) -> str:
    lines = found["lines"]
    pages = sorted({line["page"] for line in lines})
    told = [f"{found['title']}: page {found['page']} of {found['pages']}"]
    if found["passage"]:
        stands = f"stands on {len(lines)} lines of page {' and '.join(map(str, pages))}"
        told.append(f"The passage {stands if lines else 'lies on lines that are not known, so it is not boxed'}.")
    if found["out"]:
        told.append(f"Written to {found['out']}")
    return "\n".join(told)


_FIRST, _WORDS, _WIDTH = 5, 10, 100


def add_salient(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("file", metavar="FILE", help="a file in any format we read; - reads standard input")
    options.add_request(parser, SalientRequest)
    options.add_shared(parser)


def run_salient(arguments: argparse.Namespace) -> None:
    """Read the file, weigh its sentences and print them."""
    asked = options.request_of(arguments, SalientRequest)
    asked.check()
    reading = read_input(arguments.file)
    options.warn(reading.warnings)
    with Workspace(options.library_folder(arguments)) as workspace:
        found = asked.run(workspace, reading.document, report=bar())
    text = "\n".join(salient_text(reading.document, found, first=asked.first or _FIRST))
    options.say(arguments, asked.as_json(found), text)


def salient_text(document: Document, found: keyvec.Salience, *, first: int) -> list[str]:
    """Return the lines of a readable answer: the title, what to read first, the key words."""
    lines = [*textwrap.wrap(f"{document.name} ({document.kind})", _WIDTH), ""]
    if not found.sentences:
        return [*lines, "No sentence of its body or abstract holds a word that the encoder knows.", *_keywords(found)]
    lines += [f"Read this first ({min(first, len(found.sentences))} of {len(found.sentences):,} sentences):"]
    for chunk, p in found.first(first):
        text = " ".join([*chunk.text.split(), *([f"[{chunk.place}]"] if chunk.place else [])])
        lines += textwrap.wrap(text, _WIDTH, initial_indent=f"  {p:.2f}  ", subsequent_indent=" " * 8)
    return [
        *lines,
        CHOSEN,
        f"The number before a sentence says {MEANING}; the average sentence here has {found.p.mean():.2f}.",
        *_keywords(found),
    ]


def _keywords(found: keyvec.Salience) -> list[str]:
    words = ", ".join(word for word, _ in found.keywords[:_WORDS])
    return ["", *textwrap.wrap(f"Key words: {words}", _WIDTH, subsequent_indent=" " * 11)] if words else []
