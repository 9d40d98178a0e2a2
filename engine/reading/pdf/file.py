"""Opens a PDF with pdfium, safely, to read it or draw a page: refuses what cannot be read, and bounds what can."""

from __future__ import annotations

import ctypes
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine.core import errors
from engine.documents.text import how_many
from engine.reading.limits import Limits
from engine.reading.pdf.drawing import LEAST_SCALE, MOST_SCALE, PagePicture, Wanted, picture_of
from engine.reading.pdf.page import PdfPage
from engine.reading.pdf.recognition import ENGINE_VARIABLE, Recogniser, how_to_install, is_picture
from engine.reading.pdf.runs import RunReader

LOCK = threading.Lock()
"""pdfium is not thread-safe: one file is open at a time."""

_HEAD_BYTES = 1024
_TAIL_BYTES = 4096
_BOOKMARKS = 2_000
_CUT_PAGES = 2
METADATA = ("Title", "Author", "Keywords")
"""What is asked of a file's metadata."""
_MOST_LISTED = 20
_TURNED = 200
"""A stamp in a margin holds fewer letters."""
_CAPITAL_WITHIN = re.compile(r"(?<![^\W\d_])[A-Za-z]?[a-z]{1,20}([A-Z])[a-z]{1,20}(?![^\W\d_])")
_SIGN = re.compile(r"(?<=[\w)] )[=+¼þ](?= [\w(])")
_MISREAD = 8
"""From this many different words with one capital within them on, or signs between words."""
_ERROR_PASSWORD, _ERROR_SECURITY = 4, 5


@dataclass(frozen=True, slots=True)
class PdfContents:
    """A PDF's content: pages of runs, bookmarks as (level, title), some metadata, and what was left out."""

    pages: tuple[PdfPage, ...]
    outline: tuple[tuple[int, str], ...]
    metadata: dict[str, str]
    warnings: tuple[str, ...]


PageRead = Callable[[PdfPage, int], None]
"""Gets a page as soon as it is read, and how many pages the file has."""


def load_pdf(
    data: bytes,
    name: str,
    limits: Limits,
    page_read: PageRead = lambda _page, _count: None,
    goes_on: Callable[[], None] = lambda: None,
) -> PdfContents:
    """Read a PDF's text with fonts and positions; pages that are pictures are recognised if an engine is installed.

    `page_read` is called after each page, `goes_on` at each step of a page's recognition.

    Raises an InputError's kind for what is empty, too large, not PDF, encrypted, cut off, broken,
    over the page limit, or without text.
    """
    check_bytes(data, name, limits)
    import pypdfium2.raw as raw

    with LOCK, open_document(raw, data, name) as document:
        count = raw.FPDF_GetPageCount(document)
        check_pages(count, data, name, limits)
        recogniser = Recogniser(raw, limits, goes_on)
        pages, warnings = _read_pages(raw, document, name, limits, recogniser, page_read)
        if not pages:
            raise errors.MalformedFileError(
                f"Expected {count} pages in {name}, and none of them can be read: the file is damaged. "
                "Export or download it again."
            )
        _check_text(pages, name, recogniser)
        metadata = {
            key: _utf16(lambda buffer, size, key=key: raw.FPDF_GetMetaText(document, key.encode(), buffer, size))
            for key in METADATA
        }
        return PdfContents(tuple(pages), tuple(_outline(raw, document)), metadata, tuple(warnings))


def check_bytes(data: bytes, name: str, limits: Limits) -> None:
    """Refuse what the bytes alone show: empty, too large, or not a PDF."""
    if not data.strip(b"\0\t\r\n\f "):
        raise errors.EmptyInputError(
            f"Expected a PDF; {name} is empty ({len(data)} bytes). Export or download it again."
        )
    if len(data) > limits.max_file_bytes:
        raise errors.InputTooLargeError(
            f"Expected a PDF of at most {limits.max_file_bytes:,} bytes; {name} has {len(data):,}. "
            "Split it, or save it without its pictures."
        )
    if b"%PDF-" not in data[:_HEAD_BYTES]:
        raise errors.WrongExtensionError(
            f"Expected a PDF, which begins with %PDF-; {name} begins with {data[:12]!r}. "
            "Give the file in its own format, or export it as PDF."
        )


