"""Formulas as LaTeX, from whatever stands beside them."""

from __future__ import annotations

import pytest

from engine.reading.web.elements import page_tree
from engine.reading.web.formulas import formula
from engine.reading.web.prose import text_line

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
