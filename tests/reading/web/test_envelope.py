"""Pages in one file."""

from __future__ import annotations

import base64
import quopri
import time

import pytest

from engine.core.errors import MalformedFileError
from engine.reading.dispatch import read_bytes
from engine.reading.web.envelope import looks_like_mhtml, saved_page
from tests.reading.web import pages

HEADERS = (
    "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://sea.example/reefs\r\nSubject: Reefs\r\n"
    "MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n"
    '\ttype="text/html";\r\n\tboundary="----Boundary--x----"\r\n\r\n\r\n'
)


def mhtml(body: bytes, encoding: str, kind: str = "text/html; charset=shift_jis") -> bytes:
    part = f"------Boundary--x----\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    picture = (
        "\r\n------Boundary--x----\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0\r\n"
    )
    return HEADERS.encode() + part.encode() + body + picture.encode() + b"------Boundary--x------\r\n"


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
def test_a_page_in_an_envelope(encoding: str) -> None:
    text = "<html><p>論文 = reef</p></html>".encode("cp932")
    body = {"quoted-printable": quopri.encodestring(text), "base64": base64.encodebytes(text), "8bit": text}[encoding]
    data = mhtml(body, encoding)
    assert looks_like_mhtml(data)
    saved = saved_page(data, "a.mhtml")
    assert saved.data.strip() == text
    assert (saved.charset, saved.url) == ("shift_jis", "https://sea.example/reefs")


def test_it_is_read_as_a_page() -> None:
    reading = read_bytes(
        mhtml(quopri.encodestring(pages.BLOG.encode()), "quoted-printable", "text/html"), "Why reefs drift.mhtml"
    )
    assert (reading.document.title, reading.document.url) == ("Why reefs drift", "https://sea.example/reefs")
    assert reading.warnings == ()


def test_plain_pages_and_mails_are_left_as_they_are() -> None:
    assert saved_page(b"<html>", "a").data == b"<html>"
    assert not looks_like_mhtml(b"Content-Type: text/plain\r\nMIME-Version: 1.0\r\n\r\nmultipart/related")
    assert not looks_like_mhtml(b"A text about Content-Type: multipart/related and boundary")


def test_an_envelope_without_a_page() -> None:
    said = r"Expected a page \(text/html\) among the parts of a\.mhtml, found none\. Save the page again"
    for data in (HEADERS.encode(), mhtml(b"x", "8bit", "text/plain"), HEADERS.encode()[:-30] + b"\r\n\r\n"):
        with pytest.raises(MalformedFileError, match=said):
            saved_page(data, "a.mhtml")


def test_many_parts_take_no_time() -> None:
    parts = b"------Boundary--x----\r\nContent-Type: image/png\r\n\r\nx\r\n" * 50_000
    start = time.process_time()
    with pytest.raises(MalformedFileError, match="found none"):
        saved_page(HEADERS.encode() + parts, "a.mhtml")
    assert time.process_time() - start < 5
