"""Tags into a tree, as browsers read them, and within bounds."""

from __future__ import annotations

import time
from dataclasses import replace
from xml.etree.ElementTree import Element

import pytest

from engine.core.errors import InputTooLargeError
from engine.reading.limits import LIMITS
from engine.reading.web.elements import page_tree


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
