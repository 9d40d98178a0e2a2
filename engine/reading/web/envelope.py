"""A page as browsers save it in one file: MHTML (Chrome's "Webpage, Single File"), or plain HTML as it is.

Only the page is taken out; its pictures and styles are not looked at. SingleFile writes plain HTML, whose pictures lie
in attributes and whose address stands in its first comment.
"""

from __future__ import annotations

import re
from email.message import Message
from email.parser import BytesHeaderParser
from typing import NamedTuple

from engine.core.errors import MalformedFileError

_HEAD_BYTES = 1 << 16
_MOST_TRIED = 1_000  # parts that name a page's type
_ENVELOPE = re.compile(rb"content-type:\s{0,9}multipart/(?:related|mixed|alternative)", re.IGNORECASE)
_HEADER = re.compile(rb"[A-Za-z][A-Za-z0-9-]{0,60}:")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_PAGES = frozenset({"text/html", "application/xhtml+xml"})


class SavedPage(NamedTuple):
    """A page's bytes, and the encoding and the address that its envelope names; both may be empty."""

    data: bytes
    charset: str = ""
    url: str = ""


def looks_like_mhtml(head: bytes) -> bool:
    """Whether a file begins with the headers of a message that holds several parts."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:_HEAD_BYTES]
    if _HEADER.match(start) is None:
        return False
    end = _BLANK_LINE.search(start)
    headers = start[: end.start()] if end is not None else start
    return _ENVELOPE.search(headers) is not None and (
        b"ime-version" in headers.lower() or b"boundary" in headers.lower()
    )


def saved_page(data: bytes, name: str) -> SavedPage:
    """The page of a file; raises MalformedFileError for an envelope without one."""
    if not looks_like_mhtml(data[:_HEAD_BYTES]):
        return SavedPage(data)
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    headers, body = _parted(data, 0, len(data))
    boundary = headers.get_boundary("").encode("latin-1", "replace")
    url = headers.get("Snapshot-Content-Location", "") or headers.get("Content-Location", "")
    at = data.find(b"--" + boundary, body) if boundary else -1
    tried = 0
    while at >= 0 and tried < _MOST_TRIED:
        start = at + len(boundary) + 2
        found = data.find(b"\n--" + boundary, start)
        stop = found if found >= 0 else len(data)
        headers_of_part = data[start : min(stop, start + _HEAD_BYTES)].lower()
        if any(page.encode() in headers_of_part for page in _PAGES):
            tried += 1
            inner, begins = _parted(data, start, stop)
            if inner.get_content_type() in _PAGES:
                inner.set_payload(data[begins:stop].decode("latin-1"))
                return _decoded(inner, str(url))
        at = found + 1 if found >= 0 else -1
    raise MalformedFileError(
        f"Expected a page (text/html) among the parts of {name}, found none. Save the page again, or paste its text."
    )


def _decoded(part: Message, url: str) -> SavedPage:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    return SavedPage(data, part.get_content_charset("") or "", url or str(part.get("Content-Location", "")))


def _parted(data: bytes, start: int, stop: int) -> tuple[Message, int]:
    """The headers of a message or a part, and where its body begins."""
    within = data[start : min(stop, start + _HEAD_BYTES)]
    end = _BLANK_LINE.search(within.lstrip(b"\r\n"))
    skipped = len(within) - len(within.lstrip(b"\r\n"))
    begins = skipped + end.end() if end is not None else len(within)
    return BytesHeaderParser().parsebytes(within[skipped:begins]), start + begins
