"""Pages of PDFs as pictures, with a passage marked on them; those drawn last are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

from engine import reading
from engine.core.errors import StorageError, UnknownDocumentError
from engine.documents import Chunk, Document, LineBox
from engine.library import Library

_KEPT_BYTES = 48 << 20


@dataclass(frozen=True, slots=True)
class PageFile:
    """A PDF whose pages can be shown: its sha256, what to call it in errors, and what reads its content."""

    key: str
    name: str
    read: Callable[[], bytes] = field(compare=False)


def lines_of(document: Document, passage: Chunk) -> list[LineBox]:
    """Return the lines that a passage of a document stands on, in its order; empty if they are not known."""
    parts = document.parts
    return parts[passage.part].lines_of(passage.start, passage.stop) if passage.part < len(parts) else []


class PageReader:
    """Draws pages of PDFs in the process that reads them; may be used from several threads."""

    SCALE: ClassVar[float] = 2.0
    """Pixels a point: sharp at 150 %."""

    def __init__(self, library: Callable[[], Library | None]) -> None:
        """Show the pages of a library's documents, and of files that are given."""
        self._library = library
        self._drawn: OrderedDict[tuple[object, ...], reading.PagePicture] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def file_of(self, document: Document) -> PageFile | None:
        """Return the kept copy of the PDF that a document was read from; None if it was not kept."""
        library = self._library()
        if library is None:
            return None
        keys = [document.file] if document.file else []
        with suppress(UnknownDocumentError, StorageError):  # imported before it said which file its pages are of
            keys = keys or library.files_of(document.id)
        held = [key for key in keys if library.copies.holds(key)]
        if len(held) != 1:
            return None
        return PageFile(held[0], f"the PDF of {document.name}", lambda: library.copies.read(held[0]))

    def picture(
        self, file: PageFile, page: int, lines: Sequence[LineBox] = (), scale: float = SCALE
    ) -> reading.PagePicture:
        """Draw a page of a file, `scale` pixels a point, with those of the lines marked that stand on it.

        Raises StorageError if the copy is gone, and an InputError's kind where the page cannot be drawn.
        """
        marks = tuple((one.left, one.bottom, one.right, one.top) for one in lines if one.page == page)
        key = file.key, page, scale, marks
        with self._lock:
            if (kept := self._drawn.get(key)) is not None:
                self._drawn.move_to_end(key)
                return kept
        drawn = reading.draw_page(file.read(), file.name, page, scale=scale, marks=marks)
        with self._lock:
            self._keep(key, drawn)
        return drawn

    def _keep(self, key: tuple[object, ...], drawn: reading.PagePicture) -> None:
        """Keep a picture, and let go of the ones used longest ago beyond what may be kept."""
        if key not in self._drawn:
            self._drawn[key] = drawn
            self._size += len(drawn.png)
        while self._size > _KEPT_BYTES:
            self._size -= len(self._drawn.popitem(last=False)[1].png)


def given_file(data: bytes, key: str, name: str) -> PageFile:
    """Return a PDF that is in memory, such as the one that a person has just brought."""
    return PageFile(key, name, lambda: data)
