"""Reads and draws PDFs in separate processes, which are stopped when a hostile file makes pdfium run without end.

A file of three kilobytes can ask for a drawing that draws another ten times, twelve levels deep, or unpack to
gigabytes; pdfium cannot be interrupted, and a fault in it would take the whole program down. The process sends each
page as it is read. Meanwhile we watch its memory and the file's budget, and let Cancel through. It stays for the next
file and ends with the program, whose end closes its input. Two files are read at a time, so that a short paper need not
wait for a book of scans.
"""

from __future__ import annotations

import atexit
import base64
import json
import queue
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, fields
from typing import Any

import psutil

import engine.core.errors
from engine.core.errors import EnoughError, InputError, InputTooLargeError, MalformedFileError
from engine.core.processes import WorkerProcess, receive, send
from engine.documents.text import how_many
from engine.reading.limits import LIMITS, Budget, Limits, processor_seconds
from engine.reading.pdf.drawing import Mark, PagePicture, Wanted
from engine.reading.pdf.file import METADATA, PdfContents, check_bytes, draw_here, load_pdf, recognition_notes
from engine.reading.pdf.page import Font, PdfPage, TextRun

_SECONDS_BETWEEN_LOOKS = 0.05
_IDLE_SECONDS = 60.0
"""How long a process waits for the next file: it holds some 45 MiB, and another starts in a fifth of a second."""
_ADDRESSES = 4 << 30
_PLACES = threading.BoundedSemaphore(2)
_LOCK = threading.Lock()
_running: list[_Process] = []
"""The processes that read or wait for a file; changed under the lock."""

_Message = dict[str, Any]
"""What the process sends: that it recognises a page; a page; last the rest of the contents, a picture or an error."""


def read_contents(data: bytes, name: str, limits: Limits) -> PdfContents:
    """Return a PDF's content, read by the other process.

    Raises what `load_pdf` raises, InputTooLargeError when it takes more time than the budget has or more memory than
    `limits.max_memory_bytes`, MalformedFileError when the process ends over it, and what the budget's report raises:
    but for EnoughError, which gives the pages so far, if there are any.
    """
    check_bytes(data, name, limits)
    budget = Budget.within(limits, name)
    pages: list[PdfPage] = []
    with _process(budget) as process, budget.by(process.seconds):
        try:
            last = _read(process.parts(_request(name, limits), data, name, budget), pages, budget)
        except EnoughError:
            if not pages:
                raise
            told = f"The reading was ended after {how_many(len(pages), 'page')}; the rest was left out."
            warnings = [told, *recognition_notes(pages)]
            last = {"outline": (), "metadata": dict.fromkeys(METADATA, ""), "warnings": warnings}
    if "error" in last:
        raise _error(last["error"])(last["text"])
    outline = tuple((level, title) for level, title in last["outline"])
    return PdfContents(tuple(pages), outline, last["metadata"], tuple(last["warnings"]))


def draw_page(
    data: bytes, name: str, page: int, *, scale: float = 2.0, marks: Sequence[Mark] = (), limits: Limits = LIMITS
) -> PagePicture:
    """Return a page of a PDF, from 1, as a picture, `scale` pixels a point, drawn by the other process.

    `marks` are the lines to mark in the order of their text: left, bottom, right and top, in points from the page's
    lower left corner. `name` is only used in messages.

    Raises an InputError's kind for a file that does not open, a page that it does not have, a scale out of range, and
    a page that takes more time or memory than the limits allow, or that the process ends over.
    """
    check_bytes(data, name, limits)
    budget = Budget.within(limits, name)
    wanted = Wanted(page, scale, tuple(marks))
    with _process(budget) as process, budget.by(process.seconds):
        last = _read(process.parts(_request(name, limits, draw=asdict(wanted)), data, name, budget), [], budget)
    if "error" in last:
        raise _error(last["error"])(last["text"])
    return PagePicture(base64.b64decode(last["png"]), *last["size"])


def _request(name: str, limits: Limits, **more: Any) -> bytes:  # noqa: ANN401  what JSON can hold
    held = {one.name: getattr(limits, one.name) for one in fields(Limits)}
    return json.dumps({"name": name, "limits": held, **more}).encode()


def _read(parts: Iterator[_Message], pages: list[PdfPage], budget: Budget) -> _Message:
    """Put the pages that the process sends into a list; returns the last part."""
    fonts: list[Font] = []
    for part in parts:
        if "recognising" in part:
            budget.resume()
            continue
        if "page" not in part:
            return part
        fonts += [Font(*font) for font in part["fonts"]]
        pages.append(_page(part["page"], fonts))
        budget.meter.expect(part["pages"])
        budget.delivered()
    raise AssertionError("the process raises before its parts end")


def _error(name: str) -> type[InputError]:
    kind: type[InputError] = getattr(engine.core.errors, name)
    return kind


