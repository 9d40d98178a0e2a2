"""A page's tree as browsers show it, the article among its furniture, and the article's elements as prose."""

from __future__ import annotations

import base64
import quopri
import time
from dataclasses import replace
from xml.etree.ElementTree import Element

import pytest

from engine.core.errors import InputTooLargeError, MalformedFileError
from engine.reading.dispatch import read_bytes
from engine.reading.limits import LIMITS, Budget
from engine.reading.web.main_text import article, is_abstract, is_hidden, is_references
from engine.reading.web.page import looks_like_mhtml, page_text, page_tree, saved_page
from engine.reading.web.prose import Layout, classes, formula, is_data_table, is_unread, paragraphs, parts, text_line
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


@pytest.mark.parametrize("name", pages.PUBLISHED)
def test_publishers_pages(name: str) -> None:
    document = read_bytes(pages.PUBLISHED[name].encode(), "a.html").document
    assert (document.title, document.authors) == ("Slow drift", ("Mara Osei",))
    assert document.abstract == pages.PROSE.strip()
    assert [(one.title, one.role) for one in document.sections] == [
        ("Introduction", "body"), ("Methods", "body"), ("References", "references"),
    ]  # fmt: skip
    introduction, methods, references = (one.text for one in document.sections)
    assert introduction == pages.MORE.strip()
    assert methods.startswith(pages.MORE.strip()) and methods.endswith("Map.")
    assert references == "Smith J. Drift of reefs. Nature 2001."


def text_of(body: str) -> str:
    root, layout = article(page_tree(f"<html><body>{body}</body></html>", "a"))
    return "\n".join(part.text for part in parts(root, layout))


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav>gone</nav>",
        "<footer>gone</footer>",
        "<aside>gone</aside>",
        "<div role=navigation>gone</div>",
        "<div class='post-share'>gone</div>",
        "<div class='relatedPosts'>gone</div>",
        "<div id='cookieConsent'>gone</div>",
        "<div class='newsletter-signup'><p>gone</p></div>",
        "<div style='display: none'>gone</div>",
        "<div hidden>gone</div>",
        "<ul><li><a>gone one</a></li><li><a>gone two</a></li></ul>",
        "<div aria-hidden=true>gone</div>",
        "<button>gone</button>",
        "<div class='author-box'><p>gone</p></div>",
        "<script>gone</script>",
        "<style>gone</style>",
        "<iframe>gone</iframe>",
        "<p><a>gone is a long link to another article</a></p>",
        "<div class='sr-only'>gone</div>",
        "<svg><text>gone</text></svg>",
    ],
)
def test_furniture_goes(furniture: str) -> None:
    found = text_of(f"<div><h1>Reefs</h1><p>{pages.PROSE}</p>{furniture}<h2>Buoys</h2><p>{pages.MORE}</p></div>")
    assert found == f"Reefs\n{pages.PROSE.strip()}\nBuoys\n{pages.MORE.strip()}"


@pytest.mark.parametrize(
    "kept",
    [
        "<p>kept <a>link</a></p>",
        "<ul><li>kept</li></ul>",
        "<p>kept <b>bold</b></p>",
        "<blockquote>kept</blockquote>",
        "<div class='highlight'><pre>kept</pre></div>",
        "<dl><dt>kept</dt><dd>kept</dd></dl>",
        "<figcaption>kept</figcaption>",
        "<div class='loading navy socialism'>kept</div>",
        "<p><a href=#>kept</a></p>",
    ],
)
def test_what_is_no_furniture_stays(kept: str) -> None:
    assert "kept" in text_of(f"<div><p>{pages.PROSE}</p>{kept}<p>{pages.MORE}</p></div>")


def test_the_article_among_others_of_its_kind() -> None:
    teaser = "<article><h2>Other</h2><p>A teaser of a few words.</p></article>"
    found = text_of(
        f"<div class=x>{teaser}</div><main><h1>Reefs</h1><p>{pages.PROSE * 5}</p></main><div>{teaser}</div>"
    )
    assert "teaser" not in found and found.startswith("Reefs")


