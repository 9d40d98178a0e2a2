"""Requests for one document: a page of its PDF with a passage boxed, and what to read of it first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, NotRequired

from typing_extensions import Doc, TypedDict

from engine import reading
from engine.core.errors import InputError
from engine.core.files import shown
from engine.core.progress import Report, silent
from engine.documents import Chunk, Document, LineBox
from engine.encoders import keyvec
from engine.workspace.pages import PageFile, PageReader, lines_of
from engine.workspace.quotes import found_in
from engine.workspace.salience import ENCODER, SalienceReader
from engine.workspace.workspace import Workspace

_PLACE = re.compile(r"(\d{1,9}):(\d{1,9}):(\d{1,9})")
_SHOWN_CHARACTERS = 60
_KEY_WORDS = 10


class PassageTextJson(TypedDict):
    """A passage, and its section."""

    section: str
    text: str


class PageLineJson(TypedDict):
    """A line: left, bottom, right and top in points from the lower left corner of its page.

    On the page that is drawn, `shares` are left, top, right and bottom as shares of it from the upper left corner.
    """

    page: int
    points: list[float]
    shares: NotRequired[list[float]]


class DrawnPageJson(TypedDict):
    """A page of a document's PDF, its size in points, and the lines that the passage stands on; `out` is its file."""

    id: str
    title: str
    sha256: str
    page: int
    pages: int
    width: float
    height: float
    passage: PassageTextJson | None
    lines: list[PageLineJson]
    out: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A page of a document's PDF, and the passage to box on it: by its words, or by its place."""

    text: Annotated[str | None, Doc("box the first passage with these words")] = None
    passage: Annotated[
        str | None,
        Doc("box a passage by its place, PART:START:STOP, as the JSON of a search or a coverage gives it"),
    ] = None
    page: Annotated[int | None, Doc("the page, from 1 (default: where the passage begins)")] = None
    scale: Annotated[float, Doc("pixels a point, 72 points to the inch")] = PageReader.SCALE

    def run(
        self, document: Document, file: PageFile | None, reader: PageReader, *, name: str
    ) -> tuple[DrawnPageJson, reading.PagePicture]:
        """Draw the page of a document, which was asked for by a name.

        Raises InputError for a passage or a page that the document does not have, and for one without a PDF.
        """
        if file is None:
            raise InputError(
                f"Expected a document with a PDF, got {shown(name)}; no copy of one is kept. Name the PDF itself, or "
                "import it again."
            )
        passage = self._passage(document)
        lines = lines_of(document, passage) if passage else []
        page = self.page or next((one.page for one in lines), passage.page if passage else None) or 1
        picture = reader.picture(file, page, lines, self.scale)
        told: DrawnPageJson = {
            "id": document.id,
            "title": document.name,
            "sha256": file.key,
            "page": page,
            "pages": picture.pages,
            "width": round(picture.width, 2),
            "height": round(picture.height, 2),
            "passage": {"section": passage.section, "text": passage.text} if passage else None,
            "lines": [_line_as_json(one, picture if one.page == page else None) for one in lines],
            "out": None,
        }
        return told, picture

    def _passage(self, document: Document) -> Chunk | None:
        """Return the passage that was asked for, if any. Raises InputError if the document does not have it."""
        if self.text is not None and self.passage is not None:
            raise InputError("Expected a passage by its words or by its place, got both. Give one of the two.")
        if self.text is not None:
            if (found := found_in(document, self.text)) is None:
                raise InputError(
                    f"Expected words of {document.name}, got {self.text[:_SHOWN_CHARACTERS]!r}, which it does not "
                    "hold in this order. Copy them from `priorscope read FILE --json`."
                )
            return found
        if self.passage is None:
            return None
        parts, place = document.parts, _PLACE.fullmatch(self.passage)
        part, start, stop = map(int, place.groups()) if place else (-1, 0, 0)
        if not (0 <= part < len(parts) and 0 <= start < stop <= len(parts[part].text)):
            raise InputError(
                f"Expected a place such as 2:0:120 in one of the {len(parts)} parts of {document.name}, got "
                f"{self.passage[:_SHOWN_CHARACTERS]!r}. Take it from `priorscope search --json`."
            )
        return parts[part].chunk(document.id, part, start, stop)


def _line_as_json(line: LineBox, picture: reading.PagePicture | None) -> PageLineJson:
    told: PageLineJson = {"page": line.page, "points": [line.left, line.bottom, line.right, line.top]}
    if picture is not None:
        width, height = picture.width, picture.height
        shares = line.left / width, 1 - line.top / height, line.right / width, 1 - line.bottom / height
        told["shares"] = [round(one, 4) for one in shares]
    return told


class SentenceJson(TypedDict):
    """A sentence, where it stands in its section, and how probably it is one to read first."""

    text: str
    section: str
    start: int
    stop: int
    p: float


class KeyWordJson(TypedDict):
    """A key word, and how probably an author would name it."""

    word: str
    p: float


class SalientJson(TypedDict):
    """Sentences in reading order, and key words, the likeliest first."""

    sentences: list[SentenceJson]
    keywords: list[KeyWordJson]


@dataclass(frozen=True, slots=True, kw_only=True)
class SalientRequest:
    """Which sentences of a document to read first, and its key words."""

    encoder: Annotated[str, Doc("the name of an encoder that weighs sentences, or its folder")] = ENCODER
    first: Annotated[int | None, Doc("only this many, the strongest (default: all in JSON, 5 in text)")] = None

    def check(self) -> None:
        """Raise InputError for fewer than one sentence."""
        if self.first is not None and self.first < 1:
            raise InputError(f"Expected to be asked for at least 1 sentence, got {self.first}. Leave it out for all.")

    def run(self, workspace: Workspace, document: Document, *, report: Report = silent) -> keyvec.Salience:
        """Weigh the sentences of a document. Raises what `load_keyvec` does, and InputError as `check` does."""
        self.check()
        own = self.encoder == ENCODER
        reader = workspace.salience if own else SalienceReader(self.encoder, workspace.library_if_any)
        return reader.read([document], report=report)[0]

    def as_json(self, found: keyvec.Salience) -> SalientJson:
        """Return every sentence in reading order, or the strongest, and the key words, the likeliest first."""
        shown = found.first(len(found.sentences) if self.first is None else self.first)
        return {
            "sentences": [
                {"text": one.text, "section": one.section, "start": one.start, "stop": one.stop, "p": round(p, 6)}
                for one, p in shown
            ],
            "keywords": [{"word": word, "p": round(p, 6)} for word, p in found.keywords[:_KEY_WORDS]],
        }
