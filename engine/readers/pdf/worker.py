"""Reads PDFs in a separate process, which is stopped when a hostile file makes pdfium run without end.

A file of three kilobytes can ask for a drawing that draws another ten times, twelve levels deep; pdfium
cannot be interrupted, and a fault in it would take the whole program down. The process stays for the next
file, reports each page, and ends with the program, whose end closes its input.
"""

from __future__ import annotations

import atexit
import json
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, astuple
from pathlib import Path
from typing import IO, Any

import engine.errors
from engine.errors import InputError, InputTooLargeError
from engine.readers.limits import Limits
from engine.readers.pdf.file import PdfContents, check_bytes, load_pdf
from engine.readers.pdf.runs import Font, Page, Run

_LENGTH = struct.Struct(">Q")
_START = "import sys; sys.path.insert(0, sys.argv[1]); from engine.readers.pdf.worker import serve; serve()"
_LOCK = threading.Lock()
_running: list[subprocess.Popen[bytes]] = []


def read_contents(data: bytes, name: str, limits: Limits) -> PdfContents:
    """A PDF's content, read by the other process.

    Raises what `load_pdf` raises, and InputTooLargeError when one page takes longer than
    `limits.max_page_seconds`, all of them longer than `limits.max_pdf_seconds`, or the machine's memory runs out. Other
    files wait meanwhile.
    """
    check_bytes(data, name, limits)
    head = json.dumps({"name": name, "limits": asdict(limits)}).encode()
    with _LOCK:
        answer = _ask(head, data, limits)
    if answer is None:
        raise InputTooLargeError(
            f"Expected a PDF whose pages can each be read within {limits.max_page_seconds} seconds, and all within "
            f"{limits.max_pdf_seconds}; {name} takes longer or more memory than a paper does, so it was stopped. "
            "Export it again, without its drawings."
        )
    if "error" in answer:
        raise _error(answer["error"])(answer["text"])
    return _contents(answer)


def _error(name: str) -> type[InputError]:
    kind: type[InputError] = getattr(engine.errors, name)
    return kind


def _ask(head: bytes, data: bytes, limits: Limits) -> dict[str, Any] | None:
    """Send a file and wait for its contents; None when the process had to be stopped, or ended."""
    process = _process()
    assert process.stdin and process.stdout
    answer: bytes | None = b""
    last = time.monotonic() + limits.max_pdf_seconds
    try:
        for part in (head, data):
            process.stdin.write(_LENGTH.pack(len(part)) + part)
        process.stdin.flush()
        while answer == b"":  # an empty part says that a page was read
            left = max(0.0, last - time.monotonic())
            watch = threading.Timer(min(limits.max_page_seconds, left), process.kill)
            watch.start()
            answer = _receive(process.stdout)
            watch.cancel()
    except OSError:
        answer = None
    if answer is None:
        _stop()
        return None
    value: dict[str, Any] = json.loads(answer)
    return value


def _process() -> subprocess.Popen[bytes]:
    """The reading process, started if it is not running."""
    if _running and _running[0].poll() is not None:
        _stop()
    if not _running:
        root = str(Path(__file__).resolve().parents[3])
        _running.append(
            subprocess.Popen([sys.executable, "-c", _START, root], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        )
        atexit.register(_stop)
    return _running[0]


def _stop() -> None:
    """End the reading process and close its pipes."""
    atexit.unregister(_stop)
    while _running:
        process = _running.pop()
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stdin):
            if pipe:
                _close(pipe)


def _close(pipe: IO[bytes]) -> None:
    """Close a pipe whose other end may be gone with bytes unread."""
    try:
        pipe.close()
    except OSError:
        return


def _receive(pipe: IO[bytes]) -> bytes | None:
    """One part of known length; None when the other side has ended."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    part = pipe.read(length)
    return part if len(part) == length else None


def serve() -> None:
    """Answer requests on standard input until it ends: the other process's work."""
    _bound_memory()
    asked, answers = sys.stdin.buffer, sys.stdout.buffer

    def send(part: bytes) -> None:
        answers.write(_LENGTH.pack(len(part)) + part)
        answers.flush()

    while (head := _receive(asked)) is not None and (data := _receive(asked)) is not None:
        send(_answer(json.loads(head), data, lambda: send(b"")))


def _answer(request: dict[str, Any], data: bytes, page_read: Callable[[], None]) -> bytes:
    try:
        contents = load_pdf(data, request["name"], Limits(**request["limits"]), page_read)
    except InputError as error:
        return json.dumps({"error": type(error).__name__, "text": str(error)}).encode()
    return json.dumps(_as_json(contents)).encode()


def _bound_memory() -> None:
    """Let the process have four gibibytes of addresses, where the system can bound them."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def _as_json(contents: PdfContents) -> dict[str, Any]:
    """Contents as lists, each font once."""
    fonts: dict[Font, int] = {}
    pages = []
    for page in contents.pages:
        runs = [
            (run.text, run.x0, run.x1, run.y, run.size, fonts.setdefault(run.font, len(fonts)), run.spaced, run.broken)
            for run in page.runs
        ]
        pages.append((page.number, page.width, page.height, runs, page.characters, page.unknown, page.cut))
    return {
        "fonts": [astuple(font) for font in fonts],
        "pages": pages,
        "outline": contents.outline,
        "metadata": contents.metadata,
        "warnings": contents.warnings,
    }


def _contents(value: dict[str, Any]) -> PdfContents:
    fonts = [Font(*font) for font in value["fonts"]]
    pages = [
        Page(number, width, height, [_run(run, fonts) for run in runs], *rest)
        for number, width, height, runs, *rest in value["pages"]
    ]
    outline = tuple((level, title) for level, title in value["outline"])
    return PdfContents(tuple(pages), outline, value["metadata"], tuple(value["warnings"]))


def _run(value: list[Any], fonts: list[Font]) -> Run:
    text, x0, x1, y, size, font, spaced, broken = value
    return Run(text, x0, x1, y, size, fonts[font], spaced, broken)