def test_marks_of_notes_go_and_powers_stay() -> None:
    found = text_of(f"<p>x<sup>2</sup> and y.<sup><a href='#r1'>1</a>,<a href='#r2'>2</a></sup> {pages.PROSE}</p>")
    assert found.startswith("x2 and y. Reefs")


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<div class='abstract'>", True),
        ("<section id=abstract>", True),
        ("<div class='graphical-abstract'>", False),
        ("<div class='abstract author-highlights'>", False),
        ("<span class=abstract>", False),
        ("<div class=abstraction>", False),
    ],
)
def test_elements_named_as_an_abstract(tag: str, expected: bool) -> None:
    assert is_abstract(page_tree(tag, "a")[0]) is expected


def test_elements_named_as_references() -> None:
    assert is_references(page_tree("<ol class=references><li>a</ol>", "a")[0])
    assert not is_references(page_tree("<div class=references>a</div>", "a")[0])


def test_the_source_of_a_formula_is_hidden_and_counts() -> None:
    assert not is_hidden(page_tree("<span class='mwe-math-mathml-inline' style='display: none'>", "a")[0])
    assert is_hidden(page_tree("<span style='color:red;display : none'>", "a")[0])


def test_a_page_of_many_elements_looks_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    page = page_tree(f"<html><body>{'<div>a</div>' * 1_000}</body></html>", "a")
    looks: list[Budget] = []
    monkeypatch.setattr(Budget, "check", lambda self: looks.append(self))
    article(page)
    assert len(looks) > 1_000


ANNOTATED = "<semantics><mi>x</mi><annotation encoding='application/x-tex'>{}</annotation></semantics>"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<math alttext='x_1'><mi>y</mi></math>", "$x_1$"),
        ("<math alttext='$$x_1$$' display=block></math>", "$$x_1$$"),
        (f"<math>{ANNOTATED.format('a&lt;b')}</math>", "$a<b$"),
        (f"<math>{ANNOTATED.format('{displaystyle x^{2}}').replace('{d', '{' + chr(92) + 'd')}</math>", "$x^{2}$"),
        ("<script type='math/tex'>x<y</script>", "$x<y$"),
        ("<script type='math/tex; mode=display'>x</script>", "$$x$$"),
        ("<script>x</script>", ""),
        ("<img class='math inline' alt='\\alpha'>", "$\\alpha$"),
        ("<img class='tex' alt=''>", ""),
        ("<img class='photo' alt='a reef'>", ""),
        (f"<span class=katex><math>{ANNOTATED.format('x^2')}</math><span class=katex-html>x2</span></span>", "$x^2$"),
        (
            "<mjx-container><mjx-math>x</mjx-math>"
            "<mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container>",
            "$x$",
        ),
        ("<span class='MathJax_Preview'>x</span><span class=MathJax>x</span><script type='math/tex'>x</script>", "$x$"),
        ("<p class=mathjax>words</p>", "words"),
        ("\\(x_1\\) and $y$", "\\(x_1\\) and $y$"),
    ],
)
def test_the_source_beside_a_formula(page: str, expected: str) -> None:
    assert text_line(page_tree(page, "a")) == expected