@contextmanager
def open_document(raw: Any, data: bytes, name: str) -> Iterator[Any]:  # noqa: ANN401  pdfium's bindings carry no types
    """Open a document from memory; it is closed in any case."""
    document = raw.FPDF_LoadMemDocument64(data, len(data), None)
    if not document:
        error = raw.FPDF_GetLastError()
        if error in (_ERROR_PASSWORD, _ERROR_SECURITY):
            raise errors.EncryptedFileError(
                f"Expected a PDF that opens without a password; {name} is encrypted and asks for one. "
                "Save a copy without a password and give that."
            )
        raise _damage_error(data, name, f"pdfium's error {error}")
    try:
        yield document
    finally:
        raw.FPDF_CloseDocument(document)


def _damage_error(data: bytes, name: str, found: str) -> errors.TruncatedFileError | errors.MalformedFileError:
    """Return the error for a file that does not open: cut off where its end is missing, else broken."""
    if _is_cut(data):
        return errors.TruncatedFileError(
            f"Expected a whole PDF, which ends with %%EOF; {name} is cut off after {len(data):,} bytes. "
            "Download or copy it again."
        )
    return errors.MalformedFileError(
        f"Expected a PDF; {name} begins like one, but its content is damaged ({found}). Export or download it again."
    )


def _is_cut(data: bytes) -> bool:
    tail = data.rstrip(b"\0\t\r\n\f ")[-_TAIL_BYTES:]
    return b"%%EOF" not in tail and b"startxref" not in tail


def check_pages(count: int, data: bytes, name: str, limits: Limits) -> None:
    """Refuse a file without pages, with too many, or with its end missing, before any page is read."""
    if _is_cut(data) or count < 1:
        raise _damage_error(data, name, "no pages")
    if count > limits.max_pages:
        raise errors.TooManyPagesError(
            f"Expected at most {limits.max_pages:,} pages; {name} has {count:,}. Give the part that matters as a file."
        )


def _read_pages(
    raw: Any,  # noqa: ANN401
    document: Any,  # noqa: ANN401
    name: str,
    limits: Limits,
    recogniser: Recogniser,
    page_read: PageRead,
) -> tuple[list[PdfPage], list[str]]:
    """Return the pages up to the limits on characters and runs, and a sentence for whatever was left out."""
    reader = RunReader(raw)
    count = raw.FPDF_GetPageCount(document)
    pages: list[PdfPage] = []
    broken: list[int] = []
    left, runs_left = limits.max_characters, limits.max_objects
    for number in range(count):
        handle = raw.FPDF_LoadPage(document, number)
        if not handle:
            broken.append(number + 1)
            continue
        try:
            if _draws_too_much(raw, handle, limits.max_page_objects):
                page = PdfPage(number, raw.FPDF_GetPageWidthF(handle), raw.FPDF_GetPageHeightF(handle), [], cut=True)
            else:
                page = reader.read(handle, number, min(left, limits.max_page_characters))
                if is_picture(raw, handle, page) and recogniser.engine:
                    page = recogniser.read(handle, page)
        finally:
            raw.FPDF_ClosePage(handle)
        pages.append(page)
        _check_cut(pages, name, limits)
        page_read(page, count)
        left -= page.characters
        runs_left -= len(page.runs)
        if min(left, runs_left) <= 0:
            break
    warnings = _tell_left_out(pages, broken, count, full=min(left, runs_left) <= 0, most=limits.max_page_characters)
    return pages, [*warnings, recogniser.fault] if recogniser.fault else warnings


def _check_cut(pages: list[PdfPage], name: str, limits: Limits) -> None:
    """Refuse a file once several of its pages hold more than pages do; a plot may draw its points as letters."""
    if pages[-1].cut and sum(page.cut and page.recognised is None for page in pages) > _CUT_PAGES:
        raise errors.InputTooLargeError(
            f"Expected pages of at most {limits.max_page_characters:,} characters in {name}; several hold more, which "
            "no paper or patent does. Give the pages that matter as a file."
        )


