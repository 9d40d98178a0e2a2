"""Elements into headings, paragraphs and lists of references; formulas as LaTeX."""

from __future__ import annotations

import pytest

from engine.core.errors import InputTooLargeError
from engine.reading.limits import LIMITS, Budget
from engine.reading.web.page import page_tree
from engine.reading.web.prose import Layout, classes, formula, is_data_table, is_unread, paragraphs, parts, text_line

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