@pytest.mark.parametrize(
    ("mathml", "expected"),
    [
        ("<mfrac><mn>1</mn><mi>&alpha;</mi></mfrac>", "\\frac{1}{\\alpha}"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>ij</mi></msub>", "x^2+y_{\\mathrm{ij}}"),
        ("<msubsup><mo>∑</mo><mi>i</mi><mi>n</mi></msubsup>", "\\sum_i^n"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>", "\\sum_{i=1}^n"),
        ("<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt{x}\\sqrt[3]{x}"),
        ("<mi>sin</mi><mi>x</mi><mo>\u2061</mo><mo>\u2212</mo><mn>1</mn>", "\\sin x-1"),
        ("<mi>&alpha;</mi><mi>x</mi>", "\\alpha x"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", "\\hat{x}"),
        ("<mover><mi>x</mi><mi>n</mi></mover><munder><mi>x</mi><mi>n</mi></munder>", "x^nx_n"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
            "\\begin{matrix} 1 & 2 \\\\ 3 \\end{matrix}",
        ),
        ("<mtext>if so</mtext>", "\\text{if so}"),
        ("<msup><mi>x</mi></msup>", "x"),
    ],
)
def test_mathml_alone(mathml: str, expected: str) -> None:
    assert formula(page_tree(f"<math>{mathml}</math>", "a")[0]) == f"${expected}$"


LONG = "Reefs drift because the currents that feed them change with the seasons, and maps do not show it. " * 2


def told(page: str, layout: Layout | None = None) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in parts(page_tree(page, "a"), layout or Layout())]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "<h2>A <i>b</i></h2><p>c\n d<div>e<p>f</div>g",
            [("heading", "A b"), ("text", "c d"), ("text", "e"), ("text", "f"), ("text", "g")],
        ),
        ("a <b>b</b><i> c</i>", [("text", "a b c")]),
        ("<ul><li>a</li> <li>b</li></ul>c", [("text", "a\nb"), ("text", "c")]),
        ("a<br>b", [("text", "a\nb")]),
        ("<pre>a  b\n c</pre>", [("text", "a b\nc")]),
        ("<table><caption>Table 1. A</caption><tr><td>1</td></tr></table>b", [("text", "Table 1. A"), ("text", "b")]),
        ("<table role=presentation><tr><td>a</td><td>b</td></tr></table>", [("text", "a b")]),
        (f"<table><tr><td><p>{LONG}</p><p>{LONG}</p></td></tr></table>", [("text", LONG.strip())] * 2),
        ("<script>a</script><style>b</style><noscript>c</noscript>d", [("text", "d")]),
    ],
)
def test_parts_in_reading_order(page: str, expected: list[tuple[str, str]]) -> None:
    assert told(page) == expected


def test_what_a_layout_marks() -> None:
    layout = Layout(
        drop=lambda one: "gone" in classes(one),
        abstract=lambda one: "abstract" in classes(one),
        references=lambda one: "refs" in classes(one),
        not_cited=lambda one: one.tag == "b",
        run_in=lambda one: one.tag == "h6",
        heading=lambda one: one.tag == "heading",
    )
    page = (
        "<div class=gone>x</div><div class=abstract><h2>Abstract</h2><h3>Aim.</h3><p>a</p><p>b</p></div>"
        "<heading>B</heading>"
        "<h6>Theorem 1.</h6><p>All.</p><h6>Last</h6>"
        "<div class=refs><h2>Refs</h2><ul><li><b>1</b> c [ ]</li><li></li></ul></div>"
    )
    found = parts(page_tree(page, "a"), layout)
    assert [(one.kind, one.text) for one in found] == [
        ("abstract", "Aim: a\n\nb"),
        ("heading", "B"),
        ("text", "Theorem 1. All."),
        ("references", "Refs"),
        ("text", "Last"),
    ]
    assert found[3].entries == ["c"]


def test_paragraphs_and_lines() -> None:
    page = page_tree("<p>Abstract: a</p><h3>B:</h3><p>c<br>d</p>", "a")
    assert paragraphs(page) == ["a", "B: c\nd"]
    assert text_line(page) == "Abstract: a B: c d"
    assert text_line(None) == ""


@pytest.mark.parametrize(
    ("label", "expected"), [("Zusammenfassung", "a"), ("Résumé", "a"), ("摘要", "a"), ("Aim", "Aim: a")]
)
def test_the_heading_of_an_abstract_in_other_languages(label: str, expected: str) -> None:
    assert paragraphs(page_tree(f"<h2>{label}</h2><p>a</p>", "a")) == [expected]


def test_tables_of_values_and_of_layout() -> None:
    assert is_data_table(page_tree("<table><tr><td>1", "a")[0])
    assert not is_data_table(page_tree("<table class=ltx_eqn_table><tr><td>1", "a")[0])
    assert is_unread(page_tree("<script>", "a")[0])


def test_too_many_headings_and_cancel() -> None:
    budget = Budget.of_file(LIMITS, "a.html")
    with pytest.raises(InputTooLargeError, match=r"at most 5,000 sections in a\.html, found 5,001"):
        parts(page_tree("<h2>a</h2>" * 5_001, "a"), Layout(), budget)


def test_deep_elements_need_no_recursion() -> None:
    assert told("<div>" * 5_000 + "a") == [("text", "a")]