def _draws_too_much(raw: Any, page: Any, most: int) -> bool:  # noqa: ANN401
    """Tell whether a page draws more pieces of text than a page holds, whose places would take long to find.

    Lines and pictures may be many: a map has hundreds of thousands.
    """
    count = raw.FPDFPage_CountObjects(page)
    if count <= most:
        return False
    kinds = (raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, place)) for place in range(count))
    return sum(1 for kind in kinds if kind == raw.FPDF_PAGEOBJ_TEXT) > most


def _tell_left_out(pages: list[PdfPage], broken: list[int], count: int, *, full: bool, most: int) -> list[str]:
    warnings = []
    if broken:
        warnings.append(f"Pages that are damaged and were left out: {', '.join(map(str, broken[:_MOST_LISTED]))}.")
    if full:
        warnings.append(f"The text is over the limit; it was read up to page {pages[-1].number + 1} of {count}.")
    elif any(page.cut and page.recognised is None for page in pages):
        warnings.append(f"Some pages hold over {most:,} characters; the rest of those pages was left out.")
    turned = [page for page in pages if page.turned >= _TURNED]
    if turned:
        warnings.append(f"Text that is set sideways, such as a wide table, was left out: pages {_numbers(turned)}.")
    warnings += recognition_notes(pages)
    seen, unknown = sum(page.characters for page in pages), sum(page.unknown for page in pages)
    if unknown > 0.1 * seen:
        warnings.append("Some fonts of this PDF do not say which letters they draw; parts of the text are missing.")
    elif _letters(pages) < 0.4 * seen:
        warnings.append("Few of the characters are letters; check that the text is not garbled.")
    misread = misread_words(run.text for page in pages for run in page.runs if not run.font.mono)
    if misread:
        named = ", ".join(f"“{word}”" for word in misread)
        warnings.append(f"A font of this PDF names its letters wrongly: {named}. Check the text before searching.")
    return warnings


def misread_words(texts: Iterable[str]) -> list[str]:
    """Return words that show a font whose letters are named wrongly: one capital within many words, or ¼ for =.

    Two letters that are drawn as one often come out as a capital: "funcGon". Names that programmers write so, such as
    "dataFrame", have many different capitals.
    """
    words: dict[str, Counter[str]] = defaultdict(Counter)
    signs: Counter[str] = Counter()
    for text in texts:
        for match in _CAPITAL_WITHIN.finditer(text):
            words[match[1]][match[0]] += 1
        signs.update(match[0].strip() for match in _SIGN.finditer(text))
    most = max(words, key=lambda letter: len(words[letter]), default="")
    found = []
    if most and len(words[most]) >= _MISREAD and len(words[most]) > 0.7 * sum(map(len, words.values())):
        found = [word for word, _ in words[most].most_common(3)]
    wrong = [sign for sign in "¼þ" if signs[sign] >= _MISREAD > signs["=" if sign == "¼" else "+"]]
    return found + wrong


def recognition_notes(pages: list[PdfPage]) -> Iterator[str]:
    """Yield what a person should know of pages whose text was recognised."""
    scanned = [page for page in pages if page.recognised is not None]
    if not scanned:
        return
    letters = sum(page.characters for page in scanned)
    sure = sum((page.recognised or 0.0) * page.characters for page in scanned) / max(1, letters)
    which = f"Pages that are scans: {_numbers(scanned)}"
    if len(scanned) == len(pages):
        which = "All pages are scans" if len(pages) > 1 else "This page is a scan"
    yield f"{which}; the text was recognised, on average {sure:.0%} sure. Check names and numbers."
    cut = [page for page in scanned if page.cut]
    if cut:
        yield f"Scans that took too long or could not be recognised, so that lines are missing: pages {_numbers(cut)}."