class _Process(WorkerProcess):
    """The reading process, its memory and time."""

    def __init__(self) -> None:
        super().__init__(__name__)
        self._memory = psutil.Process(self.process.pid)
        self._used = 0.0
        self.is_taken = self.is_busy = self.recognising = False
        self.timer: threading.Timer | None = None

    def parts(self, head: bytes, data: bytes, name: str, budget: Budget) -> Iterator[_Message]:
        """Yield the parts of the answer to a request, as they come. Raises as `read_contents`."""
        self.is_busy = True
        try:
            self.ask(head, data)
        except OSError:
            raise _end_error(name) from None
        while True:
            self._look(name, budget)
            try:
                sent = self.answer(seconds=_SECONDS_BETWEEN_LOOKS)
            except queue.Empty:
                continue
            if sent is None:
                raise _end_error(name)
            part: _Message = json.loads(sent)
            self.recognising = self.recognising or "recognising" in part
            self.is_busy = "page" in part or "recognising" in part
            yield part

    def seconds(self) -> float:
        """Return seconds that the process has worked so far."""
        try:
            used = self._memory.cpu_times()
        except psutil.Error:  # it has ended, as the next part says
            return self._used
        self._used = processor_seconds(used.user + used.system)
        return self._used

    def stop(self, *, helpers: bool = False) -> None:
        """End the process, and Tesseract while it recognises a scan."""
        super().stop(helpers=helpers or self.recognising)

    def _look(self, name: str, budget: Budget) -> None:
        """Refuse a file that takes too much memory or time."""
        try:
            held = self._memory.memory_info().rss
        except psutil.Error:  # it has ended, as the next part says
            held = 0
        most = budget.max_recognition_bytes if self.recognising else budget.max_memory_bytes
        if held > most:
            raise InputTooLargeError(
                f"Expected a PDF that can be read in {most >> 20:,} MiB of memory; {name} takes "
                "more than a paper does, so it was stopped. Export it again, without its drawings."
            )
        budget.check()


def _end_error(name: str) -> MalformedFileError:
    return MalformedFileError(
        f"Expected a PDF that can be read; the process that read {name} ended over it. Export or download it again."
    )


@contextmanager
def _process(budget: Budget) -> Iterator[_Process]:
    """Lend a process for one file, as soon as one is free. Raises what the budget's report raises while it waits.

    It ends with the file if it has not answered to the end, as what is left must not be taken for the next file's; or
    if it has recognised scans, as its models would count as the next file's memory.
    """
    while not _PLACES.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
        budget.meter.add(0)
    try:
        process = _take_process()
        try:
            yield process
        finally:
            with _LOCK:
                if (process.is_busy or process.recognising) and process in _running:
                    _running.remove(process)
                    process.stop()
                else:
                    process.timer = threading.Timer(_IDLE_SECONDS, _end_idle, [process])
                    process.timer.daemon = True
                    process.timer.start()
                process.is_taken = False
    finally:
        _PLACES.release()


def _take_process() -> _Process:
    """Return a process that waits for a file, or a new one; it is taken from here on."""
    with _LOCK:
        for ended in [one for one in _running if not one.is_taken and one.process.poll() is not None]:
            _running.remove(ended)
            ended.stop()
        process = next((one for one in _running if not one.is_taken), None)
        if process is None:
            process = _Process()
            _running.append(process)
            atexit.register(_stop)
        if process.timer is not None:
            process.timer.cancel()
        process.is_taken = True
        return process


def _end_idle(process: _Process) -> None:
    """End a process that no file has come for, unless one comes just now."""
    with _LOCK:
        if process in _running and not process.is_taken and process.timer is threading.current_thread():
            _running.remove(process)
            process.stop()


def _stop() -> None:
    """End the processes."""
    atexit.unregister(_stop)
    with _LOCK:
        while _running:
            _running.pop().stop()


def serve() -> None:
    """Answer requests on standard input until it ends: the other process's work."""
    _bound_memory()
    asked, answers = sys.stdin.buffer, sys.stdout.buffer

    while (head := receive(asked)) is not None and (data := receive(asked)) is not None:
        _answer(json.loads(head), data, lambda part: send(answers, json.dumps(part).encode()))


def _answer(request: dict[str, Any], data: bytes, send: Callable[[_Message], None]) -> None:
    """Send a page's picture; or each page as it is read, with the fonts that no page before has, and then the rest.

    What cannot be read or drawn ends with an error.
    """
    fonts: dict[Font, int] = {}

    def page_read(page: PdfPage, count: int) -> None:
        known = len(fonts)
        written = _as_list(page, fonts)
        send({"page": written, "fonts": [astuple(font) for font in list(fonts)[known:]], "pages": count})

    try:
        limits = Limits(**request["limits"])
        if draw := request.get("draw"):
            drawn = draw_here(data, request["name"], limits, Wanted(**draw))
            png = base64.b64encode(drawn.png).decode()
            send({"png": png, "size": (drawn.width, drawn.height, drawn.pages)})
            return
        contents = load_pdf(data, request["name"], limits, page_read, lambda: send({"recognising": True}))
    except InputError as error:
        send({"error": type(error).__name__, "text": str(error)})
    else:
        send({"outline": contents.outline, "metadata": contents.metadata, "warnings": contents.warnings})


def _bound_memory() -> None:
    """Let the process have four gibibytes of addresses, in case that it takes memory faster than we look."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))


def _as_list(page: PdfPage, fonts: dict[Font, int]) -> list[Any]:
    """Return a page as lists, with its fonts by their places in `fonts`, to which new ones are added."""
    runs = [
        (run.text, run.x0, run.x1, run.y, run.size, fonts.setdefault(run.font, len(fonts)), run.spaced, run.broken)
        for run in page.runs
    ]
    return [
        page.number,
        page.width,
        page.height,
        runs,
        page.characters,
        page.unknown,
        page.cut,
        page.recognised,
        page.turned,
        page.quarters,
        page.skew,
    ]


def _page(value: list[Any], fonts: list[Font]) -> PdfPage:
    """Return the page that `_as_list` has written."""
    number, width, height, written, *rest = value
    runs = [
        TextRun(text, x0, x1, y, size, fonts[font], spaced, broken)
        for text, x0, x1, y, size, font, spaced, broken in written
    ]
    return PdfPage(number, width, height, runs, *rest)
