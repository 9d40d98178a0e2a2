"""`priorscope read`, `page` and `salient`: one document as it is read, on its pages, and what to read of it first."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.cli import options
from engine.cli.options import add_json
from engine.cli.terminal import bar
from engine.core import files
from engine.core.errors import InputError, UnknownDocumentError
from engine.core.files import shown, unreachable
from engine.documents import Chunk, Document, LineBox, Section
from engine.documents.text import how_many
from engine.encoders.keyvec import CHOSEN, MEANING, NAME
from engine.exports import document_as_json
from engine.library import Library
from engine.reading import LIMITS, ReadFile, read_bytes, read_file, read_text, spoken
from engine.workspace import PageFile, PageReader, SalienceReader, Workspace, found_in, given_file, lines_of

if TYPE_CHECKING:
    from engine.encoders.keyvec import Salience
    from engine.reading import PagePicture

_OPENING_WORDS = 12


def add_read(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("read")
    parser.add_argument("file", metavar="FILE", help=f"{spoken()}; - reads standard input")
    add_json(parser)
    parser.set_defaults(run=run_read)


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


_PLACE = re.compile(r"(\d{1,9}):(\d{1,9}):(\d{1,9})")
_SHOWN_CHARACTERS = 60


def add_page(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("page")
    parser.add_argument(
        "document",
        metavar="FILE_OR_ID",
        help="a PDF, or a document of the library by its id, a number, its title or an author",
    )
    passage = parser.add_mutually_exclusive_group()
    passage.add_argument("--text", metavar="WORDS", help="box the first passage with these words")
    passage.add_argument(
        "--passage",
        metavar="PART:START:STOP",
        help="box a passage by its place, as `priorscope search --json` and `compare --json` give it",
    )
    parser.add_argument("--page", metavar="N", type=int, help="the page, from 1 (default: where the passage begins)")
    parser.add_argument(
        "--scale",
        metavar="S",
        type=float,
        default=PageReader.SCALE,
        help=f"pixels a point, 72 points to the inch (default: {PageReader.SCALE:g})",
    )
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the page as a PNG")
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run_page)


def run_page(arguments: argparse.Namespace) -> None:
    """Find the passage, draw its page, and say where both are.

    Raises InputError for a passage or a page that the document does not have, and for one without a PDF.
    """
    if arguments.out:
        files.check_writable(arguments.out)
    if (path := Path(arguments.document)).is_file():
        data = path.read_bytes()
        document = read_bytes(data, path.name).document
        file = given_file(data, document.file, path.name) if document.file else None
        found = _draw_page(arguments, document, file, PageReader(lambda: None))
    else:
        with Workspace(options.library_folder(arguments)) as workspace:
            document = workspace.library.find_one(arguments.document)
            found = _draw_page(arguments, document, workspace.pages.file_of(document), workspace.pages)
    options.say(arguments, found, _page_text(found))


def _draw_page(
    arguments: argparse.Namespace, document: Document, file: PageFile | None, reader: PageReader
) -> dict[str, object]:
    """Draw the page; returns what the command prints."""
    if file is None:
        raise InputError(
            f"Expected a document with a PDF, got {shown(arguments.document)}; no copy of one is kept. Name the PDF "
            "itself, or import it again."
        )
    passage = _passage(arguments, document)
    lines = lines_of(document, passage) if passage else []
    page = arguments.page or next((one.page for one in lines), passage.page if passage else None) or 1
    picture = reader.picture(file, page, lines, arguments.scale)
    if arguments.out:
        files.write_bytes(arguments.out, picture.png)
    return {
        "id": document.id,
        "title": document.name,
        "sha256": file.key,
        "page": page,
        "pages": picture.pages,
        "width": round(picture.width, 2),
        "height": round(picture.height, 2),
        "passage": passage and {"section": passage.section, "text": passage.text},
        "lines": [_line_as_json(one, picture if one.page == page else None) for one in lines],
        "out": str(arguments.out) if arguments.out else None,
    }


def _passage(arguments: argparse.Namespace, document: Document) -> Chunk | None:
    """Return the passage that was asked for, if any. Raises InputError if the document does not have it."""
    if arguments.text is not None:
        if (found := found_in(document, arguments.text)) is None:
            raise InputError(
                f"Expected words of {document.name}, got {arguments.text[:_SHOWN_CHARACTERS]!r}, which it does not "
                "hold in this order. Copy them from `priorscope read FILE --json`."
            )
        return found
    if arguments.passage is None:
        return None
    parts, place = document.parts, _PLACE.fullmatch(arguments.passage)
    part, start, stop = map(int, place.groups()) if place else (-1, 0, 0)
    if not (0 <= part < len(parts) and 0 <= start < stop <= len(parts[part].text)):
        raise InputError(
            f"Expected a place such as 2:0:120 in one of the {len(parts)} parts of {document.name}, got "
            f"{arguments.passage[:_SHOWN_CHARACTERS]!r}. Take it from `priorscope search --json`."
        )
    return parts[part].chunk(document.id, part, start, stop)


def _line_as_json(line: LineBox, picture: PagePicture | None) -> dict[str, object]:
    """Return a line in points from the lower left corner; of a drawn page, also in shares from the upper left."""
    points = {"page": line.page, "points": [line.left, line.bottom, line.right, line.top]}
    if picture is None:
        return points
    width, height = picture.width, picture.height
    shares = line.left / width, 1 - line.top / height, line.right / width, 1 - line.bottom / height
    return {**points, "shares": [round(one, 4) for one in shares]}


def _page_text(found: dict[str, object]) -> str:
    lines = found["lines"]
    assert isinstance(lines, list)
    pages = sorted({line["page"] for line in lines})
    told = [f"{found['title']}: page {found['page']} of {found['pages']}"]
    if found["passage"]:
        stands = f"stands on {len(lines)} lines of page {' and '.join(map(str, pages))}"
        told.append(f"The passage {stands if lines else 'lies on lines that are not known, so it is not boxed'}.")
    if found["out"]:
        told.append(f"Written to {found['out']}")
    return "\n".join(told)


_FIRST, _WORDS, _WIDTH = 5, 10, 100


def add_salient(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("salient")
    parser.add_argument("file", metavar="FILE", help="a file in any format we read; - reads standard input")
    parser.add_argument("--encoder", metavar="NAME", default=NAME, help=f"a name, or a folder (default: {NAME})")
    parser.add_argument(
        "--first", type=int, metavar="N", help=f"only the strongest N (default: all in JSON, {_FIRST} in text)"
    )
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run_salient)


def run_salient(arguments: argparse.Namespace) -> None:
    """Read the file, weigh its sentences and print them."""
    if arguments.first is not None and arguments.first < 1:
        raise InputError(f"Expected --first of 1 or more, got {arguments.first}. Leave it out to get every sentence.")
    reading = read_input(arguments.file)
    options.warn(reading.warnings)
    with Workspace(options.library_folder(arguments)) as workspace:
        reader = SalienceReader(arguments.encoder, workspace.library_if_any)
        found = reader.read([reading.document], report=bar())[0]
    options.say(
        arguments,
        salient_as_json(found, first=arguments.first),
        "\n".join(salient_text(reading.document, found, first=arguments.first or _FIRST)),
    )


def salient_as_json(found: Salience, *, first: int | None = None) -> dict[str, Any]:
    """Return every sentence in reading order, or the strongest `first`, and the key words, the likeliest first."""
    shown = found.first(len(found.sentences) if first is None else first)
    return {
        "sentences": [_sentence(chunk, p) for chunk, p in shown],
        "keywords": [{"word": word, "p": round(p, 6)} for word, p in found.keywords[:_WORDS]],
    }


def salient_text(document: Document, found: Salience, *, first: int) -> list[str]:
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


def _keywords(found: Salience) -> list[str]:
    words = ", ".join(word for word, _ in found.keywords[:_WORDS])
    return ["", *textwrap.wrap(f"Key words: {words}", _WIDTH, subsequent_indent=" " * 11)] if words else []


def _sentence(chunk: Chunk, p: float) -> dict[str, Any]:
    place = {"section": chunk.section, "start": chunk.start, "stop": chunk.stop}
    return {"text": chunk.text, **place, "p": round(p, 6)}