def _numbers(pages: Sequence[PdfPage]) -> str:
    """Return page numbers as stretches, at most twenty of them: 1-3, 7."""
    stretches: list[list[int]] = []
    for number in (page.number + 1 for page in pages):
        if stretches and stretches[-1][-1] == number - 1:
            stretches[-1].append(number)
        else:
            stretches.append([number])
    told = [str(one[0]) if len(one) == 1 else f"{one[0]}-{one[-1]}" for one in stretches]
    return ", ".join(told[:_MOST_LISTED]) + (", ..." if len(told) > _MOST_LISTED else "")


def _letters(pages: list[PdfPage]) -> int:
    return sum(sum(map(str.isalpha, run.text)) for page in pages for run in page.runs)


def _check_text(pages: list[PdfPage], name: str, recogniser: Recogniser) -> None:
    """Refuse a file whose pages are pictures, or whose fonts give no letters."""
    letters = _letters(pages)
    if letters < 25 + 15 * len(pages):
        advice = _advice(recogniser)
        raise errors.ScannedPdfError(
            f"Expected a PDF with text; {name} holds {letters} letters on {how_many(len(pages), 'page')}, so it is "
            f"probably scanned pictures. {advice}"
        )


def _advice(recogniser: Recogniser) -> str:
    """Return what to do with a file that stays without text."""
    if recogniser.fault:
        return f"{recogniser.fault} Mend that, or choose another program for it (OCR) by {ENGINE_VARIABLE}."
    return "No text could be recognised in them (OCR). Paste its text." if recogniser.engine else how_to_install()


def _outline(raw: Any, document: Any) -> Iterator[tuple[int, str]]:  # noqa: ANN401
    """Yield the bookmarks in order, bounded in number and depth, so that a ring of them ends."""
    stack = [(0, raw.FPDFBookmark_GetFirstChild(document, None))]
    given = 0
    while stack and given < _BOOKMARKS:
        level, bookmark = stack.pop()
        if not bookmark:
            continue
        given += 1
        yield level, _utf16(lambda buffer, size, mark=bookmark: raw.FPDFBookmark_GetTitle(mark, buffer, size))
        stack.append((level, raw.FPDFBookmark_GetNextSibling(document, bookmark)))
        if level < 8:
            stack.append((level + 1, raw.FPDFBookmark_GetFirstChild(document, bookmark)))


def _utf16(ask: Any, most: int = 4096) -> str:  # noqa: ANN401
    """Return a text that pdfium writes as UTF-16 into a buffer of the size that it names; too long a text is cut."""
    size = min(ask(None, 0), most)
    if size < 2:
        return ""
    buffer = ctypes.create_string_buffer(most)
    ask(buffer, most)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace").strip()


def draw_here(data: bytes, name: str, limits: Limits, wanted: Wanted) -> PagePicture:
    """Draw a page in this process, which a hostile file can stop: `worker.draw_page` draws it in another.

    Raises an InputError's kind for a file that does not open, a page that it does not have, or a scale out of range.
    """
    check_bytes(data, name, limits)
    if not LEAST_SCALE <= wanted.scale <= MOST_SCALE:  # not so for NaN
        raise errors.InputError(
            f"Expected a scale from {LEAST_SCALE:g} to {MOST_SCALE:g} pixels a point, got {wanted.scale:g}. "
            "Choose one between."
        )
    import pypdfium2.raw as raw

    with LOCK, open_document(raw, data, name) as document:
        count = raw.FPDF_GetPageCount(document)
        check_pages(count, data, name, limits)
        if not 1 <= wanted.page <= count:
            raise errors.InputError(
                f"Expected a page from 1 to {count:,} of {name}, got {wanted.page:,}. Choose one of these."
            )
        page = raw.FPDF_LoadPage(document, wanted.page - 1)
        if not page:
            raise errors.MalformedFileError(
                f"Expected page {wanted.page:,} of {name}; it is damaged. Export or download the file again."
            )
        try:
            return picture_of(raw, page, wanted, name, count)
        finally:
            raw.FPDF_ClosePage(page)
