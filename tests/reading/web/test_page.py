"""Pages in one file, in old encodings and other languages', and the tree of what browsers show."""

from __future__ import annotations

import base64
import quopri
import time
from dataclasses import replace
from xml.etree.ElementTree import Element

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError
from engine.reading.dispatch import read_bytes
from engine.reading.limits import LIMITS
from engine.reading.web.page import looks_like_mhtml, page_text, page_tree, saved_page
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


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("café".encode(), "café"),
        ("café".encode("utf-8-sig"), "café"),
        ("<p>café".encode("utf-16"), "<p>café"),
        ("<meta charset=iso-8859-1>“café”".encode("cp1252"), "<meta charset=iso-8859-1>“café”"),
        ("<meta charset=shift_jis>論文".encode("cp932"), "<meta charset=shift_jis>論文"),
        (
            '<meta content="text/html; charset=gb2312">论文'.encode("gb18030"),
            '<meta content="text/html; charset=gb2312">论文',
        ),
        ("<meta charset='windows-1251'>Статья".encode("cp1251"), "<meta charset='windows-1251'>Статья"),
        (
            "<?xml version='1.0' encoding='ISO-8859-2'?>Łódź".encode("iso-8859-2"),
            "<?xml version='1.0' encoding='ISO-8859-2'?>Łódź",
        ),
        ("<meta charset=shift_jis>résumé".encode(), "<meta charset=shift_jis>résumé"),
    ],
)
def test_a_mark_then_what_the_page_declares_then_a_guess(data: bytes, expected: str) -> None:
    assert page_text(data) == (expected, "")


def test_a_page_that_names_no_encoding_is_read_by_a_guess() -> None:
    said = "The page names no encoding that we know; it was read as Windows-1252 (Western European)."
    assert page_text("<p>café “x”".encode("cp1252")) == ("<p>café “x”", said)
    text, told = page_text("<p>Медленный дрейф рифов: мы картируем сорок рифов".encode("cp1251"))
    assert text.endswith("сорок рифов") and "Windows-1251" in told


def test_the_envelope_knows_the_encoding() -> None:
    assert page_text("論文".encode("euc_jp"), "EUC-JP") == ("論文", "")


def test_a_page_never_names_a_codec_of_pythons() -> None:
    text, _ = page_text(b"<meta charset=unicode_escape>caf\xe9 \\x41")
    assert text == "<meta charset=unicode_escape>café \\x41"


def test_characters_that_do_not_fit_are_told() -> None:
    data = "<meta charset=gb2312>论文".encode("gb18030") + b"\xff\xff<p>"
    text, told = page_text(data)
    assert "论文" in text and "<p>" in text
    assert told == "2 characters do not fit the page's encoding, gb18030; the text has a mark there."


def outline(element: Element) -> str:
    inner = "".join(f"{outline(child)}{child.tail or ''}" for child in element)
    return f"{element.tag}({element.text or ''}{inner})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>a<p>b", "page(p(a)p(b))"),
        ("<p>a<div>b</div>c", "page(p(a)div(b)c)"),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "page(ul(li(a)li(bul(li(c)))li(d)))"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "page(dl(dt(a)dd(b)dt(c)))"),
        ("<table><tr><td>a<td>b<tr><td>c</table>d", "page(table(tr(td(a)td(b))tr(td(c)))d)"),
        ("<table><tr><td><table><tr><td>a</table><td>b</table>", "page(table(tr(td(table(tr(td(a))))td(b))))"),
        ("<p>a<br>b<br/>c<img src=x>d</p>", "page(p(abr()bbr()cimg()d))"),
        ("<b><p>a</b>c</p>d</b>e", "page(b(p(ac)d)e)"),
        ("<div>a</span></div>b</div>c", "page(div(a)bc)"),
        ("<h2>a<h3>b</h2>c", "page(h2(a)h3(b)c)"),
        ("a<!-- <p>b</p> -->c<!DOCTYPE x><?php d ?>e", "page(ace)"),
        ("a < b &amp; c &lt; d &nbsp;é &#233;", "page(a < b & c < d \xa0é é)"),
        (
            "<script>if (a < b) '<p>'</script>c<style>p{}</style><title>a &amp; <b></title>",
            "page(script()cstyle()title(a & <b>))",
        ),
        ('<script type="math/tex">x<y</script>', "page(script(x<y))"),
        ("<head><title>a</title><p>b", "page(head(title(a))p(b))"),
        ("<math><mi/>a</math><div/>b", "page(math(mi()a)div(b))"),
        ("<a>b<a>c", "page(a(b)a(c))"),
        ("a<", "page(a<)"),
        ("a<b", "page(a)"),
        ("<p>a</p", "page(p(a))"),
        ("<!-- a", "page()"),
        ("<svg><title>a</title></svg>b", "page(svg(title(a))b)"),
        ("&#99999999999999999999;", "page(\ufffd)"),
    ],
)
def test_the_tree_is_a_browsers(text: str, expected: str) -> None:
    assert outline(page_tree(text, "a.html")) == expected


def test_xhtml_closes_what_it_says() -> None:
    text = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/><p>b<![CDATA[<c>]]></p></html>'
    assert outline(page_tree(text, "a")) == "page(html(script()p(b<c>)))"


def test_attributes_that_readers_look_at() -> None:
    element = page_tree("<P CLASS='a b' class=c id=d onclick=e hidden title = \"f &gt; g\">", "a")[0]
    assert element.attrib == {"class": "a b", "id": "d", "hidden": "", "title": "f > g"}


def test_elements_too_deep_keep_their_text() -> None:
    limits = replace(LIMITS, max_xml_depth=3)
    tree = page_tree("<div><div><div><div><div>a</div>b</div></div></div></div>c", "a", limits)
    assert "".join(tree.itertext()) == "abc"
    assert tree[-1].tail == "c"


def test_too_many_elements() -> None:
    said = r"Expected at most 300 elements in a\.html, found 512\. Split it, or paste a part\."
    with pytest.raises(InputTooLargeError, match=said):
        page_tree("<p>" * 600, "a.html", replace(LIMITS, max_elements=300))


PUMPED = (
    *("<div>", "<b>", "<p><div>", "<ul><li>", "<table><tr><td>", "<a b='", '<a b="', "<!--", "<!-- a -->", "<![CDATA["),
    *("<", "</", "</p>", "<?", "&", "&#", "<a ", "<title>", "<script>", "<h1>", " ", "<svg>", "<math>", "<p>a<!-- -->"),
)


@pytest.mark.parametrize("piece", PUMPED)
def test_time_is_linear(piece: str) -> None:
    def seconds(count: int) -> float:
        """Of the thread's work, the least of three times: another process may take the cache at any of them."""
        return min(once(count) for _ in range(3))

    def once(count: int) -> float:
        start = time.thread_time()
        page_tree(piece * count, "a")
        return time.thread_time() - start

    assert seconds(20_000) < 80 * seconds(1_000)  # 20 if linear, 400 if quadratic


def test_attributes_without_end() -> None:
    text = "<p " + " ".join(f"a{number}=1" for number in range(200_000)) + ">b"
    start = time.process_time()
    assert outline(page_tree(text, "a")) == "page(p(b))"
    assert time.process_time() - start < 5
