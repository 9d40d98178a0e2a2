"""`priorscope page FILE_OR_ID`: where a passage stands in a PDF, and a picture of its page with the passage boxed."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli import options
from engine.core import files
from engine.core.errors import InputError
from engine.core.files import shown
from engine.documents import Chunk, Document, LineBox
from engine.reading import read_bytes
from engine.workspace import PageFile, PageReader, Workspace, found_in, given_file, lines_of

if TYPE_CHECKING:
    from engine.reading import PagePicture

_PLACE = re.compile(r"(\d{1,9}):(\d{1,9}):(\d{1,9})")
_SHOWN_CHARACTERS = 60


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("page")
    parser.add_argument("document", metavar="FILE_OR_ID", help="a PDF, or the id of a document of the library")
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
        help=f"pixels a point, of 72 an inch (default: {PageReader.SCALE:g})",
    )
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the page as a PNG")
    options.add_library(parser)
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Find the passage, draw its page, and say where both are.

    Raises InputError for a passage or a page that the document does not have, and for one without a PDF.
    """
    if arguments.out:
        files.check_writable(arguments.out)
    if (path := Path(arguments.document)).is_file():
        data = path.read_bytes()
        document = read_bytes(data, path.name).document
        file = given_file(data, document.file, path.name) if document.file else None
        found = _show(arguments, document, file, PageReader(lambda: None))
    else:
        with Workspace(options.library_folder(arguments)) as workspace:
            document = workspace.library.get([arguments.document])[0]
            found = _show(arguments, document, workspace.pages.file_of(document), workspace.pages)
    if arguments.json:
        options.print_json(found)
    else:
        print(_as_text(found))


def _show(
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
        "lines": [_line(one, picture if one.page == page else None) for one in lines],
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


def _line(line: LineBox, picture: PagePicture | None) -> dict[str, object]:
    """A line in points from the lower left corner, and in shares of its page from the upper left, if that is drawn."""
    points = {"page": line.page, "points": [line.left, line.bottom, line.right, line.top]}
    if picture is None:
        return points
    width, height = picture.width, picture.height
    shares = line.left / width, 1 - line.top / height, line.right / width, 1 - line.bottom / height
    return {**points, "shares": [round(one, 4) for one in shares]}


def _as_text(found: dict[str, object]) -> str:
    lines = found["lines"]
    assert isinstance(lines, list)
    pages = sorted({line["page"] for line in lines})
    told = [f"{found['title']}: page {found['page']} of {found['pages']}"]
    if found["passage"]:
        stands = f"stands on {len(lines)} lines of page {' and '.join(map(str, pages))}"
        told.append(f"The passage {stands if lines else 'is not known by its lines, so it is not boxed'}.")
    if found["out"]:
        told.append(f"Written to {found['out']}")
    return "\n".join(told)
